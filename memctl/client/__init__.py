"""The typed client of memd: one async client, one attribute per room.

async with MemdClient("http://127.0.0.1:7377", key) as client:
    await client.memories.capture(CaptureRequest(title="…", content="…"))
"""

from collections.abc import Mapping
from datetime import datetime
from importlib import import_module
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

import httpx

from memctl.client.transport import Credits, Transport

if TYPE_CHECKING:
    from memctl.client.accounts import Accounts
    from memctl.client.audit import Audit
    from memctl.client.compat import Compat
    from memctl.client.conflicts import Conflicts
    from memctl.client.devices import Devices
    from memctl.client.end_users import EndUsers
    from memctl.client.erasure import Erasure
    from memctl.client.graph import Graph
    from memctl.client.health import Health
    from memctl.client.history import History
    from memctl.client.jobs import Jobs
    from memctl.client.junk import Junk
    from memctl.client.knowledge_bases import KnowledgeBases
    from memctl.client.mcp import Mcp
    from memctl.client.memories import Memories
    from memctl.client.messages import Messages
    from memctl.client.profile import Profile
    from memctl.client.prompt_context import PromptContext
    from memctl.client.recall import Recall
    from memctl.client.sessions import Sessions
    from memctl.client.standing import Standing
    from memctl.client.stats import Stats


RETRIES: Final = 2


class MemdClient:
    """A connection to one memd with one key; tests hand in an `httpx.AsyncBaseTransport` such as ASGITransport.

    A room is imported when it is used first, so that a command pays for what it needs.
    """

    accounts: "Accounts"
    audit: "Audit"
    compat: "Compat"
    conflicts: "Conflicts"
    devices: "Devices"
    end_users: "EndUsers"
    erasure: "Erasure"
    graph: "Graph"
    health: "Health"
    history: "History"
    jobs: "Jobs"
    junk: "Junk"
    knowledge_bases: "KnowledgeBases"
    mcp: "Mcp"
    memories: "Memories"
    messages: "Messages"
    profile: "Profile"
    prompt_context: "PromptContext"
    recall: "Recall"
    sessions: "Sessions"
    standing: "Standing"
    stats: "Stats"

    def __init__(
        self,
        url: str,
        api_key: str | None,
        transport: httpx.AsyncBaseTransport | None = None,
        *,
        socket: str | None = None,
        end_user: str | None = None,
        retries: int = RETRIES,
        timeout: float | None = None,
    ) -> None:
        """`socket` is the path of a unix socket that leads to the server at `url`; `end_user` as in `acting_for`.

        A request that is refused with 429 or 503 is sent again up to `retries` times, after the wait that the server
        asks for and a random part, unless the wait is longer than 30 seconds. `timeout` is the most seconds that each
        attempt may take; without it 35, and 180 for an import. `NoAnswer` after that. ValueError for what cannot be an
        API key; blanks around it, such as the line break of a file, are left out.
        """
        self._transport = Transport(
            url, api_key, transport, socket=socket, end_user=end_user, retries=retries, timeout=timeout
        )
        self.url = self._transport.url

    @classmethod
    def from_environment(cls, *, retries: int = RETRIES, timeout: float | None = None) -> Self:
        """A client of the memd that `memctl` would use: MEMCTL_URL and MEMCTL_API_KEY, a profile, or this machine's.

        `retries` and `timeout` as for a new client. `memctl.settings.ConfigError` when the configuration cannot be read.
        """
        from memctl.settings import Options, resolve

        found = resolve(Options())
        options: dict[str, Any] = {"retries": retries, "timeout": timeout}
        return cls(found.url, found.api_key, socket=found.socket, end_user=found.end_user, **options)

    def acting_for(self, end_user: str) -> "MemdClient":
        """A client for an end user of the application, by the application's name for it; the key needs the scope act_as.

        It uses the connections of this client and ends with them. ValueError for what cannot be a name: 1 to 128
        characters without control characters, trimmed.
        """
        other = object.__new__(type(self))
        other._transport = self._transport.acting_for(end_user)
        other.url = self.url
        return other

    def begin_operation(self) -> None:
        """Let the requests from now on be one operation, which `POST /api/undo` takes back as one write.

        Await one request before sending others concurrently: the operation bears the id of the first that is answered.
        """
        self._transport.begin_operation()

    async def request(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, str] | None = None,
        json: object = None,
    ) -> object:
        """Send a request to any endpoint; the decoded JSON of its reply, or the text of a reply that is not JSON.

        Raises `memctl.client.errors` like every other call.
        """
        return await self._transport.request(method, path, params=params, json=json)

    if not TYPE_CHECKING:  # a name that is not a room stays an error for the type checker

        def __getattr__(self, name: str) -> Any:
            """Enter a room for the first time: its module has its name, its class that of the annotation."""
            kind = type(self).__annotations__.get(name)
            if kind is None:
                raise AttributeError(name)
            room = getattr(import_module(f"{__name__}.{name}"), kind)(self._transport)
            setattr(self, name, room)
            return room

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
        """The credit pool, from the last reply; None before the first."""
        return self._transport.credits

    @property
    def server_time(self) -> datetime | None:
        """The server's clock from the last reply, to the second; None before the first."""
        return self._transport.server_time
