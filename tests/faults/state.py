"""The content of a database in a form that is equal for two runs of the same work; and invariants of every run."""

import json
import re
from collections import Counter
from collections.abc import Collection
from typing import Any, Final, TypeAlias

import psycopg

from memd.audit.chain_store import stored_chain, stored_head
from memd.domain.accounts.audit_chain import BrokenChainError, verify

State: TypeAlias = dict[str, Counter[str]]
"""The rows of each table, without what is new in every run."""

AUDIT: Final = frozenset({"audit_entry", "audit_head", "audit_row", "import_run", "erasure", "procrastinate_jobs"})
"""What is written again when the same call is made again: what was asked for, and jobs that then find nothing to do."""

_LEFT_OUT: Final = frozenset(
    {
        "alembic_version",
        "service_fact",
        "schedule_run",
        "embedding_use",
        "procrastinate_workers",
        "procrastinate_events",
    }
)
"""Facts about runs, not about data; and the allowance of embeddings, which is spent before a row is written."""
_NEW_EVERY_TIME: Final = frozenset({"source_key", "worker_id", "attempts", "extraction_job_id", "seq", "last_used_at"})
_NAMES: Final = re.compile(
    r"\b[a-z]{2,4}_[0-9a-hjkmnp-tv-z]{26}\b|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{40,}"
    r"|\d{4}-\d\d-\d\d(T[\d:.]+(\+00:00|Z)?)?|\b[A-Z][a-z]+ \d{1,2}, \d{4}\b"
)
SHOWN: Final = 700
"""Characters of a row in a difference."""
_MOMENT: Final = 100_000_000_000

_TABLES: Final = """
SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') ORDER BY relname
"""

RULES: Final = {
    "the totals are the rows": """
        SELECT u.user_id FROM app_user u LEFT JOIN totals t USING (user_id)
        WHERE (coalesce(t.active_memories, 0), coalesce(t.archived_memories, 0), coalesce(t.total_messages, 0)) <>
          (SELECT count(*) FILTER (WHERE NOT archived), count(*) FILTER (WHERE archived),
                  (SELECT count(*) FROM message g WHERE g.user_id = u.user_id)
           FROM memory m WHERE m.user_id = u.user_id AND knowledge_base_id IS NULL)""",
    "a knowledge base counts its chunks": """
        SELECT k.id FROM knowledge_base k WHERE (memory_count, total_chars) <>
          (SELECT count(*), coalesce(sum(length(content)), 0) FROM memory m
           WHERE m.user_id = k.user_id AND m.knowledge_base_id = k.id AND NOT m.archived) AND NOT k.archived""",
    "a memory has its lexemes": """
        SELECT m.id FROM memory m FULL JOIN memory_index i ON (i.user_id, i.memory_id) = (m.user_id, m.id)
        WHERE m.id IS NULL OR i.memory_id IS NULL OR i.live <> (NOT m.archived AND NOT m.blocked)""",
    "an embedded memory has its vector": """
        SELECT m.id FROM memory m FULL JOIN memory_vector v ON (v.user_id, v.memory_id) = (m.user_id, m.id)
        WHERE m.id IS NULL OR (v.memory_id IS NULL AND NOT m.embedding_pending)
          OR v.live <> (NOT m.archived AND NOT m.blocked)""",
    "a message has its lexemes": """
        SELECT m.id FROM message m FULL JOIN message_index i ON (i.user_id, i.message_id) = (m.user_id, m.id)
        WHERE m.id IS NULL OR i.message_id IS NULL""",
    "an embedded message has its vector": """
        SELECT m.id FROM message m FULL JOIN message_vector v ON (v.user_id, v.message_id) = (m.user_id, m.id)
        WHERE m.id IS NULL OR (v.message_id IS NULL AND NOT m.embedding_pending)""",
    "a turn has its messages": """
        SELECT t.turn_id FROM turn t WHERE NOT EXISTS
          (SELECT FROM message m WHERE m.user_id = t.user_id AND m.id = ANY(t.message_ids))""",
    "a trigger has its memory": """
        SELECT t.memory_id FROM trigger t LEFT JOIN memory m ON (m.user_id, m.id) = (t.user_id, t.memory_id)
        WHERE m.id IS NULL""",
    "a memory's link to the graph has both ends": """
        SELECT l.memory_id FROM memory_node l LEFT JOIN memory m ON (m.user_id, m.id) = (l.user_id, l.memory_id)
        LEFT JOIN graph_node n ON (n.user_id, n.id) = (l.user_id, l.node_id) WHERE m.id IS NULL OR n.id IS NULL""",
    "an association has both ends": """
        SELECT a.from_memory_id FROM association a
        LEFT JOIN memory f ON (f.user_id, f.id) = (a.user_id, a.from_memory_id)
        LEFT JOIN memory t ON (t.user_id, t.id) = (a.user_id, a.to_memory_id) WHERE f.id IS NULL OR t.id IS NULL""",
    "a relation of the graph has both ends": """
        SELECT r.id FROM graph_relation r LEFT JOIN graph_node f ON (f.user_id, f.id) = (r.user_id, r.from_node_id)
        LEFT JOIN graph_node t ON (t.user_id, t.id) = (r.user_id, r.to_node_id) WHERE f.id IS NULL OR t.id IS NULL""",
    "a checkpoint counts its entries": """
        SELECT id FROM checkpoint WHERE memory_count <> json_array_length(memory_snapshot::json)""",
    "a snapshot counts its messages": """
        SELECT id FROM snapshot WHERE message_count <> json_array_length(messages::json)""",
    "no job has failed": "SELECT id FROM procrastinate_jobs WHERE status IN ('failed', 'aborted', 'cancelled')",
}
"""Invariants: each statement finds the rows that break one."""


