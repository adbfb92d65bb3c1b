"""Every table of every room, gathered for migrations; importing this module fills the metadata."""

from memd.accounts import tables as accounts
from memd.audit import tables as audit
from memd.compat import tables as compat
from memd.db.base import Table
from memd.devices import tables as devices
from memd.embed import tables as embed
from memd.erasure import tables as erasure
from memd.graph import tables as graph
from memd.knowledge_bases import tables as knowledge_bases
from memd.memories import tables as memories
from memd.memories.conflicts import tables as conflicts
from memd.memories.history import tables as history
from memd.memories.links import tables as links
from memd.messages import tables as messages
from memd.rankings import tables as rankings
from memd.schedule import tables as schedule
from memd.sessions import tables as sessions
from memd.standing import tables as standing
from memd.stats import tables as stats

ROOMS = (
    accounts,
    audit,
    compat,
    conflicts,
    devices,
    embed,
    erasure,
    graph,
    history,
    knowledge_bases,
    links,
    memories,
    messages,
    rankings,
    schedule,
    sessions,
    standing,
    stats,
)
METADATA = Table.metadata

__all__ = ["METADATA", "ROOMS"]
