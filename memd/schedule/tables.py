"""Runs of the schedule, and facts about the whole service."""

from typing import Any

from sqlalchemy import Boolean, Column, Index
from sqlmodel import Field

from memd.db.schema.base import Table, json_column, ms_column


class ScheduleRun(Table, table=True):
    """One run of a scheduled job."""

    __tablename__ = "schedule_run"
    __table_args__ = (Index("ix_schedule_run_name", "name", "started_at"),)

    name: str = Field(primary_key=True)
    started_at: int = Field(sa_column=Column("started_at", ms_column("started_at").type, primary_key=True))
    ended_at: int | None = Field(default=None, sa_column=ms_column("ended_at", nullable=True))
    ok: bool | None = Field(default=None, sa_column=Column("ok", Boolean, nullable=True))
    result: Any = Field(default=None, sa_column=json_column("result"))


class ServiceFact(Table, table=True):
    """A fact about the whole service, e.g. the last claimed slot of a scheduled job, or the version of the content policy."""

    __tablename__ = "service_fact"

    name: str = Field(primary_key=True)
    value: Any = Field(default=None, sa_column=json_column("value"))
