"""Memories that extraction would not make any more."""

from collections.abc import AsyncIterator

from memctl.client.paging import pages_from
from memctl.client.transport import Transport
from memctl.wire.junk import JunkMemory, JunkReply, JunkRequest


class Junk:
    """The junk of contract 17.9."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def list(self, request: JunkRequest) -> JunkReply:
        """One page of junk, oldest first."""
        return await self._transport.get("/api/junk", JunkReply, request)

    async def all(self) -> AsyncIterator[JunkMemory]:
        """All junk of the user, page by page."""
        async for page in pages_from(self.list, JunkRequest(limit=50)):
            for one in page.junk:
                yield one
