"""Recall while background work waits: one client asks, idle first, then with 10,000 messages that nobody has read yet.

`python -m tests.bench.background` prints both. Reading is measured both ways: by the sweep over twenty users, and by
the jobs of turns that are all due at once, as after a time without a worker.
"""

import asyncio
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice
from uuid import UUID

import psycopg

from memd.app import now_ms
from memd.context import Services
from memd.db.embedded import running_conninfo
from memd.db.session import Deferral
from memd.domain.duplicates import message_hash
from memd.domain.ids import decode, new_id
from memd.embed.minilm import MiniLmEmbedder
from tests.bench.corpus import Writer, queries, sentences
from tests.bench.filling import analyze, beside, fill
from tests.bench.lean import Lean, percentile, seconds
from tests.bench.serving import serving
from tests.support.daemon import Daemon

MEMORIES = 1_000
MESSAGES = 10_000
TALKERS = 20
DUE_TURNS = 1_500
OF_A_SESSION = 20
SECONDS = 25.0
IDLE_QUERIES = 400
QUERIES = 500
WAITING_MS = 5 * 60_000
DAY_MS = 86_400_000
INSERT = """
INSERT INTO message (user_id, id, role, content, session_key, channel, turn_id, turn_message_index, timestamp,
                     created_at, expires_at, content_hash, embedding_pending)
VALUES (%(user)s, %(id)s, %(role)s, %(content)s, %(session)s, 'slack', %(turn)s, %(index)s, %(at)s, %(created)s,
        %(expires)s, %(hash)s, false)
"""


@dataclass(frozen=True, slots=True)
class Latency:
    """Milliseconds of so many recalls, and how many messages were read meanwhile."""

    name: str
    recalls: int
    p50: float
    p95: float
    read: int

    def __str__(self) -> str:
        read = f", {self.read:,} messages read meanwhile" if self.read else ""
        return f"{self.name:<8} p50 {self.p50:6.1f} ms  p95 {self.p95:6.1f} ms  ({self.recalls} recalls{read})"


def said() -> Iterator[str]:
    """Talk without end: every second message says something that lasts."""
    while True:
        for number, sentence in enumerate(sentences()):
            yield f"We decided that {sentence[0].lower()}{sentence[1:]}" if number % 2 else sentence


def different_queries() -> Iterator[str]:
    """Queries without end, none of them twice: the service remembers the vectors of the last ones."""
    for lap in count(1):
        for query in queries(QUERIES):
            yield f"{query} {lap}"


async def talk(services: Services, user_id: UUID, number_of: int, *, turns: bool) -> None:
    """Give the user `number_of` messages that have settled, as turns or as sessions; up to `DUE_TURNS` turns are due."""
    now = now_ms()
    rows = [
        {
            "user": user_id,
            "id": new_id(),
            "role": "assistant" if number % 2 else "user",
            "content": text,
            "session": f"session {number // OF_A_SESSION}",
            "turn": f"{user_id} {number // 2}" if turns else None,
            "index": number % 2 if turns else None,
            "at": now - DAY_MS + number * 20_000,
            "created": now - WAITING_MS,
            "expires": now + DAY_MS,
            "hash": message_hash("user", f"{number}"),
        }
        for number, text in enumerate(islice(said(), number_of))
    ]
    async with services.database.write(user_id) as session:
        await session.execute_many(INSERT, rows)
        for number in range(min(DUE_TURNS, number_of // 2) if turns else 0):
            session.defer(Deferral("extract_turn", {"turn_id": f"{user_id} {number}"}))


def new_user(admin: Lean, name: str) -> tuple[UUID, str]:
    """A user without limits: id and key."""
    made = admin.post("/api/admin/users", {"name": name, "tier": "unlimited"})
    return decode("usr", made["id"]), made["apiKey"]


def unread(daemon: Daemon) -> int:
    """Messages that nobody has read."""
    waiting = "SELECT count(*) FROM message WHERE extracted_at IS NULL AND extraction_skipped_reason IS NULL"
    with psycopg.connect(running_conninfo(daemon.data_dir), autocommit=True) as connection:
        row = connection.execute(waiting).fetchone()
    assert row is not None
    return row[0]


def ask(daemon: Daemon, client: Lean, asked: Iterable[str], name: str, for_s: float | None = None) -> Latency:
    """Recall one query after the other, all of them or for so many seconds."""
    before, begun, times = unread(daemon), time.monotonic(), []
    for query in asked:
        body = {"query": query, "limit": 12}
        times.append(1000 * seconds(lambda body=body: client.post("/api/mcp/recall", body)))
        if for_s is not None and time.monotonic() - begun >= for_s:
            break
    return Latency(name, len(times), percentile(times, 0.5), percentile(times, 0.95), before - unread(daemon))


def measure(daemon: Daemon) -> Iterator[Latency]:
    """Idle, then while the sweep reads, then while turns are read."""
    admin = Lean(daemon.url, daemon.key)
    asker, key = new_user(admin, "asker")
    talkers = [new_user(admin, f"talker {number}")[0] for number in range(TALKERS)]
    embedder = MiniLmEmbedder(daemon.data_dir, parallelism=2)
    asyncio.run(_remember(daemon, embedder, asker))
    client, asked = Lean(daemon.url, key), different_queries()
    for query in islice(asked, 100):
        client.post("/api/mcp/recall", {"query": query, "limit": 12})
    yield ask(daemon, client, islice(asked, IDLE_QUERIES), "idle")
    asyncio.run(_say(daemon, embedder, talkers, turns=False))
    admin.post("/api/jobs/extraction/run", {})
    yield ask(daemon, client, asked, "sweep", SECONDS)
    asyncio.run(_say(daemon, embedder, talkers[:1], turns=True))
    yield ask(daemon, client, asked, "turns", SECONDS)


async def _remember(daemon: Daemon, embedder: MiniLmEmbedder, user_id: UUID) -> None:
    async with beside(daemon.data_dir, embedder) as services:
        await fill(services, user_id, Writer(embedder), MEMORIES)
    analyze(daemon.data_dir)


async def _say(daemon: Daemon, embedder: MiniLmEmbedder, talkers: Sequence[UUID], *, turns: bool) -> None:
    async with beside(daemon.data_dir, embedder) as services:
        for user_id in talkers:
            await talk(services, user_id, MESSAGES // len(talkers), turns=turns)


def main() -> None:
    """Measure on a memd of its own."""
    with serving("minilm") as daemon:
        idle: Latency | None = None
        for latency in measure(daemon):
            idle = idle or latency
            print(latency, f" {latency.p95 / idle.p95:.2f} × idle", flush=True)


if __name__ == "__main__":
    main()
