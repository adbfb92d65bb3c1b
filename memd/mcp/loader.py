"""Loading the MCP endpoint lazily: its SDK takes a second to import, which the start of memd does not wait for."""

import asyncio
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from memd.access.endpoint import Endpoint
from memd.context import Services

if TYPE_CHECKING:
    from memd.mcp.endpoint import McpEndpoint


AFTER_S: Final = 30.0
"""The endpoint is loaded after this delay; a client that comes earlier waits about a second for it."""


class McpLoader:
    """Imports the SDK in a thread, once; the transport that it makes ends with the services."""

    def __init__(self, endpoints: Sequence[Endpoint]) -> None:
        self._endpoints = endpoints
        self._manager: asyncio.Task[Any] | None = None

    async def endpoint(self, services: Services) -> "McpEndpoint":
        """The endpoint that answers POST requests of these services."""
        manager = await asyncio.shield(self.load(services))
        return import_module("memd.mcp.endpoint").McpEndpoint(services, manager)

    def load(self, services: Services) -> asyncio.Task[Any]:
        """Start loading, unless that has been done; a failed load is tried again."""
        if self._manager is None:
            services.lifetime.push_async_callback(self._settle)
        if self._manager is None or (self._manager.done() and self._manager.exception() is not None):
            self._manager = asyncio.create_task(self._load(services), name="mcp.load")
        return self._manager

    @contextmanager
    def loading_soon(self, services: Services) -> Generator[None]:
        """Load shortly after the start of the block."""
        soon = asyncio.get_running_loop().call_later(AFTER_S, self.load, services)
        try:
            yield
        finally:
            soon.cancel()

    async def _settle(self) -> None:
        """Wait for a running load to finish."""
        if self._manager is not None:
            await asyncio.wait([self._manager])

    async def _load(self, services: Services) -> Any:
        protocol = await asyncio.to_thread(_import)
        server = await asyncio.to_thread(protocol.make_server, self._endpoints)
        return await services.lifetime.enter_async_context(protocol.transport(server, services.settings))


def _import() -> Any:
    import_module("memd.mcp.endpoint")
    return import_module("memd.mcp.protocol")
