"""The SQL of lag: every part reads a partial index of rows that wait, and nothing else of a table.

The users with waiting rows are found by a skip scan over such an index (its cost is their number, not that of all users
or rows), and of each the page that its next job takes. Rows that wait for an allowance, not for work, do not count: over
all users, those of a user with a daily limit of embedding calls count from the day's beginning, and none of a user whose
background half of the day, or that of its account, is spent.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple
from uuid import UUID

from memctl.wire.enums import LagKind
from memd.db.session import SystemSession
from memd.domain.accounts.credits import ALLOWANCES
from memd.domain.dates.time_window import DAY_MS

PAGE: Final = 200
"""Rows of a user that are examined, in the order in which jobs take them."""


class Lag(NamedTuple):
    """The age in milliseconds of the oldest waiting row of a kind."""

    kind: str
    age_ms: int


class _Waiting(NamedTuple):
    """Rows that wait for background work: `where` implies the predicate of a partial index on (user_id, id)."""

    kind: LagKind
    table: str
    where: str
    since: str


_UNEMBEDDED: Final = "embedding_pending AND refused_by IS DISTINCT FROM %(model)s"
_WAITING: Final = (
    _Waiting(LagKind.EMBED_MEMORY, "memory", f"NOT archived AND {_UNEMBEDDED}", "updated_at"),
    _Waiting(LagKind.EMBED_MESSAGE, "message", _UNEMBEDDED, "created_at"),
    _Waiting(
        LagKind.GRAPH,
        "memory",
        "NOT graph_enriched AND NOT archived AND knowledge_base_id IS NULL",
        "updated_at",
    ),
    _Waiting(
        LagKind.GRAPH,
        "memory",
        "NOT graph_enriched AND NOT archived AND knowledge_base_id IS NOT NULL AND chunk_kind <> 'config'",
        "updated_at",
    ),
)
_JOBS: Final = {
    "extract_turn": LagKind.EXTRACTION,
    "extraction": LagKind.EXTRACTION,
    "reflection": LagKind.REFLECTION,
    "kb_delete_page": LagKind.KB_DELETION,
}
"""Work that no row of a table waits for, by the name of its jobs."""


_EMBEDDING: Final = frozenset({LagKind.EMBED_MEMORY, LagKind.EMBED_MESSAGE})
_LIMITS: Final = {
    policy.value: allowance.embeddings_per_day
    for policy, allowance in ALLOWANCES.items()
    if allowance.embeddings_per_day is not None
}
_POLICY_LIMITS: Final = "unnest(%(policies)s::text[], %(limits)s::int[]) AS l(policy, calls)"
_OF_POLICY: Final = "l.policy = coalesce({user}.policy, 'managed_' || {user}.tier)"
_SPENT: Final = f"""
    EXISTS (SELECT 1 FROM app_user o
            JOIN embedding_use e ON e.user_id = o.user_id AND e.day = %(day)s
            JOIN {_POLICY_LIMITS} ON {_OF_POLICY.format(user="o")}
            WHERE o.user_id IN (a.user_id, a.account_id)
              AND (e.calls >= l.calls OR e.background_calls >= l.calls / 2))
"""
"""Whether the background half of the day's calls is spent: of the user `a`, or of its account."""


def _all_users(waiting: _Waiting) -> str:
    """The users with waiting rows, one index descent each, and from when (epoch ms) these may be worked on."""
    rows = f"SELECT t.user_id FROM {waiting.table} t WHERE {waiting.where}"
    granted, limits, unspent = "0", "", ""
    if waiting.kind in _EMBEDDING:
        granted = "CASE WHEN l.calls IS NULL THEN 0 ELSE %(midnight)s END"
        limits = f"LEFT JOIN {_POLICY_LIMITS} ON {_OF_POLICY.format(user='a')}"
        unspent = f"WHERE NOT {_SPENT}"
    return f"""
        WITH RECURSIVE found(user_id) AS (
          ({rows} ORDER BY t.user_id, t.id LIMIT 1)
          UNION ALL
          SELECT ({rows} AND t.user_id > found.user_id ORDER BY t.user_id, t.id LIMIT 1)
          FROM found WHERE found.user_id IS NOT NULL)
        SELECT found.user_id, ({granted})::bigint AS granted_at
        FROM found JOIN app_user a ON a.user_id = found.user_id AND a.active {limits} {unspent}
    """


