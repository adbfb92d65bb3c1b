"""`make bench`: speed, as the tables of docs/benchmarks.md.

`python -m tests.bench speed imports mcp` runs the named parts, all of them without a name. It takes
about half an hour; a machine that does nothing else gives figures that mean something.
"""

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence

from tests.bench import as_of, batches, captures, clients, hooks, imports, latency, mcp_overhead, memtui, texts
from tests.bench.serving import serving
from tests.support.daemon import Daemon

BUSY_SIZE = 10_000
PROCESSES = (1, 2)
SETTLE_S = 5
"""Until every process has loaded what it needs."""


def speed_tables() -> Iterator[str]:
    """Recall by size against the floor, each size in its own database; by clients; and during an import."""
    found: list[tuple[str, latency.Latency]] = []
    beside: list[str] = []
    for size in latency.SIZES:
        with serving("minilm") as daemon:
            idle = daemon.memory_bytes() / imports.MEGABYTE
            tenant, other = latency.prepare(daemon, size)
            found.append(("nine users of 1,000", latency.measure(daemon, size, tenant)))
            if size == max(latency.SIZES):
                found.append((f"one of {size:,} and eight of 1,000", latency.measure(daemon, latency.OF_OTHERS, other)))
            if size == BUSY_SIZE:
                beside += [*_load_tables(daemon, tenant.key), f"memd with minilm, resident: {idle:.0f} MB idle."]
    yield table(
        (
            *("memories", "beside", "floor p50 ms", "recall p50 ms", "ratio", "recall p95 ms", "lane, exact"),
            *("fewest rows", "stolen"),
        ),
        [
            (
                f"{row.size:,}",
                others,
                *(f"{figure:.1f}" for figure in (row.floor, row.recall)),
                f"{row.ratio:.2f}",
                f"{row.p95:.1f}",
                f"{row.overlap:.3f}",
                row.shortest,
                f"{row.stolen:.0%}",
            )
            for others, row in found
        ],
    )
    yield from beside


def _load_tables(daemon: Daemon, key: str) -> Iterator[str]:
    loads = [clients.measure(daemon, key, number) for number in (1, 16)]
    yield table(
        ("clients", "recalls/s", "p50 ms", "p99 ms", "errors"),
        [(row.clients, f"{row.throughput:.0f}", f"{row.p50:.1f}", f"{row.p99:.1f}", row.errors) for row in loads],
    )
    quiet, busy = imports.recall_beside(daemon, key)
    yield table(
        ("recall p95 ms, alone", "during an import", "ratio"),
        [(f"{quiet:.1f}", f"{busy:.1f}", f"{busy / quiet:.2f}")],
    )


def import_tables() -> Iterator[str]:
    """Bulk import by embedder."""
    made: list[tuple[str, str, imports.Import]] = []
    with serving("minilm") as daemon:
        alone = imports.embedder_rate(daemon)
        made.append(("minilm", "about 160 tokens", imports.measure(daemon, 2_000, alone=alone)))
        made.append(("minilm", "about 20 tokens", imports.measure(daemon, 10_000, words=14)))
    with serving("wordllama") as daemon:
        imports.measure(daemon, 500)
        made.append(("wordllama", "about 160 tokens", imports.measure(daemon, 10_000)))
        made.append(("wordllama", "about 20 tokens", imports.measure(daemon, 10_000, words=14)))
    yield table(
        ("embedder", "chunks of", "chunks", "chunks/s", "embedder alone", "ratio", "peak MB"),
        [
            (
                model,
                size,
                f"{row.chunks:,}",
                f"{row.rate:,.0f}",
                f"{row.alone:.0f}" if row.alone else "",
                f"{row.rate / row.alone:.2f}" if row.alone else "",
                f"{row.peak_mb:.0f}",
            )
            for model, size, row in made
        ],
    )


def capture_tables() -> Iterator[str]:
    """Captures by embedder with eight clients, and recall meanwhile; batches compared with the embedder alone."""
    rows: list[Sequence[object]] = []
    full: list[batches.Batches] = []
    for model in ("minilm", "wordllama"):
        with serving(model) as daemon:
            row = captures.measure(daemon)
            if model == "minilm":
                full = [batches.measure(daemon, words) for words in batches.REQUESTS]
            tenant = latency.new_tenant(daemon, "reader")
            captures.load(daemon, tenant.key, captures.memories(1_000), time.monotonic() + captures.SECONDS)
            beside = captures.recall_beside(daemon, tenant.key)
        figures = (row.p50, row.p95, row.alone_p50, row.alone_p95, beside.quiet, beside.busy)
        rows.append((model, f"{row.rate:.0f}", *(f"{figure:.1f}" for figure in figures)))
    yield table(
        (
            *("embedder", "captures/s, eight clients", "p50 ms", "p95 ms", "p50 ms of one client", "p95 ms"),
            *("recall p95 ms, alone", "during captures of eight clients"),
        ),
        rows,
    )
    yield table(
        ("minilm, batches of 500 memories of", "memories/s", "embedder alone", "ratio"),
        [(f"{row.words} words", f"{row.rate:.0f}", f"{row.alone:.0f}", f"{row.ratio:.2f}") for row in full],
    )


