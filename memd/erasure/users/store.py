"""The SQL of erasing a user: every table that has rows of users, found in the catalogue so that none is forgotten."""

from typing import Any, Final, LiteralString, TypeAlias, cast
from uuid import UUID

from psycopg import AsyncConnection

from memd.db.advisory_locks import Seed
from memd.db.session import SystemSession

Owner: TypeAlias = AsyncConnection[tuple[Any, ...]]
KEPT: Final = ("app_user", "audit_entry", "audit_row", "erasure")
"""Not erased page by page: app_user goes first, notes by a function of the database; receipts and the chain hold ids."""


async def remove_account(session: SystemSession, user_id: UUID) -> UUID | None:
    """Delete the row of the user, after which none of the keys works any more; the account of an end user."""
    return await session.value("DELETE FROM app_user WHERE user_id = %(user)s RETURNING account_id", {"user": user_id})


async def is_erasing_end_users(session: SystemSession, account_id: UUID) -> bool:
    """Whether an erasure of an end user of this account has not ended."""
    return await session.value(
        """
        SELECT EXISTS (SELECT FROM erasure
                       WHERE kind = 'user' AND state <> 'done' AND target->>'account' = %(account)s)
        """,
        {"account": str(account_id)},
    )


async def wait_for_writers(session: SystemSession, user_id: UUID) -> None:
    """Wait until no transaction that began before the user was erased still writes for the user."""
    await session.execute(
        f"SELECT pg_advisory_xact_lock(hashtextextended('erasure:' || %(user)s::uuid, {Seed.NAMED}))", {"user": user_id}
    )


async def tables_of_users(session: SystemSession) -> list[str]:
    """The tables whose rows belong to users, in alphabetical order."""
    return await session.values(
        """
        SELECT c.relname::text FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
          AND a.attname = 'user_id' AND NOT a.attisdropped AND c.relname <> ALL(%(kept)s)
        ORDER BY c.relname
        """,
        {"kept": list(KEPT)},
    )


async def remove_page(session: SystemSession, table: str, user_id: UUID, limit: int) -> int:
    """Delete up to `limit` rows of the user from a table of `tables_of_users`; returns how many."""
    return await session.execute(
        f"""
        DELETE FROM {table} WHERE user_id = %(user)s
          AND ctid = ANY(ARRAY(SELECT ctid FROM {table} WHERE user_id = %(user)s LIMIT %(limit)s))
        """,
        {"user": user_id, "limit": limit},
    )


async def remove_notes(session: SystemSession, user_id: UUID, limit: int) -> int:
    """Delete up to `limit` notes of ordinary writes of an erased user; returns how many."""
    return await session.value("SELECT memd_erase_notes(%(user)s, %(limit)s)", {"user": user_id, "limit": limit})


async def remove_sign_ins(session: SystemSession, user_id: UUID) -> int:
    """Delete sign-in sessions of the device page that were opened with a key of the user; returns how many."""
    return await session.execute(
        """
        DELETE FROM device_session USING api_key k
        WHERE k.user_id = %(user)s AND device_session.key_hash IN (k.key_hash, k.previous_hash)
        """,
        {"user": user_id},
    )


async def remove_jobs(session: SystemSession, user_id: UUID, own_kind: str) -> int:
    """Delete the user's jobs that do not run now, erasures excepted; returns how many."""
    return await session.execute(
        """
        DELETE FROM procrastinate_jobs
        WHERE args->>'user_id' = %(user)s AND task_name <> %(own)s AND status <> 'doing'
        """,
        {"user": str(user_id), "own": own_kind},
    )


async def has_jobs(session: SystemSession, user_id: UUID, own_kind: str) -> bool:
    """Whether jobs of the user are left, erasures excepted."""
    return await session.value(
        """
        SELECT EXISTS (SELECT FROM procrastinate_jobs
                       WHERE args->>'user_id' = %(user)s AND task_name <> %(own)s)
        """,
        {"user": str(user_id), "own": own_kind},
    )


_CLEAR_IF_EMPTY: Final = """
SELECT pg_clear_attribute_stats('public', c.relname::text, a.attname::text, false)
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
WHERE NOT EXISTS (SELECT FROM {table})
  AND (c.oid = '{table}'::regclass OR c.oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = '{table}'::regclass))
"""
CLEARS_STATISTICS: Final = 180_000
"""The version of Postgres that has `pg_clear_attribute_stats`."""


async def analyze(owner: Owner, tables: list[str]) -> None:
    """Renew the planner's statistics of these tables: they hold samples of the values that rows had.

    ANALYZE keeps the old statistics of a table that has become empty; Postgres 18 and newer can clear them.
    """
    for table in tables:
        await owner.execute(cast("LiteralString", f"ANALYZE {table}"))
        if owner.info.server_version >= CLEARS_STATISTICS:
            await owner.execute(cast("LiteralString", _CLEAR_IF_EMPTY.format(table=table)))
