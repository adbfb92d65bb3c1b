"""What the shell completes from memd; nothing when memd does not answer in time."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import click
from click.shell_completion import CompletionItem

from memctl.client import MemdClient
from memctl.client.errors import ClientError
from memctl.options import given_options
from memctl.settings import ConfigError, resolve
from memctl.text import one_line
from memctl.wire.export import ExportedMemory, ExportRequest

Row = TypeVar("Row")
COMPLETION_SECONDS = 0.5
"""A person who presses Tab does not wait longer for a server."""
TITLE_LENGTH = 60


def from_memd(ctx: click.Context, ask: Callable[[MemdClient], Awaitable[list[Row]]]) -> list[Row]:
    """The rows that `ask` gets; none when memd is away, slow or refuses."""
    try:
        return asyncio.run(asyncio.wait_for(_ask(ctx, ask), COMPLETION_SECONDS))
    except (ClientError, ConfigError, TimeoutError):
        return []


async def _ask(ctx: click.Context, ask: Callable[[MemdClient], Awaitable[list[Row]]]) -> list[Row]:
    target = resolve(given_options(ctx))
    transport = ctx.find_root().obj
    async with MemdClient(
        target.url, target.api_key, transport, socket=target.socket, end_user=target.end_user, retries=0
    ) as client:
        return await ask(client)


class MemoryId(click.ParamType[str]):
    """The id of a memory, as it was typed; the shell completes those of the newest memories, with their titles."""

    name = "memory id"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The ids of the newest memories that begin with what was typed."""
        del param
        rows = from_memd(ctx, _newest)
        found = (row for row in rows if row.id.startswith(incomplete))
        return [CompletionItem(row.id, help=one_line(row.title, TITLE_LENGTH)) for row in found]


async def _newest(client: MemdClient) -> list[ExportedMemory]:
    request = ExportRequest(page_size=50, include_knowledge_bases=False)
    return (await client.memories.export_page(request)).memories


MEMORY_ID = MemoryId()
