"""The SQL of the three lanes of ordinary memories over the narrow rows, with the stored rows of their hits."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple
from uuid import UUID

import numpy as np
import numpy.typing as npt
from pgvector import HalfVector

from memd.db.session import Statement
from memd.db.sql.derived import learned_at
from memd.db.sql.filter import filter_condition
from memd.db.sql.moment import NOW, Lookup, VectorIndex, indexes, period_condition, stored_row, tables_at
from memd.db.sql.scope import channel_condition
from memd.db.sql.term import TermSql
from memd.domain.facts.succession import DatedStatement
from memd.domain.periods.validity import Moment
from memd.domain.questions.due import AskedDue
from memd.domain.questions.facts import AskedFact
from memd.domain.questions.time_only import AskedTime
from memd.domain.search.recall_modes import RowFilter
from memd.domain.search.terms import SearchTerms
from memd.domain.text_analysis.language import Language
from memd.domain.visibility.scoping import MemoryScope
from memd.recall import answer_store
from memd.recall.moment_store import PRESENT, RowCounts, nearest_versions, past_lookups


class FoundMemory(NamedTuple):
    """A memory as a lane found it: the values that rank it and those that an answer shows.

    `metadata` is JSON; `learned_at` (epoch ms) is when the newest source of a derived memory was stored;
    `policy_version` is that of the content rules that an earlier version passed, None for the current row;
    `link_confidence` is None without a link in the graph. `words` and `pairs` are those of the query that it holds,
    as bits; `may_answer` says that it may answer the question, `states_change` that its words say that something
    changed. The text and recent lanes give its `vector`, for a query that was not embedded yet: as Postgres sends a
    halfvec, None without one; the others its `cosine`. `rarities` of the query's words are in the first row of the
    text and recent lanes only.
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
    valid_from: int | None
    valid_until: int | None
    learned_at: int
    policy_version: str | None
    link_confidence: float | None
    words: int
    pairs: int
    by_text: bool
    by_recent: bool
    may_answer: bool
    states_change: bool
    vector: bytes | None
    cosine: float | None
    rarities: Sequence[float] | None

    @property
    def statement(self) -> DatedStatement:
        """When the memory was learned, and the period that it states."""
        return DatedStatement(self.learned_at, self.valid_from, self.valid_until, self.states_change, self.id.int)


_STORED = """
m.id, m.title, m.content, m.recall_text, m.store, m.category, m.tags, m.metadata::text AS metadata, m.channel, m.project_id,
m.strength, m.confidence, m.salience_score, m.access_count, m.last_accessed_at, m.created_at,
m.valid_from, m.valid_until
"""
_NEWEST_FIRST: Final = "ORDER BY i.created_at DESC, i.memory_id DESC"
_LINK = "(SELECT max(n.link_confidence) FROM memory_node n WHERE n.user_id = %(user)s AND n.memory_id = m.id)"

MAX_COUNTED: Final = 10_000
"""Memories in scope that are counted for the rarity of words; above it, the total of the user is used."""


@dataclass(frozen=True, slots=True)
class MemorySearch:
    """The parameters that all statements of one search among ordinary memories share.

    `memories` is the number of the user's memories; `whole` says that all of them are in scope and pass the filters,
    `indexed` that the vectors of the current ones have an index, `has_graph` that there is a graph. Vectors are those
    of `model`; `moment` is the time that is asked about, `counts` says how many rows it has. `question` is what the query
    asks for where memories can answer it: an attribute, what is due, or what was stored in a time. `unrelated` is the
    cosine that unrelated memories may have; `language` that of the query.
    """

    scope: MemoryScope
    wanted: RowFilter
    terms: SearchTerms
    memories: int
    whole: bool
    model: int
    indexed: bool
    has_graph: bool
    moment: Moment
    counts: RowCounts = PRESENT
    question: AskedFact | AskedDue | AskedTime | None = None
    unrelated: float = 0.0
    language: Language = Language.ENGLISH

    def within(self, alias: str, params: dict[str, Any]) -> str:
        """The condition on active ordinary memories, true at the moment, that the request sees and that pass its filters."""
        visible = channel_condition(self.scope, f"{alias}.channel", params)
        filters = filter_condition(self.wanted, alias, params, tables_at(self.moment, params, f"{alias}.memory_id"))
        true_then = period_condition(self.moment, alias, params)
        ordinary = f"{alias}.live AND {alias}.knowledge_base_id IS NULL AND NOT {alias}.config"
        return f"{ordinary} AND {true_then} AND {visible} AND {filters}"

    def indexes(self, params: dict[str, Any]) -> Sequence[str]:
        """FROM items that together have the index rows of the moment; their values go into `params`."""
        if not self.moment.is_historical:
            return [NOW.index]
        return indexes(self.moment, params, self.counts.rows)

    @property
    def link(self) -> str:
        """The best link of the memory `m` in the graph; NULL for a user without a graph."""
        return _LINK if self.has_graph else "NULL::float8"


