"""The SQL of the schedule: which slots were taken, and how the runs went."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from psycopg.types.json import Json

from memd.db.session import Row, SystemSession

RUNS_KEPT: Final = 100


async def know(session: SystemSession, name: str, slot: int) -> None:
    """Begin to count the slots of an entry with this one, unless they are counted already."""
    await session.execute(
        "INSERT INTO service_fact (name, value) VALUES (%(name)s, %(value)s) ON CONFLICT DO NOTHING",
        {"name": f"slot:{name}", "value": Json({"slot": slot})},
    )


async def take_slot(session: SystemSession, name: str, slot: int) -> bool:
    """Take a slot of an entry; False when it or a later one is taken."""
    return bool(
        await session.execute(
            """
            UPDATE service_fact SET value = %(value)s
            WHERE name = %(name)s AND (value->>'slot')::bigint < %(slot)s
            """,
            {"name": f"slot:{name}", "slot": slot, "value": Json({"slot": slot})},
        )
    )


async def note_change(session: SystemSession, name: str, value: str) -> bool:
    """Remember a fact about the service; whether it is another one than before."""
    return bool(
        await session.execute(
            """
            INSERT INTO service_fact (name, value) VALUES (%(name)s, %(value)s)
            ON CONFLICT (name) DO UPDATE SET value = excluded.value
            WHERE service_fact.value::text <> excluded.value::text
            """,
            {"name": name, "value": Json(value)},
        )
    )


async def begin_run(session: SystemSession, name: str, started_at: int) -> None:
    """Note that a run has begun; of the earlier ones the newest hundred are kept."""
    await session.execute(
        """
        INSERT INTO schedule_run (name, started_at) VALUES (%(name)s, %(at)s)
        ON CONFLICT (name, started_at) DO UPDATE SET ended_at = NULL, ok = NULL, result = NULL
        """,
        {"name": name, "at": started_at},
    )
    await session.execute(
        """
        DELETE FROM schedule_run WHERE name = %(name)s AND started_at < (
            SELECT started_at FROM schedule_run WHERE name = %(name)s
            ORDER BY started_at DESC OFFSET %(kept)s LIMIT 1)
        """,
        {"name": name, "kept": RUNS_KEPT - 1},
    )


async def end_run(
    session: SystemSession, name: str, started_at: int, ended_at: int, result: Mapping[str, Any], *, ok: bool
) -> None:
    """Note how a run has ended."""
    await session.execute(
        """
        UPDATE schedule_run SET ended_at = %(ended)s, ok = %(ok)s, result = %(result)s
        WHERE name = %(name)s AND started_at = %(started)s
        """,
        {"name": name, "started": started_at, "ended": ended_at, "ok": ok, "result": Json(dict(result))},
    )


async def last_runs(session: SystemSession, names: Sequence[str]) -> dict[str, Row]:
    """The newest run of each entry that has one."""
    rows = await session.rows(
        """
        SELECT DISTINCT ON (name) name, started_at, ended_at, ok, result FROM schedule_run
        WHERE name = ANY(%(names)s) ORDER BY name, started_at DESC
        """,
        {"names": list(names)},
    )
    return {row["name"]: row for row in rows}
