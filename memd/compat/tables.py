"""Metric rows that clients send (contract 9.1)."""

from typing import Any
from uuid import UUID

from sqlalchemy import Index
from sqlmodel import Field

from memd.db.schema.base import Table, id_column, json_column, ms_column, user_column


class MetricRow(Table, table=True):
    """One metric of a client, kept for 30 days."""

    __tablename__ = "metric_row"
    __table_args__ = (
        Index("ix_metric_row_kind", "user_id", "kind", "created_at"),
        Index("ix_metric_row_expiry", "user_id", "expires_at"),
        Index(
            "ix_metric_row_block_times", "expires_at", postgresql_using="brin", postgresql_with={"autosummarize": "on"}
        ),
    )

    user_id: UUID = Field(sa_column=user_column())
    id: UUID = Field(sa_column=id_column())
    kind: str
    session_key: str | None = None
    channel: str | None = None
    payload: Any = Field(default=None, sa_column=json_column("payload"))
    created_at: int = Field(sa_column=ms_column("created_at"))
    expires_at: int = Field(sa_column=ms_column("expires_at"))
