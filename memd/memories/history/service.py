"""The history of a memory, and restoring an earlier version of it (contract 17.5)."""

from dataclasses import dataclass, replace
from typing import Any, Final
from uuid import UUID

from memctl.wire.history import HistoryRequest, RestoreRequest
from memd.accounts import service as accounts
from memd.context import Context
from memd.db.session import WriteSession
from memd.domain.ids import encode
from memd.domain.policy.content_policy import PolicyRules
from memd.domain.types import HistoryAction, MemorySource
from memd.domain.visibility.scoping import VisibleScopes
from memd.errors import Forbidden, MemoryNotFound, NotFound
from memd.memories import service as memories
from memd.memories.history import store
from memd.memories.history.derived import lock_derived, sync_derived
from memd.memories.history.recording import Cause
from memd.memories.history.restoring import Read, Target, read_versions, write_states
from memd.memories.history.store import CurrentRow
from memd.memories.history.withheld import is_withheld
from memd.memories.reading_store import StoredMemory
from memd.off_loop import in_thread

_WITHHELD: Final[dict[str, Any]] = {"title": "", "content": "", "tags": [], "action_triggers": [], "metadata": None}


@dataclass(frozen=True, slots=True)
class Version:
    """A version and the change that made it; `changed_by` is a key, None for a job; times in epoch ms."""

    version: int
    changed_at: int
    changed_by: UUID | None
    key_label: str | None
    action: str
    reason: str | None
    fields: dict[str, Any]
    blocked: bool = False


async def history(context: Context, memory_id: UUID, request: HistoryRequest) -> list[Version]:
    """The newest versions of a memory or chunk, the oldest of them first; the last one is the stored row.

    Those of an ordinary memory from when it had a channel that the request's does not see are left out.
    """
    scopes = context.scopes(request.channel, request.agent_id)
    async with context.database.owner(context.user_id) as session:
        await memories.find_visible(session, scopes, memory_id, tested=request.channel is not None)
        current = await store.current(session, memory_id)
        # One more than asked for: the change that made a version is kept with the version that it ended.
        ended = await store.ended(session, memory_id, request.limit)
        labels = await store.key_labels(session)
    if current is None:
        raise MemoryNotFound
    by: dict[UUID | None, str] = {**labels}
    first = ended[0].fields if ended else current.fields
    versions = [] if ended and ended[0].version > 1 else [_first(current, by.get(current.created_by), first)]
    fields = [row.fields for row in ended[1:]] + [current.fields]
    for row, after in zip(ended, fields, strict=False):
        versions.append(
            Version(
                row.version + 1,
                row.recorded_until,
                row.changed_by,
                by.get(row.changed_by),
                row.action,
                row.reason,
                after,
            )
        )
    if request.channel is not None and not current.is_chunk:
        versions = [version for version in versions if scopes.memory.admits(version.fields["channel"])]
    return await in_thread(_without_blocked_texts, context.services.policy, versions[-request.limit :])


def _without_blocked_texts(rules: PolicyRules, versions: list[Version]) -> list[Version]:
    """The versions, without the texts that the current rules block, if other rules have judged them."""
    return [
        replace(version, blocked=True, fields=version.fields | _WITHHELD)
        if is_withheld(rules, version.fields)
        else version
        for version in versions
    ]


def _first(current: CurrentRow, label: str | None, fields: dict[str, Any]) -> Version:
    """The version that a memory began with."""
    return Version(1, current.created_at, current.created_by, label, _origin(current), None, fields)


def _origin(row: CurrentRow) -> HistoryAction:
    if row.is_chunk:
        return HistoryAction.IMPORT
    if row.is_successor:
        return HistoryAction.SUPERSEDE
    if row.source == MemorySource.CONVERSATION:
        return HistoryAction.EXTRACT
    derived = row.source == MemorySource.INFERENCE and row.created_by is None
    return HistoryAction.DERIVE if derived else HistoryAction.CAPTURE


@dataclass(frozen=True, slots=True)
class Restored:
    """The number of the version that is stored now, and whether the memory is archived."""

    version: int
    archived: bool
    changed: bool


async def restore(context: Context, memory_id: UUID, request: RestoreRequest) -> Restored:
    """Take a memory out of the archive, or give it the fields of an earlier version as a new version.

    404 without such a version; 409, 403 or 400 where the state may not come back: an equal active memory, a full quota,
    an archived knowledge base, a text that the content policy blocks. 403 also for a version that `history` leaves out.
    """
    wanted = {} if request.version is None else {memory_id: request.version}
    while True:
        read = (await read_versions(context, wanted)).get(memory_id)
        async with context.database.write(context.user_id) as session:
            restored = await _restore(session, context, memory_id, request, read)
        if restored is not None:
            return restored


async def _restore(
    session: WriteSession, context: Context, memory_id: UUID, request: RestoreRequest, read: Read | None
) -> Restored | None:
    """Restore under the lock of the row; None when the version has ended since the ended ones were `read`."""
    scopes, version = context.scopes(request.channel, request.agent_id), request.version
    await store.lock_keys(session, [memory_id])
    row = await memories.lock_visible(session, scopes, memory_id, tested=request.channel is not None)
    if version is not None and version > row.version:
        raise NotFound
    if version == row.version or (version is None and not row.archived):
        return Restored(row.version, row.archived, changed=False)
    if version is not None and read is None and await store.stored(session, {memory_id: version}):
        return None
    if read is not None and not _may_return(scopes, request, row, read):
        raise Forbidden
    await lock_derived(session, [memory_id])
    target = Target(memory_id, version, None if version is not None else False)
    cause = Cause(HistoryAction.RESTORE, request.reason)
    versions = {} if read is None else {memory_id: read}
    refused = await write_states(session, context, [target], cause, versions)
    if memory_id in refused:
        raise refused[memory_id]
    await sync_derived(session, context, [memory_id], cause)
    after = await store.current(session, memory_id)
    meta = {"version": version} if version is not None else None
    await accounts.audit(session, context, "restore", "memory", encode("mem", memory_id), meta)
    return Restored(row.version + 1, archived=bool(after and after.fields["archived"]), changed=True)


def _may_return(scopes: VisibleScopes, request: RestoreRequest, row: StoredMemory, read: Read) -> bool:
    """Whether the channel that a request names, if any, saw an ordinary memory when it had this version."""
    unlimited = request.channel is None or row.knowledge_base_id is not None
    return unlimited or scopes.memory.admits(read.fields["channel"])
