"""The modules with tables: one for each room that has any."""

import asyncio
from importlib import import_module

TABLE_MODULES = (
    "memd.accounts.tables",
    "memd.audit.tables",
    "memd.compat.tables",
    "memd.devices.tables",
    "memd.embed.tables",
    "memd.erasure.tables",
    "memd.graph.tables",
    "memd.knowledge_bases.tables",
    "memd.memories.tables",
    "memd.memories.conflicts.tables",
    "memd.memories.history.tables",
    "memd.memories.links.tables",
    "memd.messages.tables",
    "memd.rankings.tables",
    "memd.schedule.tables",
    "memd.sessions.tables",
    "memd.standing.tables",
    "memd.stats.tables",
)


async def load_tables() -> None:
    """Load all tables on the event loop, one module after another, so that requests run in between.

    Not in a thread: SQLAlchemy configures all classes when it makes its first row, and fails if another thread adds a
    class meanwhile.
    """
    await asyncio.to_thread(import_module, "memd.db.schema.base")  # SQLAlchemy itself takes the longest
    for name in TABLE_MODULES:
        import_module(name)
        await asyncio.sleep(0)
