"""The SQL of the schedule: claimed slots and results of runs."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from psycopg.types.json import Json

from memd.db.session import SystemSession
from memd.domain.schedule.clock_jump import ClockState


class LastRun(NamedTuple):
    """The newest run of a scheduled job; times in epoch ms, None while it runs."""

    name: str
    started_at: int
    ended_at: int | None
    ok: bool | None
    result: dict[str, Any] | None


RUNS_KEPT: Final = 100


async def add_entry(session: SystemSession, name: str, slot: int) -> None:
    """Start counting the slots of an entry at this one, unless it is known already."""
    await session.execute(
        "INSERT INTO service_fact (name, value) VALUES (%(name)s, %(value)s) ON CONFLICT DO NOTHING",
        {"name": f"slot:{name}", "value": Json({"slot": slot})},
    )


async def claim_slot(session: SystemSession, name: str, slot: int, latest: int) -> bool:
    """Claim a slot of an entry; False when it or a later one has been claimed.

    A claimed slot after `latest` does not count: the clock was ahead when it was claimed.
    """
    return bool(
        await session.execute(
            """
            UPDATE service_fact SET value = %(value)s
            WHERE name = %(name)s
              AND ((value->>'slot')::bigint < %(slot)s OR (value->>'slot')::bigint > %(latest)s)
            """,
            {"name": f"slot:{name}", "slot": slot, "latest": latest, "value": Json({"slot": slot})},
        )
    )


async def record_change(session: SystemSession, name: str, value: str) -> bool:
    """Store a fact about the service; returns whether its value has changed."""
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


async def save_clock_state(session: SystemSession, state: ClockState) -> None:
    """Replace the stored state of the system clock."""
    await session.execute(
        """
        INSERT INTO service_fact (name, value) VALUES ('clock', %(state)s)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value
        """,
        {"state": Json(state._asdict())},
    )


async def clock_state(session: SystemSession) -> ClockState | None:
    """The stored state of the system clock; None before the first check."""
    return await session.row(
        ClockState,
        """
        SELECT (value->>'now')::bigint AS now, value->>'boot' AS boot, (value->>'uptime_ms')::bigint AS uptime_ms,
               (value->>'ahead_ms')::bigint AS ahead_ms, (value->>'grace_ms')::bigint AS grace_ms,
               (value->>'ran_ms')::bigint AS ran_ms
        FROM service_fact WHERE name = 'clock'
        """,
        {},
    )


async def begin_run(session: SystemSession, name: str, started_at: int, latest: int) -> None:
    """Record the start of a run; only the newest hundred are kept, and none that started after `latest` (epoch ms).

    Those were recorded while the clock was ahead.
    """
    await session.execute(
        """
        INSERT INTO schedule_run (name, started_at) VALUES (%(name)s, %(at)s)
        ON CONFLICT (name, started_at) DO UPDATE SET ended_at = NULL, ok = NULL, result = NULL
        """,
        {"name": name, "at": started_at},
    )
    await session.execute(
        """
        DELETE FROM schedule_run WHERE name = %(name)s AND (started_at > %(latest)s OR started_at < (
            SELECT started_at FROM schedule_run WHERE name = %(name)s AND started_at <= %(latest)s
            ORDER BY started_at DESC OFFSET %(kept)s LIMIT 1))
        """,
        {"name": name, "latest": latest, "kept": RUNS_KEPT - 1},
    )


async def end_run(
    session: SystemSession, name: str, started_at: int, ended_at: int, result: Mapping[str, Any], *, ok: bool
) -> None:
    """Record the result of a run."""
    await session.execute(
        """
        UPDATE schedule_run SET ended_at = %(ended)s, ok = %(ok)s, result = %(result)s
        WHERE name = %(name)s AND started_at = %(started)s
        """,
        {"name": name, "started": started_at, "ended": ended_at, "ok": ok, "result": Json(dict(result))},
    )


async def last_runs(session: SystemSession, names: Sequence[str]) -> dict[str, LastRun]:
    """The newest run of each entry that has one."""
    rows = await session.rows(
        LastRun,
        """
        SELECT DISTINCT ON (name) name, started_at, ended_at, ok, result FROM schedule_run
        WHERE name = ANY(%(names)s) ORDER BY name, started_at DESC
        """,
        {"names": list(names)},
    )
    return {row.name: row for row in rows}
