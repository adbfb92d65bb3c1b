"""A knowledge base on the command line: its id, or its name when only one has it; the shell completes the names."""

import re

import click
from click.shell_completion import CompletionItem

from memctl.client import MemdClient
from memctl.commands.parameter_types import from_memd
from memctl.diagnostics import CommandError, ExitCode
from memctl.importers.named_bases import with_name
from memctl.text import one_line

_ID = re.compile(r"kb_[0-7][0-9a-hjkmnp-tv-z]{25}")


class KnowledgeBaseName(click.ParamType[str]):
    """An id or a name, as it was typed; `id_of` finds the knowledge base."""

    name = "knowledge base"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The names of the active knowledge bases that begin with what was typed; none when memd does not answer."""
        del param
        names = from_memd(ctx, _names)
        plain = (name for name in names if name == one_line(name, len(name)))  # the shell writes them as they are
        return [CompletionItem(name) for name in plain if name.casefold().startswith(incomplete.casefold())]


async def _names(client: MemdClient) -> list[str]:
    return [row.name for row in (await client.knowledge_bases.list()).knowledge_bases]


KB = KnowledgeBaseName()


async def id_of(client: MemdClient, text: str) -> str:
    """The id behind an id or a name; CommandError when there is none."""
    if _ID.fullmatch(text):
        return text
    same = await with_name(client, text)
    active = [row for row in same if not row.archived] or same
    if not active:
        raise CommandError(
            f"no knowledge base is named {text!r} at {client.url}; `memctl kb list --all` shows them, "
            "`memctl kb create` or `memctl kb import --create` creates one",
            ExitCode.NOT_FOUND,
        )
    if len(active) > 1:
        ids = ", ".join(row.id for row in active)
        raise CommandError(
            f"{len(active)} knowledge bases have the name {text!r}; name one by id: {ids}", ExitCode.USAGE
        )
    return active[0].id
