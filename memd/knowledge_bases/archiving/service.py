"""Changing, archiving, restoring and removing knowledge bases (contract 8.3, 5).

Chunks are moved in pages, each in a separate transaction with the counters, so that a request that ends early can be
repeated. `archived_at` shows the state of an archived knowledge base: it is cleared when a restoration begins.
"""

import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from memctl.wire.knowledge_bases import PatchKnowledgeBaseRequest
from memd.accounts import service as accounts
from memd.audit.recording import record
from memd.context import Context, Services
from memd.db.session import Deferral, WriteSession
from memd.domain.ids import encode
from memd.domain.types import HistoryAction, PeerScopePolicy
from memd.erasure.memories import service as erasure
from memd.errors import KnowledgeBaseNotArchived, KnowledgeBaseNotFound
from memd.knowledge_bases import counters, store
from memd.knowledge_bases.archiving import store as archiving_store
from memd.knowledge_bases.archiving.store import MovedChunk
from memd.knowledge_bases.store import StoredBase
from memd.memories import visibility
from memd.memories.history.recording import Cause, record_versions
from memd.stats import service as stats

PAGE = 200
REMOVAL_PAGE = 500
MOVE_PAGE = 500
WORK_S = 20.0
LEFT_ALONE_MS = 600_000
"""A removal without progress for this long is finished by a job."""
ARCHIVED_AT = "archived_at"
"""Key of the payload of that job: when the knowledge base was archived, so that a later archive is another one."""
_CLEARED: Mapping[str, Any] = {"agent_ids": [], "peer_scope_policy": PeerScopePolicy.STRICT.value}


async def patch(context: Context, base_id: UUID, request: PatchKnowledgeBaseRequest) -> StoredBase:
    """Change what the request sets, null clears; a new scope also goes to the chunks that had the old one.

    Chunks move in pages, and the last page brings the change itself: a request that ends early can be repeated.
    """
    sent = {name: getattr(request, name) for name in request.model_fields_set}
    columns = {name: _CLEARED.get(name) if value is None else value for name, value in sent.items()}
    while True:
        async with context.database.write(context.user_id) as session:
            base = await _lock(session, base_id)
            if await _move_page(session, base, columns) == MOVE_PAGE:
                continue
            await archiving_store.set_columns(session, base_id, columns, context.now)
            await _audit(session, context, "update", base_id, {"fields": sorted(columns)})
            return await _lock(session, base_id)


async def _move_page(session: WriteSession, base: StoredBase, columns: Mapping[str, Any]) -> int:
    """Give chunks of the old scope the new one; returns how many."""
    old = base.scope
    if "scope" not in columns or old is None or columns["scope"] == old:
        return 0
    return await archiving_store.move_chunks(session, base.id, old, columns["scope"], MOVE_PAGE)


async def _lock(session: WriteSession, base_id: UUID) -> StoredBase:
    base = await store.lock(session, base_id)
    if base is None:
        raise KnowledgeBaseNotFound
    return base


async def _audit(
    session: WriteSession, context: Context, action: str, base_id: UUID, meta: dict[str, Any] | None = None
) -> None:
    await accounts.audit(session, context, action, "knowledge_base", encode("kb", base_id), meta)


@dataclass(frozen=True, slots=True)
class Progress:
    """How many chunks one request moved, and whether none is left; `base` is the row as it now is."""

    chunks: int
    done: bool
    base: StoredBase


async def archive(context: Context, base_id: UUID) -> Progress:
    """Archive a knowledge base, at once, and its active chunks, page by page for up to 20 s."""
    return await _archive(context, base_id, time.monotonic() + WORK_S)


async def _archive(context: Context, base_id: UUID, deadline: float) -> Progress:
    moved = 0
    while True:
        async with context.database.write(context.user_id) as session:
            base = await _lock(session, base_id)
            if not base.archived or base.archived_at is None:
                marks = {"archived": True, "archived_at": context.now}
                await archiving_store.set_columns(session, base_id, marks, context.now)
                await _audit(session, context, "archive", base_id)
            count = await _archive_page(session, context, base_id)
            base = await _lock(session, base_id)
        moved += count
        if count < PAGE or time.monotonic() >= deadline:
            return Progress(moved, count < PAGE, base)


async def _archive_page(session: WriteSession, context: Context, base_id: UUID) -> int:
    rows = await archiving_store.next_page(session, base_id, PAGE, archived=False)
    await record_versions(session, context, [row.id for row in rows], Cause(HistoryAction.ARCHIVE, undoable=False))
    await archiving_store.archive_chunks(session, [row.id for row in rows], context.now)
    await _follow(session, context, base_id, rows, -1)
    return len(rows)


