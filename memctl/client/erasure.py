"""Erasing users, sessions and messages, and the receipts of erasures."""

import asyncio
from typing import Final

from memctl.client.paths import segment
from memctl.client.transport import Transport, url_params
from memctl.wire.erasure import EraseMessagesRequest, ErasureReply, ErasureStarted, ErasureState

LOOK_S: Final = 0.5


class Erasure:
    """The room of contract 17.6."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def user(self, user_id: str) -> ErasureStarted:
        """Erase a user and everything that belongs to the user; the keys end at once."""
        return await self._transport.call("DELETE", f"/api/admin/users/{segment(user_id)}", ErasureStarted)

    async def message(self, message_id: str, request: EraseMessagesRequest) -> ErasureStarted:
        """Erase a message that the request sees, and what was derived from it."""
        return await self._delete(f"/api/messages/{segment(message_id)}", request)

    async def session(self, session_key: str, request: EraseMessagesRequest) -> ErasureStarted:
        """Erase what the request sees of a session, and what was derived from it."""
        return await self._delete(f"/api/sessions/{segment(session_key)}", request)

    async def _delete(self, path: str, request: EraseMessagesRequest) -> ErasureStarted:
        return await self._transport.call("DELETE", path, ErasureStarted, params=url_params(request))

    async def receipt(self, erasure_id: str) -> ErasureReply:
        """The progress of an erasure."""
        return await self._transport.get(f"/api/erasures/{segment(erasure_id)}", ErasureReply)

    async def finished(self, erasure_id: str) -> ErasureReply:
        """The receipt of an erasure once it is done."""
        while (receipt := await self.receipt(erasure_id)).state is not ErasureState.DONE:  # noqa: ASYNC110 - HTTP polling
            await asyncio.sleep(LOOK_S)
        return receipt
