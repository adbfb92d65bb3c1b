"""The SQL of knowledge bases and of the enumeration of their chunks."""

from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

from pgvector import HalfVector
from psycopg.types.json import Json

from memd.db.advisory_locks import Seed
from memd.db.page_bytes import bounded
from memd.db.session import OwnerSession, ReadSession, WriteSession
from memd.db.typed_rows import Query
from memd.domain.types import PeerScopePolicy
from memd.domain.visibility.kb_scoping import KnowledgeBaseView


class SearchedBase(NamedTuple):
    """What a search reads of a knowledge base; `memory_count` and `total_chars` of its active chunks.

    A recall reads one row for each knowledge base, so descriptions and metadata are left out.
    """

    id: UUID
    name: str
    agent_ids: list[str]
    scope: str | None
    peer_scope_policy: str
    source_role: str | None
    archived: bool
    memory_count: int
    total_chars: int

    @property
    def view(self) -> KnowledgeBaseView:
        """The fields that the visibility rules read."""
        return KnowledgeBaseView(
            archived=self.archived,
            scope=self.scope,
            policy=PeerScopePolicy(self.peer_scope_policy or PeerScopePolicy.STRICT),
            agent_ids=tuple(self.agent_ids),
        )


class StoredBase(NamedTuple):
    """A knowledge base; times in epoch ms, `memory_count` and `total_chars` of its active chunks."""

    id: UUID
    name: str
    description: str | None
    agent_ids: list[str]
    scope: str | None
    peer_scope_policy: str
    source_type: str | None
    source_role: str | None
    metadata: Any
    archived: bool
    archived_at: int | None
    memory_count: int
    total_chars: int
    created_at: int
    updated_at: int

    @property
    def searched(self) -> SearchedBase:
        """The part that a search reads."""
        return SearchedBase._make(getattr(self, name) for name in SearchedBase._fields)


class ListedChunk(NamedTuple):
    """A chunk as its owner sees it in a list."""

    id: UUID
    title: str
    content: str
    dedupe_key: str | None
    created_at: int
    channel: str | None
    chunk_kind: str
    tags: list[str]
    source_url: str | None
    source_type: str | None
    chunk_index: int | None
    total_chunks: int | None


class KeyedChunk(NamedTuple):
    """The columns that an import keeps of the chunk that it replaces; `size` in characters."""

    id: UUID
    dedupe_key: str
    size: int
    tags: list[str]
    channel: str | None
    source_url: str | None
    source_type: str | None
    chunk_index: int | None
    total_chunks: int | None


class KeyedVector(NamedTuple):
    """The text of a chunk, and its vector."""

    dedupe_key: str
    title: str
    content: str
    embedding: HalfVector


class ChunkSize(NamedTuple):
    """A chunk and its characters."""

    id: UUID
    archived: bool
    size: int


class _KeyedTitle(NamedTuple):
    dedupe_key: str
    title: str


_BASE = f"SELECT {', '.join(StoredBase._fields)} FROM knowledge_base"
_SEARCHED = f"SELECT {', '.join(SearchedBase._fields)} FROM knowledge_base"
_LAST_CHANGED = "ORDER BY updated_at DESC, id DESC"
_CHUNK = ", ".join(ListedChunk._fields)


async def insert_base(session: WriteSession, base: StoredBase) -> None:
    """Add a knowledge base."""
    from memd.knowledge_bases.tables import KnowledgeBase

    values = base._asdict()
    row = KnowledgeBase(user_id=session.user_id, meta=values.pop("metadata"), **values)
    await session.execute(*row.insertion())


def stored_base(user_id: UUID, base_id: UUID) -> Query[StoredBase]:
    """One knowledge base of the user, archived or not."""
    return Query(StoredBase, f"{_BASE} WHERE user_id = %(user)s AND id = %(id)s", {"user": user_id, "id": base_id})


async def find(session: OwnerSession, base_id: UUID) -> StoredBase | None:
    """One knowledge base of the user, archived ones too; who may read its chunks is decided from the row."""
    rows = await session.rows(stored_base(session.user_id, base_id))
    return rows[0] if rows else None


async def lock(session: WriteSession, base_id: UUID) -> StoredBase | None:
    """As `find`, and writers of its chunks are serialized until the transaction ends."""
    return await session.row(
        StoredBase,
        f"{_BASE} WHERE user_id = %(user)s AND id = %(id)s FOR UPDATE",
        {"user": session.user_id, "id": base_id},
    )


