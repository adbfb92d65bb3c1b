"""Recall while background work waits: one client asks, in spells with and without 10,000 messages that are being read.

`python -m tests.bench.background` prints both side by side. The spells take turns, so that what else the machine does
slows both alike. Reading is measured both ways: by the sweep over twenty users, and by the jobs of 1,500 turns that are
all due at once, as after a time without a worker.
"""

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count, islice
from uuid import UUID

import psycopg

from memd.context import Services
from memd.db.embedded.server import running_conninfo
from memd.db.session import Deferral
from memd.domain.ids import decode, new_id
from memd.domain.text.duplicates import message_hash
from memd.embed.providers.minilm import MiniLmEmbedder
from memd.services import now_ms
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
SPELLS = 5
IDLE_S, BUSY_S = 2.0, 4.0
LOOKS, LOOK_S = 900, 0.2
QUERIES = 500
WAITING_MS = 5 * 60_000
DAY_MS = 86_400_000
INSERT = """
INSERT INTO message (user_id, id, role, content, session_key, channel, turn_id, turn_message_index, timestamp,
                     created_at, expires_at, content_hash, embedding_pending)
VALUES (%(user)s, %(id)s, %(role)s, %(content)s, %(session)s, 'slack', %(turn)s, %(index)s, %(at)s, %(created)s,
        %(expires)s, %(hash)s, false)
"""


HELD = "UPDATE procrastinate_jobs SET scheduled_at = now() + interval '1 day' WHERE status = 'todo'"
LET_GO = """
WITH due AS (UPDATE procrastinate_jobs SET scheduled_at = NULL WHERE status = 'todo' RETURNING id)
SELECT pg_notify('procrastinate_any_queue_v1', json_build_object('type', 'job_inserted', 'job_id', min(id))::text) FROM due
"""
RUNNING = """
SELECT count(*) FROM procrastinate_jobs WHERE status = 'doing' OR (status = 'todo' AND coalesce(scheduled_at, now()) <= now())
"""
UNREAD = "SELECT count(*) FROM message WHERE extracted_at IS NULL AND extraction_skipped_reason IS NULL"


@dataclass(slots=True)
class Latency:
    """Milliseconds of recalls without and with background reading, and how many messages were read meanwhile."""

    name: str
    idle: list[float] = field(default_factory=list[float])
    busy: list[float] = field(default_factory=list[float])
    read: int = 0

    @property
    def ratio(self) -> float:
        """p95 with background reading divided by p95 without."""
        return percentile(self.busy, 0.95) / percentile(self.idle, 0.95)

    def __str__(self) -> str:
        return (
            f"{self.name:<6} idle {_figures(self.idle)}   busy {_figures(self.busy)}   {self.ratio:.2f} × idle, "
            f"{self.read:,} messages read meanwhile"
        )


def _figures(times: Sequence[float]) -> str:
    return f"p50 {percentile(times, 0.5):5.1f} p95 {percentile(times, 0.95):5.1f} ms ({len(times)})"


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
    """Give the user `number_of` messages that have settled, as sessions or as turns; the first of these are due."""
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


def on_database(daemon: Daemon, statement: str) -> int:
    """Run a statement on the database of the daemon; the number that it returns, 0 for none."""
    with psycopg.connect(running_conninfo(daemon.data_dir), autocommit=True) as connection:
        cursor = connection.execute(statement.encode())
        row = cursor.fetchone() if cursor.description else None
    return row[0] if row and isinstance(row[0], int) else 0


def ask(client: Lean, questions: Iterator[str], for_s: float) -> Iterator[float]:
    """Recall one query after another for this many seconds; the milliseconds of each."""
    begun = time.monotonic()
    while time.monotonic() - begun < for_s:
        body = {"query": next(questions), "limit": 12}
        yield 1000 * seconds(lambda body=body: client.post("/api/mcp/recall", body))


def compare(
    daemon: Daemon, client: Lean, questions: Iterator[str], name: str, begin: Callable[[], object] | None = None
) -> Latency:
    """Ask in spells, without reading and with the reading that `begin` sets off."""
    latency = Latency(name)
    for _ in range(SPELLS):
        latency.idle += ask(client, questions, IDLE_S)
        unread = on_database(daemon, UNREAD)
        if begin is not None:
            begin()
        on_database(daemon, LET_GO)
        latency.busy += ask(client, questions, BUSY_S)
        latency.read += unread - on_database(daemon, UNREAD)
        _drain(daemon)
    return latency


def _drain(daemon: Daemon) -> None:
    """Hold back what has not begun, and wait until the rest has ended."""
    for _ in range(LOOKS):
        on_database(daemon, HELD)
        if not on_database(daemon, RUNNING):
            return
        time.sleep(LOOK_S)
    raise TimeoutError("the background work does not end")


def measure(daemon: Daemon) -> Iterator[Latency]:
    """While the sweep reads, then while turns are read."""
    admin = Lean(daemon.url, daemon.key)
    asker, key = new_user(admin, "asker")
    talkers = [new_user(admin, f"talker {number}")[0] for number in range(TALKERS)]
    embedder = MiniLmEmbedder(daemon.data_dir, parallelism=2)
    asyncio.run(_remember(daemon, embedder, asker))
    client, questions = Lean(daemon.url, key), different_queries()
    for query in islice(questions, 100):
        client.post("/api/mcp/recall", {"query": query, "limit": 12})
    asyncio.run(_say(daemon, embedder, talkers, turns=False))
    yield compare(daemon, client, questions, "sweep", lambda: admin.post("/api/jobs/extraction/run", {}))
    asyncio.run(_say(daemon, embedder, talkers[:1], turns=True))
    _drain(daemon)
    yield compare(daemon, client, questions, "turns")


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
        for latency in measure(daemon):
            print(latency, flush=True)


if __name__ == "__main__":
    main()
