"""The embedding models whose vectors are stored, and what users spend of their daily allowance."""

from uuid import UUID

from sqlalchemy import Boolean, Column, Integer, SmallInteger, UniqueConstraint
from sqlmodel import Field

from memd.db.schema.base import Table, user_column


class EmbeddingModel(Table, table=True):
    """One model with one length of vectors; `current` is the one that queries use, and there is one of them."""

    __tablename__ = "embedding_model"
    __table_args__ = (UniqueConstraint("name", "dimensions"),)

    id: int = Field(sa_column=Column("id", SmallInteger, primary_key=True, autoincrement=False))
    name: str
    dimensions: int = Field(sa_column=Column("dimensions", Integer, nullable=False))
    current: bool = Field(sa_column=Column("current", Boolean, nullable=False))


class EmbeddingUse(Table, table=True):
    """Embedding calls of a user on one UTC day (days since 1970-01-01)."""

    __tablename__ = "embedding_use"

    user_id: UUID = Field(sa_column=user_column())
    day: int = Field(sa_column=Column("day", Integer, primary_key=True, nullable=False))
    calls: int = Field(sa_column=Column("calls", Integer, nullable=False, server_default="0"))
    background_calls: int = Field(sa_column=Column("background_calls", Integer, nullable=False, server_default="0"))
