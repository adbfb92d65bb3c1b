"""The worth of extraction in recall: real conversations in, questions about one fact each (needs the evaluation data).

A question counts when a memory that names the evidence among its source messages is in the first twelve; "beside" also
counts a memory whose source is the message before or after the evidence. Recall moves access counters, so the order of
the questions plays a part: they are asked in the order of the files, once each.

`python -m tests.bench.extraction` measures every conversation with the default embedder and prints the shares.
"""

import asyncio
import json
import os
import shutil
import tempfile
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import structlog

from memctl.client import MemdClient
from memd.app import build
from memd.context import Services
from memd.db.embedded.server import EmbeddedPostgres
from memd.db.schema.migrate import migrate
from memd.domain.ids import decode
from memd.extraction import jobs
from memd.settings import EmbedModel, Settings
from tests.support.dict_rows import dict_rows
from tests.support.jobs import done, later
from tests.support.postgres import FAST
from tests.support.service import BASE, HOST, STILL, TestUser, add_user, serving
from tests.support.wire import Json, post

EVAL = Path(os.environ.get("MEMD_EVAL_DIR", Path(__file__).parents[3] / "shared" / "eval")) / "locomo-dev"
SINGLE_FACT = 4
CHANNEL = "people"


@dataclass(frozen=True, slots=True)
class Hits:
    """Questions asked, and how many found their evidence, or at least a neighbour of it, in the first twelve."""

    asked: int
    found: int
    beside: int

    def __add__(self, other: "Hits") -> "Hits":
        return Hits(self.asked + other.asked, self.found + other.found, self.beside + other.beside)

    def __str__(self) -> str:
        shares = f"{self.found / self.asked:.1%}, with neighbours {self.beside / self.asked:.1%}"
        return f"{self.found} of {self.asked} questions found their evidence: {shares}"


@asynccontextmanager
async def alone(settings: Settings, conninfo: str) -> AsyncGenerator[tuple[Services, TestUser]]:
    """A service on an empty database, and its only user."""
    migrate(conninfo)
    async with serving(settings, conninfo) as services:
        user_id, key = await add_user(services)
        transport = httpx.ASGITransport(build(services))
        headers = {"Authorization": f"Bearer {key}"}
        async with httpx.AsyncClient(transport=transport, base_url=BASE, headers=headers) as http:
            yield services, TestUser(user_id, key, MemdClient(BASE, key, transport=transport), http)


async def measure(services: Services, user: TestUser, conversation: str, sessions: int | None = None) -> Hits:
    """Log a conversation, or its first sessions, extract memories from it, and ask for the single facts in it."""
    ids = await _tell(user, conversation, sessions)
    ahead = later(services, minutes=3)
    while (await jobs.sweep(ahead)).rows:
        pass
    await done(services, user)
    made = await _sources(services, user)
    order = list(ids)
    hits = Hits(0, 0, 0)
    for question in _read(conversation, "questions"):
        if question["category"] != SINGLE_FACT or not ids.keys() >= {*question["evidence"]}:
            continue
        rows = await _recall(user, question["question"])
        known = set().union(*(made[row] for row in rows))
        at = [order.index(one) for one in question["evidence"]]
        near = (place for one in at for place in (one - 1, one, one + 1) if 0 <= place < len(order))
        hits += Hits(1, _any_of(known, at, order, ids), _any_of(known, near, order, ids))
    return hits


def _any_of(known: set[object], places: Iterable[int], order: list[str], ids: dict[str, str]) -> bool:
    return any(decode("msg", ids[order[place]]) in known for place in places)


def _read(conversation: str, name: str) -> list[Json]:
    lines = (EVAL / f"{conversation}.{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


async def _tell(user: TestUser, conversation: str, sessions: int | None) -> dict[str, str]:
    """Log the conversation, or its first sessions; evaluation id → message id."""
    ids: dict[str, str] = {}
    rows = _read(conversation, "messages")
    first_keys = list(dict.fromkeys(row["sessionKey"] for row in rows))[:sessions]
    for row in rows:
        if row["sessionKey"] not in first_keys:
            continue
        fields = {name: row[name] for name in ("role", "content", "speaker", "sessionKey", "timestamp")}
        ids[row["id"]] = (await post(user, "log", fields | {"channel": CHANNEL}))["id"]
    return ids


async def _sources(services: Services, user: TestUser) -> dict[object, set[object]]:
    async with services.database.read(user.id) as session:
        rows = await dict_rows(session, "SELECT id, source_message_ids FROM memory")
    return {row["id"]: set(row["source_message_ids"]) for row in rows}


async def _recall(user: TestUser, query: str) -> list[object]:
    reply = await post(user, "recall", {"query": query, "channel": CHANNEL, "limit": 12})
    return [decode("mem", row["id"]) for row in reply["memories"]]


async def _all(folder: Path) -> None:
    settings = Settings(data_dir=folder / "data", embed_model=EmbedModel.MINILM, schedule=STILL, allowed_hosts=[HOST])
    total = Hits(0, 0, 0)
    for path in sorted(EVAL.glob("*.questions.jsonl")):
        conversation = path.name.removesuffix(".questions.jsonl")
        with EmbeddedPostgres(folder / conversation, FAST) as server:
            async with alone(settings, server.conninfo) as (services, user):
                hits = await measure(services, user, conversation)
        print(f"{conversation}: {hits}", flush=True)
        total += hits
    print(f"all: {total}")


def main() -> None:
    """Measure every conversation."""
    if not EVAL.is_dir():
        raise SystemExit("the evaluation data is not beside the checkout; set MEMD_EVAL_DIR")
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    folder = Path(tempfile.mkdtemp(prefix="memd-bench-", dir="/tmp"))
    folder.chmod(0o711)
    try:
        asyncio.run(_all(folder))
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
