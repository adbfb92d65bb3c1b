"""What an import batch comes to (contract 8.4): one entry a row, keyless copies dropped, the last of a key kept."""

from collections.abc import Sequence
from dataclasses import dataclass

from memd.domain.duplicates import content_hash
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
    """A row to write, and the places in the batch that it stands for."""

    chunk: ChunkInput
    places: tuple[int, ...]
    digest: str


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """The rows of a batch in the order of their first place."""

    rows: tuple[PlannedChunk, ...]
    duplicates_removed: int


def plan_import(chunks: Sequence[ChunkInput]) -> ImportPlan:
    """Keyless chunks with equal content: the first stays. Chunks with one key are one row: the last wins."""
    keyed: dict[str, list[ChunkInput]] = {}
    seen: set[str] = set()
    order: list[tuple[ChunkInput, str]] = []
    removed = 0
    for chunk in chunks:
        digest = content_hash(chunk.content)
        if chunk.dedupe_key is not None:
            places = keyed.setdefault(chunk.dedupe_key, [])
            if not places:
                order.append((chunk, digest))
            places.append(chunk)
        elif digest in seen:
            removed += 1
        else:
            seen.add(digest)
            order.append((chunk, digest))
    rows = tuple(_planned(chunk, digest, keyed) for chunk, digest in order)
    return ImportPlan(rows=rows, duplicates_removed=removed)


def _planned(chunk: ChunkInput, digest: str, keyed: dict[str, list[ChunkInput]]) -> PlannedChunk:
    if chunk.dedupe_key is None:
        return PlannedChunk(chunk, (chunk.index,), digest)
    places = keyed[chunk.dedupe_key]
    last = places[-1]
    return PlannedChunk(last, tuple(place.index for place in places), content_hash(last.content))
