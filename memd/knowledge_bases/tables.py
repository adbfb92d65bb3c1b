"""Knowledge bases and the record of their imports; chunks are rows of `memory`."""

from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, Column, Index, Integer
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
)


class KnowledgeBase(Table, table=True):
    """A named set of chunks with its agents, scope and counters (contract 4)."""

    __tablename__ = "knowledge_base"
    __table_args__ = (Index("ix_knowledge_base_updated", "user_id", "updated_at", "id"),)

    user_id: UUID = Field(sa_column=user_column())
    id: UUID = Field(sa_column=id_column())
    name: str
    description: str | None = None
    agent_ids: list[str] = Field(sa_column=texts_column("agent_ids"))
    scope: str | None = None
    peer_scope_policy: str
    source_type: str | None = None
    source_role: str | None = None
    meta: Any = Field(default=None, sa_column=json_column("metadata"))
    archived: bool = Field(sa_column=flag_column("archived", default=False))
    archived_at: int | None = Field(default=None, sa_column=ms_column("archived_at", nullable=True))
    memory_count: int = Field(sa_column=Column("memory_count", Integer, nullable=False, server_default="0"))
    total_chars: int = Field(sa_column=Column("total_chars", BigInteger, nullable=False, server_default="0"))
    created_at: int = Field(sa_column=ms_column("created_at"))
    updated_at: int = Field(sa_column=ms_column("updated_at"))


class ImportRun(Table, table=True):
    """The outcome of one import request."""

    __tablename__ = "import_run"
    __table_args__ = (Index("ix_import_run_kb", "user_id", "knowledge_base_id"),)

    user_id: UUID = Field(sa_column=user_column())
    id: UUID = Field(sa_column=id_column())
    knowledge_base_id: UUID = Field(sa_column=uuid_column("knowledge_base_id", nullable=False))
    counts: Any = Field(default=None, sa_column=json_column("counts"))
    rejected: Any = Field(default=None, sa_column=json_column("rejected"))
    created_at: int = Field(sa_column=ms_column("created_at"))
