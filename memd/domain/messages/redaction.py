"""Removes erased texts from documents that quote them: checkpoints and snapshots (contract 17.6)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from memd.domain.prompts.session_text import SUMMARY_MAX, excerpt

QUOTED_MIN: Final = 16
"""Characters from which on a text counts as quoted inside another one; a shorter one must be the whole passage."""
REMOVED: Final = "[removed]"
Entry = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class QuotedMessage:
    """An erased message: who said what, and when (epoch ms)."""

    role: str
    content: str
    timestamp: int


def without_quotes(passages: Sequence[Entry], text: str) -> list[Entry]:
    """The passages of a snapshot without an erased text: whole passages go, quotes inside others are replaced."""
    kept = [passage for passage in passages if passage.get("content") != text]
    if len(text) < QUOTED_MIN:
        return kept
    return [{**passage, "content": str(passage.get("content", "")).replace(text, REMOVED)} for passage in kept]


def without_messages(passages: Sequence[Entry], erased: Collection[QuotedMessage]) -> list[Entry]:
    """The passages of a snapshot without erased messages; a passage that has a time must have that of the message."""
    erased_keys = {(one.role, one.content, one.timestamp) for one in erased}
    timeless = {(role, content) for role, content, _ in erased_keys}

    def is_gone(passage: Entry) -> bool:
        identity = (passage.get("role"), passage.get("content"))
        timestamp = passage.get("timestamp")
        return identity in timeless if timestamp is None else (*identity, timestamp) in erased_keys

    return [passage for passage in passages if not is_gone(passage)]


def without_memories(entries: Sequence[Entry], memory_ids: Collection[str]) -> list[Entry]:
    """The entries of a checkpoint, those of erased memories without their texts."""
    blank: Entry = {"title": REMOVED, "content": "", "tags": []}
    return [{**entry, **blank} if entry.get("memoryId") in memory_ids else entry for entry in entries]


def checkpoint_summary(entries: Sequence[Entry], memory_ids: Collection[str], summary: str) -> str:
    """The summary of a checkpoint without the titles of erased memories; a text that a client wrote is unchanged."""
    titles = [str(entry.get("title", "")) for entry in entries]
    erased = [title for entry, title in zip(entries, titles, strict=True) if entry.get("memoryId") in memory_ids]
    named = any(title and excerpt(title, SUMMARY_MAX) in summary for title in erased)
    if not named and summary != excerpt("; ".join(titles), SUMMARY_MAX):
        return summary
    remaining = [title for entry, title in zip(entries, titles, strict=True) if entry.get("memoryId") not in memory_ids]
    return excerpt("; ".join(remaining), SUMMARY_MAX)
