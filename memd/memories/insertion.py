"""Writing memories and chunks, one or hundreds, in one way: the rows go to Postgres as one JSON array for each table.

The statements need no separate plan for each call, and leave no state on the connection. They select from the
row of the user in `totals`, so that Citus runs them on the node of the user; it must be there before.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

import numpy as np
from pgvector import HalfVector

from memd.db.session import Statement, WriteSession
from memd.db.sql.totals import ensuring_totals
from memd.domain.text_analysis.analysis import VERSION
from memd.domain.text_analysis.language import Language
from memd.memories.new import NewMemory

# Column of `memory` → type in the record set. All of them are attributes of NewMemory.
COLUMNS = {
    "id": "uuid",
    "title": "text",
    "content": "text",
    "recall_text": "text",
    "store": "text",
    "category": "text",
    "tags": "text[]",
    "metadata": "json",
    "channel": "text",
    "agent_id": "text",
    "project_id": "text",
    "session_key": "text",
    "namespace": "text",
    "key": "text",
    "source": "text",
    "strength": "float8",
    "confidence": "float8",
    "valence": "float8",
    "arousal": "float8",
    "salience_score": "float8",
    "created_at": "int8",
    "last_accessed_at": "int8",
    "supersedes_memory_id": "uuid",
    "action_triggers": "text[]",
    "source_snapshot_id": "uuid",
    "source_message_ids": "uuid[]",
    "source_memory_ids": "uuid[]",
    "knowledge_base_id": "uuid",
    "dedupe_key": "text",
    "chunk_kind": "text",
    "source_url": "text",
    "source_type": "text",
    "chunk_index": "int4",
    "total_chunks": "int4",
    "import_id": "uuid",
    "content_hash": "text",
    "promoted_from": "uuid",
    "policy_version": "text",
    "policy_flags": "text[]",
    "created_by": "uuid",
    "created_request": "uuid",
    "valid_from": "int8",
    "valid_until": "int8",
}
_PERIOD = ("valid_from", "valid_until")
_FILTERS = ("id", "knowledge_base_id", "channel", "store", "category", "project_id", "chunk_kind", *_PERIOD)
_INDEXED = {
    **{name: COLUMNS[name] for name in (*_FILTERS, "tags", "created_at", "source_url", "chunk_index", "import_id")},
    "length": "int4",
}


def _records(names: Iterable[str]) -> str:
    """The parameter `rows` as a table `s` with these columns."""
    columns = ", ".join(f"{name} {COLUMNS[name]}" for name in names)
    return f"json_to_recordset(%(rows)s::json) AS s({columns})"


_NAMES = ", ".join(COLUMNS)
_VALUES = _NAMES.replace("last_accessed_at", "coalesce(last_accessed_at, created_at)")
_MEMORY = f"""
INSERT INTO memory (user_id, {_NAMES}, updated_at, embedding_pending)
SELECT own.user_id, {_VALUES}, created_at, id <> ALL(%(embedded)s::uuid[])
FROM totals own CROSS JOIN {_records(COLUMNS)} WHERE own.user_id = %(user)s
"""
_INDEX = f"""
INSERT INTO memory_index (user_id, memory_id, live, knowledge_base_id, channel, store, category, project_id, config,
                          tags, created_at, length, language, tsv, index_version, source_key, chunk_index, valid_from,
                          valid_until)
SELECT own.user_id, id, true, knowledge_base_id, channel, store, category, project_id, chunk_kind = 'config',
       tags, created_at, length, language, tsv, {VERSION},
       CASE WHEN knowledge_base_id IS NOT NULL AND chunk_index IS NOT NULL
            THEN memd_source_key(source_url, import_id) END,
       CASE WHEN knowledge_base_id IS NOT NULL THEN chunk_index END, valid_from, valid_until
FROM totals own CROSS JOIN
     ROWS FROM (json_to_recordset(%(rows)s::json) AS ({", ".join(f"{name} {kind}" for name, kind in _INDEXED.items())}),
                unnest(%(languages)s::text[]), unnest(%(texts)b::tsvector[])) AS s({", ".join(_INDEXED)}, language, tsv)
WHERE own.user_id = %(user)s
"""
_VECTOR = f"""
INSERT INTO memory_vector (user_id, model, memory_id, live, knowledge_base_id, channel, store, category, project_id,
                           config, valid_from, valid_until, embedding)
SELECT own.user_id, %(model)s, id, true, knowledge_base_id, channel, store, category, project_id,
       chunk_kind = 'config', valid_from, valid_until, embedding
FROM totals own CROSS JOIN
     ROWS FROM (json_to_recordset(%(rows)s::json) AS ({", ".join(f"{name} {COLUMNS[name]}" for name in _FILTERS)}),
                unnest(%(vectors)b::halfvec[])) AS s({", ".join(_FILTERS)}, embedding)
