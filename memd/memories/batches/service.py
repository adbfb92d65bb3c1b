"""Capturing many memories in one request: pages of up to 100 rows, one transaction each (contract 17.2).

Every row gets the outcome that a separate capture would have had. While one page is written the next one is embedded.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final
from uuid import UUID

import structlog
from psycopg import Error

from memctl.wire.capture_batch import InvalidRow
from memctl.wire.memories import CaptureRequest
from memd.cancellation import both
from memd.context import Context
from memd.db.transient_errors import is_transient
from memd.domain.ids import encode
from memd.domain.text.embedding_text import embedding_text
from memd.embed import service as embedding
from memd.embed.page_vectors import embed_page
from memd.errors import EmbeddingTimeout, InternalError, MemdError, ServerBusy
from memd.memories import service
from memd.memories.batches.admission import BATCHES
from memd.memories.batches.policy import Draft, apply_policy
from memd.memories.duplicate_store import ContentKey, find_duplicates
from memd.memories.group_commit import GROUP as PAGE
from memd.memories.keyed.service import Put, put_rows
from memd.memories.new import Duplicate
from memd.off_loop import in_pieces, in_thread
from memd.stats import quotas
from memd.stats.quotas import Resource

log = structlog.get_logger()
TIME_SHARE: Final = 0.8
"""The part of a request's time after which no further page is started."""
PAGE_CHARACTERS: Final = 250_000
"""A page ends with the row that reaches them: a second's work, so that one that was started is done in time."""


@dataclass(frozen=True, slots=True)
class BatchOutcome:
    """The memory of a row, which was there already if `duplicate` or `replaced`; or the error that refuses the row."""

    id: UUID | None = None
    duplicate: bool = False
    replaced: bool = False
    error: MemdError | None = None


@dataclass(slots=True)
class _Batch:
    """The state of one request; pages are cleared in order, then embedded in order, then written in order.

    `free` is the number of free slots of the quota, `stored` what an equal later row duplicates, by index; `first` is
    the index of the first row with a key, and `copies` are later ones with the index of that first row.
    """

    context: Context
    rows: Sequence[CaptureRequest | InvalidRow]
    deadline: float
    free: int | None
    outcomes: dict[int, BatchOutcome] = field(default_factory=dict[int, BatchOutcome])
    stored: dict[int, Duplicate] = field(default_factory=dict[int, Duplicate])
    first: dict[ContentKey, int] = field(default_factory=dict[ContentKey, int])
    copies: list[tuple[Draft, int]] = field(default_factory=list[tuple[Draft, int]])
    clearing: asyncio.Lock = field(default_factory=asyncio.Lock)
    embedding: asyncio.Lock = field(default_factory=asyncio.Lock)

    def refuse(self, index: int, error: MemdError) -> None:
        self.outcomes[index] = BatchOutcome(error=error)

    def release(self, slots: int) -> None:
        """Let later rows have slots of the quota that were taken and not used."""
        if self.free is not None:
            self.free += slots


async def capture_batch(context: Context, rows: Sequence[CaptureRequest | InvalidRow]) -> list[BatchOutcome]:
    """Store the rows; the outcome of each, in their order. A page that is committed stays.

    `RefusedAtOnce` while too much text of earlier batches is in work.
    """
    sizes = await in_thread(_sizes, rows)
    with BATCHES.admitted(sum(sizes)):
        return await _capture(context, rows, sizes)


async def _capture(
    context: Context, rows: Sequence[CaptureRequest | InvalidRow], sizes: Sequence[int]
) -> list[BatchOutcome]:
    seconds = TIME_SHARE * context.services.settings.http_request_timeout_s
    batch = _Batch(context, rows, asyncio.get_running_loop().time() + seconds, await _free_slots(context))
    keyed = [index for index, row in enumerate(rows) if isinstance(row, CaptureRequest) and row.key is not None]
    others = sorted(set(range(len(rows))).difference(keyed))
    tasks = [asyncio.create_task(_prepare(batch, page)) for page in _pages(sizes, others)]
    try:
        for task in tasks:
            await _write(batch, await task)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for draft, first in batch.copies:
        await _resolve_copy(batch, draft, first)
    for page in _pages(sizes, keyed):
        await _put_page(batch, page)
    return [batch.outcomes[index] for index in range(len(rows))]


