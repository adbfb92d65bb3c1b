"""Endpoints that existing clients call: metrics, the credit check, and the organic ones (contract 9.1)."""

from memctl.wire.compat import IdeasReply, MetricReply, MetricRequest, OkReply, RateLimitCheckReply
from memd.access.endpoint import Call, NoBody, Room
from memd.compat import service
from memd.domain.ids import encode
from memd.domain.types import KeyScope

room = Room("compat")


@room.endpoint("POST", "/api/mcp/metric", credits=1, scope=KeyScope.WRITE, body=MetricRequest, reply=MetricReply)
async def metric(call: Call[MetricRequest]) -> MetricReply:
    """Keep a metric row of a client."""
    return MetricReply(id=encode("met", await service.record_metric(call.context, call.body)))


@room.endpoint("POST", "/api/mcp/rate-limit-check", credits=0, scope=KeyScope.READ, reply=RateLimitCheckReply)
async def rate_limit_check(call: Call[NoBody]) -> RateLimitCheckReply:
    """The caller's credits, nothing taken; refused only when nothing remains."""
    view = await call.context.services.rate_limiter.view(call.context.principal)
    return RateLimitCheckReply(
        allowed=view.remaining > 0, remaining=view.remaining, limit=view.limit, reset_at=view.reset * 1000
    )


async def ideas(_call: Call[NoBody]) -> IdeasReply:
    """No ideas; there is nothing more to ask for."""
    return IdeasReply()


async def accept(_call: Call[NoBody]) -> OkReply:
    """Accepted; nothing is kept."""
    return OkReply()


for _path in ("/api/organic/ideas", "/api/organic/ideas/pending"):
    room.endpoint("POST", _path, credits=1, scope=KeyScope.READ, reply=IdeasReply)(ideas)
for _path in ("/api/organic/ideas/update", "/api/organic/recallLog", "/api/organic/conversationPulse"):
    room.endpoint("POST", _path, credits=1, scope=KeyScope.READ, reply=OkReply)(accept)
