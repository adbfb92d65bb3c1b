"""The SQL of the daily allowance."""

from memd.db.session import ReadSession, WriteSession


async def used(session: ReadSession, day: int) -> int:
    """Calls of the user on a UTC day (days since 1970-01-01)."""
    return (
        await session.value(
            "SELECT calls FROM embedding_use WHERE user_id = %(user)s AND day = %(day)s",
            {"user": session.user_id, "day": day},
        )
        or 0
    )


async def take(session: WriteSession, day: int, count: int, limit: int | None, *, background: bool = False) -> int:
    """Spend up to `count` calls of the day's `limit`, background work at most half of it; returns how many were granted."""
    params = {"user": session.user_id, "day": day, "wanted": count, "background": background, "limit": limit}
    await session.execute(
        "INSERT INTO embedding_use (user_id, day) VALUES (%(user)s, %(day)s) ON CONFLICT DO NOTHING", params
    )
    return await session.value(
        """
        WITH old AS (
          SELECT calls, background_calls FROM embedding_use WHERE user_id = %(user)s AND day = %(day)s FOR UPDATE
        ), granted AS (
          SELECT CASE WHEN %(limit)s::int IS NULL THEN %(wanted)s::int
                      ELSE greatest(0, least(%(wanted)s::int, %(limit)s::int - calls,
                           CASE WHEN %(background)s THEN %(limit)s::int / 2 - background_calls ELSE %(wanted)s::int END))
                 END AS n FROM old
        )
        UPDATE embedding_use u
        SET calls = u.calls + n, background_calls = u.background_calls + CASE WHEN %(background)s THEN n ELSE 0 END
        FROM granted WHERE u.user_id = %(user)s AND u.day = %(day)s
        RETURNING n
        """,
        params,
    )


async def refund(session: WriteSession, day: int, calls: int, *, background: bool = False) -> None:
    """Undo a part of `take` in its transaction."""
    await session.execute(
        """
        UPDATE embedding_use
        SET calls = calls - %(calls)s,
            background_calls = background_calls - CASE WHEN %(background)s THEN %(calls)s ELSE 0 END
        WHERE user_id = %(user)s AND day = %(day)s
        """,
        {"user": session.user_id, "day": day, "calls": calls, "background": background},
    )


async def take_of_account(session: WriteSession, day: int, count: int, limit: int, *, background: bool = False) -> int:
    """Spend up to `count` calls of the account of an end user, as `take` does; returns how many were granted."""
    return await session.value(
        "SELECT memd_spend_account_embeddings(%(day)s, %(wanted)s, %(limit)s, %(background)s)",
        {"day": day, "wanted": count, "limit": limit, "background": background},
    )
