"""Standing questions, the lines of their answers, and deliveries to webhooks (contract 17.8)."""

from uuid import UUID

from sqlalchemy import Boolean, Column, Index, Integer, SmallInteger, String
from sqlmodel import Field

from memd.db.schema.base import Table, id_column, ms_column, texts_column, user_column, uuid_column


def _name_column() -> "Column[str]":
    return Column("name", String, primary_key=True, nullable=False)


class StandingQuestion(Table, table=True):
    """A query with its schedule; `added`, `removed` and `changed` are the ids of the last change of its answer."""

    __tablename__ = "standing_question"
    __table_args__ = (Index("ix_standing_question_due", "due_at"),)

    user_id: UUID = Field(sa_column=user_column())
    name: str = Field(sa_column=_name_column())
    query: str
    token_budget: int = Field(sa_column=Column("token_budget", Integer, nullable=False))
    schedule: str
    channel: str | None = None
    agent_id: str | None = None
    all_channels: bool = Field(sa_column=Column("all_channels", Boolean, nullable=False))
    webhook_url: str | None = None
    webhook_secret: str | None = None
    created_at: int = Field(sa_column=ms_column("created_at"))
    due_at: int = Field(sa_column=ms_column("due_at"))
    computed_at: int | None = Field(default=None, sa_column=ms_column("computed_at", nullable=True))
    complete: bool = Field(sa_column=Column("complete", Boolean, nullable=False))
    changed_at: int | None = Field(default=None, sa_column=ms_column("changed_at", nullable=True))
    added: list[str] = Field(sa_column=texts_column("added"))
    removed: list[str] = Field(sa_column=texts_column("removed"))
    changed: list[str] = Field(sa_column=texts_column("changed"))


class StandingLine(Table, table=True):
    """A line of an answer, kept by the row it comes from, so that it can be erased together with that row."""

    __tablename__ = "standing_line"

    user_id: UUID = Field(sa_column=user_column())
    name: str = Field(sa_column=_name_column())
    place: int = Field(sa_column=Column("place", SmallInteger, primary_key=True, nullable=False, autoincrement=False))
    row_id: UUID = Field(sa_column=uuid_column("row_id", nullable=False))
    section: int = Field(sa_column=Column("section", SmallInteger, nullable=False))
    heading: str
    line: str
    compact_line: str
    timestamp: int = Field(sa_column=ms_column("timestamp"))


class StandingDelivery(Table, table=True):
    """A change of an answer that is to be delivered, without any text: the body is built when it is sent."""

    __tablename__ = "standing_delivery"

    user_id: UUID = Field(sa_column=user_column())
    id: UUID = Field(sa_column=id_column())
    name: str
    added: list[str] = Field(sa_column=texts_column("added"))
    removed: list[str] = Field(sa_column=texts_column("removed"))
    changed: list[str] = Field(sa_column=texts_column("changed"))
    state: str
    attempts: int = Field(sa_column=Column("attempts", SmallInteger, nullable=False))
    error: str | None = None
    created_at: int = Field(sa_column=ms_column("created_at"))
    ended_at: int | None = Field(default=None, sa_column=ms_column("ended_at", nullable=True))
