"""Memories at a moment: what was true then, and the rows as they were known then (contract 17.5).

A search reads three tables: `memory`, `memory_index` and `memory_vector`. A question about a past moment reads instead
the rows that were the stored version then, together with the versions that have ended since.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from memd.domain.validity import Moment


@dataclass(frozen=True, slots=True)
class Sources:
    """What a statement selects from: names of tables, or subqueries with their columns."""

    memory: str = "memory"
    index: str = "memory_index"
    vector: str = "memory_vector"


NOW: Final = Sources()
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
_SHOWN: Final = {
    name: kind
    for name, kind in VERSIONED.items()
    if name
    not in {
        "archived_at",
        "superseded_by_memory_id",
        "import_id",
        "content_hash",
        "policy_version",
        "policy_flags",
    }
}
"""The columns of a version that searches and the export read, with their types."""
_FILTERED: Final = (
    "content", "store", "category", "tags", "channel", "archived", "archived_by", "valid_from", "valid_until",
    "superseded_at", "chunk_kind",
)  # fmt: skip
"""The columns of a version that the narrow tables need: each more makes reading its JSON slower."""
_LASTING: Final = (
    "id", "blocked", "source", "agent_id", "project_id", "session_key", "namespace", "key", "knowledge_base_id",
    "access_count", "last_accessed_at", "created_at",
)  # fmt: skip
"""The columns of `memory` that no version changes, and those that are counted on."""


def period_condition(moment: Moment, alias: str, params: dict[str, Any]) -> str:
    """The condition that a row of `alias` was true at the moment; its values go into `params`."""
    params["valid_at"] = moment.valid_at
    begun = f"({alias}.valid_from IS NULL OR {alias}.valid_from <= %(valid_at)s)"
    if moment.include_ended:
        return begun
    return f"{begun} AND ({alias}.valid_until IS NULL OR {alias}.valid_until > %(valid_at)s)"


def sources(moment: Moment, params: dict[str, Any], memory_id: str | None = None) -> Sources:
    """What a search as of a moment selects from; its values go into `params`, which hold `user` too.

    A superseded memory is live there: its period says when it was true. With `memory_id`, a column of an earlier item
    of the same FROM clause, it is what to join with that item: the rows of that memory alone, found by index.
    """
    if not moment.travels:
        return NOW
    params["known_at"] = moment.known_at
    known = moment.known_at is not None
    return Sources(
        memory=_union(_memories(known=known), memory_id, known=known),
        index=_union(_narrow("memory_index", "tags, created_at, length, tsv", known=known), memory_id, known=known),
        vector=_union(_narrow("memory_vector", "model, embedding", known=known), memory_id, known=known),
    )


def _union(arms: tuple[str, str], memory_id: str | None, *, known: bool) -> str:
    lateral, one = ("", "") if memory_id is None else ("LATERAL ", f" AND m.id = {memory_id}")
    return f"{lateral}({' UNION ALL '.join(arm + one for arm in arms[: 1 + known])})"


_LIVE: Final = "(NOT {f}.archived OR {f}.archived_by = 'supersede') AND NOT m.blocked"
_UNTIL: Final = "coalesce({f}.valid_until, CASE WHEN {f}.archived_by = 'supersede' THEN {f}.superseded_at END)"
_STANDING: Final = " AND m.created_at <= %(known_at)s AND coalesce(m.changed_at, m.created_at) <= %(known_at)s"


def _ended(names: Iterable[str]) -> str:
    """The versions that were stored at the moment and have ended since: `o`, with these fields as `f`, and `m`."""
    return f"""
        memory_version o JOIN memory m ON m.user_id = %(user)s AND m.id = o.memory_id
        CROSS JOIN LATERAL json_to_record(o.fields) AS f({", ".join(f"{name} {_SHOWN[name]}" for name in names)})
        WHERE o.user_id = %(user)s AND o.recorded_from <= %(known_at)s AND o.recorded_until > %(known_at)s
        """


def _memories(*, known: bool) -> tuple[str, str]:
    lasting = ", ".join(f"m.{name}" for name in _LASTING)
    shown = [name for name in _SHOWN if name not in {"archived", "valid_until"}]
    columns = ["{f}." + name for name in shown]
    select = (
        f"SELECT m.user_id, {lasting}, {{updated}} AS updated_at, NOT ({_LIVE}) AS archived, {_UNTIL} AS valid_until"
    )
    select += f", {', '.join(columns)}"
    standing = _STANDING if known else ""
    return (
        f"{select.format(f='m', updated='m.updated_at')} FROM memory m WHERE m.user_id = %(user)s{standing}",
        f"{select.format(f='f', updated='o.recorded_from')} FROM {_ended(_SHOWN)}",
    )


def _narrow(table: str, more: str, *, known: bool) -> tuple[str, str]:
    """A narrow table as it was, with its additional columns `more`."""
    own = [name.strip() for name in more.split(",")]
    standing = _STANDING if known else ""
    filters = "n.knowledge_base_id, n.channel, n.store, n.category, n.project_id, n.config, n.valid_from"
    then = "m.knowledge_base_id, f.channel, f.store, f.category, m.project_id, f.chunk_kind = 'config', f.valid_from"
    kept = {"tags": "f.tags", "created_at": "m.created_at", "length": "length(f.content)"}
    return (
        f"""SELECT n.user_id, n.memory_id, {_LIVE.format(f="m")} AS live, {filters},
                   {_UNTIL.format(f="m")} AS valid_until, {", ".join(f"n.{name}" for name in own)}
            FROM {table} n JOIN memory m ON m.user_id = %(user)s AND m.id = n.memory_id
            WHERE n.user_id = %(user)s{standing}""",
        f"""SELECT o.user_id, o.memory_id, {_LIVE.format(f="f")} AS live, {then} AS valid_from,
                   {_UNTIL.format(f="f")} AS valid_until, {", ".join(kept.get(name, f"o.{name}") for name in own)}
            FROM {_ended(_FILTERED)}{" AND o.embedding IS NOT NULL" if "embedding" in own else " AND o.tsv IS NOT NULL"}""",
    )
