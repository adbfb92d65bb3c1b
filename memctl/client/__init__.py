"""The typed client of memd: one async client, one attribute per room.

async with MemdClient("http://127.0.0.1:7377", key) as client:
    await client.memories.capture(CaptureRequest(title="…", content="…"))
"""

from datetime import datetime
from types import TracebackType
from typing import Self

import httpx

from memctl.client.accounts import Accounts
from memctl.client.compat import Compat
from memctl.client.devices import Devices
from memctl.client.graph import Graph
from memctl.client.health import Health
from memctl.client.jobs import Jobs
from memctl.client.knowledge_bases import KnowledgeBases
from memctl.client.mcp import Mcp
from memctl.client.memories import Memories
from memctl.client.messages import Messages
from memctl.client.recall import Recall
from memctl.client.sessions import Sessions
from memctl.client.stats import Stats
from memctl.client.transport import Credits, Transport


class MemdClient:
    """A connection to one memd with one key; tests hand in an `httpx.AsyncBaseTransport` such as ASGITransport."""

    def __init__(self, url: str, api_key: str | None, transport: httpx.AsyncBaseTransport | None = None) -> None:
        self._transport = Transport(url, api_key, transport)
        self.url = self._transport.url
        self.accounts = Accounts(self._transport)
        self.compat = Compat(self._transport)
        self.devices = Devices(self._transport)
        self.graph = Graph(self._transport)
        self.health = Health(self._transport)
        self.jobs = Jobs(self._transport)
        self.knowledge_bases = KnowledgeBases(self._transport)
        self.mcp = Mcp(self._transport)
        self.memories = Memories(self._transport)
        self.messages = Messages(self._transport)
        self.recall = Recall(self._transport)
        self.sessions = Sessions(self._transport)
        self.stats = Stats(self._transport)

    async def __aenter__(self) -> Self:
        """Open the connections."""
        await self._transport.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the connections."""
        await self._transport.__aexit__(kind, error, trace)

    @property
    def credits(self) -> Credits | None:
        """The credit pool as the last answer told it; None before the first."""
        return self._transport.credits

    @property
    def server_time(self) -> datetime | None:
        """The server's clock as the last answer told it, to the second; None when none did."""
        return self._transport.server_time