def _pages(sizes: Sequence[int], indexes: Sequence[int]) -> list[list[int]]:
    """The indexes in pages of PAGE rows or PAGE_CHARACTERS, whichever is reached first; `sizes` of all rows."""
    pages, size = list[list[int]](), PAGE_CHARACTERS
    for index in indexes:
        if size >= PAGE_CHARACTERS or len(pages[-1]) == PAGE:
            pages.append([])
            size = 0
        pages[-1].append(index)
        size += sizes[index]
    return pages


def _sizes(rows: Sequence[CaptureRequest | InvalidRow]) -> list[int]:
    """The characters of each row, 0 for an invalid one: 100,000 values in metadata take a tenth of a second."""
    return [service.submitted(row).characters if isinstance(row, CaptureRequest) else 0 for row in rows]


async def _free_slots(context: Context) -> int | None:
    """How many more memories the quota allows, None for no quota."""
    if context.principal.limits.memories is None:
        return None
    async with context.database.read(context.user_id) as session:
        return await quotas.free_memories(session, context.principal)


async def _prepare(batch: _Batch, page: Sequence[int]) -> list[Draft]:
    """The rows of a page that are new, with their vectors; the others have their outcome.

    An error refuses the rows of this page only: other pages may be stored already.
    """
    try:
        async with batch.clearing:
            new = await _without_duplicates(batch, await _cleared(batch, page))
        async with batch.embedding:
            return await _within_quota(batch, new)
    except (Error, MemdError) as error:
        refusal = _refusal(batch.context, error, len(page))
        for index in page:
            if index not in batch.outcomes:
                batch.refuse(index, refusal)
        return []


async def _cleared(batch: _Batch, page: Sequence[int]) -> list[Draft]:
    """The rows of a page that the policy lets pass."""
    if asyncio.get_running_loop().time() >= batch.deadline:
        for index in page:
            batch.refuse(index, ServerBusy())
        return []
    drafts, refusals = await apply_policy(batch.context, [(index, batch.rows[index]) for index in page])
    for index, error in refusals.items():
        batch.refuse(index, error)
    return drafts


async def _without_duplicates(batch: _Batch, drafts: Sequence[Draft]) -> list[Draft]:
    """The rows without a duplicate among active memories and earlier rows."""
    context = batch.context
    async with context.database.read(context.user_id) as session:
        found = await find_duplicates(session, [draft.key for draft in drafts])
    new: list[Draft] = []
    for number, draft in enumerate(drafts):
        if draft.key in batch.first:
            batch.copies.append((draft, batch.first[draft.key]))
        elif number in found:
            batch.outcomes[draft.index] = await _duplicate(batch, draft, found[number])
        else:
            batch.first[draft.key] = draft.index
            new.append(draft)
    return new


async def _within_quota(batch: _Batch, drafts: Sequence[Draft]) -> list[Draft]:
    """The rows that have a slot of the quota and their vectors; a row that cannot be embedded takes no slot."""
    if batch.free is None:
        return await _embedded(batch, drafts)
    kept: list[Draft] = []
    while drafts and batch.free > 0:
        taken, drafts = drafts[: batch.free], drafts[batch.free :]
        embedded = await _embedded(batch, taken)
        batch.free -= len(embedded)
        kept += embedded
    for draft in drafts:
        batch.refuse(draft.index, quotas.refusal(batch.context.principal, Resource.MEMORIES))
    return kept


