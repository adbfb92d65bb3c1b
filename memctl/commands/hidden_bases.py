"""Which knowledge bases of the user gave nothing to a request, and why (`retrieval.hidden`, contract 6.2 and 8.8)."""

from collections.abc import Sequence

from memctl.client import MemdClient
from memctl.diagnostics import note
from memctl.wire.knowledge_bases import ListKnowledgeBasesRequest
from memctl.wire.recall import HiddenKnowledgeBase

REASONS = {
    "archived": "archived; `memctl kb unarchive` brings it back",
    "agent_gate": "only for its agents; ask as one of them with --agent",
    "dangling": "the channel ends in a colon",
    "no_channel": "only for its peers; name one with --channel",
    "peer_scope": "of another peer than the channel names",
    "empty": "no chunks yet; `memctl kb import` adds some",
    "peer_chunks": "all of its chunks belong to other peers",
}


async def note_hidden(client: MemdClient, hidden: Sequence[HiddenKnowledgeBase]) -> None:
    """Write one line to stderr for each reason, with the names of the knowledge bases that it hides."""
    if not hidden:
        return
    listing = await client.knowledge_bases.list(ListKnowledgeBasesRequest(include_inactive=True))
    names = {row.id: row.name for row in listing.knowledge_bases}
    by_reason: dict[str, list[str]] = {}
    for base in hidden:
        name = names.get(base.knowledge_base_id, base.knowledge_base_id)
        by_reason.setdefault(base.reason, []).append(name)
    for reason, hidden_names in by_reason.items():
        note(f"nothing from: {', '.join(hidden_names)} ({REASONS.get(reason, reason)})")
