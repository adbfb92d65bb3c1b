"""The SQL of a user's keys."""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from memd.db.advisory_locks import Seed
from memd.db.session import ReadSession, Statement, SystemSession


class StoredKey(NamedTuple):
    """A key without its hashes; times in epoch ms."""

    id: UUID
    label: str | None
    scopes: list[str]
    created_at: int
    last_used_at: int | None
    expires_at: int | None
    active: bool
    created_by: UUID | None
    allowed_addresses: list[str]
    previous_until: int | None


_KEY = ", ".join(StoredKey._fields)


async def keys(session: ReadSession) -> list[StoredKey]:
    """The user's keys, oldest first."""
    return await session.rows(
        StoredKey,
        f"SELECT {_KEY} FROM api_key WHERE user_id = %(user)s ORDER BY created_at, id",
        {"user": session.user_id},
    )


def _taking_turns(user_id: UUID) -> Statement:
    """Taken before the rows are read: a row lock alone would not see keys created while it waits."""
    return (
        f"SELECT pg_advisory_xact_lock(hashtextextended('keys:' || %(user)s::uuid, {Seed.NAMED}))",
        {"user": user_id},
    )


async def lock_keys(session: SystemSession, user_id: UUID) -> list[StoredKey]:
    """All keys of a user, revoked ones included; changes of them take turns until the transaction ends."""
    session.execute_later(_taking_turns(user_id))
    return await session.rows(
        StoredKey,
        f"SELECT {_KEY} FROM api_key WHERE user_id = %(user)s ORDER BY id FOR UPDATE",
        {"user": user_id},
    )


async def find_live(session: SystemSession, user_id: UUID, key_id: UUID | None, now: int) -> StoredKey | None:
    """One key of a user, if it works; it cannot be revoked until the transaction ends."""
    session.execute_later(_taking_turns(user_id))
    return await session.row(
        StoredKey,
        f"""
        SELECT {_KEY} FROM api_key
        WHERE user_id = %(user)s AND id = %(id)s AND active AND coalesce(expires_at > %(now)s, true) FOR UPDATE
        """,
        {"user": user_id, "id": key_id, "now": now},
    )


async def update(session: SystemSession, user_id: UUID, key: StoredKey) -> None:
    """Write the label, the end and the allowed addresses of a key."""
    await session.execute(
        """
        UPDATE api_key SET label = %(label)s, expires_at = %(expires_at)s, allowed_addresses = %(allowed_addresses)s
        WHERE user_id = %(user)s AND id = %(id)s
        """,
        {**key._asdict(), "user": user_id},
    )


async def replace_secret(
    session: SystemSession, user_id: UUID, key_id: UUID, key_hash: str, previous_until: int | None
) -> None:
    """Give a key another secret; the one it has keeps working until `previous_until`, any older one ends.

    Sign-in sessions of the device page that were opened with a secret that ends now end with it.
    """
    await session.execute(
        """
        WITH ended AS (
          DELETE FROM device_session USING api_key k
          WHERE k.user_id = %(user)s AND k.id = %(id)s
            AND (device_session.key_hash = k.previous_hash
                 OR (%(until)s::bigint IS NULL AND device_session.key_hash = k.key_hash))
        )
        UPDATE api_key
        SET key_hash = %(hash)s, last_used_at = NULL, previous_until = %(until)s,
            previous_hash = CASE WHEN %(until)s::bigint IS NOT NULL THEN key_hash END
        WHERE user_id = %(user)s AND id = %(id)s
        """,
        {"user": user_id, "id": key_id, "hash": key_hash, "until": previous_until},
    )


async def deactivate(session: SystemSession, user_id: UUID, key_ids: Sequence[UUID]) -> None:
    """End keys."""
    await session.execute(
        "UPDATE api_key SET active = false WHERE user_id = %(user)s AND id = ANY(%(ids)s)",
        {"user": user_id, "ids": list(key_ids)},
    )


async def forget(session: SystemSession, user_id: UUID, key_ids: Sequence[UUID]) -> None:
    """Delete keys that have ended."""
    await session.execute(
        "DELETE FROM api_key WHERE user_id = %(user)s AND id = ANY(%(ids)s)", {"user": user_id, "ids": list(key_ids)}
    )
