"""The history of memories: versions, restoring, undoing."""

from memctl.client.paths import segment
from memctl.client.transport import Transport
from memctl.wire.history import HistoryReply, HistoryRequest, RestoreReply, RestoreRequest, UndoReply, UndoRequest


class History:
    """The room of contract 17.5."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def versions(self, memory_id: str, request: HistoryRequest) -> HistoryReply:
        """The versions of a memory, oldest first; the last one is the stored memory."""
        return await self._transport.get(f"/api/memories/{segment(memory_id)}/history", HistoryReply, request)

    async def restore(self, memory_id: str, request: RestoreRequest) -> RestoreReply:
        """Take a memory out of the archive, or give it back an earlier version."""
        return await self._transport.post(f"/api/memories/{segment(memory_id)}/restore", RestoreReply, request)

    async def undo(self, request: UndoRequest) -> UndoReply:
        """Undo the last write of the key, or all of its writes since a given time; a dry run only lists them."""
        return await self._transport.post("/api/undo", UndoReply, request)
