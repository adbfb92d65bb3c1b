"""When the MCP room opens: its SDK takes a second to load, which the start of memd does not wait for."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from starlette.types import Receive, Scope, Send

from memd.settings import Settings

if TYPE_CHECKING:
    from memd.access.endpoint import Endpoint
    from memd.context import Services

Exchange: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]
SOON_S: Final = 1.0
"""After so long the room opens by itself, so that no client has to wait for it."""


class Opening:
    """Loads the SDK in a thread, once; then there is a transport until the block of `opening` ends."""

    def __init__(self, endpoints: Sequence["Endpoint"], settings: Settings, stack: AsyncExitStack) -> None:
        self._endpoints = endpoints
        self._settings = settings
        self._stack = stack
        self._manager: asyncio.Task[Any] | None = None

    async def exchange(self, services: "Services") -> Exchange:
        """What answers POST requests of these services."""
        manager = await asyncio.shield(self.begin())
        return import_module("memd.mcp.exchange").Exchange(services, manager)

    def begin(self) -> asyncio.Task[Any]:
        """Begin to load, unless that has begun."""
        if self._manager is None or (self._manager.done() and self._manager.exception() is not None):
            self._manager = asyncio.create_task(self._load(), name="mcp.opening")
        return self._manager

    async def settle(self) -> None:
        """Let a load that has begun come to its end."""
        if self._manager is not None:
            await asyncio.wait([self._manager])

    async def _load(self) -> Any:
        protocol = await asyncio.to_thread(_load_modules)
        server = await asyncio.to_thread(protocol.make_server, self._endpoints)
        return await self._stack.enter_async_context(protocol.transport(server, self._settings))


@asynccontextmanager
async def opening(endpoints: Sequence["Endpoint"], settings: Settings) -> AsyncGenerator[Opening]:
    """The room, which begins to open a moment later, or when it is first asked for."""
    async with AsyncExitStack() as stack:
        room = Opening(endpoints, settings, stack)
        soon = asyncio.get_running_loop().call_later(SOON_S, room.begin)
        try:
            yield room
        finally:
            soon.cancel()
            await room.settle()


def _load_modules() -> Any:
    import_module("memd.mcp.exchange")
    return import_module("memd.mcp.protocol")
