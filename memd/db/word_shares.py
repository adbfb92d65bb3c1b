"""How common words are among the rows of a user: from a sample, remembered for some minutes.

Only users with many rows ask for it, to look for the rare words of a query first (`memd.domain.search_terms`).
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from typing import Any, Final
from uuid import UUID

from memd.db.session import ReadSession

SAMPLE_ROWS: Final = 500
LEAST_ROWS: Final = 3
"""A word that fewer rows of the sample have is rare, and left out."""
KEPT_MS: Final = 600_000
MOST_KEPT: Final = 100

Shares = Mapping[str, float]


class WordShares:
    """The shares of the words of some users, the least recently asked for forgotten first."""

    def __init__(self, clock: Callable[[], int]) -> None:
        """`clock` in epoch milliseconds."""
        self._clock = clock
        self._kept: OrderedDict[tuple[UUID, Hashable], tuple[int, Shares]] = OrderedDict()

    async def of(self, session: ReadSession, kind: Hashable, sample: str, params: Mapping[str, Any]) -> Shares:
        """For each common lexeme the part 0..1 of the user's rows of this kind that have it.

        `sample` is what follows FROM in a statement on a narrow table with the alias `i`; its first `SAMPLE_ROWS` count.
        """
        key = (session.user_id, kind)
        until, shares = self._kept.get(key, (0, {}))
        if until <= self._clock():
            shares = await _count(session, sample, params)
            self._kept[key] = (self._clock() + KEPT_MS, shares)
        self._kept.move_to_end(key)
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return shares


async def _count(session: ReadSession, sample: str, params: Mapping[str, Any]) -> Shares:
    rows = await session.rows(
        f"""
        WITH sample AS MATERIALIZED (SELECT i.tsv FROM {sample} LIMIT {SAMPLE_ROWS})
        SELECT word.lexeme, count(*)::float8 / (SELECT count(*) FROM sample) AS share
        FROM sample CROSS JOIN LATERAL unnest(tsvector_to_array(sample.tsv)) word (lexeme)
        GROUP BY word.lexeme HAVING count(*) >= {LEAST_ROWS}
        """,
        params,
    )
    return {row["lexeme"]: row["share"] for row in rows}
