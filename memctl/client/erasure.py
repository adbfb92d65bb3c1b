"""Erasing users, and the receipts of erasures."""

import asyncio
from typing import Final

from memctl.client.transport import Transport
from memctl.wire.erasure import ErasureReply, ErasureStarted, ErasureState

LOOK_S: Final = 0.5


class Erasure:
    """The room of contract 17.6."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def user(self, user_id: str) -> ErasureStarted:
        """Erase a user and everything that belongs to the user; the keys end at once."""
        return await self._transport.call("DELETE", f"/api/admin/users/{user_id}", ErasureStarted)

    async def receipt(self, erasure_id: str) -> ErasureReply:
        """How far an erasure is."""
        return await self._transport.get(f"/api/erasures/{erasure_id}", ErasureReply)

    async def finished(self, erasure_id: str) -> ErasureReply:
        """The receipt of an erasure once it is done."""
        while (receipt := await self.receipt(erasure_id)).state is not ErasureState.DONE:  # noqa: ASYNC110 - HTTP polling
            await asyncio.sleep(LOOK_S)
        return receipt
