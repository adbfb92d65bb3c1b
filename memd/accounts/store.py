"""The SQL of users and keys."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from uuid import UUID

from psycopg import Error

from memd.db.session import Database, Session, Statement, SystemSession, WriteSession, admit_writer

if TYPE_CHECKING:
    from memd.accounts.tables import ApiKey, AppUser


class LiveKey(NamedTuple):
    """A key and its user, both live; `expires_at` (epoch ms) is the end of the secret that was sent."""

    user_id: UUID
    id: UUID
    label: str | None
    scopes: list[str]
    expires_at: int | None
    last_used_at: int | None
    allowed_addresses: list[str]
    tier: str
    policy: str | None
    admin: bool
    has_end_users: bool


class User(NamedTuple):
    """A user; `created_at` in epoch ms. An end user comes with the tier and the policy of its account."""

    user_id: UUID
    name: str | None
    tier: str
    policy: str | None
    admin: bool
    active: bool
    created_at: int
    account_id: UUID | None
    external_id: str | None
    account_tier: str | None
    account_policy: str | None
    has_end_users: bool


class NamedUser(NamedTuple):
    """A user by name."""

    user_id: UUID
    name: str | None


class CountedUser(NamedTuple):
    """A user with the number of active memories; None before the first write."""

    user_id: UUID
    name: str | None
    tier: str
    policy: str | None
    admin: bool
    active: bool
    created_at: int
    account_id: UUID | None
    external_id: str | None
    memory_count: int | None


_COUNTED = "user_id, name, tier, policy, admin, active, created_at, account_id, external_id"
_LIVE_KEY = ", ".join(LiveKey._fields)


async def find_caller(database: Database, key_hash: str) -> LiveKey | None:
    """The live key with this hash and its live user; the only read that comes before the user is known."""
    return await database.look_up(LiveKey, f"SELECT {_LIVE_KEY} FROM memd_find_key(%(hash)s)", {"hash": key_hash})


async def touch_key(session: WriteSession, key_id: UUID, now: int) -> None:
    """Record the last use of a key."""
    await session.execute(
        "UPDATE api_key SET last_used_at = %(now)s WHERE user_id = %(user)s AND id = %(id)s",
        {"user": session.user_id, "id": key_id, "now": now},
    )


async def find_user(session: Session, user_id: UUID) -> User | None:
    """One user."""
    return await session.row(
        User,
        """
        SELECT u.user_id, u.name, u.tier, u.policy, u.admin, u.active AND coalesce(a.active, true) AS active,
               u.created_at, u.account_id, u.external_id, a.tier AS account_tier, a.policy AS account_policy,
               EXISTS (SELECT FROM app_user e WHERE e.account_id = u.user_id) AS has_end_users
        FROM app_user u LEFT JOIN app_user a ON a.user_id = u.account_id
        WHERE u.user_id = %(user)s
        """,
        {"user": user_id},
    )


async def has_users(session: SystemSession) -> bool:
    """Whether there is any user."""
    return await session.value("SELECT EXISTS (SELECT FROM app_user)")


async def first_administrator(session: SystemSession, name: str) -> NamedUser | None:
    """The active administrator of this name, else the one who was there first."""
    return await session.row(
        NamedUser,
        """
        SELECT user_id, name FROM app_user WHERE admin AND active
        ORDER BY name IS NOT DISTINCT FROM %(name)s DESC, created_at, user_id LIMIT 1
        """,
        {"name": name},
    )


async def insert_user(session: SystemSession, user: "AppUser") -> None:
    """Add a user."""
    await session.execute(*user.insertion())


async def insert_key(session: SystemSession, key: "ApiKey") -> None:
    """Add a key; only its hash is in the row. `Unauthorized` when its user has been erased."""
    await session.execute_all(admit_writer(key.user_id), key.insertion())


class AuditNote(NamedTuple):
    """A row of `audit_row`: an ordinary write of a user, without its content."""

    user_id: UUID
    id: UUID
    key_id: UUID | None
    action: str
    ts: int
    target_type: str | None
    target_id: str | None
    request_id: str
    meta: dict[str, Any] | None


_AUDIT: Final = "INSERT INTO audit_row (user_id, id, key_id, action, ts, target_type, target_id, request_id, meta)"
_AUDIT_OF_FEW: Final = 5
"""Up to so many rows go as values, which is the fastest for them: psycopg re-parses statements of more than 50 parameters."""
_AUDIT_OF_MANY: Final = f"""
{_AUDIT}
SELECT own.user_id, note.id, note.key_id, note.action, note.ts, note.target_type, note.target_id, note.request_id,
       note.meta::json
