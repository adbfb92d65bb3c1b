"""Sessions: the briefing of an agent that wakes, and what is kept of a session."""

from memctl.client.paths import segment
from memctl.client.transport import Transport
from memctl.wire.sessions import (
    Checkpoint,
    CheckpointCreated,
    CheckpointDeleted,
    CheckpointList,
    CheckpointRequest,
    CheckpointShown,
    ListSessionsRequest,
    SessionList,
    SessionReply,
    SessionRequest,
    WakeReply,
    WakeRequest,
)
from memctl.wire.snapshots import (
    ListSnapshotsRequest,
    Snapshot,
    SnapshotList,
    SnapshotReply,
    SnapshotRequest,
    SnapshotShown,
)


class Sessions:
    """The room of contract 6.9, 7.1, 7.4 and 7.7."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def wake(self, request: WakeRequest) -> WakeReply:
        """Fetch what an agent should know when it starts."""
        return await self._transport.post("/api/mcp/wake", WakeReply, request)

    async def list(self, request: ListSessionsRequest) -> SessionList:
        """One page of the sessions that have messages, the last used first."""
        return await self._transport.get("/api/sessions", SessionList, request)

    async def show(self, request: SessionRequest) -> SessionReply:
        """A session's figures and its newest messages."""
        return await self._transport.post("/api/mcp/session", SessionReply, request)

    async def snapshot(self, request: SnapshotRequest) -> SnapshotReply:
        """Keep the messages of a session as they are now."""
        return await self._transport.post("/api/mcp/snapshot", SnapshotReply, request)

    async def snapshots(self, request: ListSnapshotsRequest) -> SnapshotList:
        """One page of snapshots, without their messages."""
        return await self._transport.get("/api/snapshots", SnapshotList, request)

    async def find_snapshot(self, snapshot_id: str) -> Snapshot:
        """A snapshot with its messages."""
        reply = await self._transport.get(f"/api/snapshots/{segment(snapshot_id)}", SnapshotShown)
        return reply.snapshot

    async def create_checkpoint(self, request: CheckpointRequest) -> CheckpointCreated:
        """Keep the memories of a channel as they are now; the request's mode is create."""
        return await self._transport.post("/api/mcp/checkpoint", CheckpointCreated, request)

    async def list_checkpoints(self, limit: int = 20) -> CheckpointList:
        """The newest checkpoints."""
        request = CheckpointRequest(mode="list", limit=limit)
        return await self._transport.post("/api/mcp/checkpoint", CheckpointList, request)

    async def find_checkpoint(self, checkpoint_id: str) -> Checkpoint:
        """A checkpoint with its memories as they were."""
        reply = await self._transport.get(f"/api/checkpoints/{segment(checkpoint_id)}", CheckpointShown)
        return reply.checkpoint

    async def delete_checkpoint(self, checkpoint_id: str) -> CheckpointDeleted:
        """Remove a checkpoint."""
        request = CheckpointRequest(mode="delete", checkpoint_id=checkpoint_id)
        return await self._transport.post("/api/mcp/checkpoint", CheckpointDeleted, request)
