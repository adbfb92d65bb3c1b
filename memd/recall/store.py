"""The SQL of recall: the three lanes of ordinary memories over the narrow rows, and the wide rows of what they found."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import numpy as np
import numpy.typing as npt
from pgvector import HalfVector

from memd.db.channels_sql import channels_of
from memd.db.filter_sql import filter_condition
from memd.db.scope_sql import channel_condition, memory_condition
from memd.db.session import ReadSession, Row
from memd.db.term_sql import TermSql, word_shares
from memd.domain.recall_modes import RowFilter
from memd.domain.scoping import ChunkScope, MemoryScope, VisibleScopes
from memd.domain.search_terms import SearchTerm

_WIDE = """
m.id, m.title, m.content, m.recall_text, m.store, m.category, m.tags, m.metadata, m.channel, m.project_id, m.strength,
m.confidence, m.salience_score, m.access_count, m.last_accessed_at, m.created_at, m.knowledge_base_id, m.dedupe_key,
m.chunk_kind, m.source_url, m.source_type, m.chunk_index, m.total_chunks
"""


@dataclass(frozen=True, slots=True)
class ScopedLanes:
    """What the lanes look for, where, and how deep each looks."""

    scope: MemoryScope
    wanted: RowFilter
    terms: Sequence[SearchTerm]
    vector: npt.NDArray[np.float32] | None
    model: int
    vector_depth: int
    text_depth: int
    recent_depth: int


async def channels(session: ReadSession) -> list[Row]:
    """The channels of the user's active ordinary memories."""
    ordinary = "live AND knowledge_base_id IS NULL"
    return await session.rows(
        *channels_of(session.user_id, "memory_index", ordinary, sorted_by="knowledge_base_id, channel")
    )


async def shares(session: ReadSession, lanes: ScopedLanes) -> dict[str, float]:
    """For each lexeme the part 0..1 of the newest memories of the scope that have it."""
    params: dict[str, Any] = {"user": session.user_id}
    within = _within(lanes, "i", params)
    newest = f"memory_index i WHERE i.user_id = %(user)s AND {within} ORDER BY i.created_at DESC"
    return await word_shares(session, newest, params, lanes.terms)


async def find(session: ReadSession, lanes: ScopedLanes) -> list[Row]:
    """What the lanes found, each row once.

    Rows: id, cosine (None without a vector), text_score (0..1, None outside of the text lane), by_vector, by_text,
    by_recent.
    """
    params: dict[str, Any] = {
        "user": session.user_id,
        "model": lanes.model,
        "text_depth": lanes.text_depth,
        "vector_depth": lanes.vector_depth,
        "recent_depth": lanes.recent_depth,
    }
    cosine = "NULL::float8"
    if lanes.vector is not None:
        params["vector"] = HalfVector(lanes.vector.astype(np.float16))
        cosine = "1 - (v.embedding <=> %(vector)s)"
    ctes = _lanes(lanes, TermSql(lanes.terms, session.user_id, params), params)
    return await session.rows(
        f"""
        WITH {", ".join(f"{name} AS MATERIALIZED ({body})" for name, body in ctes.items())}
        SELECT f.memory_id AS id, {cosine} AS cosine,
               (SELECT t.weight FROM matching t WHERE t.memory_id = f.memory_id) AS text_score,
               f.memory_id IN (SELECT memory_id FROM near) AS by_vector,
               f.memory_id IN (SELECT memory_id FROM matching) AS by_text,
               f.memory_id IN (SELECT memory_id FROM recent) AS by_recent
        FROM (SELECT memory_id FROM near UNION SELECT memory_id FROM matching UNION SELECT memory_id FROM recent) f
        LEFT JOIN memory_vector v ON v.user_id = %(user)s AND v.memory_id = f.memory_id AND v.model = %(model)s
        """,
        params,
    )


def _lanes(lanes: ScopedLanes, terms: TermSql, params: dict[str, Any]) -> dict[str, str]:
    """The common table expressions: hit, rarity, matching (text lane), recent, near (vector lane)."""
    within, seen = _within(lanes, "i", params), _seen(lanes, "i", params)
    total = " + ".join(f"idf[{place + 1}]" for place in range(len(lanes.terms))) or "1"
    ctes = {
        "hit": f"""SELECT i.memory_id, i.created_at, {terms.words("i.tsv")} AS words
            FROM memory_index i WHERE i.user_id = %(user)s AND {terms.found("i.tsv")} AND {within}""",
        "amount": f"""SELECT {terms.counted("words")} AS counted,
            (SELECT count(*) FROM memory_index i WHERE i.user_id = %(user)s AND {seen})::float8 AS n FROM hit""",
        "known": f"SELECT {terms.frequencies('counted', 'n')} AS df, n FROM amount",
        "rarity": f"SELECT {terms.rarities('df', 'n')} AS idf FROM known",
        "matching": f"""SELECT memory_id, ({terms.weight("words", "idf")}) / ({total}) AS weight FROM hit CROSS JOIN rarity
            ORDER BY weight DESC, created_at DESC, memory_id LIMIT %(text_depth)s""",
        "recent": f"""SELECT i.memory_id FROM memory_index i WHERE i.user_id = %(user)s AND {within}
            ORDER BY i.created_at DESC, i.memory_id DESC LIMIT %(recent_depth)s""",
        "near": "SELECT NULL::uuid AS memory_id WHERE false",
    }
    if lanes.vector is not None:
        ctes["near"] = f"""SELECT v.memory_id FROM memory_vector v
            WHERE v.user_id = %(user)s AND v.model = %(model)s AND {_within(lanes, "v", params)}
            ORDER BY v.embedding <=> %(vector)s LIMIT %(vector_depth)s"""
    return ctes


def _within(lanes: ScopedLanes, alias: str, params: dict[str, Any]) -> str:
    """The condition on active ordinary memories that the request sees and that pass its filters."""
    return f"{_seen(lanes, alias, params)} AND NOT {alias}.config AND {filter_condition(lanes.wanted, alias, params)}"


def _seen(lanes: ScopedLanes, alias: str, params: dict[str, Any]) -> str:
    """The condition on active ordinary memories that the request sees; answered by an index alone."""
    visible = channel_condition(lanes.scope, f"{alias}.channel", params)
    return f"{alias}.live AND {alias}.knowledge_base_id IS NULL AND {visible}"


async def rows(
    session: ReadSession,
    scopes: VisibleScopes,
    chunks: Sequence[tuple[UUID, ChunkScope]],
    memory_ids: Sequence[UUID],
) -> dict[UUID, Row]:
    """Memories and chunks in full, by id, as far as the request sees them."""
    params: dict[str, Any] = {"user": session.user_id, "ids": list(memory_ids)}
    visible = memory_condition(scopes.memory, chunks, "m", params)
    found = await session.rows(
        f"""
        SELECT {_WIDE} FROM memory m
        WHERE m.user_id = %(user)s AND m.id = ANY(%(ids)s) AND NOT m.archived AND NOT m.blocked AND {visible}
        """,
        params,
    )
    return {row["id"]: row for row in found}


async def nearest_of_all(
    session: ReadSession,
    scopes: VisibleScopes,
    terms: Sequence[SearchTerm],
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
