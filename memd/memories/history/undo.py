"""Undoing the writes of a key, newest first (contract 17.5)."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final
from uuid import UUID

from memctl.wire.history import UndoRequest
from memd.accounts import service as accounts
from memd.context import Context
from memd.domain.dates.time_window import DAY_MS, TimeWindowError, parse_window
from memd.domain.ids import decode, encode, made_at
from memd.domain.types import HistoryAction
from memd.errors import BadRequest, Conflict, Forbidden, MemdError
from memd.memories.history import undo_store as store
from memd.memories.history.derived import lock_derived, sync_derived
from memd.memories.history.recording import Cause
from memd.memories.history.restoring import Target, read_versions, write_states
from memd.memories.history.store import lock_bases, lock_keys
from memd.memories.history.undo_store import Write, WrittenMemory

PAGE: Final = 200
WRITES: Final = 50 * PAGE
"""Writes of an operation that are read at once."""
LISTED: Final = 10_000
"""Memories that a dry run lists, or a page more."""
REQUESTS: Final = 200
"""Operations that one call undoes; each is at least one transaction."""
MEMORIES: Final = 2_000
"""Memories that one call undoes, or a page more: an operation, such as an import, may have many."""
MAX_AGE_MS: Final = DAY_MS
_SPANS: Final = range(1, DAY_MS + 1)
"""Numbers that look like a duration, in any unit, and not like a time in seconds (contract 7.0)."""
HOUR_MS: Final = 3_600_000


class ChangedSince(Conflict):
    """409 of a memory that was written again after the write that is to be undone."""

    error = "Memory changed since"


@dataclass(frozen=True, slots=True)
class UndoEntry:
    """A memory whose write was undone, or is refused with an error; `at` is when it was written (epoch ms)."""

    id: UUID
    title: str
    action: str
    at: int
    error: MemdError | None = None


@dataclass(frozen=True, slots=True)
class Undone:
    """The undone writes, and those that could not be undone, since a moment (epoch ms); `last` is the newest request among them.

    `following` is where the next call continues: the operation after the last one, or the last one while some of it is
    left. A dry run that ends within an operation has no such place: it is not `complete`.
    """

    since: int | None = None
    last: UUID | None = None
    following: UUID | None = None
    complete: bool = True
    undone: list[UndoEntry] = field(default_factory=list[UndoEntry])
    skipped: list[UndoEntry] = field(default_factory=list[UndoEntry])


async def undo(context: Context, request: UndoRequest) -> Undone:
    """Undo the last operation of the caller's key, or all since a moment; with `dry_run` only list them.

    An operation is one request, or all that name the same one as their first. Pages of 200 memories, a transaction
    each. What was made is archived, what was changed gets its earlier version.
    """
    key_id = context.principal.key_id
    if key_id is None:
        raise Forbidden
    since = _since(context, request)
    async with context.database.owner(context.user_id) as session:
        oldest, maximum = (context.now - MAX_AGE_MS, 1) if since is None else (since, REQUESTS)
        found = await store.requests(session, key_id, oldest, _last(context, request), maximum + (since is not None))
    newest_first, following = found[:maximum], found[maximum:]
    result = Undone(since, found[0] if found else None)
    for index, request_id in enumerate(newest_first):
        if request.dry_run:
            if not await _list_request(context, key_id, request_id, result, newest_first[:index]):
                return replace(result, complete=False)
        elif not await _undo_request(context, key_id, request_id, result):
            return replace(result, following=request_id, complete=False)
    return replace(result, following=following[0] if following else None, complete=not following)


def _since(context: Context, request: UndoRequest) -> int | None:
    """The beginning of the span, at most 24 hours ago; None for the last write alone.

    `BadRequest` for a number of up to a day's milliseconds: as a moment it is in the years from 1970 to 1972, and would
    undo all of the 24 hours. So would a number below 0.
    """
    if request.since_ms is None:
        return None
    try:
        since = parse_window({"sinceMs": request.since_ms}).from_ms
    except TimeWindowError as error:
        raise BadRequest(str(error)) from None
    if since is not None and (since < 0 or since // 1000 in _SPANS):
        number, years = (since, "before 1970") if since < 0 else (since // 1000, "in the years 1970 to 1972")
        hint = f"an hour ago is {context.now - HOUR_MS}"
        raise BadRequest(f"Field sinceMs must be a moment, not a span: {number} is {years} ({hint})")
    return min(max(since or 0, context.now - MAX_AGE_MS), context.now)


def _last(context: Context, request: UndoRequest) -> UUID:
    """The newest request that may be undone: that of the listing that the caller has seen, else any.

    An operation may bear an id of a replica whose clock is ahead of this one's.
    """
    newest = store.earliest_id(made_at(context.request_id) + store.CLOCK_SKEW_MS + 1)
    return newest if request.last_request_id is None else min(decode("req", request.last_request_id), newest)


async def _undo_request(context: Context, key_id: UUID, request_id: UUID, result: Undone) -> bool:
    """Undo one operation, page by page; returns whether all of it was, or more than one call undoes is left."""
    async for page in _pages(context, key_id, request_id):
        if len(result.undone) >= MEMORIES:
            return False
        memories, refused = await _undo_page(context, key_id, request_id, page)
        _add(result, request_id, memories, refused)
    return True


async def _list_request(
    context: Context, key_id: UUID, request_id: UUID, result: Undone, newer: Sequence[UUID]
) -> bool:
    """Add what undoing one request would do after the `newer` ones were undone; returns whether all of it is listed.

    A memory that is skipped there is skipped here.
    """
    skipped = {row.id for row in result.skipped}
    async for page in _pages(context, key_id, request_id):
        if len(result.undone) + len(result.skipped) >= LISTED:
            return False
        async with context.database.owner(context.user_id) as session:
            memories = await store.memories(session, key_id, request_id, page, newer)
        kept = {row.id: ChangedSince() for row in memories if row.id in skipped}
        _add(result, request_id, memories, _changed_since(memories) | kept)
    return True


async def _pages(context: Context, key_id: UUID, request_id: UUID) -> AsyncGenerator[list[Write]]:
    """The writes of a request, in pages."""
    after: UUID | None = None
    while True:
        async with context.database.owner(context.user_id) as session:
            writes = await store.writes(session, key_id, request_id, after, WRITES)
        for start in range(0, len(writes), PAGE):
            yield writes[start : start + PAGE]
        if len(writes) < WRITES:
            return
        after = writes[-1].id


def _add(result: Undone, request_id: UUID, page: Sequence[WrittenMemory], refused: Mapping[UUID, MemdError]) -> None:
    for row in page:
        error = refused.get(row.id)
        entry = UndoEntry(row.id, row.title, row.action, made_at(request_id), error)
        (result.skipped if error else result.undone).append(entry)


def _changed_since(page: Sequence[WrittenMemory]) -> dict[UUID, MemdError]:
    return {row.id: ChangedSince() for row in page if row.changed_since}


async def _undo_page(
    context: Context, key_id: UUID, request_id: UUID, writes: Sequence[Write]
) -> tuple[Sequence[WrittenMemory], dict[UUID, MemdError]]:
    """One page in one transaction: the memories, and the refusals among them.

    They are read under their locks: of two calls at once, one undoes a write and the other one finds that it is undone.
    """
    memory_ids = [write.id for write in writes]
    versions = await read_versions(context, {write.id: write.before for write in writes if write.before})
    async with context.database.write(context.user_id) as session:
        await lock_keys(session, memory_ids)
        await lock_bases(session, memory_ids)
        await store.lock_history(session, memory_ids)
        await lock_derived(session, memory_ids)
        page = await store.memories(session, key_id, request_id, writes)
        refused = _changed_since(page)
        targets = [_before(row) for row in page if row.id not in refused]
        cause = Cause(HistoryAction.UNDO, undoes=request_id)
        refused |= await write_states(session, context, targets, cause, versions)
        await sync_derived(session, context, [target.id for target in targets], cause)
        done = len(targets) - sum(target.id in refused for target in targets)
        await accounts.audit(
            session, context, "undo", "request", encode("req", request_id), {"memories": done, "skipped": len(refused)}
        )
    return page, refused


def _before(row: WrittenMemory) -> Target:
    """The state before the write; what did not exist is archived."""
    return Target(row.id, archived=True) if row.before == 0 else Target(row.id, row.before)
