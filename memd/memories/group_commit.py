"""Group commit: memories that a user captures while earlier ones are being written share the next transaction.

One transaction of a user is open at a time, so that captures never queue for the user's counters while they hold
connections; each capture is acknowledged after the commit that holds it. A transaction waits some milliseconds for
captures that are still being embedded: one of four rows costs little more than one of a single row. Other processes are
kept apart by the locks of the transaction itself.
"""

import asyncio
from collections import deque
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from contextvars import Context as TaskContext
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

import structlog
from psycopg import Error, OperationalError

from memd.accounts import service as accounts
from memd.accounts.service import AuditNote
from memd.context import Context
from memd.db.engine import GENERIC_PLAN
from memd.db.session import WriteSession
from memd.domain.ids import encode
from memd.memories import duplicate_store as duplicates
from memd.memories import service
from memd.memories.duplicate_store import ContentKey, key_of
from memd.memories.new import Duplicate, NewMemory, Outcome
from memd.stats import quotas
from memd.stats.quotas import Resource
from memd.tracing.spans import current_traceparent, span

log = structlog.get_logger()
GROUP: Final = 100
"""Rows of a transaction at most, unless a single call brings more."""
LINGER_S: Final = 0.01
"""How long a transaction waits for captures of the same user that are being embedded."""
ENOUGH: Final = 4
"""Calls that make a transaction start without waiting for more."""
BURST: Final = 20
"""After a transaction of this many rows, more rows of the same user usually follow."""
BURST_GRAPH_DELAY_MS: Final = 250
"""How long the graph waits for the rest of a burst, so that one job reads hundreds of memories instead of ten jobs."""


@dataclass(frozen=True, slots=True)
class _Call:
    """Rows that a request waits for."""

    context: Context
    rows: Sequence[NewMemory]
    done: asyncio.Future[list[Outcome]]
    traceparent: str | None


@dataclass(slots=True)
class _Queue:
    """The calls of one user that wait for a transaction, and how many more are announced."""

    calls: deque[_Call] = field(default_factory=deque[_Call])
    announced: int = 0
    writing: bool = False
    ready: asyncio.Event = field(default_factory=asyncio.Event)

    def update(self) -> None:
        """Note whether a transaction should start without waiting any longer."""
        if self.announced == 0 or len(self.calls) >= ENOUGH:
            self.ready.set()
        else:
            self.ready.clear()

    async def wait_ready(self) -> None:
        """Wait until a transaction should start, up to LINGER_S."""
        if not self.ready.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(LINGER_S):
                    await self.ready.wait()


class GroupCommit:
    """Writes captured memories, the calls of a user one after the other or together."""

    def __init__(self) -> None:
        self._queues: dict[UUID, _Queue] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    @contextmanager
    def announce(self, user_id: UUID) -> Generator[None]:
        """While a row of the user is being embedded: the rows before it may wait for it, up to LINGER_S."""
        queue = self._queue(user_id)
        queue.announced += 1
        queue.update()
        try:
            yield
        finally:
            queue.announced -= 1
            queue.update()
            self._discard(user_id, queue)

    async def store(self, context: Context, rows: Sequence[NewMemory]) -> list[Outcome]:
        """Store the rows in one transaction, each of them unless it is a duplicate or the quota is full.

        A cancelled caller withdraws the rows whose transaction has not started.
        """
        call = _Call(context, rows, asyncio.get_running_loop().create_future(), current_traceparent())
        queue = self._queue(context.user_id)
        queue.calls.append(call)
        queue.update()
        if not queue.writing:
            queue.writing = True
            task = asyncio.create_task(self._write(context.user_id, queue), context=TaskContext())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return await call.done

    def _queue(self, user_id: UUID) -> _Queue:
        queue = self._queues.get(user_id)
        if queue is None:
            queue = self._queues[user_id] = _Queue()
        return queue

    async def drain(self) -> None:
        """Wait until all pending writes are stored."""
        while self._tasks:
            await asyncio.gather(*self._tasks)

    async def _write(self, user_id: UUID, queue: _Queue) -> None:
        """Write what waits for this user, group by group, until nothing does."""
        burst = False
        try:
            while queue.calls:
                await queue.wait_ready()
                group = _next_group(queue.calls)
                queue.update()
                if group:
                    with span("memories.store", {"memd.calls": len(group)}, parent=group[0].traceparent):
                        await _store_group(group, burst=burst)
                    burst = True
        finally:
            queue.writing = False
            for call in queue.calls:
                call.done.cancel()
            queue.calls.clear()
            self._discard(user_id, queue)

    def _discard(self, user_id: UUID, queue: _Queue) -> None:
        """Drop the queue of a user once it is idle."""
        if not queue.writing and queue.announced == 0:
            del self._queues[user_id]


