"""Messages: the row, the narrow rows of its two search lanes, and the turns that make deliveries idempotent."""

from typing import Any
from uuid import UUID

from pgvector.sqlalchemy import HALFVEC
from sqlalchemy import Boolean, Column, Index, SmallInteger, String, text
from sqlalchemy.dialects.postgresql import TSVECTOR
from sqlmodel import Field

from memd.db.schema.base import (
    Table,
    flag_column,
    id_column,
    json_column,
    ms_column,
    texts_column,
    user_column,
    uuids_column,
)


class Message(Table, table=True):
    """A message as it was delivered (contract 4)."""

    __tablename__ = "message"
    __table_args__ = (
        Index("ix_message_time", "user_id", "timestamp", "id"),
        Index("ix_message_channel", "user_id", "channel", "timestamp", "id"),
        Index("ix_message_session", "user_id", "session_key", "timestamp", "id"),
        Index("ix_message_turn", "user_id", "turn_id", postgresql_where=text("turn_id is not null")),
        Index("ix_message_hash", "user_id", "content_hash", "created_at"),
        Index("ix_message_pending", "user_id", "id", postgresql_where=text("embedding_pending")),
        Index("ix_message_expiry", "user_id", "expires_at"),
        Index("ix_message_block_times", "expires_at", postgresql_using="brin", postgresql_with={"autosummarize": "on"}),
        Index(
            "ix_message_unextracted",
            "user_id",
            "created_at",
            postgresql_where=text("extracted_at is null and extraction_skipped_reason is null"),
        ),
    )

    user_id: UUID = Field(sa_column=user_column())
    id: UUID = Field(sa_column=id_column())
    role: str
    content: str
    truncated: bool = Field(sa_column=flag_column("truncated", default=False))
    speaker: str | None = None
    channel: str | None = None
    session_key: str | None = None
    turn_id: str | None = None
    turn_message_index: int | None = None
    timestamp: int = Field(sa_column=ms_column("timestamp"))
    client_timestamp: bool = Field(sa_column=flag_column("client_timestamp", default=False))
    created_at: int = Field(sa_column=ms_column("created_at"))
    expires_at: int = Field(sa_column=ms_column("expires_at"))
    embedding_pending: bool = Field(sa_column=flag_column("embedding_pending", default=True))
    refused_by: int | None = Field(default=None, sa_column=Column("refused_by", SmallInteger, nullable=True))
    """The number of the embedding model that does not take the text."""
    meta: Any = Field(default=None, sa_column=json_column("metadata"))
    agent_id: str | None = None
    project_id: str | None = None
    content_hash: str
    extracted_at: int | None = Field(default=None, sa_column=ms_column("extracted_at", nullable=True))
    extraction_skipped_reason: str | None = None
    policy_flags: list[str] = Field(sa_column=texts_column("policy_flags"))


class MessageIndex(Table, table=True):
    """A row of the full-text lane; the text is `date speaker: content`, `asks` says that it ends with a `?`."""

    __tablename__ = "message_index"
    __table_args__ = (
        Index("ix_message_index_text", "tsv", postgresql_using="gin"),
        Index("ix_message_index_language", "user_id", "language"),
        Index("ix_message_index_outdated", "user_id", "message_id", postgresql_where=text("index_version < 2")),
        Index("ix_message_index_scope", "user_id", "channel", "timestamp"),
        Index("ix_message_index_session", "user_id", "session_key", "timestamp", "message_id"),
    )

    user_id: UUID = Field(sa_column=user_column())
    message_id: UUID = Field(sa_column=id_column("message_id"))
    channel: str | None = None
    session_key: str | None = None
    timestamp: int = Field(sa_column=ms_column("timestamp"))
    speaker: str | None = None
    asks: bool = Field(sa_column=Column("asks", Boolean, nullable=False))
    language: str = Field(sa_column=Column("language", String, nullable=False, server_default="simple"))
    tsv: str = Field(sa_column=Column("tsv", TSVECTOR, nullable=False))
    index_version: int = Field(sa_column=Column("index_version", SmallInteger, nullable=False, server_default="0"))


class MessageVector(Table, table=True):
    """A row of the vector lane: the embedding of a message by one model."""

    __tablename__ = "message_vector"
    __table_args__ = (Index("ix_message_vector_channel", "user_id", "model", "channel", "timestamp"),)

    user_id: UUID = Field(sa_column=user_column())
    message_id: UUID = Field(sa_column=id_column("message_id"))
    model: int = Field(sa_column=Column("model", SmallInteger, primary_key=True, nullable=False))
    channel: str | None = None
    session_key: str | None = None
    timestamp: int = Field(sa_column=ms_column("timestamp"))
    embedding: Any = Field(sa_column=Column("embedding", HALFVEC(), nullable=False))


class Turn(Table, table=True):
    """A completed turn; its key is what makes a second delivery a no-op (contract 7.6)."""

    __tablename__ = "turn"

    user_id: UUID = Field(sa_column=user_column())
    turn_id: str = Field(primary_key=True)
    session_key: str
    channel: str
    message_ids: list[UUID] = Field(sa_column=uuids_column("message_ids"))
    created_at: int = Field(sa_column=ms_column("created_at"))
    extraction_job_id: int | None = Field(default=None, sa_column=ms_column("extraction_job_id", nullable=True))
