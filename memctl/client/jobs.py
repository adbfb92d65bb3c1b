"""Background work: the queue, the schedule, and starting a job by hand."""

from memctl.client.paths import segment
from memctl.client.transport import Transport
from memctl.wire.jobs import JobsReply, JobStarted


class Jobs:
    """The background work of contract 9.5."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def list(self) -> JobsReply:
        """The queue and the schedule."""
        return await self._transport.get("/api/jobs", JobsReply)

    async def run(self, name: str) -> JobStarted:
        """Start a scheduled job now; for administrators."""
        return await self._transport.post(f"/api/jobs/{segment(name)}/run", JobStarted)
