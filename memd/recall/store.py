"""The SQL of recall: the three lanes of ordinary memories over the narrow rows, with the stored rows of what they find."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

import numpy as np
import numpy.typing as npt
from pgvector import HalfVector

from memd.db.channels_sql import channels_of
from memd.db.filter_sql import filter_condition
from memd.db.scope_sql import channel_condition
from memd.db.session import ReadSession, Row, Statement
from memd.db.term_sql import TermSql
from memd.domain.recall_modes import RowFilter
from memd.domain.scoping import MemoryScope, VisibleScopes
from memd.domain.search_terms import SearchTerms


class FoundMemory(NamedTuple):
    """What the rank of a memory is made of and what an answer shows of it, and how a lane found it.

    `metadata` is JSON; `link_confidence` None without a link in the graph; `text_score` 0..1, None outside of the text
    lane. The vector lane tells the `cosine`; the others give the `vector`, for a query that was not embedded yet: as
    Postgres sends a halfvec, None without one.
    """

    id: UUID
    title: str
    content: str
    recall_text: str | None
    store: str
    category: str
    tags: list[str]
    metadata: str | None
    channel: str | None
    project_id: str | None
    strength: float
    confidence: float
    salience_score: float | None
    access_count: int
    last_accessed_at: int
    created_at: int
    link_confidence: float | None
    text_score: float | None
    by_text: bool
    by_recent: bool
    vector: bytes | None
    cosine: float | None


_STORED = """
m.id, m.title, m.content, m.recall_text, m.store, m.category, m.tags, m.metadata::text, m.channel, m.project_id,
m.strength, m.confidence, m.salience_score, m.access_count, m.last_accessed_at, m.created_at
"""
_LINK = "(SELECT max(n.link_confidence) FROM memory_node n WHERE n.user_id = m.user_id AND n.memory_id = m.id)"
_NO_LINK = "NULL::float8"


@dataclass(frozen=True, slots=True)
class WordLanes:
    """What the text and recent lanes look for, where, among how many memories of the user, and how deep each looks.

    Vectors are those of `model`; `charted` says that the user has a graph.
    """

    scope: MemoryScope
    wanted: RowFilter
    terms: SearchTerms
    memories: int
    model: int
    text_depth: int
    recent_depth: int
    charted: bool


@dataclass(frozen=True, slots=True)
class VectorLane:
    """What the vector lane looks for, where and how deep; `indexed` lets it use the user's index, where there is one.

    `charted` says that the user has a graph.
    """

    scope: MemoryScope
    wanted: RowFilter
    vector: npt.NDArray[np.float32]
    model: int
    depth: int
    charted: bool
    indexed: bool

    def params(self, user_id: UUID) -> dict[str, Any]:
        """The values of a statement on vectors."""
        return {"user": user_id, "model": self.model, "vector": HalfVector(self.vector.astype(np.float16))}


def survey(reading: Statement, totals: Statement, lists: Mapping[str, Statement], bases: Statement) -> Statement:
    """A row for each knowledge base, or one without any (its id None), and with it what two statements of one row tell.

    The first row also has each of the `lists`, statements of one column, as an array.
    """
    arrays = "".join(
        f", CASE WHEN b.place > 1 THEN NULL ELSE ARRAY({sql}) END AS {name}" for name, (sql, _) in lists.items()
    )
    params = {name: value for _, own in (reading, totals, *lists.values(), bases) for name, value in own.items()}
    statement = f"""
        SELECT r.*, t.*{arrays}, b.* FROM ({reading[0]}) r CROSS JOIN ({totals[0]}) t
        LEFT JOIN (SELECT row_number() OVER () AS place, k.* FROM ({bases[0]}) k) b ON true
        ORDER BY b.place
        """
    return statement, params


def channels(user_id: UUID) -> Statement:
    """The channels of the user's active ordinary memories."""
    ordinary = "live AND knowledge_base_id IS NULL"
    return channels_of(user_id, "memory_index", ordinary, sorted_by="knowledge_base_id, channel")


def sample(user_id: UUID) -> Statement:
    """What follows FROM in a statement on the user's newest ordinary memories, with the alias `i`."""
    newest = "i.user_id = %(user)s AND i.live AND i.knowledge_base_id IS NULL ORDER BY i.created_at DESC"
    return f"memory_index i WHERE {newest}", {"user": user_id}


