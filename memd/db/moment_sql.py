"""Memories at a moment: what was true then, and the rows as they were known then (contract 17.5).

A search reads three tables: `memory`, `memory_index` and `memory_vector`. A question about a past moment reads instead
the rows that were the stored version then, together with the versions that have ended since.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple
from uuid import UUID

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
    "access_count", "last_accessed_at", "created_at",
)  # fmt: skip
"""The columns of `memory` that no version changes, and its access counters."""


@dataclass(frozen=True, slots=True)
class PastRows:
    """FROM items to search for the memories and versions of a past moment; each has the columns of its table."""

    memory: str = "memory"
    version: str = "memory_version"
    version_index: str = "memory_version_index"


EVERY_ROW: Final = PastRows()


@dataclass(frozen=True, slots=True)
class VectorIndex:
    """A vector index of one user and model, for rows of any alias; literals, so that a plan for every time sees it."""

    user_id: UUID
    model: int
    dimensions: int

    def distance(self, alias: str) -> str:
        """The cosine distance of the row to the query's vector, as the index has it."""
        return f"{alias}.embedding::halfvec({self.dimensions}) <=> %(vector)s"

    def condition(self, alias: str) -> str:
        """The condition that the row is one of this user and model."""
        return f"{alias}.user_id = '{self.user_id}'::uuid AND {alias}.model = {self.model}"


@dataclass(frozen=True, slots=True)
class Lookup:
    """A search among vectors `v`: what it selects, and on which condition."""

    select: str
    condition: str

    def among(self, vectors: str) -> str:
        """The statement; `vectors` is a FROM item with the alias `v`."""
        return f"{self.select} FROM {vectors} WHERE {self.condition}"


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
    of the same FROM clause, it is the item to join with that one: the rows of that memory alone, found by index.
    """
    if not moment.is_historical:
        return NOW
    params["known_at"] = moment.known_at
    known = moment.known_at is not None
    if known:
        vector = [_standing("memory_vector", _VECTOR), _ended(_VECTOR, "memory_version")]
    else:
        vector = [_live("memory_vector", _VECTOR), _superseded("memory_vector", _VECTOR, known=False)]
    return Sources(
        memory=_union(_memories(known=known), memory_id),
        index=_union(_index_arms(EVERY_ROW, known=known), memory_id),
        vector=_union(vector, memory_id),
    )


def indexes(moment: Moment, params: dict[str, Any], among: PastRows) -> Sequence[str]:
    """FROM items that together hold the index rows of a past moment; `among` restricts which memories and versions are read."""
    params["known_at"] = moment.known_at
    return [f"({arm.rows})" for arm in _index_arms(among, known=moment.known_at is not None)]


class PastVectors(NamedTuple):
    """SELECT statements of the vectors of a past moment.

    Of memories that have not changed since, of the superseded ones among them, and of versions that have ended since.
    """

    standing: str
    superseded: str
    ended: str


def past_vectors(moment: Moment, params: dict[str, Any], among: PastRows) -> PastVectors:
    """The vectors of `sources`, separately; `standing` and `ended` require `moment.known_at`."""
    params["known_at"] = moment.known_at
    return PastVectors(
        _standing("memory_vector", _VECTOR, among.memory).rows,
        _superseded("memory_vector", _VECTOR, known=moment.known_at is not None).rows,
        _ended(_VECTOR, among.version).rows,
    )


class _Arm(NamedTuple):
    """A SELECT statement that ends with its condition, and its column with the id of the memory."""

    rows: str
    memory_id: str


def _union(arms: Iterable[_Arm], memory_id: str | None) -> str:
    """The rows of the arms as a FROM item; those of one memory where `memory_id` is given."""
    if memory_id is None:
        return f"({' UNION ALL '.join(arm.rows for arm in arms)})"
    return f"LATERAL ({' UNION ALL '.join(f'{arm.rows} AND {arm.memory_id} = {memory_id}' for arm in arms)})"


def was_live(row: str) -> str:
    """The condition that a row with the columns of a memory counted in its time: a superseded one has a period of its own."""
    return f"(NOT {row}.archived OR {row}.archived_by IS NOT DISTINCT FROM 'supersede')"


def true_until(row: str) -> str:
    """The end (epoch ms) of the period of a row with the columns of a memory: the one given, or when it was superseded."""
    return f"coalesce({row}.valid_until, CASE WHEN {row}.archived_by = 'supersede' THEN {row}.superseded_at END)"


RECORDED_FROM: Final = "greatest(changed_at, created_at)"
"""Since when a row of `memory` is stored as it is. A condition with coalesce would not be looked up in an index:
Postgres does not know that it reveals nothing of the rows that row-level security hides."""
STANDING: Final = "m.created_at <= %(known_at)s AND coalesce(m.changed_at, m.created_at) <= %(known_at)s"
"""The condition that the row `m` of `memory` was stored at the moment as it is now."""
VERSION_GROUP: Final = 16
"""Consecutive versions of a memory: in the vector index, the first represents those with nearly the same vector."""
ENDED: Final = "o.recorded_from <= %(known_at)s AND o.recorded_until + 0 > %(known_at)s"
"""The condition that the row `o` of `memory_version` was the stored version at the moment; written so that no index of
times serves it: half of all versions may have ended since."""


def first_of_group(version: str) -> str:
    """The number of the first version in the group of `VERSION_GROUP` versions to which this one belongs."""
    return f"{version} - mod({version} - 1, {VERSION_GROUP})"


def _memories(*, known: bool) -> list[_Arm]:
    """The rows of memories. OFFSET 0: a version's JSON is parsed once per row; a record set takes twice as long."""
    lasting = ", ".join(f"m.{name}" for name in _LASTING)
    shown = [name for name in _SHOWN if name not in {"archived", "valid_until"}]

    def select(row: str, updated: str, judged_by: str = "NULL::text") -> str:
        live = f"{was_live(row)} AND NOT m.blocked"
        return (
            f"SELECT m.user_id, {lasting}, {updated} AS updated_at, {judged_by} AS judged_by, NOT ({live}) AS archived, "
            f"{true_until(row)} AS valid_until, {', '.join(f'{row}.{name}' for name in shown)}"
        )

    standing = f"{select('m', 'm.updated_at')} FROM memory m WHERE m.user_id = %(user)s"
    if not known:
        return [_Arm(standing, "m.id")]
    ended = f"""{select("(f.kept)", "o.recorded_from", "o.policy_version")} FROM memory_version o
            JOIN memory m ON m.user_id = %(user)s AND m.id = o.memory_id
            CROSS JOIN LATERAL (SELECT json_populate_record(NULL::memory, o.fields) AS kept OFFSET 0) f
            WHERE o.user_id = %(user)s AND {ENDED}"""
    return [_Arm(f"{standing} AND {STANDING}", "m.id"), _Arm(ended, "o.memory_id")]


