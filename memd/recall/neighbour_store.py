"""The SQL of context: the memories stored just before and after each hit on its channel (contract 11.2, context)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Self
from uuid import UUID

import numpy as np
import numpy.typing as npt
from pgvector import HalfVector

from memd.db.session import Statement
from memd.db.sql.term import TermSql
from memd.db.typed_rows import ComposedRow
from memd.domain.ranking.evidence import DEFAULT_EVIDENCE_WEIGHTS
from memd.recall.lane_store import FoundMemory, MemorySearch, found_columns


@dataclass(frozen=True, slots=True)
class Neighbour(ComposedRow):
    """A memory that directly `follows` a hit on its channel, directly `precedes` one, or both; ids of the hits.

    `adjacent_cosine` is the mean cosine of a hit to its successor and `baseline_cosine` to the successor of another hit, two
    places away in time, the same in every row; None without vectors. `memory` is None for one that was known already.
    """

    memory_id: UUID
    follows: UUID | None
    precedes: UUID | None
    adjacent_cosine: float | None
    baseline_cosine: float | None
    memory: FoundMemory | None

    _fields: ClassVar[tuple[str, ...]] = (
        "memory_id",
        "follows",
        "precedes",
        "adjacent_cosine",
        "baseline_cosine",
        *FoundMemory._fields,
    )

    @classmethod
    def _make(cls, columns: Iterable[Any]) -> Self:
        """The row of a statement: the fields above, the last one as the columns of `FoundMemory`, NULL for a known one."""
        memory_id, follows, precedes, adjacent_cosine, baseline_cosine, *found = columns
        return cls(
            memory_id,
            follows,
            precedes,
            adjacent_cosine,
            baseline_cosine,
            None if found[0] is None else FoundMemory._make(found),
        )


def neighbours(
    user_id: UUID,
    search: MemorySearch,
    vector: npt.NDArray[np.float32] | None,
    hits: Iterable[FoundMemory],
    known: Iterable[UUID],
) -> Statement:
    """The neighbours of the hits, in scope and passing the filters, as the columns of `Neighbour`.

    `known` are the ids of rows that need not be read again. There is no neighbour where the gate is closed.
    """
    ordered = sorted(hits, key=lambda hit: (hit.created_at, hit.id))
    params: dict[str, Any] = {
        "user": user_id,
        "model": search.model,
        "known": list(known),
        "ids": [hit.id for hit in ordered],
        "channels": [hit.channel for hit in ordered],
        "times": [hit.created_at for hit in ordered],
        "closed_at": DEFAULT_EVIDENCE_WEIGHTS.gate_from,
        "certain_at": DEFAULT_EVIDENCE_WEIGHTS.gate_certainty,
    }
    cosine = "NULL::float8"
    if vector is not None:
        params["vector"] = HalfVector(vector.astype(np.float16))
        cosine = "1 - (v.embedding <=> %(vector)s)"
    terms = TermSql(search.terms, user_id, params)
    statement = f"""
        WITH {", ".join(f"{name} AS MATERIALIZED ({body})" for name, body in _STEPS.items())}
        SELECT b.memory_id, b.follows, b.precedes, coherence.adjacent_cosine, coherence.baseline_cosine,
               {found_columns(search, terms)}, false AS by_text, false AS by_recent, false AS may_answer, false AS states_change,
               NULL::bytea AS vector, {cosine} AS cosine, NULL::float8[] AS rarities
        FROM coherence JOIN beside b ON coherence.adjacent_cosine - coherence.baseline_cosine > %(closed_at)s * (1 - coherence.baseline_cosine)
                               AND coherence.adjacent_cosine - coherence.baseline_cosine > %(certain_at)s * coherence.standard_error
        JOIN memory_index i ON i.user_id = %(user)s AND i.memory_id = b.memory_id AND {search.within("i", params)}
        LEFT JOIN memory_vector v ON {_vector_of("v", "b.memory_id")}
        LEFT JOIN memory m ON m.user_id = %(user)s AND m.id = b.memory_id AND NOT m.id = ANY(%(known)s)
        WHERE (NOT m.archived AND NOT m.blocked) OR b.memory_id = ANY(%(known)s)
        """
    return statement, params


def _adjacent() -> str:
    """The memory just after the hit `f` on its channel, and the one just before.

    The order names every column of the index behind the user: Postgres does not see that a column that IS NULL is
    constant, and would otherwise read the user's whole history in the order of time.
    """
    order = ("knowledge_base_id", "channel", "created_at", "memory_id")
    return " UNION ALL ".join(
        f"""(SELECT {later} AS later, i.memory_id FROM memory_index i
            WHERE i.user_id = %(user)s AND i.live AND i.knowledge_base_id IS NULL AND {same_channel}
              AND (i.created_at, i.memory_id) {comparison} (f.created_at, f.memory_id)
            ORDER BY {", ".join(f"i.{column} {direction}" for column in order)} LIMIT 1)"""
        for later, comparison, direction in (("true", ">", "ASC"), ("false", "<", "DESC"))
        for same_channel in ("i.channel = f.channel", "i.channel IS NULL AND f.channel IS NULL")
    )


def _vector_of(alias: str, memory: str) -> str:
    return f"{alias}.user_id = %(user)s AND {alias}.memory_id = {memory} AND {alias}.model = %(model)s"


_STEPS: Final = {
    "hit": """SELECT * FROM unnest(%(ids)s::uuid[], %(channels)s::text[], %(times)s::bigint[])
        WITH ORDINALITY f (memory_id, channel, created_at, place)""",
    "step": f"""SELECT f.memory_id AS hit_id, f.place, s.later, s.memory_id
        FROM hit f CROSS JOIN LATERAL ({_adjacent()}) s""",
    "beside": """SELECT memory_id, (array_agg(hit_id) FILTER (WHERE later))[1] AS follows,
        (array_agg(hit_id) FILTER (WHERE NOT later))[1] AS precedes FROM step GROUP BY memory_id""",
    "successor": f"""SELECT own.embedding AS own, later.embedding AS later,
            coalesce(lead(later.embedding, 2) OVER in_time,
                     CASE WHEN lead(s.place) OVER in_time IS NULL THEN nth_value(later.embedding, 2) OVER all_times END,
                     first_value(later.embedding) OVER all_times) AS other
        FROM step s JOIN memory_vector own ON {_vector_of("own", "s.hit_id")}
        JOIN memory_vector later ON {_vector_of("later", "s.memory_id")} WHERE s.later
        WINDOW in_time AS (ORDER BY s.place),
            all_times AS (ORDER BY s.place ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)""",
    "coherence": """SELECT avg(1 - (own <=> later)) AS adjacent_cosine, avg(1 - (own <=> other)) AS baseline_cosine,
            stddev_samp((own <=> other) - (own <=> later)) / sqrt(count(*)) AS standard_error FROM successor""",
}
"""The common table expressions: the hits, the step from each to its neighbours, these once, and two mean cosines.

`other` is the successor two places further in time; after the last one comes the first.
"""
