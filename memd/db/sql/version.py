"""Memories and their versions: the columns of a version, which version was stored when, and both as rows of `memory`."""

from typing import Final, NamedTuple

VERSIONED: Final = {
    "title": "text",
    "content": "text",
    "recall_text": "text",
    "store": "text",
    "category": "text",
    "tags": "text[]",
    "metadata": "json",
    "channel": "text",
    "strength": "float8",
    "confidence": "float8",
    "valence": "float8",
    "arousal": "float8",
    "salience_score": "float8",
    "valid_from": "int8",
    "valid_until": "int8",
    "archived": "bool",
    "archived_at": "int8",
    "archived_by": "text",
    "superseded_by_memory_id": "uuid",
    "superseded_at": "int8",
    "action_triggers": "text[]",
    "dedupe_key": "text",
    "chunk_kind": "text",
    "source_url": "text",
    "source_type": "text",
    "chunk_index": "int4",
    "total_chunks": "int4",
    "import_id": "uuid",
    "content_hash": "text",
    "policy_version": "text",
    "policy_flags": "text[]",
}
"""The columns of `memory` that a version keeps, with their types in the record set."""
_SHOWN: Final = tuple(
    name
    for name in VERSIONED
    if name
    not in {
        "archived_at",
        "superseded_by_memory_id",
        "import_id",
        "content_hash",
        "policy_version",
        "policy_flags",
    }
)
"""The columns of a version that searches and the export read."""
_LASTING: Final = (
    "id", "blocked", "source", "agent_id", "project_id", "session_key", "namespace", "key", "knowledge_base_id",
    "access_count", "last_accessed_at", "created_at", "created_by", "source_memory_ids",
)  # fmt: skip
"""The columns of `memory` that no version changes, its access counters, and its sources, of which erasure takes some away."""


class RowSource(NamedTuple):
    """A SELECT statement that ends with its condition, and its column with the id of the memory."""

    rows: str
    memory_id: str


def was_live(row: str) -> str:
    """The condition that a row with the columns of a memory counted in its time: a superseded one has a period of its own."""
    return f"(NOT {row}.archived OR {row}.archived_by IS NOT DISTINCT FROM 'supersede')"


def true_until(row: str) -> str:
    """The end (epoch ms) of the period of a row with the columns of a memory: the one given, or when it was superseded."""
    return f"coalesce({row}.valid_until, CASE WHEN {row}.archived_by = 'supersede' THEN {row}.superseded_at END)"


RECORDED_FROM: Final = "greatest(changed_at, created_at)"
"""Since when a row of `memory` is stored as it is. A condition with coalesce would not be looked up in an index:
Postgres does not know that it reveals nothing of the rows that row-level security hides."""


def unchanged(row: str) -> str:
    """The condition that the memory `row` has not changed since the moment."""
    return f"{row}.created_at <= %(known_at)s AND coalesce({row}.changed_at, {row}.created_at) <= %(known_at)s"


UNCHANGED: Final = unchanged("m")
"""The condition that the row `m` of `memory` has not changed since the moment."""
VERSION_GROUP: Final = 16
"""Consecutive versions of a memory: in the vector index, the first represents those with nearly the same vector."""
VERSION_AT_MOMENT: Final = "o.recorded_from <= %(known_at)s AND o.recorded_until + 0 > %(known_at)s"
"""The condition that the row `o` of `memory_version` was the stored version at the moment; written so that Postgres uses
no index of times for it: half of all versions may have ended since."""


def first_of_group(version: str) -> str:
    """The number of the first version in the group of `VERSION_GROUP` versions to which this one belongs."""
    return f"{version} - mod({version} - 1, {VERSION_GROUP})"


FROM_VERSIONS: Final = """FROM memory_version o
            JOIN memory m ON m.user_id = %(user)s AND m.id = o.memory_id
            CROSS JOIN LATERAL (SELECT json_populate_record(NULL::memory, o.fields) AS kept OFFSET 0) f"""
"""OFFSET 0: the JSON is parsed once per row; a record set takes twice as long."""


def memory_columns(row: str, updated: str, policy_version: str = "NULL::text") -> str:
    """The columns of a memory, of `row`, and of the memory `m` where no version changes them.

    `policy_version` is NULL for the current row, whose text the current content rules have passed.
    """
    live = f"{was_live(row)} AND NOT m.blocked"
    lasting = ", ".join(f"m.{name}" for name in _LASTING)
    shown = [f"{row}.{name}" for name in _SHOWN if name not in {"archived", "valid_until"}]
    return (
        f"m.user_id, {lasting}, {updated} AS updated_at, {policy_version} AS policy_version, NOT ({live}) AS archived, "
        f"{true_until(row)} AS valid_until, {', '.join(shown)}"
    )


def memory_rows(*, known: bool) -> list[RowSource]:
    """The rows of memories; with `known` as they were stored at the moment."""
    current = f"SELECT {memory_columns('m', 'm.updated_at')} FROM memory m WHERE m.user_id = %(user)s"
    if not known:
        return [RowSource(current, "m.id")]
    versions = f"""SELECT {memory_columns("(f.kept)", "o.recorded_from", "o.policy_version")} {FROM_VERSIONS}
            WHERE o.user_id = %(user)s AND {VERSION_AT_MOMENT}"""
    return [RowSource(f"{current} AND {UNCHANGED}", "m.id"), RowSource(versions, "o.memory_id")]