def searched_bases(user_id: UUID) -> Query[SearchedBase]:
    """All knowledge bases of the user, archived ones too, the last changed first."""
    return Query(SearchedBase, f"{_SEARCHED} WHERE user_id = %(user)s {_LAST_CHANGED}", {"user": user_id})


async def all_bases(session: ReadSession, *, archived: bool) -> list[StoredBase]:
    """The user's knowledge bases, the last changed first; with `archived`, those too."""
    rows = await session.rows(
        StoredBase, f"{_BASE} WHERE user_id = %(user)s {_LAST_CHANGED}", {"user": session.user_id}
    )
    return [row for row in rows if archived or not row.archived]


async def lock_all(session: WriteSession) -> None:
    """Serialize what adds knowledge bases of the user until the transaction ends."""
    await session.execute(
        f"SELECT pg_advisory_xact_lock(hashtextextended('knowledge bases:' || %(user)s::uuid, {Seed.NAMED}))",
        {"user": session.user_id},
    )


async def count_bases(session: OwnerSession) -> int:
    """How many knowledge bases the user has, archived ones included."""
    return await session.value(
        "SELECT count(*) FROM knowledge_base WHERE user_id = %(user)s", {"user": session.user_id}
    )


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


async def keyed_chunks(session: OwnerSession, base_id: UUID, keys: Sequence[str]) -> dict[str, KeyedChunk]:
    """The active chunks with these dedupeKeys."""
    rows = await session.rows(
        KeyedChunk,
        """
        SELECT id, dedupe_key, length(content) AS size, tags, channel, source_url, source_type, chunk_index,
               total_chunks
        FROM memory
        WHERE user_id = %(user)s AND knowledge_base_id = %(base)s AND dedupe_key = ANY(%(keys)s) AND NOT archived
        """,
        {"user": session.user_id, "base": base_id, "keys": list(keys)},
    )
    return {row.dedupe_key: row for row in rows}


async def keyed_vectors(session: OwnerSession, base_id: UUID, keys: Sequence[str], model: int) -> list[KeyedVector]:
    """The active chunks with these dedupeKeys that a model has embedded as they are now."""
    return await session.rows(
        KeyedVector,
        """
        SELECT m.dedupe_key, m.title, m.content, v.embedding
        FROM memory m JOIN memory_vector v ON v.user_id = %(user)s AND v.memory_id = m.id AND v.model = %(model)s
        WHERE m.user_id = %(user)s AND m.knowledge_base_id = %(base)s AND m.dedupe_key = ANY(%(keys)s)
          AND NOT m.archived AND NOT m.embedding_pending
        """,
        {"user": session.user_id, "base": base_id, "keys": list(keys), "model": model},
    )


async def titles(session: OwnerSession, base_id: UUID, keys: Sequence[str]) -> dict[str, str]:
    """The titles of the active chunks with these dedupeKeys, for the caller that overwrites them."""
    rows = await session.rows(
        _KeyedTitle,
        """
        SELECT dedupe_key, title FROM memory
        WHERE user_id = %(user)s AND knowledge_base_id = %(base)s AND dedupe_key = ANY(%(keys)s) AND NOT archived
        """,
        {"user": session.user_id, "base": base_id, "keys": list(keys)},
    )
    return dict(rows)


async def chunk_page(
    session: OwnerSession, base_id: UUID, after: tuple[int, UUID] | None, limit: int
) -> list[ListedChunk]:
    """Active chunks in order of createdAt and id, after a position; the owner's view (contract 8.6)."""
    created_at, chunk_id = after or (-1, UUID(int=0))
    return await session.rows(
        ListedChunk,
        bounded(
            _CHUNK,
            f"""SELECT {_CHUNK} FROM memory
            WHERE user_id = %(user)s AND knowledge_base_id = %(base)s AND NOT archived
              AND (created_at, id) > (%(created_at)s, %(id)s)
            ORDER BY created_at, id LIMIT %(limit)s""",
            "created_at, id",
        ),
        {"user": session.user_id, "base": base_id, "created_at": created_at, "id": chunk_id, "limit": limit},
    )


async def chunk_ids(session: WriteSession, base_id: UUID, limit: int) -> list[ChunkSize]:
    """The next chunks to remove, active and archived ones."""
    return await session.rows(
        ChunkSize,
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
