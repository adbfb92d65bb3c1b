"""The SQL of device requests and of sign-in sessions; neither has an owner, so all of it runs as the system."""

from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

from memd.db.session import SystemSession

if TYPE_CHECKING:
    from memd.devices.tables import DeviceRequest, DeviceSession


class PendingRequest(NamedTuple):
    """Where a device asks from, and what it calls itself."""

    client_name: str | None
    client_address: str


class PolledRequest(NamedTuple):
    """The columns that decide the answer to a poll; times in epoch ms, `interval` in seconds."""

    device_code_hash: str
    status: str
    client_name: str | None
    scopes: list[str]
    expires_at: int
    paid_until: int
    interval: int
    user_id: UUID | None
    approved_by: UUID | None
    key_expires_at: int | None


async def insert_request(session: SystemSession, request: "DeviceRequest") -> bool:
    """Add a request; False when one of its codes is in use."""
    return bool(
        await session.execute(
            """
            INSERT INTO device_request (device_code_hash, user_code_hash, status, client_name, client_address, scopes,
                                        expires_at, created_at, paid_until, "interval")
            VALUES (%(device_code_hash)s, %(user_code_hash)s, %(status)s, %(client_name)s, %(client_address)s,
                    %(scopes)s, %(expires_at)s, %(created_at)s, %(paid_until)s, %(interval)s)
            ON CONFLICT DO NOTHING
            """,
            request.model_dump(),
        )
    )


async def lock_request(session: SystemSession, device_code_hash: str) -> PolledRequest | None:
    """The request of a device; its polls are serialized until the transaction ends."""
    return await session.row(
        PolledRequest,
        """
        SELECT device_code_hash, status, client_name, scopes, expires_at, paid_until, "interval", user_id, approved_by,
               key_expires_at
        FROM device_request WHERE device_code_hash = %(hash)s FOR UPDATE
        """,
        {"hash": device_code_hash},
    )


async def record_poll(session: SystemSession, device_code_hash: str, paid_until: int, interval: int, now: int) -> None:
    """Remember a poll."""
    await session.execute(
        """
        UPDATE device_request SET paid_until = %(paid_until)s, "interval" = %(interval)s, last_poll_at = %(now)s
        WHERE device_code_hash = %(hash)s
        """,
        {"hash": device_code_hash, "paid_until": paid_until, "interval": interval, "now": now},
    )


async def delete_request(session: SystemSession, device_code_hash: str) -> None:
    """Forget a request whose key was handed over."""
    await session.execute("DELETE FROM device_request WHERE device_code_hash = %(hash)s", {"hash": device_code_hash})


async def find_pending(session: SystemSession, user_code_hash: str, now: int) -> PendingRequest | None:
    """The request behind a user code, as long as it may be decided."""
    return await session.row(
        PendingRequest,
        "SELECT client_name, client_address FROM device_request "
        "WHERE user_code_hash = %(hash)s AND status = 'pending' AND expires_at > %(now)s",
        {"hash": user_code_hash, "now": now},
    )


class Decision(NamedTuple):
    """The decision on a request, the key that made it, and the fields of the device's key; times in epoch ms."""

    status: str
    user_id: UUID
    approved_by: UUID | None
    scopes: list[str]
    key_expires_at: int | None


async def decide(session: SystemSession, user_code_hash: str, decision: Decision, now: int) -> bool:
    """Approve or deny the pending request behind a user code; False when there is none."""
    return bool(
        await session.execute(
            """
            UPDATE device_request
            SET status = %(status)s, user_id = %(user_id)s, approved_by = %(approved_by)s, scopes = %(scopes)s,
                key_expires_at = %(key_expires_at)s
            WHERE user_code_hash = %(hash)s AND status = 'pending' AND expires_at > %(now)s
            """,
            {**decision._asdict(), "hash": user_code_hash, "now": now},
        )
    )


async def insert_session(session: SystemSession, row: "DeviceSession") -> None:
    """Add a sign-in session."""
    await session.execute(*row.insertion())


async def find_session(session: SystemSession, token_hash: str, now: int) -> str | None:
    """The hash of the key behind a running session."""
    return await session.value(
        "SELECT key_hash FROM device_session WHERE token_hash = %(hash)s AND expires_at > %(now)s",
        {"hash": token_hash, "now": now},
    )


async def delete_session(session: SystemSession, token_hash: str) -> None:
    """End a session."""
    await session.execute("DELETE FROM device_session WHERE token_hash = %(hash)s", {"hash": token_hash})


async def delete_expired(session: SystemSession, now: int) -> int:
    """Remove requests and sessions that are over; returns how many."""
    counts = [
        await session.execute(f"DELETE FROM {table} WHERE expires_at <= %(now)s", {"now": now})
        for table in ("device_request", "device_session")
    ]
    return sum(counts)
