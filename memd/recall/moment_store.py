"""The SQL of a past moment of a large user: how many rows it has, and which of them an index finds (contract 17.5)."""

from typing import Any, Final, NamedTuple
from uuid import UUID

from memd.db.session import Statement
from memd.db.sql.moment import EVERY_ROW, Lookup, PastRows, VectorIndex, past_vectors
from memd.db.sql.version import RECORDED_FROM, UNCHANGED, VERSION_AT_MOMENT, first_of_group
from memd.domain.periods.validity import Moment

FEW: Final = 1_000
"""Below this number of rows, every vector is compared; from here on, a vector index is used."""


_UNCHANGED: Final = f"""memory
  WHERE user_id = %(user)s AND knowledge_base_id IS NULL AND {RECORDED_FROM} <= %(known_at)s ORDER BY {RECORDED_FROM}"""
_ENDED: Final = "memory_version WHERE user_id = %(user)s AND recorded_until > %(known_at)s ORDER BY recorded_until DESC"
_BEGUN: Final = "memory_version WHERE user_id = %(user)s AND recorded_from <= %(known_at)s ORDER BY recorded_from"


def _first(rows: str) -> str:
    """The first `FEW` of the rows, in the order of an index, as a FROM item."""
    return f"(SELECT * FROM {rows} LIMIT {FEW})"


class RowCounts(NamedTuple):
    """How many rows of a past moment there may be, each number at most `FEW`.

    `unchanged` memories have not changed since; of the earlier versions, `ended` have ended since and `begun` had begun.
    `versions_indexed`: the vectors of earlier versions have an index.
    """

    unchanged: int
    ended: int
    begun: int
    versions_indexed: bool

    @property
    def rows(self) -> PastRows:
        """Where the rows of the moment are looked for: where they are few, in these alone, found by their times."""
        memory = _first(_UNCHANGED) if self.few_unchanged else EVERY_ROW.memory
        if min(self.ended, self.begun) == FEW:
            return PastRows(memory=memory)
        version = _first(_ENDED if self.ended <= self.begun else _BEGUN)
        index = f"""(SELECT i.* FROM {version} few CROSS JOIN LATERAL (SELECT * FROM memory_version_index o
          WHERE o.user_id = %(user)s AND o.memory_id = few.memory_id AND {VERSION_AT_MOMENT} OFFSET 0) i
          WHERE {VERSION_AT_MOMENT.replace("o.", "few.")})"""
        return PastRows(memory, version, index)

    @property
    def few_unchanged(self) -> bool:
        """Whether the memories that have not changed since are few."""
        return self.unchanged < FEW

    @property
    def few_versions(self) -> bool:
        """Whether the versions that have ended since are few, or have no index, so that each is compared."""
        return min(self.ended, self.begun) < FEW or not self.versions_indexed

    def versions_by_index(self, moment: Moment) -> bool:
        """Whether earlier versions are found by their vector index."""
        return moment.known_at is not None and not self.few_versions

    @property
    def all_compared(self) -> bool:
        """Whether no index is used, so that a short answer is a complete one."""
        return self.few_unchanged and self.few_versions


PRESENT: Final = RowCounts(unchanged=FEW, ended=FEW, begun=FEW, versions_indexed=True)
"""For a question that names no past state of knowledge."""


def row_counts(user_id: UUID, model: int, known_at: int) -> Statement:
    """One row of `RowCounts`, read from the indexes of times."""
    rows_by_name = {"unchanged": _UNCHANGED, "ended": _ENDED, "begun": _BEGUN}
    counts = ", ".join(f"(SELECT count(*) FROM {_first(rows)} c) AS {name}" for name, rows in rows_by_name.items())
    statement = f"""
        SELECT {counts}, EXISTS (
          SELECT FROM totals WHERE user_id = %(user)s AND indexed_versions = %(model)s) AS versions_indexed
        """
    return statement, {"user": user_id, "model": model, "known_at": known_at}


def past_lookups(
    moment: Moment, counts: RowCounts, params: dict[str, Any], compared: Lookup, by_index: Lookup
) -> list[str]:
    """Statements that together find the vectors of a past moment, each row once; their values go into `params`.

    Each compares every vector of a small set of rows, or uses the index of current rows. Many versions that have ended
    are left to `nearest_versions`.
    """
    past = past_vectors(moment, params, counts.rows)
    known = moment.known_at is not None
    if counts.few_unchanged:
        lookups = [compared.among(f"({past.unchanged}) v")]
    else:
        joined = f" JOIN memory m ON m.user_id = %(user)s AND m.id = v.memory_id AND {UNCHANGED}" if known else ""
        lookups = [by_index.among(f"memory_vector v{joined}"), compared.among(f"({past.superseded}) v")]
    return [*lookups, compared.among(f"({past.versions}) v")] if known and counts.few_versions else lookups


def nearest_versions(index: VectorIndex, compared: Lookup, depth: int) -> str:
    """A statement that finds approximately the nearest of the versions that were stored at a moment, by their index.

    An entry `e` of the index represents its own version and those of its group that are not indexed: of these, the one
    of the moment is compared. Twice the `depth` is fetched, since that one may be a little nearer or farther.
    """
    covered = f"(v.version = e.version OR (NOT v.indexed AND {first_of_group('v.version')} = e.version))"
    versions = f"memory_version v ON v.user_id = %(user)s AND v.memory_id = e.memory_id AND {covered}"
    return f"""{compared.select} FROM memory_version e JOIN {versions}
      WHERE {index.condition("e")} AND e.live AND e.knowledge_base_id IS NULL AND e.indexed
        AND {VERSION_AT_MOMENT.replace("o.", "v.")} AND {compared.condition}
      ORDER BY {index.distance("e")} LIMIT {2 * depth}"""
