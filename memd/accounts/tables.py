"""Users, their keys and the audit trail of their writes."""

from typing import Any
from uuid import UUID

from sqlalchemy import Column, Index, String, text
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


class AppUser(Table, table=True):
    """A user; every other row in the database belongs to one.

    An end user of an application has the user of the application as `account_id`, and the application's own name for it
    as `external_id` (contract 17.1).
    """

    __tablename__ = "app_user"
    __table_args__ = (
        Index(
            "ux_app_user_external",
            "account_id",
            "external_id",
            unique=True,
            postgresql_where=text("account_id IS NOT NULL"),
        ),
    )

    user_id: UUID = Field(sa_column=user_column())
    name: str | None = None
    tier: str
    policy: str | None = None
    admin: bool = Field(sa_column=flag_column("admin", default=False))
    active: bool = Field(sa_column=flag_column("active", default=True))
    created_at: int = Field(sa_column=ms_column("created_at"))
    account_id: UUID | None = Field(default=None, sa_column=uuid_column("account_id"))
    external_id: str | None = Field(default=None, sa_column=Column("external_id", String(collation="C")))


class ApiKey(Table, table=True):
    """A key; only the SHA-256 of its secret is kept.

    After a rotation with overlap `previous_hash` works until `previous_until`. `created_by` is the key of the same user
    that made this one.
    """

    __tablename__ = "api_key"
    __table_args__ = (
        Index("ux_api_key_hash", "key_hash", unique=True),
        Index(
            "ux_api_key_previous_hash",
            "previous_hash",
            unique=True,
            postgresql_where=text("previous_hash IS NOT NULL"),
        ),
    )

    user_id: UUID = Field(sa_column=user_column())
    id: UUID = Field(sa_column=id_column())
    key_hash: str
    label: str | None = None
    scopes: list[str] = Field(sa_column=texts_column("scopes"))
    created_at: int = Field(sa_column=ms_column("created_at"))
    last_used_at: int | None = Field(default=None, sa_column=ms_column("last_used_at", nullable=True))
    active: bool = Field(sa_column=flag_column("active", default=True))
    expires_at: int | None = Field(default=None, sa_column=ms_column("expires_at", nullable=True))
    created_by: UUID | None = Field(default=None, sa_column=uuid_column("created_by"))
    allowed_addresses: list[str] = Field(default=[], sa_column=texts_column("allowed_addresses"))
    previous_hash: str | None = None
    previous_until: int | None = Field(default=None, sa_column=ms_column("previous_until", nullable=True))


class AuditRow(Table, table=True):
    """One write, by whom and on what; never its content."""

    __tablename__ = "audit_row"
    __table_args__ = (Index("ix_audit_row_ts", "user_id", "ts"),)

    user_id: UUID = Field(sa_column=user_column())
    id: UUID = Field(sa_column=id_column())
    key_id: UUID | None = None
    action: str
    ts: int = Field(sa_column=ms_column("ts"))
    target_type: str | None = None
    target_id: str | None = None
    request_id: str
    meta: Any = Field(default=None, sa_column=json_column("meta"))
