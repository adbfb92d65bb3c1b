"""The SQL of knowledge bases and of the enumeration of their chunks."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from uuid import UUID

from psycopg.types.json import Json

from memd.db.session import OwnerSession, ReadSession, Row, Statement, WriteSession

if TYPE_CHECKING:
    from memd.knowledge_bases.tables import KnowledgeBase

_BASE = """
SELECT id, name, description, agent_ids, scope, peer_scope_policy, source_type, source_role, metadata, archived,
       archived_at, memory_count, total_chars, created_at, updated_at
FROM knowledge_base
"""
_CHUNK = """
id, title, content, dedupe_key, created_at, channel, chunk_kind, tags, source_url, source_type, chunk_index, total_chunks
"""


async def insert_base(session: WriteSession, base: "KnowledgeBase") -> None:
    """Add a knowledge base."""
    await session.execute(*base.insertion())


async def find(session: OwnerSession, base_id: UUID) -> Row | None:
    """One knowledge base of the user, archived ones too; who may read its chunks is decided from the row."""
    return await session.row(
        f"{_BASE} WHERE user_id = %(user)s AND id = %(id)s", {"user": session.user_id, "id": base_id}
    )


async def lock(session: WriteSession, base_id: UUID) -> Row | None:
    """As `find`, and writers of its chunks take turns until the transaction ends."""
    return await session.row(
        f"{_BASE} WHERE user_id = %(user)s AND id = %(id)s FOR UPDATE", {"user": session.user_id, "id": base_id}
    )


def every_base(user_id: UUID) -> Statement:
    """All knowledge bases of the user, archived ones too, the last changed first."""
    return f"{_BASE} WHERE user_id = %(user)s ORDER BY updated_at DESC, id DESC", {"user": user_id}


async def all_bases(session: ReadSession, *, archived: bool) -> list[Row]:
    """The user's knowledge bases, the last changed first; with `archived`, those too."""
    rows = await session.rows(*every_base(session.user_id))
    return [row for row in rows if archived or not row["archived"]]


async def move_counters(session: WriteSession, base_id: UUID, chunks: int, characters: int, now: int) -> None:
    """Add to the counters."""
    await session.execute(
        """
        UPDATE knowledge_base
        SET memory_count = greatest(0, memory_count + %(chunks)s),
            total_chars = greatest(0, total_chars + %(characters)s), updated_at = %(now)s
        WHERE user_id = %(user)s AND id = %(id)s
        """,
        {"user": session.user_id, "id": base_id, "chunks": chunks, "characters": characters, "now": now},
    )


async def keyed_chunks(session: WriteSession, base_id: UUID, keys: Sequence[str]) -> dict[str, Row]:
    """The active chunks with these dedupeKeys."""
    rows = await session.rows(
        """
        SELECT id, dedupe_key, created_at, length(content) AS size, tags, channel, source_url, source_type, chunk_index,
               total_chunks
        FROM memory
        WHERE user_id = %(user)s AND knowledge_base_id = %(base)s AND dedupe_key = ANY(%(keys)s) AND NOT archived
        """,
        {"user": session.user_id, "base": base_id, "keys": list(keys)},
    )
    return {row["dedupe_key"]: row for row in rows}


async def titles(session: OwnerSession, base_id: UUID, keys: Sequence[str]) -> dict[str, str]:
    """The titles of the active chunks with these dedupeKeys, for the caller that overwrites them."""
    rows = await session.rows(
        """
        SELECT dedupe_key, title FROM memory
        WHERE user_id = %(user)s AND knowledge_base_id = %(base)s AND dedupe_key = ANY(%(keys)s) AND NOT archived
        """,
        {"user": session.user_id, "base": base_id, "keys": list(keys)},
    )
    return {row["dedupe_key"]: row["title"] for row in rows}


async def chunk_page(session: OwnerSession, base_id: UUID, after: tuple[int, UUID] | None, limit: int) -> list[Row]:
    """Active chunks in order of createdAt and id, after a position; the owner's view (contract 8.6)."""
    created_at, chunk_id = after or (-1, UUID(int=0))
    return await session.rows(
        f"""
        SELECT {_CHUNK} FROM memory
        WHERE user_id = %(user)s AND knowledge_base_id = %(base)s AND NOT archived
          AND (created_at, id) > (%(created_at)s, %(id)s)
        ORDER BY created_at, id LIMIT %(limit)s
        """,
        {"user": session.user_id, "base": base_id, "created_at": created_at, "id": chunk_id, "limit": limit},
    )


async def chunk_ids(session: WriteSession, base_id: UUID, limit: int) -> list[Row]:
    """The next chunks to remove, active and archived ones: id, archived, size."""
    return await session.rows(
        """
        SELECT id, archived, length(content) AS size FROM memory
        WHERE user_id = %(user)s AND knowledge_base_id = %(base)s LIMIT %(limit)s
        """,
        {"user": session.user_id, "base": base_id, "limit": limit},
    )


async def insert_run(session: WriteSession, run_id: UUID, base_id: UUID, counts: Any, rejected: Any, now: int) -> None:
    """Record the outcome of an import."""
    from memd.knowledge_bases.tables import ImportRun

    row = ImportRun(
        user_id=session.user_id,
        id=run_id,
        knowledge_base_id=base_id,
        counts=Json(counts),
        rejected=Json(rejected),
        created_at=now,
    )
    await session.execute(*row.insertion())
