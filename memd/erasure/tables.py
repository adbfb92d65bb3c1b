"""The receipts of erasures."""

from typing import Any
from uuid import UUID

from sqlalchemy import Index, text
from sqlmodel import Field

from memd.db.schema.base import Table, id_column, json_column, ms_column, user_column, uuid_column


class Erasure(Table, table=True):
    """One erasure: whose data, who asked, how far it is. It outlives the user, so it holds ids and numbers only.

    `target` says what a running erasure looks for (a session key, for example), `lock` what it shares with those that run
    one after the other; both are cleared at the end. One that is `retried` has a job of its own.
    """

    __tablename__ = "erasure"
    __table_args__ = (
        Index("ux_erasure_id", "id", unique=True),
        Index("ux_erasure_user", "user_id", unique=True, postgresql_where=text("kind = 'user'")),
        Index("ix_erasure_waiting", "lock", "id", postgresql_where=text("state <> 'done'")),
    )

    user_id: UUID = Field(sa_column=user_column())
    id: UUID = Field(sa_column=id_column())
    requested_by: UUID = Field(sa_column=uuid_column("requested_by", nullable=False))
    kind: str
    target: Any = Field(default=None, sa_column=json_column("target"))
    state: str
    counts: Any = Field(default=None, sa_column=json_column("counts"))
    created_at: int = Field(sa_column=ms_column("created_at"))
    finished_at: int | None = Field(default=None, sa_column=ms_column("finished_at", nullable=True))
    lock: str | None = None
    retried: bool = Field(default=False, sa_column_kwargs={"server_default": text("false")})
