"""Single memories: write, change, read, forget, and export them all."""

from collections.abc import AsyncIterator

from memctl.client.paging import pages_from
from memctl.client.transport import Transport, url_params
from memctl.wire.capture_batch import CaptureBatchReply, CaptureBatchRequest
from memctl.wire.export import ExportedMemory, ExportReply, ExportRequest
from memctl.wire.keyed_memories import (
    ByKeyRequest,
    DeleteByKeyRequest,
    FoundMemory,
    MemorySearchReply,
    MemorySearchRequest,
)
from memctl.wire.limits import KEYED_OFFSET_MAX, KEYED_SEARCH_MAX
from memctl.wire.memories import (
    CaptureReply,
    CaptureRequest,
    ForgetReply,
    ForgetRequest,
    MemoryDetail,
    MemoryReply,
    MemoryRequest,
    SupersedeReply,
    SupersedeRequest,
)
from memctl.wire.memory_listing import ListedMemory, MemoryListReply, MemoryListRequest
from memctl.wire.trace import TraceReply, TraceRequest
from memctl.wire.triggers import TriggersReply, TriggersRequest
from memctl.wire.updates import UpdateReply, UpdateRequest


class Memories:
    """The room of contract 6.1, 6.3–6.8 and 17.2, and the export of 6.13."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def capture(self, request: CaptureRequest) -> CaptureReply:
        """Store a memory; Conflict when the same one is there already."""
        return await self._transport.post("/api/mcp/capture", CaptureReply, request)

    async def capture_batch(self, request: CaptureBatchRequest) -> CaptureBatchReply:
        """Store up to 500 memories; the outcome of each, duplicates and refusals among them."""
        return await self._transport.post("/api/mcp/capture-batch", CaptureBatchReply, request)

    async def update(self, request: UpdateRequest) -> UpdateReply:
        """Edit a memory in place."""
        return await self._transport.post("/api/mcp/update", UpdateReply, request)

    async def supersede(self, request: SupersedeRequest) -> SupersedeReply:
        """Replace a memory by a new one; the old one is archived and points to it."""
        return await self._transport.post("/api/mcp/supersede", SupersedeReply, request)

    async def forget(self, request: ForgetRequest) -> ForgetReply:
        """Archive a memory, or delete it permanently."""
        return await self._transport.post("/api/mcp/forget", ForgetReply, request)

    async def show(self, memory_id: str, channel: str | None = None, *, agent_id: str | None = None) -> MemoryDetail:
        """One memory in full; Forbidden when the channel and agent that are named do not see it."""
        request = MemoryRequest(memory_id=memory_id, channel=channel, agent_id=agent_id)
        return (await self._transport.post("/api/mcp/memory", MemoryReply, request)).memory

    async def trace(self, memory_id: str, channel: str | None = None) -> TraceReply:
        """The conversation behind a memory."""
        request = TraceRequest(memory_id=memory_id, channel=channel)
        return await self._transport.post("/api/mcp/trace", TraceReply, request)

    async def triggers(self, request: TriggersRequest) -> TriggersReply:
        """The memories that are tied to the named tools."""
        return await self._transport.post("/api/mcp/triggers", TriggersReply, request)

    async def by_key(
        self, key: str, namespace: str | None = None, *, channel: str | None = None, agent_id: str | None = None
    ) -> MemoryDetail:
        """The active memory of a namespace and key in full; NotFound when there is none.

        Forbidden when the channel and agent that are named do not see it.
        """
        request = ByKeyRequest(key=key, namespace=namespace, channel=channel, agent_id=agent_id)
        return (await self._transport.get("/api/memories/by-key", MemoryReply, request)).memory

    async def delete_by_key(
        self,
        key: str,
        namespace: str | None = None,
        *,
        permanent: bool = False,
        channel: str | None = None,
        agent_id: str | None = None,
    ) -> ForgetReply:
        """Archive the memory of a namespace and key, or delete it permanently; NotFound when there is none.

        Forbidden when the channel and agent that are named do not see it.
        """
        scope = {"channel": channel, "agent_id": agent_id}
        request = DeleteByKeyRequest(key=key, namespace=namespace, permanent=permanent, **scope)
        return await self._transport.call("DELETE", "/api/memories/by-key", ForgetReply, params=url_params(request))

    async def search(self, request: MemorySearchRequest) -> MemorySearchReply:
        """One page of a namespace: the last changed first, or by relevance for a query."""
        return await self._transport.post("/api/memories/search", MemorySearchReply, request)

    async def search_all(self, request: MemorySearchRequest) -> AsyncIterator[FoundMemory]:
        """Every memory of a namespace that the request asks for, page by page; for a query the best KEYED_OFFSET_MAX."""
        request = request.model_copy(update={"limit": KEYED_SEARCH_MAX})
        while True:
            page = await self.search(request)
            for memory in page.memories:
                yield memory
            offset = request.offset + KEYED_SEARCH_MAX
            if not page.has_more or (page.continue_cursor is None and offset > KEYED_OFFSET_MAX):
                return
            following = {"cursor": page.continue_cursor} if page.continue_cursor else {"offset": offset}
            request = request.model_copy(update=following)

    async def list_page(self, request: MemoryListRequest) -> MemoryListReply:
        """One page of the list: filtered, sorted, and counted on the first page."""
        return await self._transport.get("/api/memories/list", MemoryListReply, request)

    async def list_all(self, request: MemoryListRequest) -> AsyncIterator[ListedMemory]:
        """Every memory of the list, page by page."""
        async for page in pages_from(self.list_page, request):
            for memory in page.memories:
                yield memory

    async def export_page(self, request: ExportRequest) -> ExportReply:
        """One page of the export."""
        return await self._transport.get("/api/memories", ExportReply, request)

    async def export(self, request: ExportRequest) -> AsyncIterator[ExportedMemory]:
        """Every active memory that the request asks for, newest first, page by page."""
        while True:
            page = await self.export_page(request)
            for memory in page.memories:
                yield memory
            if page.pagination.is_done or page.pagination.cursor is None:
                return
            request = request.model_copy(update={"cursor": page.pagination.cursor})
