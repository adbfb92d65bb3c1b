"""What an import batch comes to (contract 8.4): one entry a row, keyless copies dropped, the last of a key kept."""

from collections.abc import Sequence
from dataclasses import dataclass

from memd.domain.duplicates import content_hash, exact_hash
from memd.domain.types import ChunkKind


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkInput:
    """A chunk as it was sent; None is a field that was not sent. `policy_flags` is what the content policy noted."""

    index: int
    content: str
    title: str
    dedupe_key: str | None = None
    source_url: str | None = None
    source_type: str | None = None
    chunk_index: int | None = None
    total_chunks: int | None = None
    channel: str | None = None
    tags: tuple[str, ...] | None = None
    chunk_kind: ChunkKind | None = None
    policy_flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlannedChunk:
    """A row to write, the places in the batch that it stands for, and its `content_hash`."""

    chunk: ChunkInput
    places: tuple[int, ...]
    digest: str


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """The rows of a batch in the order of their first place."""

    rows: tuple[PlannedChunk, ...]
    duplicates_removed: int


def plan_import(chunks: Sequence[ChunkInput]) -> ImportPlan:
    """Keyless chunks of byte-identical content: the first stays. Chunks with one key are one row: the last wins."""
    keyed: dict[str, list[ChunkInput]] = {}
    seen: set[str] = set()
    order: list[ChunkInput] = []
    removed = 0
    for chunk in chunks:
        if chunk.dedupe_key is not None:
            same_key = keyed.setdefault(chunk.dedupe_key, [])
            if not same_key:
                order.append(chunk)
            same_key.append(chunk)
        elif (digest := exact_hash(chunk.content)) in seen:
            removed += 1
        else:
            seen.add(digest)
            order.append(chunk)
    rows = tuple(_planned(chunk, keyed) for chunk in order)
    return ImportPlan(rows=rows, duplicates_removed=removed)


def _planned(chunk: ChunkInput, keyed: dict[str, list[ChunkInput]]) -> PlannedChunk:
    same_key = [chunk] if chunk.dedupe_key is None else keyed[chunk.dedupe_key]
    last = same_key[-1]
    return PlannedChunk(last, tuple(each.index for each in same_key), content_hash(last.content))
