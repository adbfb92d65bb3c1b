"""The SQL of the search inside knowledge bases: both lanes over the narrow rows, with the exact values of both.

`rows` fetches what an answer shows.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple
from uuid import UUID

import numpy as np
import numpy.typing as npt
from pgvector import HalfVector

from memd.db.session import ReadSession, Statement
from memd.db.sql.filter import filter_condition
from memd.db.sql.moment import tables_at
from memd.db.sql.scope import channel_condition, memory_condition
from memd.db.sql.term import TermSql
from memd.db.typed_rows import Query
from memd.domain.periods.validity import Moment
from memd.domain.ranking.word_pairs import WordPair
from memd.domain.search.recall_modes import RowFilter
from memd.domain.search.terms import SearchTerms
from memd.domain.visibility.scoping import ChunkScope, VisibleScopes
from memd.knowledge_bases.search.neighbour_store import beside
from memd.knowledge_bases.search.past_chunk_store import archived_since, past_chunks


class StoredChunk(NamedTuple):
    """A chunk as replies show it, and its values for ranking; `metadata` is JSON."""

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
    knowledge_base_id: UUID
    dedupe_key: str | None
    chunk_kind: str
    source_url: str | None
    source_type: str | None
    chunk_index: int | None
    total_chunks: int | None


class Withheld(NamedTuple):
    """How many active chunks of a knowledge base its scope does not let through; counted up to `MAX_COUNTED`."""

    base_id: UUID
    dropped: int


_CHUNK = """
m.id, m.title, m.content, m.recall_text, m.store, m.category, m.tags, m.metadata::text AS metadata, m.channel,
m.project_id, m.strength, m.confidence, m.salience_score, m.access_count, m.last_accessed_at, m.created_at,
m.knowledge_base_id, m.dedupe_key, m.chunk_kind, m.source_url, m.source_type, m.chunk_index, m.total_chunks
"""
MAX_COUNTED: Final = 1_000
"""Hidden chunks of one knowledge base that are counted."""
_FOUND: Final = ("near", "matching", "beside")


@dataclass(frozen=True, slots=True)
class ScopedBase:
    """A visible knowledge base: its number of chunks, their average length in characters, the chunks let through."""

    id: UUID
    chunks: int
    average_length: float
    scope: ChunkScope


@dataclass(frozen=True, slots=True)
class ScopedSearch:
    """A search in some knowledge bases; `depth` rows of each lane for each of them.

    The neighbours of the first `lifted` rows of each lane come along. As of `known_at` (epoch ms) later chunks are left
    out, and those archived since are found.
    """

    bases: Sequence[ScopedBase]
    terms: SearchTerms
    vector: npt.NDArray[np.float32] | None
    model: int
    depth: int
    wanted: RowFilter = field(default_factory=RowFilter)
    config_chunks: bool = False
    lifted: int = 0
    known_at: int | None = None


def sample(user_id: UUID, bases: Sequence[ScopedBase]) -> Statement:
    """The FROM clause of a sample of the visible chunks, with the alias `i`."""
    params: dict[str, Any] = {"user": user_id}
    let_through = _let_through(bases, "i", params)
    return f"memory_index i WHERE i.user_id = %(user)s AND i.live AND {let_through}", params


class FoundChunk(NamedTuple):
    """A chunk that a lane found, or a neighbour of one (neither `by_vector` nor `by_text`), with its exact values.

    `length` in characters; `cosine` None without a vector; `ranks` has the rank of each form of each word for
    `occurrences`; `pairs` are the bits of the word pairs that it holds. `frequencies`, in one row of each knowledge
    base: how many of its chunks have each word. The arrays end in values of empty places.
    """

    id: UUID
    base_id: UUID
    length: int
    source_key: int | None
    chunk_index: int | None
    cosine: float | None
    ranks: list[float]
    pairs: int
    by_vector: bool
    by_text: bool
    frequencies: list[float] | None


class FoundChunks(NamedTuple):
    """The rows of a search, and the word pairs for which their bits stand."""

    rows: Sequence[FoundChunk]
    pairs: Sequence[WordPair]


async def find(session: ReadSession, search: ScopedSearch) -> FoundChunks:
    """The best chunks of each lane and knowledge base, and the neighbours of the very best."""
    params: dict[str, Any] = {
        "user": session.user_id,
        "model": search.model,
        "depth": search.depth,
        "best": search.lifted,
        "bases": [base.id for base in search.bases],
        "chunks": [float(max(1, base.chunks)) for base in search.bases],
        "averages": [max(1.0, base.average_length) for base in search.bases],
    }
    cosine = "NULL::float8"
    if search.vector is not None:
        params["vector"] = HalfVector(search.vector.astype(np.float16))
        cosine = "1 - (v.embedding <=> %(vector)s)"
    terms = TermSql(search.terms, session.user_id, params)
    ctes = _lanes(search, terms, params)
    found = " UNION ".join(f"SELECT memory_id FROM {name}" for name in _FOUND if name in ctes)
    statement = f"""
        WITH {", ".join(f"{name} AS MATERIALIZED ({body})" for name, body in ctes.items())}
        SELECT i.memory_id AS id, i.knowledge_base_id AS base_id, i.length, i.source_key, i.chunk_index, {cosine} AS cosine,
               {terms.ranks("i.tsv", params)} AS ranks, {terms.held_pairs("i.tsv")} AS pairs,
               i.memory_id IN (SELECT memory_id FROM near) AS by_vector,
               i.memory_id IN (SELECT memory_id FROM matching) AS by_text,
               CASE WHEN row_number() OVER (PARTITION BY i.knowledge_base_id) = 1
                    THEN (SELECT df FROM known WHERE known.id = i.knowledge_base_id) END AS frequencies
        FROM memory_index i
        LEFT JOIN memory_vector v ON v.user_id = %(user)s AND v.memory_id = i.memory_id AND v.model = %(model)s
        WHERE i.user_id = %(user)s AND i.memory_id = ANY(ARRAY({found}))
        """
    return FoundChunks(await session.rows(FoundChunk, statement, params), terms.pairs)


def _lanes(search: ScopedSearch, terms: TermSql, params: dict[str, Any]) -> dict[str, str]:
    """The common table expressions: base, hit, known (word frequencies), matching (text lane), near (vector lane).

    For a search with neighbours also `beside`: those of the best chunks of each lane. As of a moment also `gone`.

    The text lane assumes that every word occurs once in its chunk, and normalises by length as BM25 does.
    """
    seen = _seen(search, "i", params)
    lanes = {
        "base": "SELECT * FROM unnest(%(bases)s::uuid[], %(chunks)s::float8[], %(averages)s::float8[]) b (id, n, average)",
        "hit": f"""SELECT i.knowledge_base_id AS base_id, i.memory_id, i.length, {terms.words("i.tsv")} AS words
            FROM memory_index i WHERE i.user_id = %(user)s AND {terms.found("i.tsv")} AND {seen}""",
        "amount": f"SELECT base_id, {terms.counted('words')} AS counted FROM hit GROUP BY base_id",
        "known": f"""SELECT b.id, b.n, b.average, {terms.frequencies("a.counted", "b.n")} AS df
            FROM base b JOIN amount a ON a.base_id = b.id""",
        "rarity": f"SELECT id, average, {terms.rarities('df', 'n')} AS idf FROM known",
        "placed": f"""SELECT memory_id, row_number() OVER (PARTITION BY base_id ORDER BY
              ({terms.weight("words", "idf")}) / (1.54 + 0.36 * length / average) DESC, memory_id) AS place
            FROM hit JOIN rarity ON rarity.id = hit.base_id""",
        "matching": "SELECT memory_id, place FROM placed WHERE place <= %(depth)s",
        "near": "SELECT NULL::uuid AS memory_id, NULL::bigint AS place WHERE false",
    }
    if search.vector is not None:
        lanes["near"] = _near(search, params)
    if search.known_at is not None:
        lanes = past_chunks(params, search.known_at) | lanes
    if search.lifted:
        lanes["beside"] = beside(seen)
    return lanes


def _near(search: ScopedSearch, params: dict[str, Any]) -> str:
    """The nearest chunks of each knowledge base; the live ones and those archived since are found by indexes of their own."""
    columns = "SELECT v.memory_id, v.embedding <=> %(vector)s AS distance FROM memory_vector v"
    of_base = "v.user_id = %(user)s AND v.model = %(model)s AND v.knowledge_base_id = b.id"
    stored = [_stored(search, "v"), *([] if search.known_at is None else [archived_since("v")])]
    passing = _passing(search, "v", params)
    found = " UNION ALL ".join(f"{columns} WHERE {of_base} AND {each} AND {passing}" for each in stored)
    return f"""SELECT n.memory_id, row_number() OVER (PARTITION BY b.id ORDER BY n.distance) AS place
            FROM base b CROSS JOIN LATERAL ({found} ORDER BY distance LIMIT %(depth)s) n"""


def rows(
    user_id: UUID,
    scopes: VisibleScopes,
    chunks: Sequence[tuple[UUID, ChunkScope]],
    chunk_ids: Sequence[UUID],
    moment: Moment | None = None,
) -> Query[StoredChunk]:
    """The full chunks among these that are visible to the request, as they were known at the moment, if one is given."""
    params: dict[str, Any] = {"user": user_id, "ids": list(chunk_ids)}
    visible = memory_condition(scopes.memory, chunks, "m", params)
    stored = "memory"
    if moment and moment.known_at is not None:
        stored = f"unnest(%(ids)s::uuid[]) asked (id) CROSS JOIN {tables_at(moment, params, 'asked.id').memory}"
    return Query(
        StoredChunk,
        f"""
        SELECT {_CHUNK} FROM {stored} m
        WHERE m.user_id = %(user)s AND m.id = ANY(%(ids)s) AND NOT m.archived AND NOT m.blocked AND {visible}
        """,
        params,
    )


async def first_chunks(session: ReadSession, search: ScopedSearch, limit: int) -> list[UUID]:
    """The first chunks by chunkIndex, of all knowledge bases of the search together."""
    params: dict[str, Any] = {"user": session.user_id, "limit": limit}
    return await session.values(
        f"""
        SELECT i.memory_id FROM memory_index i
        JOIN memory m ON m.user_id = %(user)s AND m.id = i.memory_id
        WHERE i.user_id = %(user)s AND {_seen(search, "i", params)}
        ORDER BY m.chunk_index NULLS LAST, i.created_at, i.memory_id LIMIT %(limit)s
        """,
        params,
    )


def hidden_chunks(user_id: UUID, bases: Sequence[ScopedBase]) -> Query[Withheld]:
    """For each knowledge base the active chunks that its scope does not let through."""
    params: dict[str, Any] = {"user": user_id}
    counts: list[str] = []
    for index, base in enumerate(bases):
        params[f"base_{index}"] = base.id
        kept = channel_condition(base.scope, "i.channel", params, name=f"kept_{index}")
        counts.append(
            f"""SELECT %(base_{index})s::uuid AS base_id, count(*) AS dropped FROM (
                SELECT FROM memory_index i WHERE i.user_id = %(user)s AND i.live
                AND i.knowledge_base_id = %(base_{index})s AND i.channel IS NOT NULL AND NOT {kept}
                LIMIT {MAX_COUNTED}) hidden"""
        )
    return Query(Withheld, " UNION ALL ".join(counts), params)


def _seen(search: ScopedSearch, alias: str, params: dict[str, Any]) -> str:
    """The condition on chunks that the request sees and that pass its filters."""
    stored = _stored(search, alias)
    if search.known_at is not None:
        stored = f"({stored} OR {archived_since(alias)})"
    return f"{stored} AND {_passing(search, alias, params)}"


def _stored(search: ScopedSearch, alias: str) -> str:
    """The condition that a chunk is active, and was stored by the moment, if there is one; narrow rows have other times."""
    if search.known_at is None:
        return f"{alias}.live"
    return f"""{alias}.live AND EXISTS (SELECT FROM memory stored WHERE stored.user_id = %(user)s
        AND stored.id = {alias}.memory_id AND stored.created_at <= %(known_at)s)"""


def _passing(search: ScopedSearch, alias: str, params: dict[str, Any]) -> str:
    """The condition on stored chunks that the request sees and that pass its filters."""
    config = "" if search.config_chunks else f"NOT {alias}.config AND "
    return f"{config}{_let_through(search.bases, alias, params)} AND {filter_condition(search.wanted, alias, params)}"


def _let_through(bases: Sequence[ScopedBase], alias: str, params: dict[str, Any]) -> str:
    """The condition on chunks that the scopes of their knowledge bases let through; equal scopes share a term."""
    alike: dict[ChunkScope, list[UUID]] = {}
    for base in bases:
        alike.setdefault(base.scope, []).append(base.id)
    terms: list[str] = []
    for index, (scope, ids) in enumerate(alike.items()):
        params[f"alike_{index}"] = ids
        kept = channel_condition(scope, f"{alias}.channel", params, name=f"alike_{index}")
        terms.append(f"({alias}.knowledge_base_id = ANY(%(alike_{index})s) AND {kept})")
    return f"({' OR '.join(terms)})"
