"""Types of parameters whose values the shell completes; it completes nothing when memd does not answer in time."""

import asyncio
from collections.abc import Awaitable, Callable
from operator import itemgetter
from typing import NamedTuple, TypeVar

import click
from click.shell_completion import CompletionItem

from memctl.client import MemdClient
from memctl.client.errors import ClientError
from memctl.commands.time_options import at_any_time
from memctl.options import given_options
from memctl.settings import ConfigError, resolve
from memctl.text import one_line
from memctl.wire.conflicts import ConflictsRequest
from memctl.wire.enums import Category
from memctl.wire.export import ExportRequest
from memctl.wire.messages import ListMessagesRequest
from memctl.wire.sessions import ListSessionsRequest
from memctl.wire.snapshots import ListSnapshotsRequest

Row = TypeVar("Row")
CATEGORY = click.Choice(Category, case_sensitive=False)
ONE_CATEGORY = f"One of {', '.join(Category)}"
"""For the help of an option: as a metavar the names would be wider than a terminal of 80 columns."""
COMPLETION_SECONDS = 0.5
"""A person who presses Tab does not wait longer for a server."""
DESCRIPTION_MAX = 60


class Completion(NamedTuple):
    """A value to complete, and its description."""

    value: str
    description: str


def from_memd(ctx: click.Context, ask: Callable[[MemdClient], Awaitable[list[Row]]]) -> list[Row]:
    """The rows that `ask` gets; none when memd is unreachable, slow or refuses."""
    try:
        return asyncio.run(asyncio.wait_for(_ask(ctx, ask), COMPLETION_SECONDS))
    except (ClientError, ConfigError, TimeoutError):
        return []


async def _ask(ctx: click.Context, ask: Callable[[MemdClient], Awaitable[list[Row]]]) -> list[Row]:
    target = resolve(given_options(ctx))
    transport = ctx.find_root().obj
    if target.is_guess and transport is None:
        return []
    async with MemdClient(
        target.url, target.api_key, transport, socket=target.socket, end_user=target.end_user, retries=0
    ) as client:
        return await ask(client)


class CompletedText(click.ParamType[str]):
    """Any text; the shell offers the values that memd stores, each with a description."""

    def __init__(self, name: str, ask: Callable[[MemdClient], Awaitable[list[Completion]]]) -> None:
        self.name = name
        self._ask = ask

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The values that begin with what was typed."""
        del param
        offers = (offer for offer in from_memd(ctx, self._ask) if offer.value.startswith(incomplete))
        return [CompletionItem(offer.value, help=one_line(offer.description, DESCRIPTION_MAX)) for offer in offers]


async def _memories(client: MemdClient) -> list[Completion]:
    request = ExportRequest(page_size=50, **at_any_time({"include_knowledge_bases": False}))
    return [Completion(row.id, row.title) for row in (await client.memories.export_page(request)).memories]


async def _tags(client: MemdClient) -> list[Completion]:
    """The tags of the newest memories, the last used first."""
    kept = (await client.memories.export_page(ExportRequest(page_size=200, **at_any_time({})))).memories
    return [Completion(tag, "") for tag in dict.fromkeys(tag for row in kept for tag in row.tags)]


async def _conflicts(client: MemdClient) -> list[Completion]:
    rows = (await client.conflicts.list(ConflictsRequest())).conflicts
    return [Completion(row.id, f"{row.subject}: {row.attribute}") for row in rows]


async def _channels(client: MemdClient) -> list[Completion]:
    """The channels of the newest messages and memories, the last used first."""
    messages = (await client.messages.page(ListMessagesRequest(all_channels=True, limit=200))).messages
    kept = (await client.memories.export_page(ExportRequest(page_size=200))).memories
    used = [(row.timestamp, row.channel) for row in messages] + [(row.created_at, row.channel) for row in kept]
    names = dict.fromkeys(channel for _, channel in sorted(used, key=itemgetter(0), reverse=True) if channel)
    return [Completion(name, "") for name in names]


async def _keys(client: MemdClient) -> list[Completion]:
    return [Completion(row.id, row.label or "") for row in (await client.accounts.list_keys()).keys]


async def _jobs(client: MemdClient) -> list[Completion]:
    return [Completion(row.name, "") for row in (await client.jobs.list()).scheduled]


async def _snapshots(client: MemdClient) -> list[Completion]:
    rows = (await client.sessions.snapshots(ListSnapshotsRequest())).snapshots
    return [Completion(row.id, row.session_key) for row in rows]


async def _sessions(client: MemdClient) -> list[Completion]:
    """The sessions, the last used first."""
    rows = (await client.sessions.list(ListSessionsRequest(all_channels=True, limit=200))).sessions
    return [Completion(key, channel) for key, channel in {row.session_key: row.channel or "" for row in rows}.items()]


async def _checkpoints(client: MemdClient) -> list[Completion]:
    return [Completion(row.id, row.label) for row in (await client.sessions.list_checkpoints()).checkpoints]


MEMORY_ID = CompletedText("memory id", _memories)
CHANNEL = CompletedText("channel", _channels)
TAG = CompletedText("tag", _tags)
CONFLICT_ID = CompletedText("conflict id", _conflicts)
KEY_ID = CompletedText("key id", _keys)
JOB = CompletedText("job", _jobs)
SNAPSHOT_ID = CompletedText("snapshot id", _snapshots)
SESSION = CompletedText("session", _sessions)
CHECKPOINT_ID = CompletedText("checkpoint id", _checkpoints)
