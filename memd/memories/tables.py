"""Memories and chunks: the wide row, and the two narrow rows that the lanes of retrieval read."""

from typing import Any
from uuid import UUID

from pgvector.sqlalchemy import HALFVEC
from sqlalchemy import Boolean, Column, Index, Integer, SmallInteger, String, text
from sqlalchemy.dialects.postgresql import DOUBLE_PRECISION, TEXT, TSVECTOR
from sqlmodel import Field

from memd.db.schema.base import (
    Table,
    flag_column,
    id_column,
    json_column,
    ms_column,
    texts_column,
    user_column,
    uuid_column,
    uuids_column,
)
from memd.db.sql.work import CONSOLIDATION_DUE, LEAVING, LIVE, MADE

LISTED = "not archived and knowledge_base_id is null"


class Memory(Table, table=True):
    """A memory, or a chunk when `knowledge_base_id` is set (contract 4)."""

    __tablename__ = "memory"
    __table_args__ = (
        Index("ix_memory_hash", "user_id", "content_hash", postgresql_where=text(LISTED)),
        Index(
            "ux_memory_chunk_key",
            "user_id",
            "knowledge_base_id",
            "dedupe_key",
            unique=True,
            postgresql_where=text("not archived and knowledge_base_id is not null and dedupe_key is not null"),
        ),
        Index(
            "ux_memory_key",
            "user_id",
            "namespace",
            "key",
            unique=True,
            postgresql_nulls_not_distinct=True,
            postgresql_where=text("not archived and key is not null"),
        ),
        Index(
            "ix_memory_namespace",
            "user_id",
            "namespace",
            "updated_at",
            "id",
            postgresql_where=text("not archived and namespace is not null"),
        ),
        Index("ix_memory_created", "user_id", "created_at", "id", postgresql_where=text("not archived")),
        Index("ix_memory_accessed", "user_id", "last_accessed_at", "id", postgresql_where=text(LISTED)),
        Index(
            "ix_memory_chunks",
            "user_id",
            "knowledge_base_id",
            "created_at",
            "id",
            postgresql_where=text("knowledge_base_id is not null"),
        ),
        # The sorts of the list of memories (memd/memories/listing), and its filters by store and category.
        Index("ix_memory_list_created", "user_id", "created_at", "id", postgresql_where=text(LISTED)),
        Index("ix_memory_list_strength", "user_id", "strength", "id", postgresql_where=text(LISTED)),
        Index("ix_memory_list_title", "user_id", text("lower(title)"), "id", postgresql_where=text(LISTED)),
        Index("ix_memory_list_store", "user_id", "store", "created_at", "id", postgresql_where=text(LISTED)),
        Index("ix_memory_list_category", "user_id", "category", "created_at", "id", postgresql_where=text(LISTED)),
        Index(
            "ix_memory_archive",
            "user_id",
            text("coalesce(archived_at, updated_at)"),
            "id",
            postgresql_where=text("archived and knowledge_base_id is null"),
        ),
        Index("ix_memory_pending", "user_id", "id", postgresql_where=text("embedding_pending and not archived")),
        Index(
            "ix_memory_unenriched",
            "user_id",
            "id",
            postgresql_where=text("not graph_enriched and not archived and knowledge_base_id is null"),
        ),
        Index(
            "ix_memory_unread_chunk",
            "user_id",
            "id",
            postgresql_where=text(
                "not graph_enriched and not archived and knowledge_base_id is not null and chunk_kind <> 'config'"
            ),
        ),
        Index("ix_memory_without_recall_text", "user_id", "id", postgresql_where=text("recall_text is null")),
        Index("ix_memory_associated", "associated_at", "user_id", postgresql_where=text(LIVE)),
        Index("ix_memory_ripening", "user_id", "id", postgresql_where=text(f"{LIVE} and ({CONSOLIDATION_DUE})")),
        Index("ix_memory_leaving", "user_id", "id", postgresql_where=text(LEAVING)),
        Index(
            "ix_memory_derived",
            "user_id",
            "id",
            postgresql_where=text("source_message_ids <> '{}' or source_memory_ids <> '{}'"),
        ),
        Index("ix_memory_made", "user_id", "id", postgresql_where=text(MADE)),
        Index("ix_memory_session", "user_id", "session_key", postgresql_where=text("session_key is not null")),
        Index("ix_memory_channel", "user_id", "channel", "last_accessed_at", postgresql_where=text(LISTED)),
        # The memories that a briefing names (contract 7.1); chunks are not indexed here, so imports do not pay for it.
        Index(
            "ix_memory_goal",
            "user_id",
            "last_accessed_at",
            postgresql_where=text("not archived and (store = 'prospective' or category = 'goal')"),
        ),
        Index(
            "ix_memory_decision",
            "user_id",
            "created_at",
            postgresql_where=text("not archived and category = 'decision'"),
        ),
        Index(
            "ix_memory_guardrail",
            "user_id",
            "strength",
            "last_accessed_at",
            postgresql_where=text("not archived and (category = 'lesson' or category = 'rule')"),
        ),
        Index("ix_memory_written", "user_id", "created_by", "created_request"),
        Index(
            "ix_memory_standing",
            "user_id",
            text("greatest(changed_at, created_at)"),
            postgresql_where=text("knowledge_base_id is null"),
        ),
    )

    user_id: UUID = Field(sa_column=user_column())
    id: UUID = Field(sa_column=id_column())
    title: str
    content: str
    recall_text: str | None = None
    store: str
    category: str
    tags: list[str] = Field(sa_column=texts_column("tags"))
    meta: Any = Field(default=None, sa_column=json_column("metadata"))
    channel: str | None = None
    agent_id: str | None = None
    project_id: str | None = None
    session_key: str | None = None
    namespace: str | None = Field(default=None, sa_column=Column("namespace", TEXT(collation="C")))
    key: str | None = Field(default=None, sa_column=Column("key", TEXT))
    source: str
    strength: float = Field(sa_column=Column("strength", DOUBLE_PRECISION, nullable=False))
    confidence: float = Field(sa_column=Column("confidence", DOUBLE_PRECISION, nullable=False))
    valence: float = Field(sa_column=Column("valence", DOUBLE_PRECISION, nullable=False))
    arousal: float = Field(sa_column=Column("arousal", DOUBLE_PRECISION, nullable=False))
    salience_score: float | None = Field(default=None, sa_column=Column("salience_score", DOUBLE_PRECISION))
    access_count: int = Field(sa_column=Column("access_count", Integer, nullable=False, server_default="0"))
    last_accessed_at: int = Field(sa_column=ms_column("last_accessed_at"))
    created_at: int = Field(sa_column=ms_column("created_at"))
    updated_at: int = Field(sa_column=ms_column("updated_at"))
    archived: bool = Field(sa_column=flag_column("archived", default=False))
    archived_at: int | None = Field(default=None, sa_column=ms_column("archived_at", nullable=True))
    archived_by: str | None = None
    supersedes_memory_id: UUID | None = Field(default=None, sa_column=uuid_column("supersedes_memory_id"))
    superseded_by_memory_id: UUID | None = Field(default=None, sa_column=uuid_column("superseded_by_memory_id"))
    superseded_at: int | None = Field(default=None, sa_column=ms_column("superseded_at", nullable=True))
    action_triggers: list[str] = Field(sa_column=texts_column("action_triggers"))
    source_snapshot_id: UUID | None = Field(default=None, sa_column=uuid_column("source_snapshot_id"))
    source_message_ids: list[UUID] = Field(sa_column=uuids_column("source_message_ids"))
    source_memory_ids: list[UUID] = Field(sa_column=uuids_column("source_memory_ids"))
    knowledge_base_id: UUID | None = Field(default=None, sa_column=uuid_column("knowledge_base_id"))
    dedupe_key: str | None = None
    chunk_kind: str = Field(sa_column_kwargs={"server_default": "content"})
    source_url: str | None = None
    source_type: str | None = None
    chunk_index: int | None = None
    total_chunks: int | None = None
    import_id: UUID | None = Field(default=None, sa_column=uuid_column("import_id"))
    content_hash: str
    embedding_pending: bool = Field(sa_column=flag_column("embedding_pending", default=True))
    refused_by: int | None = Field(default=None, sa_column=Column("refused_by", SmallInteger, nullable=True))
    """The number of the embedding model that does not take the text."""
    policy_version: str = Field(sa_column_kwargs={"server_default": ""})
    policy_flags: list[str] = Field(sa_column=texts_column("policy_flags"))
    blocked: bool = Field(sa_column=flag_column("blocked", default=False))
    graph_enriched: bool = Field(sa_column=flag_column("graph_enriched", default=False))
    graph_enriched_at: int | None = Field(default=None, sa_column=ms_column("graph_enriched_at", nullable=True))
    promoted_from: UUID | None = Field(default=None, sa_column=uuid_column("promoted_from"))
    checkpoint_id: UUID | None = Field(default=None, sa_column=uuid_column("checkpoint_id"))
    consolidated_at: int | None = Field(default=None, sa_column=ms_column("consolidated_at", nullable=True))
    associated_at: int | None = Field(default=None, sa_column=ms_column("associated_at", nullable=True))
    version: int = Field(sa_column=Column("version", Integer, nullable=False, server_default="1"))
    changed_at: int | None = Field(default=None, sa_column=ms_column("changed_at", nullable=True))
    created_by: UUID | None = Field(default=None, sa_column=uuid_column("created_by"))
    created_request: UUID | None = Field(default=None, sa_column=uuid_column("created_request"))
    valid_from: int | None = Field(default=None, sa_column=ms_column("valid_from", nullable=True))
    valid_until: int | None = Field(default=None, sa_column=ms_column("valid_until", nullable=True))


