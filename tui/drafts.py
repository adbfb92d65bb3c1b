"""Drafts of memories that somebody is writing, kept on disk until memd has stored them."""

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from memctl.drafts import Draft as File
from memctl.importers.front_matter import BrokenFrontMatter, body_of, compose, split
from memctl.wire.enums import Category, Store

from .presenters.memories import Editable


@dataclass(frozen=True, slots=True)
class Draft:
    """The fields of the form."""

    memory: Editable
    reason: str = ""


def keep(kind: str, draft: Draft) -> None:
    """Store a draft; a disk that refuses it is no reason to stop."""
    memory = draft.memory
    fields: dict[str, Any] = {
        "title": memory.title,
        "store": str(memory.store),
        "category": str(memory.category),
        "tags": list(memory.tags),
        "channel": memory.channel,
        "from": memory.begin,
        "until": memory.end,
        "reason": draft.reason,
    }
    with suppress(OSError):
        File.of(memory.id, kind).write(
            compose({name: value for name, value in fields.items() if value}, memory.content)
        )


def kept(kind: str, memory: Editable) -> Draft | None:
    """The draft about a memory; None when there is none, or none that can be read."""
    text = File.of(memory.id, kind).read()
    if text is None:
        return None
    try:
        fields, rest = split(text)
        changed = replace(
            memory,
            title=str(fields.get("title", "")),
            content=body_of(rest),
            store=Store(fields.get("store", memory.store)),
            category=Category(fields.get("category", memory.category)),
            tags=tuple(str(tag) for tag in fields.get("tags") or ()),
            channel=str(fields["channel"]) if fields.get("channel") else None,
            begin=str(fields.get("from", "")),
            end=str(fields.get("until", "")),
        )
    except (BrokenFrontMatter, ValueError, TypeError):
        return None
    return Draft(changed, str(fields.get("reason", "")))


def drop(kind: str, memory: Editable) -> None:
    """Delete the draft about a memory."""
    with suppress(OSError):
        File.of(memory.id, kind).remove()
