"""The SQL that reads one memory or chunk in full, and decides whether a request may see it."""

from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

from memd.db.session import ReadSession, WriteSession
from memd.db.sql.successor import predecessor, successor
from memd.domain.types import PeerScopePolicy
from memd.domain.visibility.scoping import KnowledgeBaseView, SelectedBy, VisibleScopes


class StoredMemory(NamedTuple):
    """A memory or chunk; times in epoch ms, `metadata` any JSON, `kb_` the scope, policy and agents of its knowledge base."""

    id: UUID
    title: str
    content: str
    recall_text: str | None
    metadata: Any
    store: str
    category: str
    tags: list[str]
    created_at: int
    updated_at: int
    last_accessed_at: int
    access_count: int
    strength: float
    confidence: float
    valence: float
    arousal: float
    source: str
    channel: str | None
    agent_id: str | None
    project_id: str | None
    session_key: str | None
    namespace: str | None
    key: str | None
    archived: bool
    archived_by: str | None
    action_triggers: list[str]
    knowledge_base_id: UUID | None
    dedupe_key: str | None
    chunk_kind: str
    supersedes_memory_id: UUID | None
    superseded_by_memory_id: UUID | None
    superseded_at: int | None
    graph_enriched: bool
    graph_enriched_at: int | None
    source_snapshot_id: UUID | None
    source_message_ids: list[UUID]
    source_memory_ids: list[UUID]
    source_url: str | None
    source_type: str | None
    chunk_index: int | None
    total_chunks: int | None
    import_id: UUID | None
    version: int
    valid_from: int | None
    valid_until: int | None
    kb_scope: str | None
    kb_policy: str | None
    kb_agent_ids: list[str] | None


_LINKS = {"superseded_by_memory_id": successor("m"), "supersedes_memory_id": predecessor("m")}
_COLUMNS = ", ".join(_LINKS.get(name, f"m.{name}") for name in StoredMemory._fields if not name.startswith("kb_"))
_FIND = f"""
SELECT {_COLUMNS}, k.scope AS kb_scope, k.peer_scope_policy AS kb_policy, k.agent_ids AS kb_agent_ids
FROM memory m LEFT JOIN knowledge_base k ON k.user_id = %(user)s AND k.id = m.knowledge_base_id
WHERE m.user_id = %(user)s AND m.id = %(id)s
"""


@dataclass(frozen=True, slots=True)
class Found:
    """A row of the user, and whether the request's channel may see it (contract 1.2)."""

    row: StoredMemory
    visible: bool


async def find(session: ReadSession, scopes: VisibleScopes, memory_id: UUID) -> Found | None:
    """One memory or chunk of the user, archived and blocked ones too."""
    row = await session.row(StoredMemory, _FIND, {"user": session.user_id, "id": memory_id})
    return None if row is None else Found(row, _visible(row, scopes))


_LOCK_BASE = """
SELECT FROM knowledge_base k JOIN memory m ON m.user_id = %(user)s AND m.knowledge_base_id = k.id
WHERE k.user_id = %(user)s AND m.id = %(id)s FOR UPDATE OF k
"""
_LOCK = "SELECT FROM memory WHERE user_id = %(user)s AND id = %(id)s FOR UPDATE"
"""A statement of its own: one that waits for a lock sees other rows, such as a new successor, as they were before."""


async def lock(session: WriteSession, scopes: VisibleScopes, memory_id: UUID) -> Found | None:
    """As `find`, and the row stays locked until the transaction ends.

    A chunk's knowledge base is locked before it: so do all writers of chunks, and none waits for another in a circle.
    """
    params = {"user": session.user_id, "id": memory_id}
    session.execute_later((_LOCK_BASE, params), (_LOCK, params))
    row = await session.row(StoredMemory, _FIND, params)
    return None if row is None else Found(row, _visible(row, scopes))


def _visible(row: StoredMemory, scopes: VisibleScopes) -> bool:
    """The channel rule alone: archived and blocked play no part."""
    if row.knowledge_base_id is None:
        return scopes.memory.admits(row.channel)
    view = KnowledgeBaseView(
        archived=False,
        scope=row.kb_scope,
        policy=PeerScopePolicy(row.kb_policy or PeerScopePolicy.STRICT),
        agent_ids=tuple(row.kb_agent_ids or ()),
    )
    decision = scopes.kb(view, SelectedBy.RECALL)
    return decision.visible and scopes.chunks(view, decision).admits(row.channel)


async def exists_elsewhere(session: ReadSession, memory_id: UUID) -> bool:
    """Whether another user has a memory of this id; answered by a function that discloses nothing else."""
    return bool(await session.value("SELECT memd_memory_exists(%(id)s)", {"id": memory_id}))
