"""Device requests and the sign-in sessions of the page; only hashes of codes and tokens are kept (contract 9.3)."""

from uuid import UUID

from sqlalchemy import Column, Index, Integer
from sqlmodel import Field

from memd.db.schema.base import Table, ms_column, texts_column, uuid_column


class DeviceRequest(Table, table=True):
    """A device that waits for its key; it has no user until one approves it, and is gone once it has its key."""

    __tablename__ = "device_request"
    __table_args__ = (
        Index("ux_device_request_user_code", "user_code_hash", unique=True),
        Index("ix_device_request_expiry", "expires_at"),
    )

    device_code_hash: str = Field(primary_key=True)
    user_code_hash: str
    status: str
    client_name: str | None = None
    client_address: str
    user_id: UUID | None = Field(default=None, sa_column=uuid_column("user_id"))
    approved_by: UUID | None = Field(default=None, sa_column=uuid_column("approved_by"))
    key_expires_at: int | None = Field(default=None, sa_column=ms_column("key_expires_at", nullable=True))
    scopes: list[str] = Field(sa_column=texts_column("scopes"))
    expires_at: int = Field(sa_column=ms_column("expires_at"))
    created_at: int = Field(sa_column=ms_column("created_at"))
    last_poll_at: int | None = Field(default=None, sa_column=ms_column("last_poll_at", nullable=True))
    paid_until: int = Field(sa_column=ms_column("paid_until"))
    interval: int = Field(sa_column=Column("interval", Integer, nullable=False))


class DeviceSession(Table, table=True):
    """A sign-in on the page; lasts ten minutes."""

    __tablename__ = "device_session"
    __table_args__ = (Index("ix_device_session_expiry", "expires_at"),)

    token_hash: str = Field(primary_key=True)
    key_hash: str
    expires_at: int = Field(sa_column=ms_column("expires_at"))
