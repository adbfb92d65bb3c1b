"""Rows that depend on a memory and are deleted before it."""

from uuid import UUID

from sqlalchemy import Column, Index
from sqlalchemy.dialects.postgresql import DOUBLE_PRECISION
from sqlmodel import Field

from memd.db.schema.base import Table, id_column, ms_column, user_column


class Trigger(Table, table=True):
    """A tool name that brings a memory back (contract 6.8)."""

    __tablename__ = "trigger"
    __table_args__ = (Index("ix_trigger_tool", "user_id", "tool_name", "memory_id"),)

    user_id: UUID = Field(sa_column=user_column())
    memory_id: UUID = Field(sa_column=id_column("memory_id"))
    tool_name: str = Field(primary_key=True)
    created_at: int = Field(sa_column=ms_column("created_at"))


class RecallActivity(Table, table=True):
    """One row for each memory that a recall returned; deleted before its memory."""

    __tablename__ = "recall_activity"
    __table_args__ = (
        Index("ix_recall_activity_block_times", "at", postgresql_using="brin", postgresql_with={"autosummarize": "on"}),
    )

    user_id: UUID = Field(sa_column=user_column())
    memory_id: UUID = Field(sa_column=id_column("memory_id"))
    request_id: UUID = Field(sa_column=id_column("request_id"))
    at: int = Field(sa_column=ms_column("at"))
    source: str


class Association(Table, table=True):
    """A link between two memories (contract 3, association)."""

    __tablename__ = "association"
    __table_args__ = (Index("ix_association_to", "user_id", "to_memory_id"),)

    user_id: UUID = Field(sa_column=user_column())
    from_memory_id: UUID = Field(sa_column=id_column("from_memory_id"))
    to_memory_id: UUID = Field(sa_column=id_column("to_memory_id"))
    relationship_type: str = Field(primary_key=True)
    weight: float = Field(sa_column=Column("weight", DOUBLE_PRECISION, nullable=False))
    created_at: int = Field(sa_column=ms_column("created_at"))
    updated_at: int = Field(sa_column=ms_column("updated_at"))
