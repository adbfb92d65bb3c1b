"""Memories that contradict each other."""

from memctl.client.paths import segment
from memctl.client.transport import Transport
from memctl.wire.conflicts import ConflictsReply, ConflictsRequest, DecideReply, DecideRequest


class Conflicts:
    """The conflicts of contract 17.5."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def list(self, request: ConflictsRequest) -> ConflictsReply:
        """One page of conflicts, newest first."""
        return await self._transport.get("/api/conflicts", ConflictsReply, request)

    async def decide(self, conflict_id: str, request: DecideRequest) -> DecideReply:
        """Supersede the older memory, keep both, or reject the conflict."""
        return await self._transport.post(f"/api/conflicts/{segment(conflict_id)}", DecideReply, request)