def found_columns(search: MemorySearch, terms: TermSql, tsv: str = "i.tsv") -> str:
    """The columns of `FoundMemory` up to `pairs`, of a memory `m` with its words in the column `tsv`."""
    words, pairs = terms.words(tsv), terms.held_pairs(tsv)
    policy_version = "m.policy_version" if search.moment.is_historical else "NULL::text AS policy_version"
    learned = f"{learned_at('m')} AS learned_at"
    return (
        f"{_STORED}, {learned}, {policy_version}, {search.link} AS link_confidence, {words} AS words, {pairs} AS pairs"
    )


def by_words(user_id: UUID, search: MemorySearch, text_depth: int, recent_depth: int) -> Statement:
    """The rows of the text and recent lanes, up to a maximum for each lane, each row once, as the columns of `FoundMemory`."""
    params: dict[str, Any] = {"user": user_id, "memories": float(search.memories), "model": search.model}
    params |= {"text_depth": text_depth, "recent_depth": recent_depth}
    terms = TermSql(search.terms, user_id, params)
    in_scope, each = search.within("i", params), search.indexes(params)
    index = each[0] if len(each) == 1 else f"({' UNION ALL '.join(f'SELECT * FROM {rows} a' for rows in each)})"
    stored = stored_row(search.moment, params, "listed.memory_id")
    statement = f"""
        WITH {_in_scope(search, in_scope, index)}{_answers(search, in_scope, each, params)}hit AS MATERIALIZED (
          SELECT i.memory_id, i.created_at, {terms.words("i.tsv")} AS words
          FROM {index} i WHERE i.user_id = %(user)s AND {terms.found("i.tsv")} AND {in_scope}
        ), amount AS MATERIALIZED (SELECT {terms.counted("words")} AS counted, {_counted(search, in_scope)} AS n FROM hit
        ), known AS MATERIALIZED (SELECT {terms.frequencies("counted", "n")} AS df, n FROM amount
        ), rarity AS MATERIALIZED (SELECT {terms.rarities("df", "n")} AS idf FROM known
        ), matching AS MATERIALIZED (
          SELECT memory_id FROM hit CROSS JOIN rarity
          ORDER BY {terms.weight("words", "idf")} DESC, created_at DESC, memory_id LIMIT %(text_depth)s
        ), newest AS MATERIALIZED (
          {_recent(search, terms, in_scope, each)}
        )
        SELECT {found_columns(search, terms, stored.words)}, listed.by_text, listed.by_recent, listed.may_answer,
               listed.states_change, halfvec_send({stored.vector}) AS vector, NULL::float8 AS cosine,
               CASE WHEN row_number() OVER () = 1 THEN (SELECT idf FROM rarity) END AS rarities
        FROM (
          SELECT memory_id, bool_or(lane <> 'recent') AS by_text, bool_or(lane = 'recent') AS by_recent,
                 bool_or(lane = 'answer') AS may_answer, bool_or(changed) AS states_change
          FROM (SELECT memory_id, 'text' AS lane, false AS changed FROM matching
                UNION ALL SELECT memory_id, 'recent', false FROM newest WHERE words <> 0
                {"UNION ALL SELECT memory_id, 'answer', changed FROM answer" if search.question else ""}) l GROUP BY memory_id
        ) listed {stored.joined}
        {stored.vector_joined}
        WHERE NOT m.archived AND NOT m.blocked
        """
    return statement, params


def _answers(search: MemorySearch, in_scope: str, each: Sequence[str], params: dict[str, Any]) -> str:
    """The memories that may answer the question, as the common table expression `answer`; empty without a question."""
    match search.question:
        case AskedDue():
            return answer_store.due(_newest(each, in_scope, answer_store.DUE_SEARCHED), params)
        case AskedTime() as time:
            condition = answer_store.stored_in(time, params)
            return answer_store.newest(_newest(each, f"{in_scope} AND {condition}", answer_store.MAX_ANSWERS))
        case AskedFact() as fact:
            index = tables_at(search.moment, params, "stated.memory_id").index
            return answer_store.attribute(fact, index, in_scope, params)
        case None:
            return ""


def nearest(user_id: UUID, search: MemorySearch, vector: npt.NDArray[np.float32], depth: int) -> Statement:
    """The rows of the vector lane, `depth` rows at most, as the columns of `FoundMemory`."""
    params: dict[str, Any] = {"user": user_id, "model": search.model, "vector": HalfVector(vector.astype(np.float16))}
    terms = TermSql(search.terms, user_id, params)
    stored = stored_row(search.moment, params, "near.memory_id")
    arms = _arms(user_id, search, len(vector), depth, params)
    each = " UNION ALL ".join(f"(SELECT * FROM ({arm}) a ORDER BY distance LIMIT {depth})" for arm in arms)
    near = arms[0] if len(arms) == 1 else f"SELECT * FROM ({each}) n"
    statement = f"""
        WITH near AS MATERIALIZED ({near} ORDER BY distance LIMIT {depth})
        SELECT {found_columns(search, terms, stored.words)}, false AS by_text, false AS by_recent, false AS may_answer,
               false AS states_change, NULL::bytea AS vector, 1 - near.distance AS cosine, NULL::float8[] AS rarities
        FROM near {stored.joined}
        WHERE NOT m.archived AND NOT m.blocked
        """
    return statement, params


