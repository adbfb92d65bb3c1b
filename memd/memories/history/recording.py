"""Recording versions: every change of a memory or chunk calls `record_versions` first, in the transaction of the change."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from memd.context import Context
from memd.db.session import WriteSession
from memd.domain.types import HistoryAction
from memd.memories.history.recording_store import Change, record


@dataclass(frozen=True, slots=True)
class Cause:
    """Why rows change, and since when that is known (`at`, epoch ms, by default now).

    `undoes` is the request whose changes are undone. A change that is not `undoable` names no key: undo, which undoes the
    writes of a key, leaves it alone.
    """

    action: HistoryAction
    reason: str | None = None
    undoes: UUID | None = None
    at: int | None = None
    undoable: bool = True


async def record_versions(session: WriteSession, context: Context, memory_ids: Sequence[UUID], cause: Cause) -> None:
    """Keep the rows as they are now as versions, before the caller changes them; who, when, what and why with them.

    One statement for any number of rows, which stay locked.
    """
    if not memory_ids:
        return
    change = Change(
        at=context.now if cause.at is None else cause.at,
        changed_by=context.principal.key_id if cause.undoable else None,
        request_id=context.write_id,
        action=cause.action,
        reason=cause.reason,
        undoes=cause.undoes,
    )
    services = context.services
    await record(session, memory_ids, change, services.model, services.settings.history_versions)
