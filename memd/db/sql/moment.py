"""Memories at a moment: what was true then, and the rows as they were known then (contract 17.5).

A search reads three tables: `memory`, `memory_index` and `memory_vector`. A question about a past moment reads instead
the rows that were the stored version then, together with the versions that have ended since.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple
from uuid import UUID

from memd.db.sql.version import (
    FROM_VERSIONS,
    UNCHANGED,
    VERSION_AT_MOMENT,
    RowSource,
    memory_columns,
    memory_rows,
    true_until,
    was_live,
)
from memd.domain.periods.validity import Moment


@dataclass(frozen=True, slots=True)
class Tables:
    """The FROM items of a statement: the tables, or subqueries with their columns."""

    memory: str = "memory"
    index: str = "memory_index"
    vector: str = "memory_vector"


NOW: Final = Tables()


class StoredRow(NamedTuple):
    """FROM items with all that is stored of one memory `m`, and where its words and its vector are.

    The vector is NULL where there is none, or none of `model`; its FROM item may be left out where it is not read.
    """

    joined: str
    vector_joined: str = ""
    words: str = "m.tsv"
    vector: str = "m.embedding"


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
    """A search among vectors `v`: the column that it selects, and its condition."""

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


def tables_at(moment: Moment, params: dict[str, Any], memory_id: str | None = None) -> Tables:
    """The FROM items of a search as of a moment; adds their values to `params`, which already has `user`.

    A superseded memory is live there: its period says when it was true. With `memory_id`, a column of an earlier item
    of the same FROM clause, it is the item to join with that one: the rows of that memory alone, found by index.
    """
    if not moment.is_historical:
        return NOW
    params["known_at"] = moment.known_at
    known = moment.known_at is not None
    if known:
        vector = [_unchanged("memory_vector", _VECTOR), _versions(_VECTOR, "memory_version")]
    else:
        vector = [_live("memory_vector", _VECTOR), _superseded("memory_vector", _VECTOR, known=False)]
    return Tables(
        memory=_union(memory_rows(known=known), memory_id),
        index=_union(_index_rows(EVERY_ROW, known=known), memory_id),
        vector=_union(vector, memory_id),
    )


def stored_row(moment: Moment, params: dict[str, Any], memory_id: str) -> StoredRow:
    """The stored row at the moment of the memory that `memory_id` names, a column of an earlier item of the FROM clause.

    Of a past moment, the version is found once and with it everything else; `params` hold `user` and `model` too.
    """
    if moment.known_at is None:
        found = tables_at(moment, params, memory_id)
        return StoredRow(
            f"""JOIN {found.index} i ON i.user_id = %(user)s AND i.memory_id = {memory_id}
        JOIN {found.memory} m ON m.user_id = %(user)s AND m.id = {memory_id}""",
            f"LEFT JOIN {found.vector} v ON v.user_id = %(user)s AND v.memory_id = {memory_id} AND v.model = %(model)s",
            words="i.tsv",
            vector="v.embedding",
        )
    params["known_at"] = moment.known_at
    current = f"""SELECT {memory_columns("m", "m.updated_at")}, i.tsv, v.embedding FROM memory m
        JOIN memory_index i ON i.user_id = %(user)s AND i.memory_id = m.id
        LEFT JOIN memory_vector v ON v.user_id = %(user)s AND v.memory_id = m.id AND v.model = %(model)s
        WHERE m.user_id = %(user)s AND {UNCHANGED}"""
    versions = f"""SELECT {memory_columns("(f.kept)", "o.recorded_from", "o.policy_version")}, i.tsv,
          CASE WHEN o.model = %(model)s THEN o.embedding END AS embedding
        {FROM_VERSIONS} JOIN memory_version_index i ON i.user_id = %(user)s AND i.memory_id = o.memory_id
          AND {VERSION_AT_MOMENT.replace("o.", "i.")}
        WHERE o.user_id = %(user)s AND {VERSION_AT_MOMENT}"""
    each = [RowSource(current, "m.id"), RowSource(versions, "o.memory_id")]
    return StoredRow(f"CROSS JOIN {_union(each, memory_id)} m")


def indexes(moment: Moment, params: dict[str, Any], among: PastRows) -> Sequence[str]:
    """FROM items that together hold the index rows of a past moment; `among` restricts which memories and versions are read."""
    params["known_at"] = moment.known_at
    return [f"({one.rows})" for one in _index_rows(among, known=moment.known_at is not None)]


class PastVectors(NamedTuple):
    """SELECT statements of the vectors of a past moment.

    Of memories that have not changed since, of the superseded ones among them, and of versions that have ended since.
    """

    unchanged: str
    superseded: str
    versions: str


def past_vectors(moment: Moment, params: dict[str, Any], among: PastRows) -> PastVectors:
    """The vectors of `tables_at`, separately; `unchanged` and `versions` require `moment.known_at`."""
    params["known_at"] = moment.known_at
    return PastVectors(
        _unchanged("memory_vector", _VECTOR, among.memory).rows,
        _superseded("memory_vector", _VECTOR, known=moment.known_at is not None).rows,
        _versions(_VECTOR, among.version).rows,
    )


def _union(each: Iterable[RowSource], memory_id: str | None) -> str:
    """The rows of all as a FROM item; those of one memory where `memory_id` is given."""
    if memory_id is None:
        return f"({' UNION ALL '.join(one.rows for one in each)})"
    return f"LATERAL ({' UNION ALL '.join(f'{one.rows} AND {one.memory_id} = {memory_id}' for one in each)})"


_FILTERS: Final = ("user_id", "memory_id", "knowledge_base_id", "channel", "store", "category", "project_id", "config",
                   "valid_from")  # fmt: skip
_INDEX: Final = (*_FILTERS, "tags", "created_at", "length", "tsv")
_VECTOR: Final = (*_FILTERS, "model", "embedding")


def _live(table: str, columns: Sequence[str]) -> RowSource:
    """The live rows of a narrow table."""
    select = f"SELECT {_of('n', columns)}, n.live, n.valid_until"
    return RowSource(f"{select} FROM {table} n WHERE n.user_id = %(user)s AND n.live", "n.memory_id")


def _superseded(table: str, columns: Sequence[str], *, known: bool) -> RowSource:
    """The rows of a narrow table that belong to superseded memories."""
    rows = _unchanged(table, columns, known=known)
    superseded = "NOT n.live AND m.archived AND m.archived_by = 'supersede' AND m.knowledge_base_id IS NULL"
    return RowSource(f"{rows.rows} AND {superseded}", rows.memory_id)


def _index_rows(among: PastRows, *, known: bool) -> list[RowSource]:
    """The index rows of a past moment; `memory` is joined only for superseded memories, or where `among` names a subset."""
    if not known:
        return [_live("memory_index", _INDEX), _superseded("memory_index", _INDEX, known=False)]
    versions = _versions(_INDEX, among.version_index)
    if among.memory != EVERY_ROW.memory:
        return [_unchanged("memory_index", _INDEX, among.memory), versions]
    live = _live("memory_index", _INDEX)
    unchanged = "n.created_at <= %(known_at)s AND (n.changed_at IS NULL OR n.changed_at <= %(known_at)s)"
    unchanged_live = RowSource(f"{live.rows} AND {unchanged}", live.memory_id)
    return [unchanged_live, _superseded("memory_index", _INDEX, known=True), versions]


def _unchanged(table: str, columns: Sequence[str], memory: str = "memory", *, known: bool = True) -> RowSource:
    """The rows of a narrow table that have not changed since the moment."""
    live = f"{was_live('m')} AND NOT m.blocked AS live, {true_until('m')} AS valid_until"
    joined = f"{table} n JOIN {memory} m ON m.user_id = %(user)s AND m.id = n.memory_id"
    condition = f" AND {UNCHANGED}" if known else ""
    return RowSource(f"SELECT {_of('n', columns)}, {live} FROM {joined} WHERE n.user_id = %(user)s{condition}", "m.id")


def _versions(columns: Sequence[str], version: str) -> RowSource:
    """The versions that have ended since the moment, as rows of a narrow table; those of a blocked memory are among them."""
    condition = f"o.user_id = %(user)s AND {VERSION_AT_MOMENT} AND o.{columns[-1]} IS NOT NULL"
    return RowSource(
        f"SELECT {_of('o', columns)}, o.live, o.valid_until FROM {version} o WHERE {condition}", "o.memory_id"
    )


def _of(alias: str, columns: Sequence[str]) -> str:
    return ", ".join(f"{alias}.{name}" for name in columns)
