"""The SQL of receipts: opening one, counting what a page removed, closing it."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple
from uuid import UUID

from memd.db.session import Session, SystemSession


class Receipt(NamedTuple):
    """The state of an erasure; `counts` are removed or changed rows by table.

    Those with the same `lock` are carried out one after the other.
    """

    user_id: UUID
    id: UUID
    requested_by: UUID
    kind: str
    target: dict[str, Any] | None
    state: str
    counts: dict[str, int]
    created_at: int
    finished_at: int | None
    lock: str | None = None


_COLUMNS = ", ".join(Receipt._fields)


async def find(session: SystemSession, erasure_id: UUID) -> Receipt | None:
    """One erasure."""
    rows = await session.rows(Receipt, f"SELECT {_COLUMNS} FROM erasure WHERE id = %(id)s", {"id": erasure_id})
    return rows[0] if rows else None


async def find_of_user(session: SystemSession, user_id: UUID) -> Receipt | None:
    """The erasure of this whole user."""
    rows = await session.rows(
        Receipt, f"SELECT {_COLUMNS} FROM erasure WHERE user_id = %(user)s AND kind = 'user'", {"user": user_id}
    )
    return rows[0] if rows else None


async def lock_of_user(session: SystemSession, user_id: UUID) -> Receipt | None:
    """The erasure of this whole user; it is locked until the transaction ends."""
    return await session.row(
        Receipt,
        f"SELECT {_COLUMNS} FROM erasure WHERE user_id = %(user)s AND kind = 'user' FOR UPDATE",
        {"user": user_id},
    )


async def unfinished(session: SystemSession) -> list[Receipt]:
    """The erasures that are not done, the oldest first."""
    return await session.rows(Receipt, f"SELECT {_COLUMNS} FROM erasure WHERE state <> 'done' ORDER BY id")


async def oldest_waiting(session: SystemSession, lock: str) -> Receipt | None:
    """The oldest erasure with this lock that is neither done nor retried by a job of its own."""
    return await session.row(
        Receipt,
        f"SELECT {_COLUMNS} FROM erasure WHERE lock = %(lock)s AND state <> 'done' AND NOT retried ORDER BY id LIMIT 1",
        {"lock": lock},
    )


async def set_retried(session: SystemSession, erasure_id: UUID) -> None:
    """Leave an erasure out of `oldest_waiting`."""
    await session.execute("UPDATE erasure SET retried = true WHERE id = %(id)s", {"id": erasure_id})


async def clear_retried(session: SystemSession) -> None:
    """Let `oldest_waiting` find every erasure that is not done."""
    await session.execute("UPDATE erasure SET retried = false WHERE retried AND state <> 'done'")


async def add(session: SystemSession, receipt: Receipt) -> None:
    """Open a receipt."""
    values = receipt._asdict() | {"target": json.dumps(receipt.target), "counts": json.dumps(receipt.counts)}
    await session.execute(
        f"INSERT INTO erasure ({_COLUMNS}) VALUES ({', '.join(f'%({name})s' for name in Receipt._fields)})", values
    )


async def count(session: Session, erasure_id: UUID, removed: Mapping[str, int]) -> None:
    """Add the rows that this transaction removes, by table, and mark the erasure as started."""
    await session.execute(
        "SELECT memd_count_erasure(%(id)s, %(removed)s::json)",
        {"id": erasure_id, "removed": json.dumps(dict(removed))},
    )


async def finish(session: SystemSession, erasure_id: UUID, now: int) -> int:
    """Close a receipt and drop what it looked for; 0 when it is closed already."""
    return await session.execute(
        """
        UPDATE erasure SET state = 'done', target = NULL, lock = NULL, retried = false, finished_at = %(now)s
        WHERE id = %(id)s AND state <> 'done'
        """,
        {"id": erasure_id, "now": now},
    )


async def finish_others(session: SystemSession, user_id: UUID, now: int) -> None:
    """Close the receipts of smaller erasures of a user whose rows have all been removed."""
    await session.execute(
        """
        UPDATE erasure SET state = 'done', target = NULL, lock = NULL, retried = false, finished_at = %(now)s
        WHERE user_id = %(user)s AND kind <> 'user' AND state <> 'done'
        """,
        {"user": user_id, "now": now},
    )
