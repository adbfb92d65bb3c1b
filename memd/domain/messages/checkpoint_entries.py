"""The entry of a checkpoint for a memory (contract 6.9): enough to recognise it, not a copy."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Final

from memd.domain.types import Store

_TITLE, _CONTENT, _SHORT_CONTENT, _TAGS = 160, 1_200, 240, 12
_WHOLE_BYTES: Final = 750_000


@dataclass(frozen=True, slots=True)
class CheckpointEntry:
    """One memory of a checkpoint; `memory_id` is the wire id."""

    memory_id: str
    strength: float
    title: str
    content: str
    store: Store
    tags: tuple[str, ...]


def cut_entries(entries: Iterable[CheckpointEntry]) -> list[CheckpointEntry]:
    """The entries with title, content and tags cut; shorter contents when the whole would be over 750,000 bytes of JSON."""
    cut = [_cut(entry, _CONTENT) for entry in entries]
    size = sum(len(json.dumps(asdict(entry), ensure_ascii=False).encode()) for entry in cut)
    return [_cut(entry, _SHORT_CONTENT) for entry in cut] if size > _WHOLE_BYTES else cut


def _cut(entry: CheckpointEntry, content: int) -> CheckpointEntry:
    return replace(entry, title=entry.title[:_TITLE], content=entry.content[:content], tags=entry.tags[:_TAGS])
