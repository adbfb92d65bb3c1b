"""Sessions, snapshots and checkpoints."""

from typing import Any
from uuid import UUID

from sqlalchemy import Column, Index, Integer, text
from sqlmodel import Field

from memd.db.schema.base import Table, flag_column, id_column, json_column, ms_column, texts_column, user_column


class Session(Table, table=True):
    """One stretch of talk on a channel, opened by wake (contract 7.1)."""

    __tablename__ = "session"
    __table_args__ = (Index("ix_session_channel", "user_id", "channel", "last_active_at"),)

    user_id: UUID = Field(sa_column=user_column())
    id: UUID = Field(sa_column=id_column())
    channel: str | None = None
    session_key: str | None = None
    started_at: int = Field(sa_column=ms_column("started_at"))
    last_active_at: int = Field(sa_column=ms_column("last_active_at"))
    message_count: int = Field(sa_column=Column("message_count", Integer, nullable=False, server_default="0"))
    memory_count: int = Field(sa_column=Column("memory_count", Integer, nullable=False, server_default="0"))
    summary: str | None = None
    participants: list[str] = Field(sa_column=texts_column("participants"))


class Checkpoint(Table, table=True):
    """A named, frozen set of memories (contract 6.9)."""

    __tablename__ = "checkpoint"
    __table_args__ = (Index("ix_checkpoint_created", "user_id", "created_at", "id"),)

    user_id: UUID = Field(sa_column=user_column())
    id: UUID = Field(sa_column=id_column())
    label: str
    description: str | None = None
    created_at: int = Field(sa_column=ms_column("created_at"))
    created_by: str
    channel: str | None = None
    session_key: str | None = None
    semantic_summary: str | None = None
    tags: list[str] = Field(sa_column=texts_column("tags"))
    memory_snapshot: Any = Field(default=None, sa_column=json_column("memory_snapshot"))
    memory_count: int = Field(sa_column=Column("memory_count", Integer, nullable=False, server_default="0"))


class Snapshot(Table, table=True):
    """The messages of a session as they stood at one moment (contract 7.7).

    A session on a channel has at most one automatic snapshot. Without `expires_at` (epoch ms) it has no end.
    """

    __tablename__ = "snapshot"
    __table_args__ = (
        Index("ix_snapshot_session", "user_id", "session_key", "created_at"),
        Index("ix_snapshot_expiry", "user_id", "expires_at", postgresql_where=text("expires_at is not null")),
        Index(
            "ux_snapshot_automatic",
            "user_id",
            "session_key",
            text("coalesce(channel, '')"),
            unique=True,
            postgresql_where=text("automatic"),
        ),
    )

    user_id: UUID = Field(sa_column=user_column())
    id: UUID = Field(sa_column=id_column())
    session_key: str
    channel: str | None = None
    messages: Any = Field(default=None, sa_column=json_column("messages"))
    message_count: int = Field(sa_column=Column("message_count", Integer, nullable=False))
    total_tokens: int = Field(sa_column=Column("total_tokens", Integer, nullable=False))
    reason: str
    created_at: int = Field(sa_column=ms_column("created_at"))
    automatic: bool = Field(sa_column=flag_column("automatic", default=False))
    expires_at: int | None = Field(default=None, sa_column=ms_column("expires_at", nullable=True))
