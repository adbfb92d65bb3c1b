"""The SQL of re-embedding."""

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias
from uuid import UUID

from pgvector import HalfVector

from memd.db.session import ReadSession, SystemSession, WriteSession
from memd.embed.pending_store import MemoryText, MessageText, Waiting

Kind: TypeAlias = Literal["memory", "message"]
"""What vectors are of; a memory is a chunk, too."""
FIRST: Final = UUID(int=0)
"""Before the ids of all rows."""


async def user_ids(session: SystemSession) -> list[UUID]:
    """Every user."""
    return await session.values("SELECT user_id FROM app_user ORDER BY user_id")


async def count_without(session: SystemSession, model: int) -> int:
    """The memories, chunks and messages of every user that wait for a vector of the model."""
    total = 0
    for kind in ("memory", "message"):
        total += await session.value(
            f"""
            SELECT count(*) FROM {kind} w WHERE w.refused_by IS DISTINCT FROM %(model)s AND NOT EXISTS (
              SELECT FROM {kind}_vector v
              WHERE v.user_id = w.user_id AND v.{kind}_id = w.id AND v.model = %(model)s)
            """,
            {"model": model},
        )
    return total


async def count_refused(session: SystemSession, model: int) -> int:
    """The memories, chunks and messages of every user whose text the model has refused."""
    return await session.value(
        """
        SELECT (SELECT count(*) FROM memory WHERE refused_by = %(model)s)
             + (SELECT count(*) FROM message WHERE refused_by = %(model)s)
        """,
        {"model": model},
    )


async def forget_refusals(session: WriteSession, model: int) -> None:
    """Let the texts of the user that the model has refused wait for their vectors again."""
    for kind in ("memory", "message"):
        await session.execute(
            f"UPDATE {kind} SET refused_by = NULL WHERE user_id = %(user)s AND refused_by = %(model)s",
            {"user": session.user_id, "model": model},
        )


async def has_vectors(session: SystemSession, model: int) -> bool:
    """Whether any row has a vector of the model."""
    return await session.value(
        """
        SELECT EXISTS (SELECT FROM memory_vector WHERE model = %(model)s)
            OR EXISTS (SELECT FROM message_vector WHERE model = %(model)s)
        """,
        {"model": model},
    )


async def memories_without(session: ReadSession, model: int, limit: int, after: UUID = FIRST) -> list[Waiting]:
    """Memories and chunks, archived ones too, that wait for a vector of the model, in the order of their ids."""
    rows = await session.rows(
        MemoryText,
        """
        SELECT id, title, content_hash, left(content, 8000) AS content FROM memory m
        WHERE m.user_id = %(user)s AND m.id > %(after)s AND NOT EXISTS (
          SELECT FROM memory_vector v WHERE v.user_id = %(user)s AND v.memory_id = m.id AND v.model = %(model)s)
          AND refused_by IS DISTINCT FROM %(model)s
        ORDER BY id LIMIT %(limit)s
        """,
        {"user": session.user_id, "model": model, "limit": limit, "after": after},
    )
    return [row.waiting() for row in rows]


async def messages_without(session: ReadSession, model: int, limit: int, after: UUID = FIRST) -> list[Waiting]:
    """Messages that wait for a vector of the model, in the order of their ids."""
    rows = await session.rows(
        MessageText,
        """
        SELECT id, speaker, role, left(content, 8000) AS content FROM message m
        WHERE m.user_id = %(user)s AND m.id > %(after)s AND NOT EXISTS (
          SELECT FROM message_vector v WHERE v.user_id = %(user)s AND v.message_id = m.id AND v.model = %(model)s)
          AND refused_by IS DISTINCT FROM %(model)s
        ORDER BY id LIMIT %(limit)s
        """,
        {"user": session.user_id, "model": model, "limit": limit, "after": after},
    )
    return [row.waiting() for row in rows]