class MemoryIndex(Table, table=True):
    """A live memory or chunk as the text lane reads it: the filters and the lexemes.

    A chunk with a chunkIndex has a `source_key`: a hash of its sourceUrl, without one of its import.
    """

    __tablename__ = "memory_index"
    __table_args__ = (
        Index("ix_memory_index_text", "tsv", postgresql_using="gin"),
        Index("ix_memory_index_language", "user_id", "language"),
        Index("ix_memory_index_outdated", "user_id", "memory_id", postgresql_where=text("index_version < 2")),
        Index(
            "ix_memory_index_recent",
            "user_id",
            "created_at",
            postgresql_where=text("live and knowledge_base_id is null"),
        ),
        Index(
            "ix_memory_index_ended",
            "user_id",
            "created_at",
            postgresql_where=text("not live and knowledge_base_id is null"),
        ),
        Index(
            "ix_memory_index_channel",
            "user_id",
            "knowledge_base_id",
            "channel",
            "created_at",
            "memory_id",
            postgresql_where=text("live"),
        ),
        Index(
            "ix_memory_index_place",
            "user_id",
            "knowledge_base_id",
            "source_key",
            "chunk_index",
            postgresql_where=text("live and source_key is not null"),
        ),
    )

    user_id: UUID = Field(sa_column=user_column())
    memory_id: UUID = Field(sa_column=id_column("memory_id"))
    live: bool = Field(sa_column=Column("live", Boolean, nullable=False))
    knowledge_base_id: UUID | None = Field(default=None, sa_column=uuid_column("knowledge_base_id"))
    channel: str | None = None
    store: str
    category: str
    project_id: str | None = None
    config: bool = Field(sa_column=Column("config", Boolean, nullable=False))
    tags: list[str] = Field(sa_column=texts_column("tags"))
    created_at: int = Field(sa_column=ms_column("created_at"))
    changed_at: int | None = Field(default=None, sa_column=ms_column("changed_at", nullable=True))
    length: int = Field(sa_column=Column("length", Integer, nullable=False))
    language: str = Field(sa_column=Column("language", String, nullable=False, server_default="simple"))
    tsv: str = Field(sa_column=Column("tsv", TSVECTOR, nullable=False))
    index_version: int = Field(sa_column=Column("index_version", SmallInteger, nullable=False, server_default="0"))
    source_key: int | None = Field(default=None, sa_column=ms_column("source_key", nullable=True))
    chunk_index: int | None = None
    valid_from: int | None = Field(default=None, sa_column=ms_column("valid_from", nullable=True))
    valid_until: int | None = Field(default=None, sa_column=ms_column("valid_until", nullable=True))


class MemoryVector(Table, table=True):
    """A memory or chunk as the vector lane reads it: the filters and the embedding by one model."""

    __tablename__ = "memory_vector"
    __table_args__ = (
        Index(
            "ix_memory_vector_channel",
            "user_id",
            "model",
            "knowledge_base_id",
            "channel",
            postgresql_where=text("live"),
        ),
    )

    user_id: UUID = Field(sa_column=user_column())
    memory_id: UUID = Field(sa_column=id_column("memory_id"))
    model: int = Field(sa_column=Column("model", SmallInteger, primary_key=True, nullable=False))
    live: bool = Field(sa_column=Column("live", Boolean, nullable=False))
    knowledge_base_id: UUID | None = Field(default=None, sa_column=uuid_column("knowledge_base_id"))
    channel: str | None = None
    store: str
    category: str
    project_id: str | None = None
    config: bool = Field(sa_column=Column("config", Boolean, nullable=False))
    embedding: Any = Field(sa_column=Column("embedding", HALFVEC(), nullable=False))
    valid_from: int | None = Field(default=None, sa_column=ms_column("valid_from", nullable=True))
    valid_until: int | None = Field(default=None, sa_column=ms_column("valid_until", nullable=True))
