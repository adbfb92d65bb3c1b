"""The SQL of the briefing: memories, checkpoints and the number of both."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple
from uuid import UUID

from memd.db.session import ReadSession
from memd.db.sql.scope import channel_condition, memory_condition
from memd.domain.prompts.briefing import BRIEFED_MAX
from memd.domain.visibility.scoping import ChunkScope, VisibleScopes

Chunks = Sequence[tuple[UUID, ChunkScope]]


class UsedMemory(NamedTuple):
    """A memory that was used lately; times in epoch ms."""

    id: UUID
    title: str
    content: str
    store: str
    category: str
    tags: list[str]
    strength: float
    created_at: int
    last_accessed_at: int


class Pointer(NamedTuple):
    """A memory that a briefing points out; `content` is the beginning that a briefing has room for. Times in epoch ms."""

    id: UUID
    title: str
    store: str
    category: str
    content: str
    created_at: int
    valid_until: int | None


class LastCheckpoint(NamedTuple):
    """The newest checkpoint."""

    id: UUID
    label: str
    description: str | None
    created_at: int


_MEMORY = ", ".join(UsedMemory._fields)
POINTERS: Final = {
    "goals": ("(m.store = 'prospective' OR m.category = 'goal')", "m.last_accessed_at DESC"),
    "decisions": ("m.category = 'decision'", "m.created_at DESC"),
    "guardrails": ("(m.category = 'lesson' OR m.category = 'rule')", "m.strength DESC, m.last_accessed_at DESC"),
}
"""The lists of a briefing: the condition of each and its order, which an index serves."""


async def count_visible(session: ReadSession, scopes: VisibleScopes) -> int:
    """Active ordinary memories that the request sees."""
    params: dict[str, Any] = {"user": session.user_id}
    return await session.value(
        f"""
        SELECT count(*)::int FROM memory_index i
        WHERE i.user_id = %(user)s AND i.live AND i.knowledge_base_id IS NULL
          AND {channel_condition(scopes.memory, "i.channel", params)}
        """,
        params,
    )


async def last_used(session: ReadSession, scopes: VisibleScopes, limit: int) -> list[UsedMemory]:
    """Active, visible ordinary memories, the last accessed first."""
    params: dict[str, Any] = {"user": session.user_id, "limit": limit}
    return await session.rows(
        UsedMemory,
        f"""
        SELECT {_MEMORY} FROM memory
        WHERE user_id = %(user)s AND NOT archived AND NOT blocked AND knowledge_base_id IS NULL
          AND {channel_condition(scopes.memory, "memory.channel", params)}
        ORDER BY last_accessed_at DESC, id DESC LIMIT %(limit)s
        """,
        params,
    )


async def pointers(
    session: ReadSession, scopes: VisibleScopes, chunks: Chunks, kind: str, limit: int, now: int
) -> list[Pointer]:
    """Active, visible rows of a kind of `POINTERS` that have not ended by `now` (epoch ms)."""
    params: dict[str, Any] = {"user": session.user_id, "limit": limit, "characters": BRIEFED_MAX + 1, "now": now}
    condition, order = POINTERS[kind]
    return await session.rows(
        Pointer,
        f"""
        SELECT m.id, m.title, m.store, m.category, left(m.content, %(characters)s) AS content, m.created_at, m.valid_until
        FROM memory m
        WHERE m.user_id = %(user)s AND NOT m.archived AND NOT m.blocked AND {condition}
          AND (m.valid_until IS NULL OR m.valid_until > %(now)s)
          AND {memory_condition(scopes.memory, chunks, "m", params)}
        ORDER BY {order}, m.id DESC LIMIT %(limit)s
        """,
        params,
    )


async def last_checkpoint(session: ReadSession, scopes: VisibleScopes) -> LastCheckpoint | None:
    """The newest checkpoint of exactly the request's channel, where memories of that channel may be seen.

    Without a channel: the newest without one, else the newest of a channel that such a request sees (contract 7.1).
    """
    q = scopes.request.q
    if not scopes.memory.admits(q):
        return None
    params: dict[str, Any] = {"user": session.user_id, "channel": q}
    seen = channel_condition(scopes.memory, "channel", params) if q is None else "channel = %(channel)s"
    return await session.row(
        LastCheckpoint,
        f"""
        SELECT id, label, description, created_at FROM checkpoint
        WHERE user_id = %(user)s AND {seen}
        ORDER BY channel IS NOT NULL, created_at DESC, id DESC LIMIT 1
        """,
        params,
    )
