"""A cache of document frequencies: the share of a user's rows that contain a word, estimated from a sample.

Only searches among many rows need it, to choose the rare words of a query (`memd.domain.search.terms`).
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from typing import Any, Final, NamedTuple
from uuid import UUID

from memd.db.session import ReadSession

SAMPLE_ROWS: Final = 500
LARGE_SAMPLE_ROWS: Final = 5_000
MANY_ROWS: Final = 200_000
"""The number of rows from which the large sample is used: a word that the small one lacks may be in thousands."""
MIN_ROWS: Final = 3
"""Words in fewer rows of the sample are rare, and left out."""
TTL_MS: Final = 600_000
MAX_ENTRIES: Final = 100

WordShares = Mapping[str, float]


class DocumentFrequencies:
    """Document frequencies per user, with a TTL of ten minutes; the least recently used entry is evicted first."""

    def __init__(self, clock: Callable[[], int]) -> None:
        """`clock` in epoch milliseconds."""
        self._clock = clock
        self._kept: OrderedDict[tuple[UUID, Hashable], tuple[int, WordShares]] = OrderedDict()

    async def of(
        self, session: ReadSession, kind: Hashable, rows: int, sample: str, params: Mapping[str, Any]
    ) -> WordShares:
        """The share 0..1 of the user's `rows` of this kind that contain each common lexeme.

        `sample` is what follows FROM in a statement on a narrow table with the alias `i`; its first rows count.
        """
        key = (session.user_id, kind)
        until, shares = self._kept.get(key, (0, {}))
        if not 0 < until - self._clock() <= TTL_MS:  # a clock that was set back makes no entry older
            size = LARGE_SAMPLE_ROWS if rows >= MANY_ROWS else SAMPLE_ROWS
            shares = await _count(session, f"{sample} LIMIT {size}", params)
            self._kept[key] = (self._clock() + TTL_MS, shares)
        self._kept.move_to_end(key)
        if len(self._kept) > MAX_ENTRIES:
            self._kept.popitem(last=False)
        return shares


class _Frequency(NamedTuple):
    lexeme: str
    share: float


async def _count(session: ReadSession, sample: str, params: Mapping[str, Any]) -> WordShares:
    rows = await session.rows(
        _Frequency,
        f"""
        WITH sample AS MATERIALIZED (SELECT i.tsv FROM {sample})
        SELECT word.lexeme, count(*)::float8 / (SELECT count(*) FROM sample) AS share
        FROM sample CROSS JOIN LATERAL unnest(tsvector_to_array(sample.tsv)) word (lexeme)
        GROUP BY word.lexeme HAVING count(*) >= {MIN_ROWS}
        """,
        params,
    )
    return {row.lexeme: row.share for row in rows}
