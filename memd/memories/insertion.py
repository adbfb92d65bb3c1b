"""Writing memories and chunks, one or thousands, in one way: binary COPY into a staging table, then three inserts.

Row-level security does not let COPY write into the tables themselves; the staging table is the connection's own.
"""

from collections.abc import Sequence
from typing import Any, LiteralString, cast

import numpy as np
from pgvector import HalfVector
from psycopg import AsyncConnection
from psycopg.types.json import Json

from memd.db.session import Statement, WriteSession
from memd.memories.new import NewMemory

# Column of `memory` → type in a binary COPY. All of them are attributes of NewMemory.
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
    "source": "text",
    "strength": "float4",
    "confidence": "float4",
    "valence": "float4",
    "arousal": "float4",
    "salience_score": "float4",
    "created_at": "int8",
    "last_accessed_at": "int8",
    "supersedes_memory_id": "uuid",
    "action_triggers": "text[]",
    "source_snapshot_id": "uuid",
    "source_message_ids": "uuid[]",
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
}
_STAGED = ", ".join(COLUMNS)

STAGE_TABLE = (
    "CREATE TEMP TABLE IF NOT EXISTS memory_stage ("
    + ", ".join(f"{name} {kind}" for name, kind in COLUMNS.items())
    + ", embedding halfvec) ON COMMIT DELETE ROWS"
)
_COPY = f"COPY memory_stage ({_STAGED}, embedding) FROM STDIN (FORMAT BINARY)"
_MEMORY = f"""
INSERT INTO memory (user_id, {_STAGED}, updated_at, embedding_pending)
SELECT %(user)s, {_STAGED}, created_at, embedding IS NULL FROM memory_stage
"""
_INDEX = """
INSERT INTO memory_index (user_id, memory_id, live, knowledge_base_id, channel, store, category, project_id, config,
                          tags, created_at, length, tsv)
SELECT %(user)s, id, true, knowledge_base_id, channel, store, category, project_id, chunk_kind = 'config',
       tags, created_at, length(content),
       memd_memory_tsv(%(user)s, %(config)s::regconfig, title, content, tags)
FROM memory_stage
"""
_VECTOR = """
INSERT INTO memory_vector (user_id, model, memory_id, live, knowledge_base_id, channel, store, category, project_id,
                           config, embedding)
SELECT %(user)s, %(model)s, id, true, knowledge_base_id, channel, store, category, project_id,
       chunk_kind = 'config', embedding
FROM memory_stage WHERE embedding IS NOT NULL
"""
_TRIGGER = """
INSERT INTO trigger (user_id, memory_id, tool_name, created_at)
SELECT %(user)s, id, unnest(action_triggers), created_at FROM memory_stage
"""
_CLEAR: Statement = ("DELETE FROM memory_stage", {})


async def prepare_connection(connection: AsyncConnection) -> None:
    """Give a fresh connection its staging table."""
    await connection.execute(cast("LiteralString", STAGE_TABLE))


async def insert_memories(session: WriteSession, rows: Sequence[NewMemory], *, model: int, text_config: str) -> None:
    """Insert the rows with their lexemes, vectors and triggers; the staging table is empty again afterwards."""
    if not rows:
        return
    params = {"user": session.user_id, "model": model, "config": text_config}
    statements = [_MEMORY, _INDEX, _VECTOR]
    if any(row.action_triggers for row in rows):
        statements.append(_TRIGGER)
    await _stage(session, rows)
    await session.execute_all(*((statement, params) for statement in statements), _CLEAR)


async def _stage(session: WriteSession, rows: Sequence[NewMemory]) -> None:
    async with session.connection.cursor() as cursor, cursor.copy(cast("LiteralString", _COPY)) as copy:
        copy.set_types([*COLUMNS.values(), "halfvec"])
        for row in rows:
            await copy.write_row(_values(row))


def _values(row: NewMemory) -> list[Any]:
    values: dict[str, Any] = {name: getattr(row, name) for name in COLUMNS}
    values["metadata"] = None if row.metadata is None else Json(row.metadata)
    if row.last_accessed_at is None:
        values["last_accessed_at"] = row.created_at
    vector = None if row.vector is None else HalfVector(row.vector.astype(np.float16))
    return [*values.values(), vector]


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
_UPDATE = f"""
UPDATE memory m SET {", ".join(f"{name} = s.{name}" for name in _REPLACED)},
       updated_at = %(now)s, blocked = false, graph_enriched = false, graph_enriched_at = NULL,
       embedding_pending = s.embedding IS NULL
FROM memory_stage s WHERE m.user_id = %(user)s AND m.id = s.id
"""
_FORGET_NARROW = tuple(
    f"DELETE FROM {table} n USING memory_stage s WHERE n.user_id = %(user)s AND n.memory_id = s.id"
    for table in ("memory_index", "memory_vector")
)


async def replace_chunks(
    session: WriteSession, rows: Sequence[NewMemory], *, model: int, text_config: str, now: int
) -> None:
    """Edit active chunks in place: same id and createdAt, everything else as in `rows` (contract 8.4, rule 1)."""
    if not rows:
        return
    params = {"user": session.user_id, "model": model, "config": text_config, "now": now}
    await _stage(session, rows)
    statements = (_UPDATE, *_FORGET_NARROW, _INDEX, _VECTOR)
    await session.execute_all(*((statement, params) for statement in statements), _CLEAR)
