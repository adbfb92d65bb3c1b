"""The audit log, for administrators."""

from collections.abc import AsyncIterator

from memctl.client.paging import pages_from
from memctl.client.transport import Transport
from memctl.wire.audit import AuditedAction, AuditReply, AuditRequest


class Audit:
    """The audit log of contract 17.6."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def page(self, request: AuditRequest) -> AuditReply:
        """One page of entries."""
        return await self._transport.get("/api/admin/audit", AuditReply, request)

    async def entries(self, request: AuditRequest) -> AsyncIterator[AuditedAction]:
        """Every entry that the request selects, page by page."""
        async for page in pages_from(self.page, request):
            for entry in page.entries:
                yield entry
