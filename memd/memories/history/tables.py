"""Earlier versions of memories and chunks."""

from typing import Any
from uuid import UUID

from pgvector.sqlalchemy import HALFVEC
from sqlalchemy import JSON, Boolean, Column, Index, Integer, SmallInteger, text
from sqlalchemy.dialects.postgresql import TSVECTOR
from sqlmodel import Field

from memd.db.base import Table, id_column, ms_column, user_column, uuid_column


class MemoryVersion(Table, table=True):
    """A version that a change has ended: the row as it was, and the change (contract 17.5). Rows are only added.

    It was the stored version from `recorded_from` until `recorded_until` (epoch ms, exclusive). `fields` are the columns
    of the row; its lexemes and its vector are kept for searches as of a past moment. `undoes` is the request that the
    change took back.
    """

    __tablename__ = "memory_version"
    __table_args__ = (
        Index(
            "ix_memory_version_written",
            "user_id",
            "changed_by",
            "request_id",
            postgresql_where=text("changed_by is not null"),
        ),
        Index("ix_memory_version_ended", "user_id", "recorded_until"),
        Index("ix_memory_version_text", "tsv", postgresql_using="gin"),
    )

    user_id: UUID = Field(sa_column=user_column())
    memory_id: UUID = Field(sa_column=id_column("memory_id"))
    version: int = Field(sa_column=Column("version", Integer, primary_key=True, nullable=False, autoincrement=False))
    recorded_from: int = Field(sa_column=ms_column("recorded_from"))
    recorded_until: int = Field(sa_column=ms_column("recorded_until"))
    changed_by: UUID | None = Field(default=None, sa_column=uuid_column("changed_by"))
    request_id: UUID = Field(sa_column=uuid_column("request_id", nullable=False))
    action: str
    reason: str | None = None
    undoes: UUID | None = Field(default=None, sa_column=uuid_column("undoes"))
    fields_: Any = Field(sa_column=Column("fields", JSON, nullable=False))
    live: bool = Field(sa_column=Column("live", Boolean, nullable=False))
    knowledge_base_id: UUID | None = Field(default=None, sa_column=uuid_column("knowledge_base_id"))
    tsv: str | None = Field(default=None, sa_column=Column("tsv", TSVECTOR))
    model: int | None = Field(default=None, sa_column=Column("model", SmallInteger))
    embedding: Any = Field(default=None, sa_column=Column("embedding", HALFVEC()))