def state_of(connection: psycopg.Connection, without: Collection[str] = ()) -> State:
    """Every row of every table, users' and the service's, as comparable text."""
    tables = [name for (name,) in connection.execute(_TABLES).fetchall() if name not in {*_LEFT_OUT, *without}]
    parts = [f"SELECT '{name}', to_jsonb(t)::text FROM {name} t" for name in tables]
    state: State = {}
    if not parts:
        return state
    for name, text in connection.execute(" UNION ALL ".join(parts)).fetchall():  # pyrefly: ignore[no-matching-overload]
        state.setdefault(name, Counter())[_plain(json.loads(text))] += 1
    return state


def broken_rules(connection: psycopg.Connection) -> list[str]:
    """The rules that some row breaks, and the audit chain if it is broken."""
    found = [rule for rule, query in RULES.items() if connection.execute(query).fetchone()]  # pyrefly: ignore[no-matching-overload]
    try:
        with connection.transaction():
            verify(stored_chain(connection), stored_head(connection))
    except BrokenChainError as error:
        found.append(f"the audit chain is whole: {error}")
    return found


def difference(found: State, expected: State) -> str:
    """The first rows that one of two states has and the other has not, for people; of changed rows only what differs."""
    lines: list[str] = []
    for name in sorted(found.keys() | expected.keys()):
        more, less = (found.get(name, Counter()), expected.get(name, Counter()))
        lacking = [json.loads(row) for row in (less - more).elements()]
        for row in map(json.loads, (more - less).elements()):
            twin = max(lacking, key=lambda other: -len(_changes(other, row)), default=None)
            if twin is None:
                lines.append(f"  {name} has {json.dumps(row)[:SHOWN]}")
            else:
                lacking.remove(twin)
                lines.append(f"  {name} changes {json.dumps(_changes(twin, row))[:SHOWN]}")
        lines += [f"  {name} lacks {json.dumps(row)[:SHOWN]}" for row in lacking]
    return "\n".join(lines[:6])


def _changes(before: dict[str, Any], after: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    """The fields in which two rows of a table differ."""
    return {name: (before.get(name), value) for name, value in after.items() if before.get(name) != value}


def _plain(row: dict[str, Any]) -> str:
    kept = {name: value for name, value in row.items() if name not in _NEW_EVERY_TIME}
    if isinstance(kept.get("id"), int):
        del kept["id"]  # the number of a job
    return json.dumps(_plain_value(kept), sort_keys=True)


def _plain_value(value: Any) -> Any:
    match value:
        case dict():
            return {_NAMES.sub("#", name): _plain_value(each) for name, each in value.items() if name != "run_id"}
        case list():
            return [_plain_value(each) for each in value]
        case str():
            return _NAMES.sub("#", value)
        case float():
            return round(value, 4)
        case _:
            return 0 if isinstance(value, int) and value > _MOMENT else value
