"""A second opinion on the first rows of a recall: the score of a cross-encoder joins the rankScore."""

from collections.abc import Sequence
from typing import Final

from memd.domain.ranking.rank_score import DEFAULT_WEIGHTS, RankedRow, RankWeights, in_order, ranked_row

RERANKED_ROWS: Final = 20
"""The rows, best first, that the cross-encoder reads."""


def rerank(
    rows: Sequence[RankedRow], scores: Sequence[float], weights: RankWeights = DEFAULT_WEIGHTS
) -> list[RankedRow]:
    """The rows in their new order: rankScore + `weights.rerank` × score; relevance is rankScore / (1 + λ + weight).

    `scores` (0..1) belong to the rows in their order.
    """
    return in_order(
        ranked_row(row.candidate, row.signals._replace(rerank_score=score), weights)
        for row, score in zip(rows, scores, strict=True)
    )
