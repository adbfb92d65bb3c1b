"""Recall of one large user by size, and of a small user of the same database.

`python -m tests.bench.large_user [SIZE ...]`, by default 100,000 and 1,000,000 memories, each in a database of its own. A
million takes about an hour on two cores, most of it the vector index, and 8 GB of disk.
"""

import sys

from tests.bench import latency
from tests.bench.__main__ import table
from tests.bench.serving import serving

SIZES = (100_000, 1_000_000)


def main() -> None:
    """One line for each size, and one for the small user with it."""
    rows: list[tuple[object, ...]] = []
    for size in [int(word) for word in sys.argv[1:]] or SIZES:
        with serving("minilm") as daemon:
            tenant, other = latency.prepare(daemon, size)
            for name, memories, user in (("large", size, tenant), ("small", latency.OF_OTHERS, other)):
                found = latency.measure(daemon, memories, user)
                rows.append(
                    (
                        *(f"{size:,}", name, f"{found.recall:.1f}", f"{found.p95:.1f}"),
                        *(f"{found.overlap:.3f}", f"{found.stolen:.0%}"),
                    )
                )
    print(table(("largest user", "measured user", "recall p50 ms", "p95 ms", "lane, exact", "stolen"), rows))


if __name__ == "__main__":
    main()
