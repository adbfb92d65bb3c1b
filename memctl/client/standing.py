"""Named queries whose answers are kept fresh."""

from memctl.client.paths import segment
from memctl.client.transport import Transport
from memctl.wire.standing import (
    CreateStandingRequest,
    StandingAnswer,
    StandingCreated,
    StandingList,
    StandingRemoved,
)


class Standing:
    """The standing questions of contract 17.8."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def create(self, request: CreateStandingRequest) -> StandingCreated:
        """Create a standing question; its first answer is computed at once."""
        return await self._transport.post("/api/standing", StandingCreated, request)

    async def list(self) -> StandingList:
        """All standing questions."""
        return await self._transport.get("/api/standing", StandingList)

    async def show(self, name: str) -> StandingAnswer:
        """A standing question and its answer as last computed."""
        return await self._transport.get(f"/api/standing/{segment(name)}", StandingAnswer)

    async def run(self, name: str) -> StandingAnswer:
        """Compute the answer now."""
        return await self._transport.post(f"/api/standing/{segment(name)}/run", StandingAnswer)

    async def remove(self, name: str) -> StandingRemoved:
        """Remove a standing question."""
        return await self._transport.call("DELETE", f"/api/standing/{segment(name)}", StandingRemoved)
