"""The SQL of rows that wait for their vector.

A row waits for the vector of a model until it has one, or until the model has refused its text.
"""

from typing import Any, NamedTuple
from uuid import UUID

import numpy as np
import numpy.typing as npt
from pgvector import HalfVector

from memd.db.session import ReadSession, Statement, WriteSession
from memd.domain.messages.message_text import message_embedding_text
from memd.domain.text.embedding_text import embedding_text

_MEMORY = """
WITH waiting AS (
  UPDATE memory SET embedding_pending = false
  WHERE user_id = %(user)s AND id = %(id)s AND embedding_pending AND content_hash = %(hash)s AND title = %(title)s
  RETURNING user_id, id, archived, blocked, knowledge_base_id, channel, store, category, project_id, chunk_kind,
            valid_from, valid_until)
INSERT INTO memory_vector (user_id, memory_id, model, live, knowledge_base_id, channel, store, category, project_id,
                           config, valid_from, valid_until, embedding)
SELECT user_id, id, %(model)s, NOT archived AND NOT blocked, knowledge_base_id, channel, store, category, project_id,
       chunk_kind = 'config', valid_from, valid_until, %(vector)s
FROM waiting
ON CONFLICT (user_id, memory_id, model) DO UPDATE SET embedding = excluded.embedding, live = excluded.live
"""
_MESSAGE = """
WITH waiting AS (
  UPDATE message SET embedding_pending = false
  WHERE user_id = %(user)s AND id = %(id)s AND embedding_pending
  RETURNING user_id, id, channel, session_key, timestamp)
INSERT INTO message_vector (user_id, message_id, model, channel, session_key, timestamp, embedding)
SELECT user_id, id, %(model)s, channel, session_key, timestamp, %(vector)s FROM waiting
ON CONFLICT (user_id, message_id, model) DO UPDATE SET embedding = excluded.embedding
"""
_REFUSED_MEMORY = """
UPDATE memory SET refused_by = %(model)s
WHERE user_id = %(user)s AND id = %(id)s AND content_hash = %(hash)s AND title = %(title)s
"""
_REFUSED_MESSAGE = "UPDATE message SET refused_by = %(model)s WHERE user_id = %(user)s AND id = %(id)s"


class Waiting(NamedTuple):
    """A row without a vector; for a memory or chunk also its title and content hash, which no edit may have changed."""

    id: UUID
    text: str
    title: str | None = None
    content_hash: str | None = None


class MessageText(NamedTuple):
    """What is embedded of a message."""

    id: UUID
    speaker: str | None
    role: str
    content: str

    def waiting(self) -> Waiting:
        """The row with its text."""
        return Waiting(self.id, message_embedding_text(self.speaker, self.role, self.content))


class MemoryText(NamedTuple):
    """What is embedded of a memory or chunk."""

    id: UUID
    title: str
    content_hash: str
    content: str

    def waiting(self) -> Waiting:
        """The row with its text."""
        return Waiting(self.id, embedding_text(self.title, self.content), self.title, self.content_hash)


async def waiting_messages(session: ReadSession, model: int, limit: int) -> list[Waiting]:
    """The oldest messages that wait for their vector."""
    rows = await session.rows(
        MessageText,
        """
        SELECT id, speaker, role, left(content, 8000) AS content FROM message
        WHERE user_id = %(user)s AND embedding_pending AND refused_by IS DISTINCT FROM %(model)s
        ORDER BY id LIMIT %(limit)s
        """,
        {"user": session.user_id, "model": model, "limit": limit},
    )
    return [row.waiting() for row in rows]


async def waiting_memories(session: ReadSession, model: int, limit: int) -> list[Waiting]:
    """The oldest active memories and chunks that wait for their vector."""
    rows = await session.rows(
        MemoryText,
        """
        SELECT id, title, content_hash, left(content, 8000) AS content FROM memory
        WHERE user_id = %(user)s AND embedding_pending AND NOT archived AND refused_by IS DISTINCT FROM %(model)s
        ORDER BY id LIMIT %(limit)s
        """,
        {"user": session.user_id, "model": model, "limit": limit},
    )
    return [row.waiting() for row in rows]


def vector_of(session: WriteSession, row: Waiting, model: int, vector: npt.NDArray[np.float32]) -> Statement:
    """Stores the vector of a row and takes it off the waiting list, unless its text has changed since."""
    params = {**_key(session, row, model), "vector": HalfVector(vector.astype(np.float16))}
    return _MESSAGE if row.content_hash is None else _MEMORY, params


def refusal_of(session: WriteSession, row: Waiting, model: int) -> Statement:
    """Records that the model does not take the text of a row, unless that has changed since."""
    return _REFUSED_MESSAGE if row.content_hash is None else _REFUSED_MEMORY, _key(session, row, model)


def _key(session: WriteSession, row: Waiting, model: int) -> dict[str, Any]:
    return {"user": session.user_id, "id": row.id, "model": model, "title": row.title, "hash": row.content_hash}