def _next_group(waiting: deque[_Call]) -> list[_Call]:
    """Take calls off the queue, up to GROUP rows; without those whose request was cancelled."""
    group: list[_Call] = []
    rows = 0
    while waiting and (not group or rows + len(waiting[0].rows) <= GROUP):
        call = waiting.popleft()
        if not call.done.done():
            group.append(call)
            rows += len(call.rows)
    return group


async def _store_group(group: Sequence[_Call], *, burst: bool) -> None:
    """Write a group in one transaction; when Postgres refuses it, each call in a separate one."""
    try:
        outcomes = await _store(group[0].context, group, burst=burst)
    except OperationalError as error:
        _fail(group, error)
    except Error as error:
        log.warning("capture.group_failed", calls=len(group), error=type(error).__name__)
        for call in group:
            await _store_alone(call)
    except Exception as error:  # noqa: BLE001 -- whatever it is, those who wait have to hear of it
        _fail(group, error)
    else:
        for call, found in zip(group, outcomes, strict=True):
            _answer(call, found)


async def _store_alone(call: _Call) -> None:
    """Write one call; its audit rows may fail without it (contract 1.3)."""
    try:
        (found,) = await _store(call.context, [call], audit_may_fail=True)
    except Exception as error:  # noqa: BLE001 -- as above
        _fail([call], error)
    else:
        _answer(call, found)


def _answer(call: _Call, outcomes: list[Outcome]) -> None:
    if not call.done.done():
        call.done.set_result(outcomes)


def _fail(group: Sequence[_Call], error: Exception) -> None:
    for call in group:
        if not call.done.done():
            call.done.set_exception(error)


async def _store(
    context: Context, group: Sequence[_Call], *, audit_may_fail: bool = False, burst: bool = False
) -> list[list[Outcome]]:
    """The transaction of a group of one user: locks and tests in one round trip, everything else in another.

    In a `burst` the graph waits for the rows that follow.
    """
    rows = [row for call in group for row in call.rows]
    async with context.database.write(context.user_id, GENERIC_PLAN) as session:
        outcomes = await _decide(session, context, rows)
        fresh = {row.id for row, outcome in zip(rows, outcomes, strict=True) if outcome.stored}
        if fresh:
            delay_ms = BURST_GRAPH_DELAY_MS if burst or len(rows) >= BURST else 0
            service.add(session, context, [row for row in rows if row.id in fresh], graph_delay_ms=delay_ms)
            notes = [_note(call.context, row) for call in group for row in call.rows if row.id in fresh]
            if audit_may_fail:
                await accounts.try_audit(session, notes)
            else:
                session.execute_later(accounts.auditing(notes))
    each = iter(outcomes)
    return [[next(each) for _ in call.rows] for call in group]


async def _decide(session: WriteSession, context: Context, rows: Sequence[NewMemory]) -> list[Outcome]:
    """The rows to store: those without a duplicate among active memories and earlier rows, within the quota."""
    keys = [key_of(row) for row in rows]
    session.execute_later(duplicates.content_locks(context.user_id, keys))
    free, found = await quotas.free_memories_and_rows(
        session, context.principal, duplicates.duplicates_query(context.user_id, keys)
    )
    stored = duplicates.oldest_by_index(found)
    slots = len(rows) if free is None else free
    first: dict[ContentKey, Duplicate] = {}
    outcomes: list[Outcome] = []
    for index, (key, row) in enumerate(zip(keys, rows, strict=True)):
        if duplicate := stored.get(index) or first.get(key):
            outcomes.append(Outcome(duplicate))
        elif slots == 0:
            outcomes.append(Outcome(refused=quotas.refusal(context.principal, Resource.MEMORIES)))
        else:
            first[key] = Duplicate(row.id, row.tags, row.created_at)
            slots -= 1
            outcomes.append(Outcome())
    return outcomes


def _note(context: Context, row: NewMemory) -> AuditNote:
    return accounts.audit_note(context, "capture", "memory", encode("mem", row.id))
