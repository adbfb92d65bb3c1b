"""The SQL of standing questions."""

from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

from memd.db.advisory_locks import Seed
from memd.db.session import OwnerSession, SystemSession, WriteSession
from memd.db.sql.scope import memory_condition
from memd.domain.schedule.standing import AnswerChange
from memd.domain.visibility.scoping import ChunkScope, VisibleScopes


class Question(NamedTuple):
    """A standing question and the last change of its answer."""

    name: str
    query: str
    token_budget: int
    schedule: str
    channel: str | None
    agent_id: str | None
    all_channels: bool
    webhook_url: str | None
    webhook_secret: str | None
    created_at: int
    due_at: int
    computed_at: int | None
    complete: bool
    changed_at: int | None
    added: list[str]
    removed: list[str]
    changed: list[str]
    dead_deliveries: int


class Line(NamedTuple):
    """A line of an answer, with the id of its row and the group and heading under which it is shown."""

    row_id: UUID
    section: int
    heading: str
    line: str
    compact_line: str
    timestamp: int


class Delivery(NamedTuple):
    """A change that is to be delivered, or was."""

    id: UUID
    name: str
    added: list[str]
    removed: list[str]
    changed: list[str]
    state: str
    attempts: int
    error: str | None
    created_at: int
    ended_at: int | None


_QUESTION = f"""
SELECT {", ".join(f"q.{name}" for name in Question._fields[:-1])},
       (SELECT count(*) FROM standing_delivery d
        WHERE d.user_id = %(user)s AND d.name = q.name AND d.state = 'dead')::int AS dead_deliveries
FROM standing_question q WHERE q.user_id = %(user)s
"""
_LINES = f"SELECT {', '.join(Line._fields)} FROM standing_line WHERE user_id = %(user)s AND name = %(name)s"
_DELIVERY = f"SELECT {', '.join(Delivery._fields)} FROM standing_delivery WHERE user_id = %(user)s"


async def questions(session: OwnerSession) -> list[Question]:
    """All questions of the user, by name."""
    return await session.rows(Question, f"{_QUESTION} ORDER BY q.name", {"user": session.user_id})


async def find(session: OwnerSession, name: str) -> Question | None:
    """One question."""
    return await session.row(Question, f"{_QUESTION} AND q.name = %(name)s", _named(session, name))


async def lock(session: WriteSession, name: str) -> Question | None:
    """One question, locked until the transaction ends."""
    return await session.row(Question, f"{_QUESTION} AND q.name = %(name)s FOR UPDATE OF q", _named(session, name))


async def lock_all(session: WriteSession) -> None:
    """Serialize what adds questions of the user until the transaction ends."""
    await session.execute(
        f"SELECT pg_advisory_xact_lock(hashtextextended('standing:' || %(user)s::uuid, {Seed.NAMED}))",
        {"user": session.user_id},
    )


async def users_with_due(session: SystemSession, now: int) -> list[UUID]:
    """Users with a question that is due at `now` (epoch ms), or was answered after it by a clock that was ahead.

    The longest waiting first.
    """
    return await session.values(
        """
        SELECT user_id FROM standing_question WHERE due_at <= %(now)s OR computed_at > %(now)s
        GROUP BY user_id ORDER BY min(due_at), user_id
        """,
        {"now": now},
    )


async def add(session: WriteSession, question: Question) -> None:
    """Insert a question."""
    from memd.standing.tables import StandingQuestion

    values = question._asdict()
    del values["dead_deliveries"]
    await session.execute(*StandingQuestion(user_id=session.user_id, **values).insertion())


async def remove(session: WriteSession, name: str) -> int:
    """Delete a question with its answer and deliveries; returns how many questions."""
    removed = await session.execute(
        "DELETE FROM standing_question WHERE user_id = %(user)s AND name = %(name)s", _named(session, name)
    )
    for table in ("standing_line", "standing_delivery"):  # after a run that holds the lock of the question
        await session.execute(
            f"DELETE FROM {table} WHERE user_id = %(user)s AND name = %(name)s", _named(session, name)
        )
    return removed


async def lines(session: OwnerSession, name: str) -> list[Line]:
    """The lines of an answer as kept, the most relevant first."""
    return await session.rows(Line, f"{_LINES} ORDER BY place", _named(session, name))


async def shown_lines(
    session: OwnerSession, scopes: VisibleScopes, name: str, chunks: Sequence[tuple[UUID, ChunkScope]]
) -> list[Line]:
    """As `lines`, without those of memories that the policy blocks by now, or that the scopes do not see any more."""
    params: dict[str, Any] = {**_named(session, name)}
    visible = memory_condition(scopes.memory, chunks, "m", params)
    hidden = f"""SELECT FROM memory m WHERE m.user_id = %(user)s AND m.id = standing_line.row_id
                 AND (m.blocked OR ({visible}) IS NOT TRUE)"""
    return await session.rows(Line, f"{_LINES} AND NOT EXISTS ({hidden}) ORDER BY place", params)


