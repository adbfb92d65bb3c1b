"""The user's figures."""

from memctl.client.transport import Transport
from memctl.wire.stats import ActivityReply, ActivityRequest, StatsReply


class Stats:
    """The room of contract 6.10."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def __call__(self) -> StatsReply:
        """The user's figures."""
        return await self._transport.get("/api/mcp/stats", StatsReply)

    async def activity(self, request: ActivityRequest) -> ActivityReply:
        """Captures and messages of each day."""
        return await self._transport.get("/api/activity", ActivityReply, request)
