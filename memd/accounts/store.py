"""The SQL of users and keys."""

from typing import Any
from uuid import UUID

from psycopg.types.json import Json
from sqlalchemy import insert

from memd.accounts.tables import ApiKey, AppUser
from memd.db.session import ReadSession, Row, Session, SystemSession, WriteSession

_KEY = "id, label, scopes, created_at, last_used_at, expires_at, active"


async def find_caller(session: Session, key_hash: str) -> Row | None:
    """The live key with this hash and its live user; the only read that comes before the user is known."""
    return await session.row("SELECT * FROM memd_find_key(%(hash)s)", {"hash": key_hash})


async def touch_key(session: WriteSession, key_id: UUID, now: int) -> None:
    """Note that a key was used."""
    await session.execute(
        "UPDATE api_key SET last_used_at = %(now)s WHERE user_id = %(user)s AND id = %(id)s",
        {"user": session.user_id, "id": key_id, "now": now},
    )


async def find_user(session: Session, user_id: UUID) -> Row | None:
    """One user."""
    return await session.row(
        "SELECT user_id, name, tier, policy, admin, active, created_at FROM app_user WHERE user_id = %(user)s",
        {"user": user_id},
    )


async def find_user_by_name(session: SystemSession, name: str) -> Row | None:
    """The oldest user of this name."""
    return await session.row(
        "SELECT user_id, name, tier, policy, admin, active, created_at FROM app_user WHERE name = %(name)s "
        "ORDER BY created_at, user_id LIMIT 1",
        {"name": name},
    )


async def insert_user(session: SystemSession, user: AppUser) -> None:
    """Add a user."""
    await session.run(insert(AppUser).values(**user.model_dump()))


async def insert_key(session: Session, key: ApiKey) -> None:
    """Add a key; only its hash is in the row."""
    await session.run(insert(ApiKey).values(**key.model_dump()))


async def insert_audit(session: WriteSession, row: dict[str, Any]) -> None:
    """Add an audit row."""
    await session.execute(
        """
        INSERT INTO audit_row (user_id, id, key_id, action, ts, target_type, target_id, request_id, meta)
        VALUES (%(user)s, %(id)s, %(key_id)s, %(action)s, %(ts)s, %(target_type)s, %(target_id)s, %(request_id)s,
                %(meta)s)
        """,
        {**row, "user": session.user_id, "meta": None if row["meta"] is None else Json(row["meta"])},
    )


async def keys(session: ReadSession) -> list[Row]:
    """The user's keys, oldest first; never a hash."""
    return await session.rows(
        f"SELECT {_KEY} FROM api_key WHERE user_id = %(user)s ORDER BY created_at, id", {"user": session.user_id}
    )
