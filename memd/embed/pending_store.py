"""The SQL of rows that wait for their vector."""

from typing import Literal, TypeAlias
from uuid import UUID

import numpy as np
import numpy.typing as npt
from pgvector import HalfVector

from memd.db.session import ReadSession, Row, Statement, WriteSession

Kind: TypeAlias = Literal["message", "memory"]

_MEMORY = """
INSERT INTO memory_vector (user_id, memory_id, model, live, knowledge_base_id, channel, store, category, project_id,
                           config, embedding)
SELECT user_id, id, %(model)s, NOT archived AND NOT blocked, knowledge_base_id, channel, store, category, project_id,
       chunk_kind = 'config', %(vector)s
FROM memory WHERE user_id = %(user)s AND id = %(id)s AND embedding_pending FOR SHARE
ON CONFLICT (user_id, memory_id, model) DO UPDATE SET embedding = excluded.embedding, live = excluded.live
"""
_MESSAGE = """
INSERT INTO message_vector (user_id, message_id, model, channel, session_key, timestamp, embedding)
SELECT user_id, id, %(model)s, channel, session_key, timestamp, %(vector)s
FROM message WHERE user_id = %(user)s AND id = %(id)s FOR SHARE
ON CONFLICT (user_id, message_id, model) DO UPDATE SET embedding = excluded.embedding
"""


async def waiting_messages(session: ReadSession, limit: int) -> list[Row]:
    """The oldest messages without a vector."""
    return await session.rows(
        """
        SELECT id, timestamp, speaker, role, left(content, 8000) AS content FROM message
        WHERE user_id = %(user)s AND embedding_pending ORDER BY id LIMIT %(limit)s
        """,
        {"user": session.user_id, "limit": limit},
    )


async def waiting_memories(session: ReadSession, limit: int) -> list[Row]:
    """The oldest active memories and chunks without a vector."""
    return await session.rows(
        """
        SELECT id, title, left(content, 8000) AS content FROM memory
        WHERE user_id = %(user)s AND embedding_pending AND NOT archived ORDER BY id LIMIT %(limit)s
        """,
        {"user": session.user_id, "limit": limit},
    )


def vector_of(
    session: WriteSession, kind: Kind, row_id: UUID, model: int, vector: npt.NDArray[np.float32]
) -> tuple[Statement, Statement]:
    """What stores the vector of a row and takes it off the waiting list."""
    params = {
        "user": session.user_id,
        "id": row_id,
        "model": model,
        "vector": HalfVector(vector.astype(np.float16)),
    }
    done = f"UPDATE {kind} SET embedding_pending = false WHERE user_id = %(user)s AND id = %(id)s"
    return (_MEMORY if kind == "memory" else _MESSAGE, params), (done, params)
