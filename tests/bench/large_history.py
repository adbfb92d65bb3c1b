"""Recall with and without a past moment for a user of many memories with five versions each.

`python -m tests.bench.large_history [MEMORIES]`, by default 100,000, which takes about six minutes to fill.
"""

import sys

from tests.bench import as_of
from tests.bench.__main__ import table
from tests.bench.serving import serving

MEMORIES = 100_000
ROUNDS = 90


def main() -> None:
    """One line for each way to name a time."""
    memories = int(sys.argv[1]) if len(sys.argv) > 1 else MEMORIES
    with serving("minilm") as daemon:
        rows = as_of.measure(daemon, *as_of.prepare(daemon, memories), rounds=ROUNDS)
    print(
        table(
            (f"recall, {memories:,} memories of {as_of.VERSIONS} versions", "p50 ms", "p95 ms"),
            [(row.what, f"{row.p50:.0f}", f"{row.p95:.0f}") for row in rows],
        )
    )


if __name__ == "__main__":
    main()