def _age_of_rows(waiting: _Waiting, users: str) -> str:
    return f"""
        SELECT '{waiting.kind}' AS kind, %(now)s - min(greatest(oldest.since, u.granted_at)) AS age_ms
        FROM ({users}) u
        CROSS JOIN LATERAL (
          SELECT t.{waiting.since} AS since FROM {waiting.table} t
          WHERE t.user_id = u.user_id AND {waiting.where} ORDER BY t.id LIMIT {PAGE}) oldest
    """


_AGE_OF_JOBS: Final = """
    SELECT k.kind, floor(extract(epoch FROM now() - least(j.due, e.at)) * 1000)::bigint AS age_ms
    FROM unnest(%(jobs)s::text[], %(kinds)s::text[]) k(job, kind)
    CROSS JOIN LATERAL (
      SELECT min(scheduled_at) AS due, min(id) FILTER (WHERE scheduled_at IS NULL) AS first
      FROM procrastinate_jobs
      WHERE task_name = k.job AND status IN ('todo', 'doing') AND (scheduled_at IS NULL OR scheduled_at <= now())
        AND (%(user)s::uuid IS NULL OR args ->> 'user_id' = %(user)s::text)) j
    LEFT JOIN LATERAL (SELECT min(at) AS at FROM procrastinate_events WHERE job_id = j.first) e ON true
"""


_AGE_OF_ERASURES: Final = f"""
    SELECT '{LagKind.ERASURE}' AS kind, %(now)s - min(created_at) AS age_ms FROM erasure
    WHERE state <> 'done' AND (%(user)s::uuid IS NULL OR user_id = %(user)s)
"""
"""One job carries out all erasures that share a lock, so the age of a job would say little."""


def _age_on_every_node(waiting: _Waiting) -> str:
    """As `_age_of_rows` for all users, of every waiting row: Citus runs this on each node, and no skip scan over users."""
    return f"""
        SELECT '{waiting.kind}' AS kind, %(now)s - min(t.{waiting.since}) AS age_ms FROM {waiting.table} t
        WHERE {waiting.where} AND t.user_id <> ALL(ARRAY(SELECT user_id FROM app_user WHERE NOT active))
    """


def _statement(parts: Iterable[str]) -> str:
    every = " UNION ALL ".join(f"({part})" for part in [*parts, _AGE_OF_JOBS, _AGE_OF_ERASURES])
    return f"""
        SELECT kind, greatest(max(age_ms), 0)::bigint AS age_ms FROM ({every}) p
        WHERE age_ms IS NOT NULL GROUP BY kind ORDER BY kind
    """


_ALL_USERS: Final = _statement(_age_of_rows(waiting, _all_users(waiting)) for waiting in _WAITING)
_EVERY_NODE: Final = _statement(map(_age_on_every_node, _WAITING))
_ONE_USER: Final = _statement(
    _age_of_rows(waiting, "SELECT %(user)s::uuid AS user_id, 0::bigint AS granted_at") for waiting in _WAITING
)


async def lags(session: SystemSession, user_id: UUID | None, model: int, now: int) -> list[Lag]:
    """The lag of every kind that has waiting rows; of one user, or of all active ones for None.

    Vectors are awaited of `model`; what it has refused does not wait.
    """
    all_users = _EVERY_NODE if session.connection.distributed else _ALL_USERS
    statement = all_users if user_id is None else _ONE_USER
    jobs = {"jobs": list(_JOBS), "kinds": [kind.value for kind in _JOBS.values()]}
    day = now // DAY_MS
    allowances = {"policies": list(_LIMITS), "limits": list(_LIMITS.values()), "day": day, "midnight": day * DAY_MS}
    return await session.rows(Lag, statement, {"user": user_id, "model": model, "now": now, **jobs, **allowances})
