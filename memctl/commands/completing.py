"""What the shell completes from memd; nothing when memd does not answer in time."""

import asyncio
from collections.abc import Awaitable, Callable
from operator import itemgetter
from typing import NamedTuple, TypeVar

import click
from click.shell_completion import CompletionItem

from memctl.client import MemdClient
from memctl.client.errors import ClientError
from memctl.commands.moments import at_any_time
from memctl.options import given_options
from memctl.settings import ConfigError, resolve
from memctl.text import one_line
from memctl.wire.conflicts import ConflictsRequest
from memctl.wire.export import ExportRequest
from memctl.wire.messages import ListMessagesRequest
from memctl.wire.snapshots import ListSnapshotsRequest

Row = TypeVar("Row")
COMPLETION_SECONDS = 0.5
"""A person who presses Tab does not wait longer for a server."""
ABOUT_LENGTH = 60


class Offer(NamedTuple):
    """A value to complete, and what a person knows it by."""

    value: str
    about: str


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


class Known(click.ParamType[str]):
    """A text as it was typed; the shell completes values that memd has, each with a word about it."""

    def __init__(self, name: str, ask: Callable[[MemdClient], Awaitable[list[Offer]]]) -> None:
        self.name = name
        self._ask = ask

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The values that begin with what was typed."""
        del param
        offers = (offer for offer in from_memd(ctx, self._ask) if offer.value.startswith(incomplete))
        return [CompletionItem(offer.value, help=one_line(offer.about, ABOUT_LENGTH)) for offer in offers]


async def _memories(client: MemdClient) -> list[Offer]:
    request = ExportRequest(page_size=50, **at_any_time({"include_knowledge_bases": False}))
    return [Offer(row.id, row.title) for row in (await client.memories.export_page(request)).memories]


async def _tags(client: MemdClient) -> list[Offer]:
    """The tags of the newest memories, the last used first."""
    kept = (await client.memories.export_page(ExportRequest(page_size=200, **at_any_time({})))).memories
    return [Offer(tag, "") for tag in dict.fromkeys(tag for row in kept for tag in row.tags)]


async def _conflicts(client: MemdClient) -> list[Offer]:
    rows = (await client.conflicts.list(ConflictsRequest())).conflicts
    return [Offer(row.id, f"{row.subject}: {row.attribute}") for row in rows]


async def _channels(client: MemdClient) -> list[Offer]:
    """The channels of the newest messages and memories, the last used first."""
    said = (await client.messages.page(ListMessagesRequest(all_channels=True, limit=200))).messages
    kept = (await client.memories.export_page(ExportRequest(page_size=200))).memories
    used = [(row.timestamp, row.channel) for row in said] + [(row.created_at, row.channel) for row in kept]
    names = dict.fromkeys(channel for _, channel in sorted(used, key=itemgetter(0), reverse=True) if channel)
    return [Offer(name, "") for name in names]


async def _keys(client: MemdClient) -> list[Offer]:
    return [Offer(row.id, row.label or "") for row in (await client.accounts.list_keys()).keys]


async def _jobs(client: MemdClient) -> list[Offer]:
    return [Offer(row.name, "") for row in (await client.jobs.list()).scheduled]


async def _snapshots(client: MemdClient) -> list[Offer]:
    rows = (await client.sessions.snapshots(ListSnapshotsRequest())).snapshots
    return [Offer(row.id, row.session_key) for row in rows]


async def _checkpoints(client: MemdClient) -> list[Offer]:
    return [Offer(row.id, row.label) for row in (await client.sessions.list_checkpoints()).checkpoints]


MEMORY_ID = Known("memory id", _memories)
CHANNEL = Known("channel", _channels)
TAG = Known("tag", _tags)
CONFLICT_ID = Known("conflict id", _conflicts)
KEY_ID = Known("key id", _keys)
JOB = Known("job", _jobs)
SNAPSHOT_ID = Known("snapshot id", _snapshots)
CHECKPOINT_ID = Known("checkpoint id", _checkpoints)
