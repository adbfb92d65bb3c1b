"""The SQL of recall around its lanes: the search context, the sources of memories, hidden rows."""

from collections.abc import Collection, Sequence
from typing import Any, Final, NamedTuple
from uuid import UUID

import numpy as np
import numpy.typing as npt
from pgvector import HalfVector

from memd.db.session import OwnerSession, Statement
from memd.db.sql.channels import channels_of
from memd.db.sql.languages import languages_of
from memd.db.sql.metadata import metadata_condition, namespace_condition
from memd.db.sql.term import TermSql
from memd.db.typed_rows import Query
from memd.domain.ranking.originals import ReflectionSources
from memd.domain.search.recall_modes import RowFilter
from memd.domain.search.terms import SearchTerms

NEAREST: Final = 40
"""Rows of each kind of match that a debugging recall looks at."""


class NearRow(NamedTuple):
    """A row that matches a query, with the columns that may hide it from a request."""

    id: UUID
    channel: str | None
    store: str
    category: str
    tags: list[str]
    project_id: str | None
    knowledge_base_id: UUID | None
    archived: bool
    blocked: bool
    config: bool
    in_namespace: bool
    passes_where: bool


class MessageSources(NamedTuple):
    """A memory and the messages that it was derived from."""

    id: UUID
    source_message_ids: list[UUID]


def prefetch(user_id: UUID, indexed: Query[Any], bases: Query[Any]) -> Statement:
    """The statement that a search runs first: a row for each of the `bases`, or one without any (its columns NULL).

    Every row has the totals, and whether there is a graph, whether there are open conflicts and whether vectors are
    `indexed`; the first row also has the channels of active memories, those of messages, and the languages of all rows.
    """
    lists = {
        "channels": channels_of(
            user_id, "memory_index", "live AND knowledge_base_id IS NULL", sorted_by="knowledge_base_id, channel"
        ),
        "message_channels": channels_of(user_id, "message_index"),
        "languages": languages_of(user_id),
    }
    arrays = "".join(
        f", CASE WHEN b.place > 1 THEN NULL ELSE ARRAY({query.sql}) END AS {name}" for name, query in lists.items()
    )
    statement = f"""
        SELECT coalesce(t.active_memories, 0) AS memories, coalesce(t.total_messages, 0) AS messages,
               EXISTS (SELECT FROM graph_node WHERE user_id = %(user)s) AS has_graph,
               EXISTS (SELECT FROM memory_conflict WHERE user_id = %(user)s AND state = 'open') AS has_conflicts,
               ({indexed.sql}) AS indexed{arrays}, b.*
        FROM (SELECT 1) one
        LEFT JOIN totals t ON t.user_id = %(user)s
        LEFT JOIN (SELECT row_number() OVER () AS place, k.* FROM ({bases.sql}) k) b ON true
        ORDER BY b.place
        """
    return statement, {"user": user_id, **(indexed.params or {}), **(bases.params or {})}


def sample(user_id: UUID) -> Statement:
    """The FROM clause of a sample: the user's newest ordinary memories, with the alias `i`."""
    newest = "i.user_id = %(user)s AND i.live AND i.knowledge_base_id IS NULL ORDER BY i.created_at DESC"
    return f"memory_index i WHERE {newest}", {"user": user_id}


async def nearest_of_all(
    session: OwnerSession,
    terms: SearchTerms,
    vector: npt.NDArray[np.float32] | None,
    model: int,
    exclude: Sequence[UUID],
    row_filter: RowFilter,
) -> list[NearRow]:
    """For debugging: the user's rows that match the query, including hidden and filtered ones."""
    params: dict[str, Any] = {"user": session.user_id, "exclude": list(exclude), "limit": NEAREST}
    found = TermSql(terms, session.user_id, params).found("i.tsv")
    arms = [
        f"""(SELECT i.memory_id FROM memory_index i WHERE i.user_id = %(user)s AND {found}
        ORDER BY i.memory_id DESC LIMIT %(limit)s)"""
    ]
    if vector is not None:
        params |= {"vector": HalfVector(vector.astype(np.float16)), "model": model}
        arms.append(
            """(SELECT v.memory_id FROM memory_vector v WHERE v.user_id = %(user)s AND v.model = %(model)s
            ORDER BY v.embedding <=> %(vector)s LIMIT %(limit)s)"""
        )
    named = namespace_condition(row_filter.namespace, "m", params)
    condition = metadata_condition(row_filter.where, "m", params)
    return await session.rows(
        NearRow,
        f"""
        SELECT m.id, m.channel, m.store, m.category, m.tags, m.project_id, m.knowledge_base_id, m.archived, m.blocked,
               m.chunk_kind = 'config' AS config, coalesce({named}, false) AS in_namespace, {condition} AS passes_where
        FROM memory m
        WHERE m.user_id = %(user)s AND m.id = ANY(ARRAY({" UNION ".join(arms)})) AND NOT m.id = ANY(%(exclude)s)
        """,
        params,
    )


async def message_sources(
    session: OwnerSession, memory_ids: Collection[UUID], message_ids: Collection[UUID]
) -> list[MessageSources]:
    """The sources of those of the memories that were derived from any of the messages."""
    return await session.rows(
        MessageSources,
        """
        SELECT id, source_message_ids FROM memory
        WHERE user_id = %(user)s AND id = ANY(%(memories)s) AND source_message_ids && %(messages)s::uuid[]
        """,
        {"user": session.user_id, "memories": list(memory_ids), "messages": list(message_ids)},
    )


async def reflection_sources(session: OwnerSession, memory_ids: Collection[UUID]) -> list[ReflectionSources]:
    """The sources of those of the memories that memd derived from others."""
    return await session.rows(
        ReflectionSources,
        """
        SELECT id, source_memory_ids FROM memory
        WHERE user_id = %(user)s AND id = ANY(%(memories)s) AND source = 'inference' AND source_memory_ids <> '{}'
        """,
        {"user": session.user_id, "memories": list(memory_ids)},
    )