async def _embedded(batch: _Batch, drafts: Sequence[Draft]) -> list[Draft]:
    """The rows that have their vectors and their text index."""
    context = batch.context
    granted = await embedding.take_allowance(context, len(drafts)) if drafts else 0
    texts = [embedding_text(draft.row.title, draft.row.content) for draft in drafts]
    vectors, _ = await both(
        embed_page(context, texts, granted, batch.deadline),
        in_pieces(partial(_index, context), drafts, lambda draft: len(draft.row.content)),
    )
    kept: list[Draft] = []
    for number, (draft, vector) in enumerate(zip(drafts, vectors.rows, strict=True)):
        if number >= granted:
            batch.refuse(draft.index, embedding.cap_error(context))
        elif number in vectors.failed:
            batch.refuse(draft.index, _failure(context))
        elif vector is None:
            batch.refuse(draft.index, EmbeddingTimeout())
        else:
            draft.row.vector = vector
            kept.append(draft)
    return kept


def _failure(context: Context) -> InternalError:
    return InternalError(encode("req", context.request_id))


def _refusal(context: Context, error: Error | MemdError, rows: int) -> MemdError:
    """The refusal of rows that failed with an error, as for a separate request."""
    if isinstance(error, MemdError):
        return error
    log.warning("capture.page_failed", rows=rows, error=type(error).__name__)
    return ServerBusy() if is_transient(error) else _failure(context)


def _index(context: Context, drafts: Sequence[Draft]) -> Sequence[Draft]:
    """Make the text indexes; the same rows. It only computes, so a thread may do it."""
    for draft in drafts:
        draft.row.make_text_index(context.user_id, context.services.settings.text_search_config)
    return drafts


async def _write(batch: _Batch, drafts: Sequence[Draft]) -> None:
    """Store a page; where the database refuses it, no row of it is stored."""
    if not drafts:
        return
    try:
        outcomes = await batch.context.services.captures.store(batch.context, [draft.row for draft in drafts])
    except (Error, MemdError) as error:
        refusal = _refusal(batch.context, error, len(drafts))
        for draft in drafts:
            batch.refuse(draft.index, refusal)
        batch.release(len(drafts))
        return
    for draft, outcome in zip(drafts, outcomes, strict=True):
        if outcome.refused is not None:
            batch.refuse(draft.index, outcome.refused)
        elif outcome.duplicate is not None:
            batch.stored[draft.index] = outcome.duplicate
            batch.outcomes[draft.index] = await _duplicate(batch, draft, outcome.duplicate)
        else:
            batch.stored[draft.index] = Duplicate(draft.row.id, draft.row.tags, draft.row.created_at)
            batch.outcomes[draft.index] = BatchOutcome(draft.row.id)


async def _put_page(batch: _Batch, page: Sequence[int]) -> None:
    """Store a page of keyed rows; a key that comes twice is written twice, in order."""
    try:
        pending: list[Draft] = await _embedded(batch, await _cleared(batch, page))
        while pending:
            first = {(draft.row.namespace, draft.row.key): draft for draft in reversed(pending)}
            puts = list(first.values())
            outcomes = await put_rows(batch.context, [Put(draft.request, draft.row) for draft in puts])
            for draft, outcome in zip(puts, outcomes, strict=True):
                stored = BatchOutcome(outcome.id, replaced=outcome.replaced)
                batch.outcomes[draft.index] = BatchOutcome(error=outcome.refused) if outcome.refused else stored
            pending = [draft for draft in pending if draft.index not in batch.outcomes]
    except (Error, MemdError) as error:
        refusal = _refusal(batch.context, error, len(page))
        for index in page:
            if index not in batch.outcomes:
                batch.refuse(index, refusal)


async def _resolve_copy(batch: _Batch, draft: Draft, first: int) -> None:
    """A row that duplicates an earlier one, or is refused for the same reason."""
    stored = batch.stored.get(first)
    batch.outcomes[draft.index] = batch.outcomes[first] if stored is None else await _duplicate(batch, draft, stored)


async def _duplicate(batch: _Batch, draft: Draft, stored: Duplicate) -> BatchOutcome:
    """A duplicate is refused; a replayed automatic capture is the memory that is there (contract 6.1)."""
    try:
        captured = await service.answer_duplicate(batch.context, draft.request, stored)
    except (Error, MemdError) as error:
        return BatchOutcome(error=_refusal(batch.context, error, 1))
    return BatchOutcome(captured.id, duplicate=captured.duplicate)
