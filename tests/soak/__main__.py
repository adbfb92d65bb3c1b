"""`make soak MINUTES=60`: mixed load by eight users; the memory of memd and of Postgres has to stay flat.

Prints the table of docs/benchmarks.md; the exit code is 1 when a call failed, memd logged an error, jobs are left or
failed, or memory grew by more than MAX_GROWTH from the second quarter to the last. `--samples FILE` keeps each sample as
a line of JSON.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Final

from tests.bench.__main__ import table
from tests.bench.lean import percentile
from tests.bench.serving import serving
from tests.soak.memory import FIGURES, SHOWN, Sample, growth, quarters
from tests.soak.run import RATE, USERS, Soak, soak

MAX_GROWTH: Final = 1.05
MAX_ERRORS: Final = 10
CACHE_MB: Final = 64
"""Buffer cache of Postgres: less than what the users store, so that it is full before the second quarter. Each page of
the cache counts in every session that has touched it, and with a larger one the logs alone make those grow for hours."""


def report(found: Soak) -> Iterator[str]:
    """The tables of calls and memory."""
    per_second = found.calls.total() / found.seconds
    yield (
        f"{found.seconds / 60:g} minutes, {USERS} users, {found.calls.total():,} calls ({per_second:.1f}/s), "
        f"{len(found.errors)} errors, {len(found.logged)} lines of level error in the log; at the end {found.waiting} jobs "
        f"waited and {found.failed} had failed. Recall: p50 {percentile(found.recalls_ms, 0.5):.1f} ms, "
        f"p95 {percentile(found.recalls_ms, 0.95):.1f} ms."
    )
    yield table(
        ("MiB resident, median of a quarter", "1", "2", "3", "4", "last / second"),
        [_figures(name, quarters(found.samples, figure)) for name, figure in (FIGURES | SHOWN).items()],
    )
    yield ", ".join(f"{name} {count:,}" for name, count in found.calls.most_common())


def _figures(name: str, medians: list[float]) -> list[str]:
    return [name, *(f"{value:.1f}" for value in medians), f"{growth(medians):.3f}"]


def faults(found: Soak) -> Iterator[str]:
    """The faults of a run."""
    yield from found.errors[:MAX_ERRORS]
    yield from found.logged[:MAX_ERRORS]
    if found.waiting or found.failed:
        yield f"{found.waiting} jobs wait and {found.failed} have failed"
    for name, figure in FIGURES.items():
        grown = growth(quarters(found.samples, figure))
        if grown > MAX_GROWTH:
            yield f"{name}: the last quarter is {grown:.3f} of the second"


def _writer(path: Path | None) -> Callable[[Sample], None] | None:
    if path is None:
        return None
    path.write_text("")

    def write(sample: Sample) -> None:
        with path.open("a") as file:
            file.write(json.dumps(asdict(sample)) + "\n")

    return write


def main() -> int:
    """Run for the minutes of the command line; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak")
    parser.add_argument("minutes", type=float, nargs="?", default=60)
    parser.add_argument("--samples", type=Path)
    parser.add_argument("--rate", type=float, default=RATE, help="calls of a user in a second")
    parser.add_argument("--cache-mb", type=int, default=CACHE_MB, help="buffer cache of Postgres")
    options = parser.parse_args()
    with serving("minilm", {"MEMD_DATABASE_CACHE_MB": str(options.cache_mb)}) as daemon:
        found = soak(daemon, 60 * options.minutes, options.rate, note=_writer(options.samples))
    for text in report(found):
        sys.stdout.write(f"{text}\n\n")
    wrong = list(faults(found))
    sys.stdout.write("\n".join(wrong or ["flat, no error, queue empty"]) + "\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
