"""Updates the rows that recall reads after other rooms archived, blocked or restored memories and chunks."""

from collections.abc import Sequence
from uuid import UUID

from memd.db.session import WriteSession
from memd.memories import store


async def sync(session: WriteSession, memory_ids: Sequence[UUID]) -> None:
    """Show rows to recall or hide them, after their archived or blocked marks were changed."""
    if memory_ids:
        await store.set_live(session, memory_ids)


async def sync_archived(session: WriteSession, memory_ids: Sequence[UUID]) -> None:
    """As `sync`, after their periods were changed too; archived ones are tied to no tool any more."""
    await store.sync_filters(session, memory_ids)
    await store.untie_archived(session, memory_ids)


async def sync_unarchived(session: WriteSession, memory_ids: Sequence[UUID], now: int) -> None:
    """As `sync`, after rows left the archive; they are tied to their tools again."""
    await sync(session, memory_ids)
    await store.set_triggers(session, memory_ids, now)