FROM totals own CROSS JOIN
     unnest(%(id)s::uuid[], %(key_id)s::uuid[], %(action)s::text[], %(ts)s::int8[], %(target_type)s::text[],
            %(target_id)s::text[], %(request_id)s::text[], %(meta)s::text[])
     AS note(id, key_id, action, ts, target_type, target_id, request_id, meta)
WHERE own.user_id = %(user_id)s
"""


def auditing(notes: Sequence[AuditNote]) -> Statement:
    """The statement that inserts audit rows of the acting user, who must have totals if they are more than five."""
    if len(notes) > _AUDIT_OF_FEW:
        columns = dict(zip(AuditNote._fields, map(list, zip(*notes, strict=True)), strict=True))
        metas = [None if note.meta is None else json.dumps(note.meta) for note in notes]
        return _AUDIT_OF_MANY, {**columns, "user_id": notes[0].user_id, "meta": metas}
    rows = [f"({', '.join(f'%({name}_{index})s' for name in AuditNote._fields)})" for index in range(len(notes))]
    params = {f"{name}_{index}": value for index, note in enumerate(notes) for name, value in note._asdict().items()}
    return f"{_AUDIT} VALUES {', '.join(rows)}", params


async def insert_audit(session: Session, notes: Sequence[AuditNote]) -> None:
    """Add audit rows; when that fails, the transaction is as it was before."""
    await session.flush()
    try:
        await session.execute_all(("SAVEPOINT audit", {}), auditing(notes), ("RELEASE audit", {}))
    except Error:
        await session.execute("ROLLBACK TO audit")
        raise


async def live_key_hashes(session: SystemSession, user_id: UUID, hashes: Sequence[str], now: int) -> set[str]:
    """Those of the hashes that belong to valid secrets of the user; requests themselves never see a hash."""
    found = await session.values(
        """
        SELECT unnest(ARRAY[key_hash, CASE WHEN previous_until > %(now)s THEN previous_hash END]) FROM api_key
        WHERE user_id = %(user)s AND active AND (key_hash = ANY(%(hashes)s) OR previous_hash = ANY(%(hashes)s))
        """,
        {"user": user_id, "hashes": list(hashes), "now": now},
    )
    return set(hashes).intersection(found)


async def keeps_admin(
    session: SystemSession, user_id: UUID, key_ids: Sequence[UUID] | None, ends_at: int | None, now: int
) -> bool:
    """Whether a live key can still administrate memd when these keys of a user end at `ends_at` (epoch ms).

    True while another live key can administrate, and when the last such key does not end sooner than it does now. None
    for `key_ids` means all keys of the user, None for `ends_at` no end. All administrators stay locked until the
    transaction ends, so that two transactions cannot end the last two keys; call it before locking a single user.
    """
    return await session.value(
        "SELECT memd_keeps_admin(%(user)s, %(keys)s::uuid[], %(end)s, %(now)s)",
        {"user": user_id, "keys": None if key_ids is None else list(key_ids), "end": ends_at, "now": now},
    )


async def user_page(session: SystemSession, after: tuple[int, UUID] | None, limit: int) -> list[CountedUser]:
    """Users in creation order, after a position, with the number of their active memories."""
    created_at, user_id = after or (-1, UUID(int=0))
    return await session.rows(
        CountedUser,
        f"""
        SELECT {_COUNTED}, totals.active_memories AS memory_count
        FROM app_user LEFT JOIN totals USING (user_id)
        WHERE (created_at, user_id) > (%(created_at)s, %(user)s)
        ORDER BY created_at, user_id LIMIT %(limit)s
        """,
        {"created_at": created_at, "user": user_id, "limit": limit},
    )


async def lock_user(session: SystemSession, user_id: UUID) -> CountedUser | None:
    """One user with the number of active memories; changes of it take turns until the transaction ends."""
    return await session.row(
        CountedUser,
        f"""
        SELECT {_COUNTED}, totals.active_memories AS memory_count
        FROM app_user LEFT JOIN totals USING (user_id)
        WHERE user_id = %(user)s FOR UPDATE OF app_user
        """,
        {"user": user_id},
    )


async def update_user(session: SystemSession, user: CountedUser) -> None:
    """Write the fields that an administrator may change."""
    await session.execute(
        """
        UPDATE app_user
        SET name = %(name)s, tier = %(tier)s, policy = %(policy)s, admin = %(admin)s, active = %(active)s
        WHERE user_id = %(user_id)s
        """,
        user._asdict(),
    )