WHERE own.user_id = %(user)s
"""
_TRIGGER = f"""
INSERT INTO trigger (user_id, memory_id, tool_name, created_at)
SELECT own.user_id, id, unnest(action_triggers), created_at
FROM totals own CROSS JOIN {_records(("id", "action_triggers", "created_at"))} WHERE own.user_id = %(user)s
"""


def insertion(user_id: UUID, rows: Sequence[NewMemory], *, model: int, default_language: Language) -> list[Statement]:
    """The statements that insert the rows with their lexemes, vectors and triggers, for a user who has totals."""
    if not rows:
        return []
    statements = [
        (_MEMORY, {"user": user_id, "rows": _json(rows, COLUMNS), "embedded": _embedded(rows)}),
        *_narrow(user_id, rows, model=model, default_language=default_language),
    ]
    tied = [row for row in rows if row.action_triggers]
    if tied:
        names = ("id", "action_triggers", "created_at")
        statements.append((_TRIGGER, {"user": user_id, "rows": _json(tied, names)}))
    return statements


async def insert_memories(
    session: WriteSession, rows: Sequence[NewMemory], *, model: int, default_language: Language
) -> None:
    """Insert the rows with their lexemes, vectors and triggers, in one round trip."""
    if rows:
        present = ensuring_totals(session.user_id, rows[0].created_at)
        inserted = insertion(session.user_id, rows, model=model, default_language=default_language)
        await session.execute_all(present, *inserted)


def _narrow(user_id: UUID, rows: Sequence[NewMemory], *, model: int, default_language: Language) -> list[Statement]:
    """The statements that insert the rows into the tables that the lanes of retrieval read."""
    texts = [row.make_text_index(user_id, default_language) for row in rows]
    lexemes = {"languages": [text.language.value for text in texts], "texts": [text.tsv for text in texts]}
    index = (_INDEX, {"user": user_id, "rows": _json(rows, _INDEXED), **lexemes})
    embedded = [row for row in rows if row.vector is not None]
    if not embedded:
        return [index]
    vectors = [HalfVector(row.vector.astype(np.float16)) for row in embedded if row.vector is not None]
    params = {"user": user_id, "rows": _json(embedded, _FILTERS), "vectors": vectors, "model": model}
    return [index, (_VECTOR, params)]


def _embedded(rows: Sequence[NewMemory]) -> list[UUID]:
    return [row.id for row in rows if row.vector is not None]


def _json(rows: Sequence[NewMemory], names: Iterable[str]) -> str:
    """The named columns of the rows as a JSON array; what is None is left out, which the record set reads as NULL."""
    return json.dumps([_record(row, names) for row in rows], ensure_ascii=False, default=_id_text)


def _id_text(value: object) -> str:
    """The JSON form of the only type of a row that JSON does not know."""
    if isinstance(value, UUID):
        return value.hex
    raise TypeError(type(value).__name__)


def _record(row: NewMemory, names: Iterable[str]) -> dict[str, Any]:
    return {name: value for name in names if (value := getattr(row, name)) is not None}


_REPLACED = (
    "title",
    "content",
    "recall_text",
    "tags",
    "channel",
    "chunk_kind",
    "source_url",
    "source_type",
    "chunk_index",
    "total_chunks",
    "import_id",
    "content_hash",
    "policy_version",
    "policy_flags",
    "salience_score",
)
_COMPARED = (
    "title",
    "content",
    "tags",
    "channel",
    "chunk_kind",
    "source_url",
    "source_type",
    "chunk_index",
    "total_chunks",
)
_CHANGED = f"""
SELECT s.id FROM {_records(("id", *_COMPARED))} JOIN memory m ON m.user_id = %(user)s AND m.id = s.id
WHERE ({", ".join(f"s.{name}" for name in _COMPARED)}) IS DISTINCT FROM ({", ".join(f"m.{name}" for name in _COMPARED)})
"""
_SAME_FOR_GRAPH = "(s.title, s.content, s.channel) IS NOT DISTINCT FROM (m.title, m.content, m.channel)"
_UPDATE = f"""
UPDATE memory m SET {", ".join(f"{name} = s.{name}" for name in _REPLACED)},
       updated_at = %(now)s, blocked = false, graph_enriched = m.graph_enriched AND {_SAME_FOR_GRAPH},
       graph_enriched_at = CASE WHEN {_SAME_FOR_GRAPH} THEN m.graph_enriched_at END,
       embedding_pending = s.id <> ALL(%(embedded)s::uuid[]), refused_by = NULL
FROM {_records(("id", *_REPLACED))} WHERE m.user_id = %(user)s AND m.id = s.id
"""
_FORGET_NARROW = tuple(
    f"DELETE FROM {table} WHERE user_id = %(user)s AND memory_id = ANY(%(ids)s)"
    for table in ("memory_index", "memory_vector")
)


async def changed_chunks(session: WriteSession, rows: Sequence[NewMemory]) -> list[UUID]:
    """Those of the rows that differ in their content or its origin from the chunk stored under their id."""
    if not rows:
        return []
    return await session.values(_CHANGED, {"user": session.user_id, "rows": _json(rows, ("id", *_COMPARED))})


async def replace_chunks(
    session: WriteSession, rows: Sequence[NewMemory], *, model: int, default_language: Language, now: int
) -> None:
    """Edit active chunks in place: same id and createdAt, everything else as in `rows` (contract 8.4, rule 1)."""
    if not rows:
        return
    user, old = session.user_id, {"user": session.user_id, "ids": [row.id for row in rows]}
    changed = {"user": user, "rows": _json(rows, ("id", *_REPLACED)), "embedded": _embedded(rows), "now": now}
    await session.execute_all(
        (_UPDATE, changed),
        *((statement, old) for statement in _FORGET_NARROW),
        *_narrow(user, rows, model=model, default_language=default_language),
    )
