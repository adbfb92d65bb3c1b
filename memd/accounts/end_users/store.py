"""The SQL of end users."""

from typing import NamedTuple
from uuid import UUID

from memd.db.session import Database, SystemSession, admit_writer


class EndUser(NamedTuple):
    """An end user as a request finds it."""

    user_id: UUID
    tier: str
    policy: str | None
    active: bool


class ListedEndUser(NamedTuple):
    """An end user as its application sees it; times in epoch ms, counts None before the first write."""

    user_id: UUID
    external_id: str
    tier: str
    policy: str | None
    active: bool
    created_at: int
    memory_count: int | None
    message_count: int | None


_END_USER = ", ".join(EndUser._fields)


async def find(database: Database, account_id: UUID, key_id: UUID, external_id: str) -> EndUser | None:
    """The end user that an account calls so, for a live service key of the account."""
    return await database.look_up(
        EndUser,
        f"SELECT {_END_USER} FROM memd_find_end_user(%(account)s, %(key)s, %(name)s)",
        {"account": account_id, "key": key_id, "name": external_id},
    )


async def create(session: SystemSession, account_id: UUID, user_id: UUID, external_id: str, now: int) -> bool:
    """Add an end user with the account's tier and policy; False when there is one of this name or no such account.

    Equal names wait here for the transaction that came first. `Unauthorized` when the account is being erased.
    """
    session.execute_later(admit_writer(account_id))
    added = await session.execute(
        """
        INSERT INTO app_user (user_id, tier, policy, created_at, account_id, external_id)
        SELECT %(user)s, tier, policy, %(now)s, user_id, %(name)s FROM app_user WHERE user_id = %(account)s
        ON CONFLICT (account_id, external_id) WHERE account_id IS NOT NULL DO NOTHING
        """,
        {"user": user_id, "account": account_id, "name": external_id, "now": now},
    )
    return added > 0


async def page(session: SystemSession, account_id: UUID, after: str, limit: int) -> list[ListedEndUser]:
    """The account's end users after a name, in the order of their names by code points."""
    return await session.rows(
        ListedEndUser,
        """
        SELECT e.user_id, e.external_id, e.tier, e.policy, e.active, e.created_at,
               t.active_memories AS memory_count, t.total_messages AS message_count
        FROM app_user e LEFT JOIN totals t USING (user_id)
        WHERE e.account_id = %(account)s AND e.external_id > %(after)s
        ORDER BY e.external_id LIMIT %(limit)s
        """,
        {"account": account_id, "after": after, "limit": limit},
    )


async def lock(session: SystemSession, account_id: UUID, external_id: str) -> UUID | None:
    """The id of one end user; its row stays locked until the transaction ends."""
    return await session.value(
        "SELECT user_id FROM app_user WHERE account_id = %(account)s AND external_id = %(name)s FOR UPDATE",
        {"account": account_id, "name": external_id},
    )


async def lock_some(session: SystemSession, account_id: UUID, limit: int) -> list[UUID]:
    """The ids of some end users of an account; their rows stay locked until the transaction ends."""
    return await session.values(
        "SELECT user_id FROM app_user WHERE account_id = %(account)s ORDER BY user_id LIMIT %(limit)s FOR UPDATE",
        {"account": account_id, "limit": limit},
    )
