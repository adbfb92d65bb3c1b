"""Requests at fixed rates, whether or not earlier ones were answered: recall latency during background work, and lag.

`python -m tests.bench.open_loop [SECONDS]` runs the same load twice (five minutes each) on a fresh memd each, without
workers and with one: 10 recalls, 5 captures and 10 logged messages a second. Lag is the time from a reply until the row is
complete: a capture in the graph, a message with its vector. The clock of the lag is polled every 0.1 s.
"""

import asyncio
import random
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import httpx
import psycopg

from memd.db.embedded.server import running_conninfo
from memd.domain.ids import decode
from tests.bench.corpus import queries, sentences
from tests.bench.lean import percentile
from tests.bench.serving import serving
from tests.support.daemon import Daemon

SECONDS = 300.0
RECALLS, CAPTURES, LOGS = 10, 5, 10
FILLED = 1_000
POLL_S = 0.1
EMPTY_S = 120
OPEN = """
SELECT count(*) FROM procrastinate_jobs
WHERE status = 'doing' OR (status = 'todo' AND coalesce(scheduled_at, now()) <= now() + interval '1 second')
"""
"""Jobs that run or are due, now or within a second: the graph waits for the end of a burst of captures."""
COMPLETE = {
    "graph": "SELECT id FROM memory WHERE graph_enriched AND id = ANY(%s)",
    "vector": "SELECT id FROM message WHERE NOT embedding_pending AND id = ANY(%s)",
}


@dataclass(slots=True)
class Figures:
    """Milliseconds of recalls, seconds of lag by kind, and seconds from the end of the load to an empty queue."""

    recalls: list[float] = field(default_factory=list[float])
    lag: dict[str, list[float]] = field(default_factory=lambda: {"graph": [], "vector": []})
    waiting: dict[str, dict[object, float]] = field(default_factory=lambda: {"graph": {}, "vector": {}})
    errors: int = 0
    empty_s: float = 0.0

    def __str__(self) -> str:
        text = f"recall p50 {percentile(self.recalls, 0.5):.1f} ms, p95 {percentile(self.recalls, 0.95):.1f} ms"
        for kind, seconds in self.lag.items():
            if seconds:
                text += f"; {kind} lag p50 {percentile(seconds, 0.5):.2f} s, p95 {percentile(seconds, 0.95):.2f} s"
        return f"{text}; queue empty after {self.empty_s:.1f} s; {self.errors} errors"


def made_texts(count: int, seed: int) -> list[str]:
    """Different texts of two sentences."""
    rng = random.Random(seed)
    return [" ".join([*rng.sample(sentences(), 2), f"Ticket {seed}-{number}."]) for number in range(count)]


async def at_rate(rate: int, seconds: float, call: Callable[[int], Awaitable[None]], figures: Figures) -> None:
    """Start a call every 1/rate seconds, whatever became of the others; return when all have ended."""
    begun, calls = time.monotonic(), list[asyncio.Task[None]]()
    for number in range(int(rate * seconds)):
        await asyncio.sleep(max(0.0, begun + number / rate - time.monotonic()))
        calls.append(asyncio.ensure_future(call(number)))
    ended = await asyncio.gather(*calls, return_exceptions=True)
    figures.errors += sum(isinstance(one, BaseException) for one in ended)


async def watch(conninfo: str, figures: Figures) -> None:
    """Note when rows are complete, until cancelled."""
    async with await psycopg.AsyncConnection.connect(conninfo, autocommit=True) as connection:
        while True:
            for kind, query in COMPLETE.items():
                waiting = figures.waiting[kind]
                cursor = await connection.execute(query, [list(waiting)])
                for (row_id,) in await cursor.fetchall():
                    figures.lag[kind].append(time.monotonic() - waiting.pop(row_id))
            await asyncio.sleep(POLL_S)


async def run(daemon: Daemon, seconds: float, *, workers: bool) -> Figures:
    """The load on a running memd."""
    figures, questions = Figures(), queries(int(RECALLS * seconds))
    texts, said = made_texts(FILLED + int(CAPTURES * seconds), 3), made_texts(int(LOGS * seconds), 4)
    headers = {"Authorization": f"Bearer {daemon.key}"}
    limits = httpx.Limits(max_connections=100)
    async with httpx.AsyncClient(base_url=daemon.url, headers=headers, timeout=30, limits=limits) as http:

        async def post(path: str, body: dict[str, object]) -> dict[str, object]:
            reply = await http.post(f"/api/mcp/{path}", json=body)
            reply.raise_for_status()
            return reply.json()

        async def recall(number: int) -> None:
            began = time.monotonic()
            await post("recall", {"query": questions[number]})
            figures.recalls.append((time.monotonic() - began) * 1000)

        async def capture(number: int) -> None:
            text = texts[FILLED + number]
            reply = await post("capture", {"title": text[:60], "content": text})
            figures.waiting["graph"][decode("mem", str(reply["id"]))] = time.monotonic()

        async def log(number: int) -> None:
            message = {"role": "user", "content": said[number], "sessionKey": "bench", "channel": "slack"}
            reply = await post("log", message)
            figures.waiting["vector"][decode("msg", str(reply["id"]))] = time.monotonic()

        for start in range(0, FILLED, 100):
            rows = [{"title": text[:60], "content": text} for text in texts[start : start + 100]]
            await post("capture-batch", {"memories": rows})
        conninfo = running_conninfo(daemon.data_dir)
        if workers:
            await until_empty(conninfo)
        watcher = asyncio.create_task(watch(conninfo, figures))
        await asyncio.gather(
            at_rate(RECALLS, seconds, recall, figures),
            at_rate(CAPTURES, seconds, capture, figures),
            at_rate(LOGS, seconds, log, figures),
        )
        if workers:
            figures.empty_s = await until_empty(conninfo)
        watcher.cancel()
    return figures


async def until_empty(conninfo: str) -> float:
    """Wait until no job waits or runs; how many seconds it took."""
    began = time.monotonic()
    async with await psycopg.AsyncConnection.connect(conninfo, autocommit=True) as connection:
        while time.monotonic() - began < EMPTY_S:
            row = await (await connection.execute(OPEN)).fetchone()
            if row == (0,):
                break
            await asyncio.sleep(POLL_S)
    return time.monotonic() - began


def main() -> None:
    """Print both runs and their ratio."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS
    p95: dict[bool, float] = {}
    for workers in (False, True):
        with serving("minilm", {} if workers else {"MEMD_WORKERS_OFF": "true"}) as daemon:
            figures = asyncio.run(run(daemon, seconds, workers=workers))
        p95[workers] = percentile(figures.recalls, 0.95)
        print(f"{'one worker' if workers else 'no worker':<11} {figures}", flush=True)
    print(f"recall p95 beside background work: {p95[True] / p95[False]:.2f} × without")


if __name__ == "__main__":
    main()
