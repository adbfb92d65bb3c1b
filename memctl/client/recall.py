"""Recall: the memories for a query."""

from memctl.client.transport import Transport
from memctl.wire.recall import RecallReply, RecallRequest


class Recall:
    """The room of contract 6.2; call it with a request."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def __call__(self, request: RecallRequest, *, debug: bool = False) -> RecallReply:
        """The best memories for the query; `debug` adds how every candidate was found."""
        params = {"debugRecallOutput": "true"} if debug else {}
        return await self._transport.call(
            "POST", "/api/mcp/recall", RecallReply, params=params, json=request.to_request()
        )
