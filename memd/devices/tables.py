"""Device requests; only hashes of the codes are kept (contract 9.3)."""

from uuid import UUID

from sqlalchemy import Boolean, Column, Index, Integer
from sqlmodel import Field

from memd.db.base import Table, ms_column, uuid_column


class DeviceRequest(Table, table=True):
    """A device that waits for its key; it has no user until one approves it."""

    __tablename__ = "device_request"
    __table_args__ = (Index("ux_device_request_user_code", "user_code_hash", unique=True),)

    device_code_hash: str = Field(primary_key=True)
    user_code_hash: str
    status: str
    client_name: str | None = None
    client_address: str | None = None
    user_id: UUID | None = Field(default=None, sa_column=uuid_column("user_id"))
    scopes: str | None = None
    delivered: bool = Field(sa_column=Column("delivered", Boolean, nullable=False, server_default="false"))
    expires_at: int = Field(sa_column=ms_column("expires_at"))
    created_at: int = Field(sa_column=ms_column("created_at"))
    last_poll_at: int | None = Field(default=None, sa_column=ms_column("last_poll_at", nullable=True))
    interval: int = Field(sa_column=Column("interval", Integer, nullable=False, server_default="5"))
