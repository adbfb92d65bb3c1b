"""Earlier versions of memories and chunks."""

from typing import Any
from uuid import UUID

from pgvector.sqlalchemy import HALFVEC
from sqlalchemy import JSON, Boolean, Column, Index, Integer, SmallInteger, text
from sqlalchemy.dialects.postgresql import TSVECTOR
from sqlmodel import Field

from memd.db.schema.base import Table, flag_column, id_column, ms_column, texts_column, user_column, uuid_column


class MemoryVersion(Table, table=True):
    """A version that a change has ended: the row as it was, and the change (contract 17.5). Rows are only added.

    It was the stored version from `recorded_from` until `recorded_until` (epoch ms, exclusive). `fields` are the columns
    of the row. For searches as of a past moment there are its vector and what they filter by; `live` says that it was
    active then or superseded, and `valid_until` is at the latest when it was superseded. A version that is not `indexed`
    has nearly the vector of the first of its group (`VERSION_GROUP`), which a vector index has for both. `undoes` is the
    request that the change took back.
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
        Index("ix_memory_version_begun", "user_id", "recorded_from"),
        Index("ix_memory_version_ended", "user_id", "recorded_until"),
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
    policy_version: str = Field(sa_column_kwargs={"server_default": ""})
    knowledge_base_id: UUID | None = Field(default=None, sa_column=uuid_column("knowledge_base_id"))
    channel: str | None = None
    store: str = Field(sa_column_kwargs={"server_default": ""})
    category: str = Field(sa_column_kwargs={"server_default": ""})
    project_id: str | None = None
    config: bool = Field(sa_column=flag_column("config", default=False))
    valid_from: int | None = Field(default=None, sa_column=ms_column("valid_from", nullable=True))
    valid_until: int | None = Field(default=None, sa_column=ms_column("valid_until", nullable=True))
    model: int | None = Field(default=None, sa_column=Column("model", SmallInteger))
    embedding: Any = Field(default=None, sa_column=Column("embedding", HALFVEC()))
    indexed: bool = Field(sa_column=flag_column("indexed", default=True))


class MemoryVersionIndex(Table, table=True):
    """A version that has ended as the text lane reads it: the filters and the lexemes.

    Versions that directly follow each other and do not differ in these share a row, under the number of the last.
    """

    __tablename__ = "memory_version_index"
    __table_args__ = (
        Index("ix_memory_version_index_text", "tsv", postgresql_using="gin"),
        Index("ix_memory_version_index_created", "user_id", "created_at"),
    )

    user_id: UUID = Field(sa_column=user_column())
    memory_id: UUID = Field(sa_column=id_column("memory_id"))
    version: int = Field(sa_column=Column("version", Integer, primary_key=True, nullable=False, autoincrement=False))
    recorded_from: int = Field(sa_column=ms_column("recorded_from"))
    recorded_until: int = Field(sa_column=ms_column("recorded_until"))
    live: bool = Field(sa_column=Column("live", Boolean, nullable=False))
    knowledge_base_id: UUID | None = Field(default=None, sa_column=uuid_column("knowledge_base_id"))
    channel: str | None = None
    store: str
    category: str
    project_id: str | None = None
    config: bool = Field(sa_column=Column("config", Boolean, nullable=False))
    tags: list[str] = Field(sa_column=texts_column("tags"))
    created_at: int = Field(sa_column=ms_column("created_at"))
    length: int = Field(sa_column=Column("length", Integer, nullable=False))
    tsv: str = Field(sa_column=Column("tsv", TSVECTOR, nullable=False))
    valid_from: int | None = Field(default=None, sa_column=ms_column("valid_from", nullable=True))
    valid_until: int | None = Field(default=None, sa_column=ms_column("valid_until", nullable=True))
