"""The degradation of a reply whose query has no vector (contract 6.2, 2.1.6)."""

from memctl.wire.errors import Degradation
from memd.domain.types import DegradationCode
from memd.embed.service import Degraded
from memd.errors import EmbeddingCapExceeded


def degradation_of(degraded: Degraded) -> Degradation:
    """Why the answer is lexical; a used-up allowance holds the whole error."""
    if degraded.cap is not None:
        return cap_degradation(degraded.cap)
    return Degradation(code=degraded.code, message=degraded.message, affected_stage=degraded.stage, recoverable=True)


def cap_degradation(cap: EmbeddingCapExceeded) -> Degradation:
    """The used-up allowance as a degradation that holds the whole error (contract 2.1.6)."""
    return Degradation(
        code=DegradationCode.EMBEDDING_CAP_EXCEEDED,
        message="Today's embedding calls are used up",
        affected_stage="embedding",
        recoverable=True,
        error=cap.error,
        daily_limit=cap.fields["dailyLimit"],
        retry_after_ms=cap.fields["retryAfterMs"],
    )
