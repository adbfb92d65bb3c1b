"""The SQL of rows that wait for their vector."""

from collections.abc import Sequence
from typing import NamedTuple
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


class Waiting(NamedTuple):
    """A row without a vector; for a memory or chunk also its title and content hash, which no edit may have changed."""

    id: UUID
    text: str
    title: str | None = None
    content_hash: str | None = None


class _Message(NamedTuple):
    id: UUID
    speaker: str | None
    role: str
    content: str


class _Memory(NamedTuple):
    id: UUID
    title: str
    content_hash: str
    content: str


async def waiting_messages(session: ReadSession, limit: int, without: Sequence[UUID] = ()) -> list[Waiting]:
    """The oldest messages without a vector, leaving out some."""
    rows = await session.rows(
        _Message,
        """
        SELECT id, speaker, role, left(content, 8000) AS content FROM message
        WHERE user_id = %(user)s AND embedding_pending AND id <> ALL(%(without)s) ORDER BY id LIMIT %(limit)s
        """,
        {"user": session.user_id, "limit": limit, "without": list(without)},
    )
    return [Waiting(row.id, message_embedding_text(row.speaker, row.role, row.content)) for row in rows]


async def waiting_memories(session: ReadSession, limit: int, without: Sequence[UUID] = ()) -> list[Waiting]:
    """The oldest active memories and chunks without a vector, leaving out some."""
    rows = await session.rows(
        _Memory,
        """
        SELECT id, title, content_hash, left(content, 8000) AS content FROM memory
        WHERE user_id = %(user)s AND embedding_pending AND NOT archived AND id <> ALL(%(without)s)
        ORDER BY id LIMIT %(limit)s
        """,
        {"user": session.user_id, "limit": limit, "without": list(without)},
    )
    return [Waiting(row.id, embedding_text(row.title, row.content), row.title, row.content_hash) for row in rows]


def vector_of(session: WriteSession, row: Waiting, model: int, vector: npt.NDArray[np.float32]) -> Statement:
    """Stores the vector of a row and takes it off the waiting list, unless its text has changed since."""
    params = {
        "user": session.user_id,
        "id": row.id,
        "model": model,
        "vector": HalfVector(vector.astype(np.float16)),
        "title": row.title,
        "hash": row.content_hash,
    }
    return _MESSAGE if row.content_hash is None else _MEMORY, params
