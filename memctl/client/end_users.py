"""The end users of an application."""

from collections.abc import AsyncIterator

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
        request = ListEndUsersRequest(limit=page_size)
        while True:
            page = await self._transport.get("/api/account/users", EndUserList, request)
            for user in page.users:
                yield user
            if page.is_done or not page.continue_cursor:
                return
            request = ListEndUsersRequest(limit=page_size, cursor=page.continue_cursor)

    async def erase(self, external_id: str) -> ErasureStarted:
        """Erase an end user and everything that belongs to it."""
        path = f"/api/account/users/{segment(external_id)}"
        return await self._transport.call("DELETE", path, ErasureStarted)