async def lock_sources(session: WriteSession, row_ids: Sequence[UUID]) -> frozenset[UUID]:
    """Those memories and messages that still exist; none of them is erased before the transaction ends.

    Messages are locked before memories, as an erasure locks them.
    """
    own = {"user": session.user_id, "ids": list(row_ids)}
    found = [
        await session.values(
            f"SELECT id FROM {table} WHERE user_id = %(user)s AND id = ANY(%(ids)s) ORDER BY id FOR KEY SHARE", own
        )
        for table in ("message", "memory")
    ]
    return frozenset(row_id for ids in found for row_id in ids)


async def replace_lines(session: WriteSession, name: str, new: Sequence[Line]) -> None:
    """Replace the lines of the old answer by those of the new one."""
    own = _named(session, name)
    await session.execute("DELETE FROM standing_line WHERE user_id = %(user)s AND name = %(name)s", own)
    if new:
        await session.execute_many(
            """
            INSERT INTO standing_line (user_id, name, place, row_id, section, heading, line, compact_line, timestamp)
            VALUES (%(user)s, %(name)s, %(place)s, %(row_id)s, %(section)s, %(heading)s, %(line)s, %(compact_line)s,
                    %(timestamp)s)
            """,
            [{**own, "place": index, **line._asdict()} for index, line in enumerate(new)],
        )


async def record_run(session: WriteSession, name: str, now: int, due_at: int, *, complete: bool) -> None:
    """Note when the answer was computed and when it is due next (epoch ms), and whether nothing was left out of it."""
    await session.execute(
        """
        UPDATE standing_question SET computed_at = %(now)s, due_at = %(due)s, complete = %(complete)s
        WHERE user_id = %(user)s AND name = %(name)s
        """,
        {**_named(session, name), "now": now, "due": due_at, "complete": complete},
    )


async def postpone(session: WriteSession, name: str, due_at: int) -> None:
    """Set when a question is due next (epoch ms), without an answer."""
    await session.execute(
        "UPDATE standing_question SET due_at = %(due)s WHERE user_id = %(user)s AND name = %(name)s",
        {**_named(session, name), "due": due_at},
    )


async def record_change(session: WriteSession, name: str, now: int, change: AnswerChange) -> None:
    """Record the changes of a run."""
    await session.execute(
        """
        UPDATE standing_question
        SET changed_at = %(now)s, added = %(added)s, removed = %(removed)s, changed = %(changed)s
        WHERE user_id = %(user)s AND name = %(name)s
        """,
        {**_named(session, name), "now": now, **change._asdict()},
    )


async def add_delivery(session: WriteSession, delivery: Delivery, kept: int) -> None:
    """Insert a delivery; of each question the newest `kept` stay."""
    own = _named(session, delivery.name)
    columns = ", ".join(Delivery._fields)
    values = ", ".join(f"%({name})s" for name in Delivery._fields)
    await session.execute(
        f"INSERT INTO standing_delivery (user_id, {columns}) VALUES (%(user)s, {values})", own | delivery._asdict()
    )
    await session.execute(
        """
        DELETE FROM standing_delivery WHERE user_id = %(user)s AND name = %(name)s AND id <= (
            SELECT id FROM standing_delivery WHERE user_id = %(user)s AND name = %(name)s
            ORDER BY id DESC OFFSET %(kept)s LIMIT 1)
        """,
        own | {"kept": kept},
    )


async def deliveries(session: OwnerSession, name: str) -> list[Delivery]:
    """The deliveries of a question, newest first."""
    return await session.rows(Delivery, f"{_DELIVERY} AND name = %(name)s ORDER BY id DESC", _named(session, name))


async def find_delivery(session: OwnerSession, delivery_id: UUID) -> Delivery | None:
    """One delivery."""
    return await session.row(Delivery, f"{_DELIVERY} AND id = %(id)s", {"user": session.user_id, "id": delivery_id})


async def record_attempt(session: WriteSession, delivery: Delivery) -> int:
    """Write the state of a delivery after an attempt; 0 when it is gone or another attempt has ended it."""
    return await session.execute(
        """
        UPDATE standing_delivery
        SET state = %(state)s, attempts = %(attempts)s, error = %(error)s, ended_at = %(ended_at)s
        WHERE user_id = %(user)s AND id = %(id)s AND state = 'pending'
        """,
        {"user": session.user_id, **delivery._asdict()},
    )


def _named(session: OwnerSession, name: str) -> dict[str, object]:
    return {"user": session.user_id, "name": name}