def by_words(user_id: UUID, lanes: WordLanes) -> Statement:
    """What the text and recent lanes find, each row once, as the columns of `FoundMemory`."""
    params: dict[str, Any] = {
        "user": user_id,
        "memories": float(lanes.memories),
        "model": lanes.model,
        "text_depth": lanes.text_depth,
        "recent_depth": lanes.recent_depth,
    }
    terms = TermSql(lanes.terms, user_id, params)
    within = _within(lanes, "i", params)
    statement = f"""
        WITH hit AS MATERIALIZED (
          SELECT i.memory_id, i.created_at, {terms.words("i.tsv")} AS words
          FROM memory_index i WHERE i.user_id = %(user)s AND {terms.found("i.tsv")} AND {within}
        ), amount AS MATERIALIZED (SELECT {terms.counted("words")} AS counted FROM hit
        ), known AS MATERIALIZED (SELECT {terms.frequencies("counted", "%(memories)s")} AS df FROM amount
        ), rarity AS MATERIALIZED (SELECT {terms.rarities("df", "%(memories)s")} AS idf FROM known
        ), matching AS MATERIALIZED (
          SELECT memory_id, ({terms.weight("words", "idf")}) / ({terms.total("idf")}) AS weight FROM hit CROSS JOIN rarity
          ORDER BY weight DESC, created_at DESC, memory_id LIMIT %(text_depth)s
        ), recent AS MATERIALIZED (
          SELECT i.memory_id FROM memory_index i WHERE i.user_id = %(user)s AND {within}
          ORDER BY i.created_at DESC, i.memory_id DESC LIMIT %(recent_depth)s
        )
        SELECT {_STORED}, {_LINK if lanes.charted else _NO_LINK}, f.text_score, f.by_text, f.by_recent,
               halfvec_send(v.embedding), NULL::float8
        FROM (
          SELECT memory_id, max(weight) AS text_score, bool_or(matches) AS by_text, bool_or(NOT matches) AS by_recent
          FROM (SELECT memory_id, true AS matches, weight FROM matching
                UNION ALL SELECT memory_id, false, NULL FROM recent) l GROUP BY memory_id
        ) f JOIN memory m ON m.user_id = %(user)s AND m.id = f.memory_id
        LEFT JOIN memory_vector v ON v.user_id = %(user)s AND v.memory_id = f.memory_id AND v.model = %(model)s
        WHERE NOT m.archived AND NOT m.blocked
        """
    return statement, params


def nearest(user_id: UUID, lane: VectorLane) -> Statement:
    """What the vector lane finds, as if no other lane had found it, as the columns of `FoundMemory`."""
    params = lane.params(user_id)
    within = _within(lane, "v", params)
    statement = f"""
        WITH near AS MATERIALIZED (
          SELECT v.memory_id, 1 - (v.embedding <=> %(vector)s) AS cosine FROM memory_vector v
          WHERE {_of_user(user_id, lane)} AND {within}
          ORDER BY {_distance(lane)} LIMIT {lane.depth}
        )
        SELECT {_STORED}, {_LINK if lane.charted else _NO_LINK}, NULL::float8, false, false, NULL::bytea, near.cosine
        FROM near JOIN memory m ON m.user_id = %(user)s AND m.id = near.memory_id
        WHERE NOT m.archived AND NOT m.blocked
        """
    return statement, params


def _of_user(user_id: UUID, lane: VectorLane) -> str:
    """The user and the model of the vectors; as literals where a plan that serves every time is to see the index of both."""
    if lane.indexed:
        return f"v.user_id = '{user_id}'::uuid AND v.model = {lane.model}"
    return "v.user_id = %(user)s AND v.model = %(model)s"


def _distance(lane: VectorLane) -> str:
    """The order of the vector lane; written in the way of the index, or so that no index can serve it."""
    if lane.indexed:
        return f"v.embedding::halfvec({len(lane.vector)}) <=> %(vector)s"
    return "(v.embedding <=> %(vector)s) + 0"


def _within(lanes: WordLanes | VectorLane, alias: str, params: dict[str, Any]) -> str:
    """The condition on active ordinary memories that the request sees and that pass its filters."""
    visible = channel_condition(lanes.scope, f"{alias}.channel", params)
    filters = filter_condition(lanes.wanted, alias, params)
    return f"{alias}.live AND {alias}.knowledge_base_id IS NULL AND NOT {alias}.config AND {visible} AND {filters}"


async def nearest_of_all(
    session: ReadSession,
    scopes: VisibleScopes,
    terms: SearchTerms,
    vector: npt.NDArray[np.float32] | None,
    but: Sequence[UUID],
    limit: int,
) -> list[Row]:
    """For debugging: the user's own rows that suit the query, whatever hides or filters them.

    Rows: id, channel, store, category, tags, project_id, knowledge_base_id, archived, blocked, config.
    """
    del scopes
    params: dict[str, Any] = {"user": session.user_id, "but": list(but), "limit": limit}
    found = TermSql(terms, session.user_id, params).found("i.tsv")
    arms = [
        f"""(SELECT i.memory_id FROM memory_index i WHERE i.user_id = %(user)s AND {found}
        ORDER BY i.memory_id DESC LIMIT %(limit)s)"""
    ]
    if vector is not None:
        params["vector"] = HalfVector(vector.astype(np.float16))
        arms.append(
            """(SELECT v.memory_id FROM memory_vector v WHERE v.user_id = %(user)s
            ORDER BY v.embedding <=> %(vector)s LIMIT %(limit)s)"""
        )
    return await session.rows(
        f"""
        SELECT m.id, m.channel, m.store, m.category, m.tags, m.project_id, m.knowledge_base_id, m.archived, m.blocked,
               m.chunk_kind = 'config' AS config
        FROM memory m
        WHERE m.user_id = %(user)s AND m.id = ANY(ARRAY({" UNION ".join(arms)})) AND NOT m.id = ANY(%(but)s)
        """,
        params,
    )
