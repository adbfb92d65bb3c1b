"""The graph behind the memories, and reflection over them."""

from memctl.client.transport import Transport
from memctl.wire.graph import (
    DependencyChainReply,
    DependencyChainRequest,
    ExplainConnectionReply,
    ExplainConnectionRequest,
    GraphStatusReply,
    ReflectReply,
    ReflectRequest,
    WhoOwnsReply,
    WhoOwnsRequest,
)


class Graph:
    """The room of contract 6.11 and 6.12."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def status(self) -> GraphStatusReply:
        """How much of the memories the graph covers."""
        return await self._transport.get("/api/mcp/graph-status", GraphStatusReply)

    async def who_owns(self, request: WhoOwnsRequest) -> WhoOwnsReply:
        """Who owns or is assigned to an entity."""
        return await self._transport.post("/api/mcp/graph/who-owns", WhoOwnsReply, request)

    async def explain_connection(self, request: ExplainConnectionRequest) -> ExplainConnectionReply:
        """How two entities are connected."""
        return await self._transport.post("/api/mcp/graph/explain-connection", ExplainConnectionReply, request)

    async def dependency_chain(self, request: DependencyChainRequest) -> DependencyChainReply:
        """The dependencies of an entity."""
        return await self._transport.post("/api/mcp/graph/dependency-chain", DependencyChainReply, request)

    async def reflect(self, request: ReflectRequest) -> ReflectReply:
        """Distil the memories of the last hours."""
        return await self._transport.post("/api/mcp/reflect", ReflectReply, request)