_FILTERS: Final = ("user_id", "memory_id", "knowledge_base_id", "channel", "store", "category", "project_id", "config",
                   "valid_from")  # fmt: skip
_INDEX: Final = (*_FILTERS, "tags", "created_at", "length", "tsv")
_VECTOR: Final = (*_FILTERS, "model", "embedding")


def _live(table: str, columns: Sequence[str]) -> _Arm:
    """The live rows of a narrow table."""
    select = f"SELECT {_of('n', columns)}, n.live, n.valid_until"
    return _Arm(f"{select} FROM {table} n WHERE n.user_id = %(user)s AND n.live", "n.memory_id")


def _superseded(table: str, columns: Sequence[str], *, known: bool) -> _Arm:
    """The rows of a narrow table that belong to superseded memories."""
    standing = _standing(table, columns, known=known)
    superseded = "NOT n.live AND m.archived AND m.archived_by = 'supersede' AND m.knowledge_base_id IS NULL"
    return _Arm(f"{standing.rows} AND {superseded}", standing.memory_id)


def _index_arms(among: PastRows, *, known: bool) -> list[_Arm]:
    """The index rows of a past moment; `memory` is joined only for superseded memories, or where `among` names a subset."""
    if not known:
        return [_live("memory_index", _INDEX), _superseded("memory_index", _INDEX, known=False)]
    ended = _ended(_INDEX, among.version_index)
    if among.memory != EVERY_ROW.memory:
        return [_standing("memory_index", _INDEX, among.memory), ended]
    live = _live("memory_index", _INDEX)
    unchanged = "n.created_at <= %(known_at)s AND (n.changed_at IS NULL OR n.changed_at <= %(known_at)s)"
    unchanged_live = _Arm(f"{live.rows} AND {unchanged}", live.memory_id)
    return [unchanged_live, _superseded("memory_index", _INDEX, known=True), ended]


def _standing(table: str, columns: Sequence[str], memory: str = "memory", *, known: bool = True) -> _Arm:
    """The rows of a narrow table that have not changed since the moment."""
    live = f"{was_live('m')} AND NOT m.blocked AS live, {true_until('m')} AS valid_until"
    joined = f"{table} n JOIN {memory} m ON m.user_id = %(user)s AND m.id = n.memory_id"
    condition = f" AND {STANDING}" if known else ""
    return _Arm(f"SELECT {_of('n', columns)}, {live} FROM {joined} WHERE n.user_id = %(user)s{condition}", "m.id")


def _ended(columns: Sequence[str], version: str) -> _Arm:
    """The versions that have ended since the moment, as rows of a narrow table; those of a blocked memory are among them."""
    condition = f"o.user_id = %(user)s AND {ENDED} AND o.{columns[-1]} IS NOT NULL"
    return _Arm(f"SELECT {_of('o', columns)}, o.live, o.valid_until FROM {version} o WHERE {condition}", "o.memory_id")


def _of(alias: str, columns: Sequence[str]) -> str:
    return ", ".join(f"{alias}.{name}" for name in columns)
