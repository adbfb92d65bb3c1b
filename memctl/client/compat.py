"""Endpoints for the hooks of other programs."""

from memctl.client.transport import Transport
from memctl.wire.compat import MetricReply, MetricRequest, RateLimitCheckReply


class Compat:
    """Endpoints for the hooks of other programs (contract 9.1)."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def metric(self, request: MetricRequest) -> MetricReply:
        """Record a metric row."""
        return await self._transport.post("/api/mcp/metric", MetricReply, request)

    async def rate_limit_check(self) -> RateLimitCheckReply:
        """The credit pool without a debit."""
        return await self._transport.post("/api/mcp/rate-limit-check", RateLimitCheckReply)
