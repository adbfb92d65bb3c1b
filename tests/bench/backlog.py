"""Seconds until the graph has read a backlog: 10,000 captures sent one after another, 10,000 chunks imported at once.

`python -m tests.bench.backlog captures|chunks [ROWS]`; wordllama, one worker. A client recalls once every half second
while the backlog is worked off, so that the figures also say who pays for it.
"""

import asyncio
import sys
import time
from itertools import islice

import httpx

from tests.bench.corpus import queries
from tests.bench.lean import percentile
from tests.bench.open_loop import made_texts
from tests.bench.serving import serving
from tests.support.daemon import Daemon

ROWS = 10_000
CALLERS = 8
CHUNKS = 2_000
"""Chunks per request."""
PAUSE_S = 0.5
LAST_S = 600


async def send_captures(http: httpx.AsyncClient, texts: list[str]) -> None:
    """Capture each text with a request of its own, from eight callers."""
    left = iter(texts)

    async def caller() -> None:
        for text in left:
            reply = await http.post("/api/mcp/capture", json={"title": text[:60], "content": text})
            reply.raise_for_status()

    await asyncio.gather(*(caller() for _ in range(CALLERS)))


async def send_chunks(http: httpx.AsyncClient, texts: list[str]) -> None:
    """Import the texts into a knowledge base."""
    base = (await http.post("/api/knowledge-bases", json={"name": "backlog"})).json()["id"]
    left = iter(texts)
    while page := list(islice(left, CHUNKS)):
        chunks = [{"content": text, "metadata": {"title": text[:60]}} for text in page]
        reply = await http.post(f"/api/knowledge-bases/{base}/import", json={"chunks": chunks})
        reply.raise_for_status()


async def run(daemon: Daemon, kind: str, rows: int) -> None:
    """Send the rows, then wait until the graph has read all of them."""
    headers, questions = {"Authorization": f"Bearer {daemon.key}"}, queries(2 * LAST_S)
    async with httpx.AsyncClient(base_url=daemon.url, headers=headers, timeout=300) as http:
        began = time.monotonic()
        await (send_chunks if kind == "chunks" else send_captures)(http, made_texts(rows, 5))
        sent = time.monotonic()
        recalls, number = list[float](), 0
        while "graph" in (await http.get("/api/jobs")).json()["queue"]["lagMs"]:
            asking = time.monotonic()
            (await http.post("/api/mcp/recall", json={"query": questions[number]})).raise_for_status()
            recalls.append((time.monotonic() - asking) * 1000)
            number += 1
            await asyncio.sleep(PAUSE_S)
        read_s = time.monotonic() - sent
    beside = f"; recall p95 meanwhile {percentile(recalls, 0.95):.0f} ms" if recalls else ""
    print(f"{rows:,} {kind}: sent in {sent - began:.0f} s, in the graph {read_s:.1f} s after the last{beside}")


def main() -> None:
    """One kind of rows on a fresh memd."""
    kind, rows = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else ROWS
    with serving("wordllama") as daemon:
        asyncio.run(run(daemon, kind, rows))


if __name__ == "__main__":
    main()
