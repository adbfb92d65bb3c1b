"""The conversation of `memctl mcp stdio`: messages of an MCP client, passed on to memd, and its answers.

A client is often started before memd and runs for days, longer than a memd and longer than a key. So the first message
waits for memd, and when memd is gone or refuses the key, the bridge looks again where it is and which key it takes.
"""

import asyncio
import time
from collections.abc import Callable, Generator
from contextlib import AsyncExitStack, contextmanager
from typing import Any, Final, NamedTuple, Self

from memctl.client import MemdClient
from memctl.client.errors import ClientError, NoAnswer, NotReachable, Unauthorized
from memctl.client.mcp import Message, failure
from memctl.diagnostics import CommandError, explain
from memctl.json_values import fields
from memctl.settings import Connection

WAIT_SECONDS: Final = 20.0
"""How long messages wait for a memd that has not answered yet; clients give a server 30 s or more to start."""
_RETRY_SECONDS: Final = 0.25
_GREETING: Final = "initialize"
_CANCELLED: Final = "notifications/cancelled"


class _Link(NamedTuple):
    target: Connection
    client: MemdClient


class Bridge:
    """One conversation; `find` says where memd is now, `open_client` connects to it, `tools` is the toolset to list."""

    def __init__(
        self,
        find: Callable[[], Connection],
        open_client: Callable[[Connection], MemdClient],
        tools: str | None,
        *,
        wait_seconds: float = WAIT_SECONDS,
    ) -> None:
        self._find = find
        self._open_client = open_client
        self._tools = tools
        self._clients = AsyncExitStack()
        self._opened: dict[Connection, MemdClient] = {}
        self._linking = asyncio.Lock()
        self._link: _Link | None = None
        self._greeting: Message | None = None
        self._has_answered = False
        self._calls: dict[object, asyncio.Task[Any]] = {}
        self._deadline = time.monotonic() + wait_seconds

    async def __aenter__(self) -> Self:
        """Begin the conversation."""
        return self

    async def __aexit__(self, *_failure: object) -> None:
        """Close the connections."""
        await self._clients.aclose()

    async def answer(self, message: Message) -> dict[str, Any] | None:
        """The answer to a message, a JSON-RPC error where memd gives none; None to a notification.

        A notification that a request is cancelled cancels the task that waits here for its answer.
        """
        if message.get("method") == _CANCELLED:
            self._cancel(fields(message.get("params")).get("requestId"))
            return None
        try:
            with self._cancellable(message.get("id")):
                reply = await self._exchanged(message)
        except (ClientError, CommandError) as error:
            return failure(message, explain(error))
        self._has_answered = True
        if message.get("method") == _GREETING:
            self._greeting = message
        return reply

    @contextmanager
    def _cancellable(self, request: object) -> Generator[None]:
        """Lets the client cancel this task by the id of its request for the block."""
        task = asyncio.current_task()
        if task is None or not isinstance(request, str | int):
            yield
            return
        self._calls[request] = task
        try:
            yield
        finally:
            self._calls.pop(request, None)

    def _cancel(self, request: object) -> None:
        """End the connection of a request, at which memd ends its work."""
        if isinstance(request, str | int) and (task := self._calls.get(request)):
            task.cancel()

    async def _exchanged(self, message: Message) -> dict[str, Any] | None:
        """The answer of memd; `ClientError` when there is none.

        A message is sent again only where memd has not taken it: before its first answer, or with another key.
        """
        while True:
            link = None
            try:
                link = await self._linked()
                return await link.client.mcp.exchange(message, self._tools)
            except NotReachable as error:
                self._drop(link)
                if isinstance(error, NoAnswer) or self._has_answered or time.monotonic() > self._deadline:
                    raise
                await asyncio.sleep(_RETRY_SECONDS)
            except Unauthorized:
                if link is None or self._find() == link.target:
                    raise
                self._drop(link)

    def _drop(self, link: _Link | None) -> None:
        """Find memd again for the next message, unless another message has done so since `link` was made."""
        if self._link is link:
            self._link = None

    async def _linked(self) -> _Link:
        """The connection to memd; a new one repeats the greeting, which agreed on the version of the protocol."""
        async with self._linking:
            if self._link is None:
                target = self._find()
                client = self._opened.get(target)
                if client is None:
                    client = await self._clients.enter_async_context(self._open_client(target))
                    self._opened[target] = client
                if self._greeting is not None:
                    await client.mcp.exchange(self._greeting, self._tools)
                self._link = _Link(target, client)
            return self._link