async def _restore_page(session: WriteSession, context: Context, base_id: UUID) -> list[MovedChunk]:
    rows = await archiving_store.next_page(session, base_id, PAGE, archived=True)
    await record_versions(session, context, [row.id for row in rows], Cause(HistoryAction.RESTORE, undoable=False))
    await archiving_store.restore_chunks(session, [row.id for row in rows], context.now)
    await _follow(session, context, base_id, rows, 1)
    return rows


async def _follow(session: WriteSession, context: Context, base_id: UUID, rows: list[MovedChunk], sign: int) -> None:
    """Update the lanes and the counters after a page."""
    if not rows:
        return
    await visibility.sync(session, [row.id for row in rows])
    characters = sum(row.size for row in rows)
    await counters.move(session, base_id, chunks=sign * len(rows), characters=sign * characters, now=context.now)


async def unarchive(context: Context, base_id: UUID) -> Progress:
    """Make a knowledge base active again with the chunks that were archived with it; an unfinished archive ends first.

    Page by page for up to 20 s in all.
    """
    deadline = time.monotonic() + WORK_S
    async with context.database.write(context.user_id) as session:
        base = await _lock(session, base_id)
    if not base.archived:
        raise KnowledgeBaseNotArchived
    if base.archived_at is not None:
        started = await _archive(context, base_id, deadline)
        if not started.done:
            return Progress(0, False, started.base)
    return await _restore(context, base_id, deadline)


async def _restore(context: Context, base_id: UUID, deadline: float) -> Progress:
    moved = 0
    while True:
        async with context.database.write(context.user_id) as session:
            base = await _lock(session, base_id)
            rows = await _restore_page(session, context, base_id)
            done = len(rows) < PAGE
            marks: dict[str, Any] = {"archived": not done, "archived_at": None}
            await archiving_store.set_columns(session, base_id, marks, context.now)
            if done:
                await _audit(session, context, "unarchive", base_id)
            base = await _lock(session, base_id)
        moved += len(rows)
        if done or time.monotonic() >= deadline:
            return Progress(moved, done, base)


async def remove(context: Context, base_id: UUID) -> tuple[int, bool]:
    """Delete one page of an archived knowledge base's chunks permanently, and with the last of them the knowledge base.

    How many chunks, and whether that was all. If the caller does not come back, a job continues.
    """
    async with context.database.write(context.user_id) as session:
        return await _remove_page(session, context, await _lock(session, base_id))


async def _remove_page(session: WriteSession, context: Context, base: StoredBase) -> tuple[int, bool]:
    if not base.archived:
        raise KnowledgeBaseNotArchived
    rows = await store.chunk_ids(session, base.id, REMOVAL_PAGE)
    active = [row.size for row in rows if not row.archived]
    await erasure.remove_chunks(session, [row.id for row in rows])
    done = len(rows) < REMOVAL_PAGE
    await stats.move(session, context.now)  # the clean-up finds the graph of users with changes
    removed = {"chunks": len(rows), "done": done}
    record(session, context, "knowledge_base.delete", encode("kb", base.id), after=removed)
    if done:
        await archiving_store.remove_base(session, base.id)
        await _audit(session, context, "delete", base.id)
    else:
        await counters.move(session, base.id, chunks=-len(active), characters=-sum(active), now=context.now)
        session.defer(rest_of_removal(base))
    return len(rows), done


def rest_of_removal(base: StoredBase) -> Deferral:
    """The job that finishes the removal, unless the knowledge base is restored, even if it is archived again after that."""
    payload = {"knowledge_base_id": str(base.id), ARCHIVED_AT: base.archived_at}
    once = f"kb_delete_page:{base.id}:{base.archived_at}"
    return Deferral("kb_delete_page", payload, queueing_lock=once, delay_ms=LEFT_ALONE_MS)


async def finish_removal(services: Services, user_id: UUID, payload: Mapping[str, Any]) -> None:
    """The job `kb_delete_page`: complete a removal; does nothing for one that was completed or cancelled."""
    context = await accounts.job_context(services, user_id)
    if context is None:
        return
    done = False
    with suppress(KnowledgeBaseNotFound, KnowledgeBaseNotArchived):
        while not done:
            async with context.database.write(context.user_id) as session:
                base = await _lock(session, UUID(payload["knowledge_base_id"]))
                if base.archived_at != payload[ARCHIVED_AT]:
                    return
                _, done = await _remove_page(session, context, base)
