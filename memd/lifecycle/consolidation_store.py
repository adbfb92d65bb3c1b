"""The SQL of consolidation: locking and archiving sensory memories, and memories that may be promoted."""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from memd.db.session import OwnerSession, WriteSession
from memd.domain.lifecycle.consolidation import Candidate
from memd.lifecycle.similarity_store import READ_CHARACTERS


class LockedMemory(NamedTuple):
    """An active memory that is locked until the transaction ends."""

    id: UUID
    title: str
    content: str
    channel: str | None
    source_message_ids: list[UUID]

    def is_as_read(self, read: Candidate) -> bool:
        """Whether its text (as much of it as was read) and its channel are those of an earlier read."""
        content = self.content[: max(len(read.content), READ_CHARACTERS)]
        return (self.title, content, self.channel) == (read.title, read.content, read.channel)


class PromotionCandidate(NamedTuple):
    """An episodic memory that may get a semantic copy."""

    id: UUID
    title: str
    content: str
    category: str
    tags: list[str]
    channel: str | None
    project_id: str | None
    strength: float
    confidence: float
    arousal: float
    session_key: str | None
    source_message_ids: list[UUID]
    access_count: int
    created_at: int


async def lock_unchanged(session: WriteSession, read: Sequence[Candidate]) -> list[LockedMemory]:
    """Lock those of the memories until the transaction ends that are active with the text and channel that were read.

    What is made of another text, or for another channel, would bring back what an edit took away.
    """
    rows = await session.rows(
        LockedMemory,
        """
        SELECT id, title, content, channel, source_message_ids FROM memory
        WHERE user_id = %(user)s AND id = ANY(%(ids)s) AND NOT archived ORDER BY id FOR UPDATE
        """,
        {"user": session.user_id, "ids": [one.id for one in read]},
    )
    by_id = {one.id: one for one in read}
    return [row for row in rows if row.is_as_read(by_id[row.id])]


async def mark_consolidated(session: WriteSession, memory_ids: Sequence[UUID], now: int) -> None:
    """Note that a consolidation has processed these memories."""
    await session.execute(
        "UPDATE memory SET consolidated_at = %(now)s WHERE user_id = %(user)s AND id = ANY(%(ids)s)",
        {"user": session.user_id, "ids": list(memory_ids), "now": now},
    )


async def promotable(
    session: OwnerSession, *, accesses: int, confidence: float, strength: float, limit: int
) -> list[PromotionCandidate]:
    """Episodic memories above these limits that have no semantic copy, least recently processed first."""
    return await session.rows(
        PromotionCandidate,
        """
        SELECT m.id, m.title, m.content, m.category, m.tags, m.channel, m.project_id, m.strength, m.confidence,
               m.arousal, m.session_key, m.source_message_ids, m.access_count, m.created_at
        FROM memory m
        WHERE m.user_id = %(user)s AND NOT m.archived AND NOT m.blocked AND m.knowledge_base_id IS NULL
          AND NOT m.embedding_pending AND m.store = 'episodic' AND m.access_count >= %(accesses)s
          AND m.confidence >= %(confidence)s AND m.strength >= %(strength)s
          AND NOT EXISTS (SELECT FROM memory p WHERE p.user_id = %(user)s AND p.promoted_from = m.id)
        ORDER BY m.consolidated_at NULLS FIRST, m.id LIMIT %(limit)s
        """,
        {
            "user": session.user_id,
            "accesses": accesses,
            "confidence": confidence,
            "strength": strength,
            "limit": limit,
        },
    )
