"""Running totals of a user."""

from uuid import UUID

from sqlalchemy import Column, Integer
from sqlmodel import Field

from memd.db.schema.base import Table, ms_column, user_column, uuid_column


class Totals(Table, table=True):
    """Counters that every write moves in its own transaction (contract 4, totals)."""

    __tablename__ = "totals"

    user_id: UUID = Field(sa_column=user_column())
    active_memories: int = Field(sa_column=Column("active_memories", Integer, nullable=False, server_default="0"))
    archived_memories: int = Field(sa_column=Column("archived_memories", Integer, nullable=False, server_default="0"))
    total_messages: int = Field(sa_column=Column("total_messages", Integer, nullable=False, server_default="0"))
    last_capture: int | None = Field(default=None, sa_column=ms_column("last_capture", nullable=True))
    updated_at: int = Field(sa_column=ms_column("updated_at"))
    indexed_model: int | None = Field(default=None, sa_column=Column("indexed_model", Integer, nullable=True))
    """The embedding model for which this user's vectors have a separate index."""
    indexed_versions: int | None = Field(default=None, sa_column=Column("indexed_versions", Integer, nullable=True))
    """The embedding model for which the vectors of earlier versions have one."""
    junk_judged_until: UUID | None = Field(default=None, sa_column=uuid_column("junk_judged_until"))
    """The last memory of extraction that the job `junk` has judged, by the rules that `junk_rules` names."""
    junk_rules: str | None = None
