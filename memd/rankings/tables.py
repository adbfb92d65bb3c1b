"""Rankings: the order of a paged search, kept so that its later pages continue the first one."""

from typing import Any, ClassVar
from uuid import UUID

from sqlalchemy import Boolean, Column, Double, Integer
from sqlalchemy.dialects.postgresql import ARRAY
from sqlmodel import Field

from memd.db.schema.base import Table, id_column, ms_column, user_column, uuids_column


class RankingRow(Table, table=True):
    """One ranking; `key` is a hash of the search. Null in `weak` marks adjacent rows.

    The table is unlogged: a crash loses it, a backup leaves it out.
    """

    __tablename__ = "ranking"
    __table_args__: ClassVar[Any] = {"prefixes": ["UNLOGGED"]}

    user_id: UUID = Field(sa_column=user_column())
    key: UUID = Field(sa_column=id_column("key"))
    ids: list[UUID] = Field(sa_column=uuids_column("ids"))
    scores: list[float] = Field(sa_column=Column("scores", ARRAY(Double), nullable=False))
    weak: list[bool | None] = Field(sa_column=Column("weak", ARRAY(Boolean), nullable=False, server_default="{}"))
    size: int = Field(sa_column=Column("size", Integer, nullable=False))
    exhausted: bool = Field(sa_column=Column("exhausted", Boolean, nullable=False))
    degradation: str | None = None
    used_at: int = Field(sa_column=ms_column("used_at"))