async def add_memory_vectors(
    session: WriteSession, model: int, rows: Sequence[Waiting], vectors: Sequence[HalfVector]
) -> None:
    """Store vectors of memories that still exist with the text that was embedded."""
    await session.execute_many(
        """
        INSERT INTO memory_vector (user_id, memory_id, model, live, knowledge_base_id, channel, store, category,
                                   project_id, config, valid_from, valid_until, embedding)
        SELECT user_id, id, %(model)s, NOT archived AND NOT blocked, knowledge_base_id, channel, store, category,
               project_id, chunk_kind = 'config', valid_from, valid_until, %(vector)s
        FROM memory
        WHERE user_id = %(user)s AND id = %(id)s AND content_hash = %(content_hash)s AND title = %(title)s FOR SHARE
        ON CONFLICT DO NOTHING
        """,
        [
            {
                "user": session.user_id,
                "model": model,
                "id": row.id,
                "content_hash": row.content_hash,
                "title": row.title,
                "vector": vector,
            }
            for row, vector in zip(rows, vectors, strict=True)
        ],
    )


async def add_message_vectors(
    session: WriteSession, model: int, ids: Sequence[UUID], vectors: Sequence[HalfVector]
) -> None:
    """Store vectors of messages that still exist."""
    await session.execute_many(
        """
        INSERT INTO message_vector (user_id, message_id, model, channel, session_key, timestamp, embedding)
        SELECT user_id, id, %(model)s, channel, session_key, timestamp, %(vector)s
        FROM message WHERE user_id = %(user)s AND id = %(id)s
        ON CONFLICT DO NOTHING
        """,
        [
            {"user": session.user_id, "model": model, "id": row_id, "vector": vector}
            for row_id, vector in zip(ids, vectors, strict=True)
        ],
    )


async def make_current(session: SystemSession, model: int) -> None:
    """Let every memd that starts from now on use the model; one that runs keeps the vectors of the earlier one."""
    await session.execute("UPDATE embedding_model SET current = (id = %(model)s)", {"model": model})


async def has_earlier(session: SystemSession, model: int) -> bool:
    """Whether `model` is current and models before it are known."""
    return await session.value(
        """
        SELECT EXISTS (SELECT FROM embedding_model e, embedding_model c
                       WHERE c.current AND c.id = %(model)s AND e.id < %(model)s)
        """,
        {"model": model},
    )


async def users_of_earlier(session: SystemSession, model: int) -> list[UUID]:
    """Users with vectors of models before `model`; reads every vector."""
    return await session.values(
        """
        SELECT user_id FROM memory_vector WHERE model < %(model)s
        UNION SELECT user_id FROM message_vector WHERE model < %(model)s ORDER BY user_id
        """,
        {"model": model},
    )


async def forget_earlier(session: SystemSession, model: int) -> None:
    """Delete the models before `model`, which have no vectors."""
    await session.execute("DELETE FROM embedding_model WHERE id < %(model)s", {"model": model})


async def replace_earlier_vectors(session: WriteSession, kind: Kind, model: int, limit: int) -> int:
    """Delete at most `limit` vectors of models before `model`; rows that have none of `model` wait for one from then on.

    Returns how many were deleted.
    """
    params = {"user": session.user_id, "model": model}
    ids = await session.values(
        f"SELECT {kind}_id FROM {kind}_vector WHERE user_id = %(user)s AND model < %(model)s LIMIT %(limit)s",
        {**params, "limit": limit},
    )
    await session.execute(
        f"""
        UPDATE {kind} w SET embedding_pending = true
        WHERE w.user_id = %(user)s AND w.id = ANY(%(ids)s) AND NOT w.embedding_pending AND NOT EXISTS (
          SELECT FROM {kind}_vector v
          WHERE v.user_id = %(user)s AND v.{kind}_id = w.id AND v.model = %(model)s)
        """,
        {**params, "ids": ids},
    )
    return await session.execute(
        f"DELETE FROM {kind}_vector WHERE user_id = %(user)s AND {kind}_id = ANY(%(ids)s) AND model < %(model)s",
        {**params, "ids": ids},
    )
