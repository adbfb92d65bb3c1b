"""Facts of memories, and conflicts between them (contract 17.5)."""

from uuid import UUID

from sqlalchemy import Boolean, Column, Index, SmallInteger
from sqlalchemy.dialects.postgresql import DOUBLE_PRECISION
from sqlmodel import Field

from memd.db.schema.base import Table, id_column, ms_column, user_column, uuid_column


class MemoryFact(Table, table=True):
    """A fact that a memory states: subject, attribute, value; `denied` when it says that the value is not so."""

    __tablename__ = "memory_fact"
    __table_args__ = (Index("ix_memory_fact_recent", "user_id", "subject_key", "attribute", "memory_id"),)

    user_id: UUID = Field(sa_column=user_column())
    memory_id: UUID = Field(sa_column=id_column("memory_id"))
    place: int = Field(sa_column=Column("place", SmallInteger, primary_key=True, nullable=False, autoincrement=False))
    subject_key: str
    attribute: str
    subject: str
    value: str
    changed: bool = Field(sa_column=Column("changed", Boolean, nullable=False))
    denied: bool = Field(sa_column=Column("denied", Boolean, nullable=False))


class MemoryConflict(Table, table=True):
    """Two memories that contradict each other, and what was decided about them (`state`)."""

    __tablename__ = "memory_conflict"
    __table_args__ = (
        Index("ux_memory_conflict_pair", "user_id", "old_id", "new_id", "attribute", unique=True),
        Index("ix_memory_conflict_new", "user_id", "new_id"),
        Index("ix_memory_conflict_state", "user_id", "state", "id"),
    )

    user_id: UUID = Field(sa_column=user_column())
    id: UUID = Field(sa_column=id_column())
    old_id: UUID = Field(sa_column=uuid_column("old_id", nullable=False))
    new_id: UUID = Field(sa_column=uuid_column("new_id", nullable=False))
    subject: str
    attribute: str
    old_value: str
    new_value: str
    certainty: float = Field(sa_column=Column("certainty", DOUBLE_PRECISION, nullable=False))
    state: str
    created_at: int = Field(sa_column=ms_column("created_at"))
    decided_at: int | None = Field(default=None, sa_column=ms_column("decided_at", nullable=True))
