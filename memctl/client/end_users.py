"""The end users of an application."""

from collections.abc import AsyncIterator

from memctl.client.paging import pages_from
from memctl.client.paths import segment
from memctl.client.transport import Transport
from memctl.wire.end_users import EndUserList, EndUserRow, ListEndUsersRequest
from memctl.wire.erasure import ErasureStarted


class EndUsers:
    """The room of contract 17.1."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def list(self, page_size: int = 200) -> AsyncIterator[EndUserRow]:
        """Every end user of the application, in the order of the external ids."""
        async for page in pages_from(self._page, ListEndUsersRequest(limit=page_size)):
            for user in page.users:
                yield user

    async def _page(self, request: ListEndUsersRequest) -> EndUserList:
        return await self._transport.get("/api/account/users", EndUserList, request)

    async def erase(self, external_id: str) -> ErasureStarted:
        """Erase an end user and everything that belongs to it."""
        path = f"/api/account/users/{segment(external_id)}"
        return await self._transport.call("DELETE", path, ErasureStarted)
