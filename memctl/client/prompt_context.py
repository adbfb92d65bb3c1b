"""Context: text for a prompt within a token budget."""

from memctl.client.transport import Transport
from memctl.wire.prompt_context import ContextReply, ContextRequest


class PromptContext:
    """The room of contract 17.3; call it with a request."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def __call__(self, request: ContextRequest) -> ContextReply:
        """Stored information about the query, packed into the token budget."""
        return await self._transport.call("POST", "/api/mcp/context", ContextReply, json=request.to_request())