def _arms(user_id: UUID, search: MemorySearch, dimensions: int, depth: int, params: dict[str, Any]) -> list[str]:
    """Statements that find the rows of the moment, each row in one of them: `memory_id` and `distance`, in any order."""
    in_scope, moment = search.within("v", params), search.moment
    compared = Lookup(
        "SELECT v.memory_id, (v.embedding <=> %(vector)s) + 0 AS distance",
        f"v.user_id = %(user)s AND v.model = %(model)s AND {in_scope}",
    )
    if not search.indexed:
        return [compared.among(f"{tables_at(moment, params).vector} v")]
    index = VectorIndex(user_id, search.model, dimensions)
    by_index = Lookup(
        f"SELECT v.memory_id, {index.distance('v')} AS distance", f"{index.condition('v')} AND {in_scope}"
    )
    if not moment.is_historical:
        return [by_index.among("memory_vector v")]
    past = past_lookups(moment, search.counts, params, compared, by_index)
    return [*past, nearest_versions(index, compared, depth)] if search.counts.versions_by_index(moment) else past


def cosines_of(rows: Sequence[FoundMemory], vector: npt.NDArray[np.float32] | None) -> list[float | None]:
    """The cosine of each row's `vector` with that of the query, as Postgres has it; None where either is missing.

    A halfvec is sent as its number of dimensions and a zero, two bytes each, then the halves, highest byte first.
    """
    sent = [row.vector for row in rows if row.vector is not None]
    if vector is None or not sent:
        return [None] * len(rows)
    stored = np.frombuffer(b"".join(sent), ">f2").reshape(len(sent), -1)[:, 2:].astype(np.float32)
    query = vector.astype(np.float16).astype(np.float32)
    lengths: npt.NDArray[np.float32] = np.sqrt(np.einsum("ij,ij->i", stored, stored) * (query @ query))
    cosines = np.divide(stored @ query, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    each = iter(np.clip(cosines, -1, 1).tolist())
    return [None if row.vector is None else next(each) for row in rows]


def _in_scope(search: MemorySearch, in_scope: str, index: str) -> str:
    """The memories in scope as of a past moment, read once for all lanes; nothing where they are too many to scan."""
    if not search.moment.is_historical or search.memories >= MAX_COUNTED:
        return ""
    return f"""in_scope AS MATERIALIZED (
          SELECT i.memory_id, i.created_at FROM {index} i WHERE i.user_id = %(user)s AND {in_scope}
        ), """


def _recent(search: MemorySearch, terms: TermSql, in_scope: str, indexes: Sequence[str]) -> str:
    """The newest memories in scope and the words that they hold; read by index where they are many."""
    words = f"{terms.words('i.tsv')} AS words"
    if search.moment.is_historical and search.memories < MAX_COUNTED:
        index = tables_at(search.moment, {}, "newest.memory_id").index
        return f"""SELECT i.memory_id, {words}
          FROM (SELECT i.memory_id FROM in_scope i {_NEWEST_FIRST} LIMIT %(recent_depth)s) newest
          JOIN {index} i ON i.user_id = %(user)s AND i.memory_id = newest.memory_id"""
    return f"SELECT i.memory_id, {words} FROM ({_newest(indexes, in_scope, '%(recent_depth)s')}) i"


def _newest(indexes: Sequence[str], in_scope: str, maximum: int | str) -> str:
    """The newest index rows in scope, from each of the FROM items by the index of its times."""
    last = f"{_NEWEST_FIRST} LIMIT {maximum}"
    each = [f"SELECT i.* FROM {index} i WHERE i.user_id = %(user)s AND {in_scope} {last}" for index in indexes]
    return each[0] if len(each) == 1 else f"SELECT i.* FROM ({' UNION ALL '.join(f'({one})' for one in each)}) i {last}"


def _counted(search: MemorySearch, in_scope: str) -> str:
    """The number of memories that the request sees, as float8; the user's total where it sees all, or they are many."""
    if search.whole or (search.moment.is_historical and search.memories >= MAX_COUNTED):
        return "%(memories)s::float8"
    rows = "in_scope" if search.moment.is_historical else f"memory_index i WHERE i.user_id = %(user)s AND {in_scope}"
    return f"""(SELECT CASE WHEN count(*) < {MAX_COUNTED} THEN count(*)::float8 ELSE %(memories)s::float8 END
            FROM (SELECT FROM {rows} LIMIT {MAX_COUNTED}) c)"""
