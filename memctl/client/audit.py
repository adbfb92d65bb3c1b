"""The audit log, for administrators."""

from collections.abc import AsyncIterator

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
        while True:
            reply = await self.page(request)
            for entry in reply.entries:
                yield entry
            if reply.is_done or not reply.continue_cursor:
                return
            request = request.model_copy(update={"cursor": reply.continue_cursor})
            request.model_fields_set.add("cursor")
