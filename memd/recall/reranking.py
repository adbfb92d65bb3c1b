"""The optional cross-encoder of a recall (setting MEMD_RERANK_MODEL): it reads query and text of the first rows together."""

from collections.abc import Sequence

import structlog

from memd.context import Context
from memd.domain.ranking.rank_score import RankedRow, RankWeights
from memd.domain.ranking.reranking import rerank
from memd.embed.providers.provider import EmbedError

log = structlog.get_logger()


async def reranked(
    context: Context, query: str, rows: Sequence[RankedRow], weights: RankWeights
) -> Sequence[RankedRow] | None:
    """The rows with the cross-encoder's score, in their new order; None when it is off or failed, and the order stays."""
    reranker = context.services.reranker
    if reranker is None or not rows:
        return None
    texts = [f"{row.candidate.stored.title}\n{row.candidate.stored.content}" for row in rows]
    try:
        scores = await reranker.score(query, texts)
    except EmbedError as error:
        log.warning("recall.rerank_failed", error=type(error).__name__)
        return None
    return rerank(rows, scores, weights)
