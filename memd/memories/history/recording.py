"""Recording versions: every change of a memory or chunk calls `record_versions` first, in the transaction of the change."""

from collections.abc import Sequence
from uuid import UUID

from memd.context import Context
from memd.db.session import WriteSession
from memd.domain.types import HistoryAction
from memd.memories.history.recording_store import Change, record


async def record_versions(
    session: WriteSession,
    context: Context,
    memory_ids: Sequence[UUID],
    action: HistoryAction,
    reason: str | None = None,
    *,
    undoes: UUID | None = None,
    at: int | None = None,
    undoable: bool = True,
) -> None:
    """Keep the rows as they are now as versions, before the caller changes them; who, when, what and why with them.

    One statement for any number of rows, which stay locked. `undoes` is the request whose changes are undone;
    `at` (epoch ms) when the change became known, by default now. A change that is not `undoable` names no key: undo, which
    undoes the writes of a key, leaves it alone.
    """
    if not memory_ids:
        return
    change = Change(
        at=context.now if at is None else at,
        changed_by=context.principal.key_id if undoable else None,
        request_id=context.write_id,
        action=action,
        reason=reason,
        undoes=undoes,
    )
    services = context.services
    await record(session, memory_ids, change, services.model, services.settings.history_versions)
