"""What other rooms do to memories and chunks as a whole: delete them for good, or bring the lanes up to their marks."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from memd.db.session import WriteSession
from memd.domain.text_analysis.language import Language
from memd.memories import store


async def remove(session: WriteSession, memory_ids: Sequence[UUID]) -> int:
    """Delete rows with all that hangs on them; how many there were. Counters are the caller's."""
    return await store.remove(session, memory_ids) if memory_ids else 0


async def follow_marks(session: WriteSession, memory_ids: Sequence[UUID]) -> None:
    """Show rows to the lanes or hide them, after their archived or blocked marks were changed."""
    if memory_ids:
        await store.set_live(session, memory_ids)


async def follow_archived(session: WriteSession, memory_ids: Sequence[UUID], default: Language) -> None:
    """Bring the lanes up to rows whose marks and periods were changed; archived ones are tied to no tool any more."""
    await store.reindex(session, memory_ids, default)
    await store.untie_archived(session, memory_ids)


async def follow_unarchived(session: WriteSession, tools: Mapping[UUID, Sequence[str]], now: int) -> None:
    """Show rows to the lanes again, and tie them to their tools (id → tools), after they left the archive."""
    await follow_marks(session, list(tools))
    for memory_id, names in tools.items():
        await store.replace_triggers(session, memory_id, names, now)
