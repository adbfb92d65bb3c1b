"""The plan of an import batch (contract 8.4): one entry a row, keyless copies dropped, the last row of each key kept."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memd.domain.text.duplicates import exact_hash
from memd.domain.types import ChunkKind


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkInput:
    """A chunk as it was sent; None is a field that was not sent. `policy_flags` are those of the content policy.

    A plan adds `earlier`, the positions of chunks with the same key before it in the batch, which it replaces.
    """

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
    earlier: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """The chunks of a batch that become rows, in the order of their first place."""

    chunks: tuple[ChunkInput, ...]
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
    planned = tuple(chunk if chunk.dedupe_key is None else _last(keyed[chunk.dedupe_key]) for chunk in order)
    return ImportPlan(chunks=planned, duplicates_removed=removed)


def _last(same_key: Sequence[ChunkInput]) -> ChunkInput:
    *earlier, last = same_key
    return replace(last, earlier=tuple(each.index for each in earlier)) if earlier else last