def mcp_tables() -> Iterator[str]:
    """The same recall over HTTP and over MCP."""
    medians = mcp_overhead.run()
    yield table(
        ("recall over", "p50 ms", "more than HTTP"),
        [(way, f"{value:.2f}", f"{value - medians['http']:+.2f}") for way, value in medians.items()],
    )


def hook_tables() -> Iterator[str]:
    """How long an agent waits for each event, with memories and a conversation stored."""
    with serving("minilm") as daemon:
        with daemon.http() as http:
            for number in range(200):
                fact = {
                    "title": f"Decision {number}",
                    "content": f"Decision {number}: release {number} is on a Tuesday.",
                }
                http.post("/api/mcp/capture", json={**fact, "category": "decision"}).raise_for_status()
        waits = [*hooks.measure(daemon)]
    yield table(
        ("process", "p50 ms", "p95 ms", "p95 beside `python -c pass`"),
        [(wait.what, f"{wait.p50:.0f}", f"{wait.p95:.0f}", f"{wait.p95 / waits[0].p95:.1f}") for wait in waits],
    )


def as_of_tables() -> Iterator[str]:
    """Recall that names a past moment, compared with one that does not."""
    with serving("minilm") as daemon:
        rows = as_of.measure(daemon, *as_of.prepare(daemon))
    yield table(
        (f"recall, {as_of.MEMORIES:,} memories of {as_of.VERSIONS} versions", "p50 ms", "p95 ms"),
        [(row.what, f"{row.p50:.0f}", f"{row.p95:.0f}") for row in rows],
    )


def tui_tables() -> Iterator[str]:
    """The list of memories in memtui; the page that is read ahead is part of every time."""
    found = memtui.measure()
    rows = [
        (name, f"{times[len(times) // 2]:.0f}", f"{times[int(len(times) * 0.95)]:.0f}")
        for name, times in (("first screen", [found.first]), ("sort", found.sorts), ("filter", found.filters))
    ]
    yield table((f"{memtui.SIZE:,} memories", "p50 ms", "p95 ms"), rows)


def process_tables() -> Iterator[str]:
    """Recalls by number of processes that answer requests, for eight clients, on one database."""
    rows: list[tuple[object, ...]] = []
    with serving("minilm") as daemon:
        tenant, _ = latency.prepare(daemon, BUSY_SIZE)
        for count in PROCESSES:
            daemon.stop()
            daemon.arguments = ("--processes", str(count))
            daemon.start()
            time.sleep(SETTLE_S)
            load = clients.measure(daemon, tenant.key, 8)
            rows.append((count, f"{load.throughput:.0f}", f"{load.p50:.1f}", f"{load.p99:.1f}", load.errors))
    yield table(("processes", "recalls/s, eight clients", "p50 ms", "p99 ms", "errors"), rows)


def text_tables() -> Iterator[str]:
    """The slowest of a hundred shapes of text for everything that reads what users send."""
    yield table(
        ("reader", "characters", "prose ms", "median shape ms", "slowest shape", "ms"),
        [
            (row.reader, f"{row.characters:,}", f"{row.prose:.1f}", f"{row.median:.1f}", row.shape, f"{row.most:.1f}")
            for row in texts.measure()
        ],
    )


PARTS: dict[str, Callable[[], Iterator[str]]] = {
    "speed": speed_tables,
    "imports": import_tables,
    "captures": capture_tables,
    "mcp": mcp_tables,
    "hooks": hook_tables,
    "as_of": as_of_tables,
    "tui": tui_tables,
    "processes": process_tables,
    "texts": text_tables,
}


def table(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table."""
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def main(wanted: Sequence[str]) -> int:
    """Run the named parts, or all; the exit code."""
    unknown = [name for name in wanted if name not in PARTS]
    if unknown:
        sys.stderr.write(f"no part is called {unknown[0]}; there are {', '.join(PARTS)}\n")
        return 2
    for name in wanted or PARTS:
        sys.stdout.write(f"\n## {name}\n")
        for text in PARTS[name]():
            sys.stdout.write(f"\n{text}\n")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
