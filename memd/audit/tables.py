"""The chain of audited actions, and its head."""

from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, Boolean, Column, Index, LargeBinary
from sqlmodel import Field

from memd.db.schema.base import Table, json_column, ms_column, uuid_column


class AuditEntryRow(Table, table=True):
    """One audited action. Rows are added and expired by database functions only and cannot be changed."""

    __tablename__ = "audit_entry"
    __table_args__ = (
        Index("ix_audit_entry_at", "at"),
        Index("ix_audit_entry_user", "user_id", "seq"),
        Index("ix_audit_entry_action", "action", "seq"),
    )

    seq: int = Field(sa_column=Column("seq", BigInteger, primary_key=True, autoincrement=False))
    at: int = Field(sa_column=ms_column("at"))
    user_id: UUID | None = Field(default=None, sa_column=uuid_column("user_id"))
    key_id: UUID | None = Field(default=None, sa_column=uuid_column("key_id"))
    address: str | None = None
    action: str
    target: str | None = None
    outcome: str
    before: Any = Field(default=None, sa_column=json_column("before"))
    after: Any = Field(default=None, sa_column=json_column("after"))
    request_id: UUID | None = Field(default=None, sa_column=uuid_column("request_id"))
    previous_hash: bytes = Field(sa_column=Column("previous_hash", LargeBinary, nullable=False))
    hash: bytes = Field(sa_column=Column("hash", LargeBinary, nullable=False))


class AuditHead(Table, table=True):
    """The last link of the chain: the only row of its table, locked during an append."""

    __tablename__ = "audit_head"

    id: bool = Field(sa_column=Column("id", Boolean, primary_key=True, nullable=False))
    seq: int = Field(sa_column=Column("seq", BigInteger, nullable=False))
    hash: bytes = Field(sa_column=Column("hash", LargeBinary, nullable=False))
