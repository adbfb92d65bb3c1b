"""A knowledge base on the command line: its id, or its name when only one has it."""

import re

from memctl.client import MemdClient
from memctl.diagnostics import CommandError, ExitCode
from memctl.wire.knowledge_bases import ListKnowledgeBasesRequest

_ID = re.compile(r"kb_[0-7][0-9a-hjkmnp-tv-z]{25}")


async def id_of(client: MemdClient, text: str) -> str:
    """The id behind an id or a name; names are compared trimmed and without case. CommandError when there is no one."""
    if _ID.fullmatch(text):
        return text
    listing = await client.knowledge_bases.list(ListKnowledgeBasesRequest(include_inactive=True))
    wanted = text.strip().casefold()
    same = [row for row in listing.knowledge_bases if row.name.strip().casefold() == wanted]
    active = [row for row in same if not row.archived] or same
    if not active:
        raise CommandError(f"no knowledge base has the name {text!r}; see `memctl kb list --all`", ExitCode.NOT_FOUND)
    if len(active) > 1:
        ids = ", ".join(row.id for row in active)
        raise CommandError(
            f"{len(active)} knowledge bases have the name {text!r}; name one by id: {ids}", ExitCode.USAGE
        )
    return active[0].id
