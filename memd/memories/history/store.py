"""The SQL of versions: reading them, writing one back.

A row of `memory_version` is the version that a change has ended; the newest version is the row of `memory` itself.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple
from uuid import UUID

from memd.db.session import OwnerSession, WriteSession
from memd.db.sql.version import VERSIONED
from memd.memories.keyed.store import MemoryKey, serialize

_FIELDS: Final = ", ".join(f"m.{name}" for name in VERSIONED)
FIELDS_JSON: Final = f"(SELECT row_to_json(f) FROM (SELECT {_FIELDS}) f)"
"""The columns of the row `m` that a version keeps."""


class VersionRow(NamedTuple):
    """A version that has ended: its columns, and the change that ended it."""

    version: int
    recorded_until: int
    changed_by: UUID | None
    action: str
    reason: str | None
    fields: dict[str, Any]


class CurrentRow(NamedTuple):
    """The newest version of a memory, and how the memory came to be."""

    id: UUID
    version: int
    changed_at: int
    created_at: int
    created_by: UUID | None
    source: str
    is_chunk: bool
    fields: dict[str, Any]
    is_successor: bool


async def current(session: OwnerSession, memory_id: UUID) -> CurrentRow | None:
    """The newest version of a memory or chunk."""
    return await session.row(
        CurrentRow,
        f"""
        SELECT m.id, m.version, coalesce(m.changed_at, m.created_at) AS changed_at, m.created_at, m.created_by, m.source,
               m.knowledge_base_id IS NOT NULL AS is_chunk, {FIELDS_JSON} AS fields,
               EXISTS (SELECT FROM memory o WHERE o.user_id = %(user)s AND o.id = m.supersedes_memory_id
                       AND coalesce(o.superseded_at, m.created_at) <= m.created_at) AS is_successor
        FROM memory m WHERE m.user_id = %(user)s AND m.id = %(id)s
        """,
        {"user": session.user_id, "id": memory_id},
    )


async def ended(session: OwnerSession, memory_id: UUID, limit: int) -> list[VersionRow]:
    """The newest `limit` versions that have ended, the oldest of them first."""
    rows = await session.rows(
        VersionRow,
        """
        SELECT version, recorded_until, changed_by, action, reason, fields
        FROM memory_version WHERE user_id = %(user)s AND memory_id = %(id)s ORDER BY version DESC LIMIT %(limit)s
        """,
        {"user": session.user_id, "id": memory_id, "limit": limit},
    )
    return rows[::-1]


class _KeyLabel(NamedTuple):
    id: UUID
    label: str


async def key_labels(session: OwnerSession) -> dict[UUID, str]:
    """The labels of the user's keys; keys may be on another node than memories, so no statement joins them."""
    keys = await session.rows(
        _KeyLabel, "SELECT id, label FROM api_key WHERE user_id = %(user)s", {"user": session.user_id}
    )
    return {key.id: key.label for key in keys}


class StoredRow(NamedTuple):
    """A memory or chunk as a write finds it, and whether it has a knowledge base that is archived."""

    id: UUID
    version: int
    title: str
    content: str
    store: str
    channel: str | None
    content_hash: str
    key: str | None
    archived: bool
    knowledge_base_id: UUID | None
    base_archived: bool


async def lock_keys(session: WriteSession, memory_ids: Sequence[UUID]) -> None:
    """Make captures under the keys of these memories wait; to be called before rows are locked, as captures do it."""
    keys = await session.rows(
        MemoryKey,
        "SELECT namespace, key FROM memory WHERE user_id = %(user)s AND id = ANY(%(ids)s) AND key IS NOT NULL",
        {"user": session.user_id, "ids": list(memory_ids)},
    )
    if keys:
        await serialize(session, keys)


async def lock_bases(session: WriteSession, memory_ids: Sequence[UUID]) -> None:
    """Lock the knowledge bases of these rows; to be called before rows are locked, as all writers of chunks do it."""
    await session.execute(
        """
        SELECT FROM knowledge_base WHERE user_id = %(user)s AND id IN (
          SELECT knowledge_base_id FROM memory WHERE user_id = %(user)s AND id = ANY(%(ids)s))
        ORDER BY id FOR UPDATE
        """,
        {"user": session.user_id, "ids": list(memory_ids)},
    )


async def lock(session: WriteSession, memory_ids: Sequence[UUID]) -> list[StoredRow]:
    """The rows, locked in the order of their ids; their knowledge bases before them."""
    params = {"user": session.user_id, "ids": list(memory_ids)}
    await lock_bases(session, memory_ids)
    return await session.rows(
        StoredRow,
        """
        SELECT m.id, m.version, m.title, m.content, m.store, m.channel, m.content_hash, m.key, m.archived, m.knowledge_base_id,
               coalesce(k.archived, false) AS base_archived
        FROM memory m LEFT JOIN knowledge_base k ON k.user_id = %(user)s AND k.id = m.knowledge_base_id
        WHERE m.user_id = %(user)s AND m.id = ANY(%(ids)s) ORDER BY m.id FOR UPDATE OF m
        """,
        params,
    )


class Kept(NamedTuple):
    """The columns of a version that has ended."""

    memory_id: UUID
    version: int
    fields: dict[str, Any]


async def checked_by_other_rules(
    session: OwnerSession, memory_ids: Sequence[UUID], known_at: int, policy_version: str
) -> list[Kept]:
    """The versions of these memories that were stored at `known_at`, have ended since, and were checked by other rules."""
    return await session.rows(
        Kept,
        """
        SELECT memory_id, version, fields FROM memory_version
        WHERE user_id = %(user)s AND memory_id = ANY(%(ids)s) AND recorded_from <= %(known_at)s
          AND recorded_until > %(known_at)s AND policy_version <> %(policy)s
        """,
        {"user": session.user_id, "ids": list(memory_ids), "known_at": known_at, "policy": policy_version},
    )


_OF_VERSIONS: Final = """
memory_version v JOIN unnest(%(ids)s::uuid[], %(versions)s::int[]) AS wanted(id, version)
  ON v.user_id = %(user)s AND v.memory_id = wanted.id AND v.version = wanted.version
"""


async def kept(session: OwnerSession, versions: Mapping[UUID, int]) -> dict[UUID, Kept]:
    """Versions that have ended, by the id of their memory (id → version); what does not exist is left out."""
    rows = await session.rows(
        Kept, f"SELECT v.memory_id, v.version, v.fields FROM {_OF_VERSIONS}", _params(session, versions)
    )
    return {row.memory_id: row for row in rows}


async def stored(session: WriteSession, versions: Mapping[UUID, int]) -> frozenset[UUID]:
    """Those of the memories that have this ended version (id → version)."""
    return frozenset(await session.values(f"SELECT v.memory_id FROM {_OF_VERSIONS}", _params(session, versions)))


def _params(session: OwnerSession, versions: Mapping[UUID, int]) -> dict[str, Any]:
    return {"user": session.user_id, "ids": list(versions), "versions": list(versions.values())}


_SOURCE_KEY: Final = """
UPDATE memory_index i
SET source_key = CASE WHEN m.knowledge_base_id IS NOT NULL AND m.chunk_index IS NOT NULL
                      THEN memd_source_key(m.source_url, m.import_id) END,
    chunk_index = CASE WHEN m.knowledge_base_id IS NOT NULL THEN m.chunk_index END
FROM memory m WHERE i.user_id = %(user)s AND i.memory_id = ANY(%(ids)s) AND m.user_id = %(user)s AND m.id = i.memory_id
"""
_WRITE_BACK: Final = f"""
UPDATE memory m SET {", ".join(f"{name} = f.{name}" for name in VERSIONED)}, updated_at = %(now)s, blocked = false,
       graph_enriched = false, graph_enriched_at = NULL,
       embedding_pending = v.embedding IS NULL OR v.model <> %(model)s, refused_by = NULL
FROM {_OF_VERSIONS}, json_to_record(v.fields) AS f({", ".join(f"{name} {kind}" for name, kind in VERSIONED.items())})
WHERE m.user_id = %(user)s AND m.id = v.memory_id
"""
_VECTORS: Final = f"""
INSERT INTO memory_vector (user_id, memory_id, model, live, store, category, config, embedding)
SELECT v.user_id, v.memory_id, v.model, false, '', '', false, v.embedding FROM {_OF_VERSIONS}
WHERE v.embedding IS NOT NULL AND v.model = %(model)s
"""


async def write_back(session: WriteSession, versions: Mapping[UUID, int], model: int, now: int) -> None:
    """Give the rows the columns and vectors of these versions (id → version); filters and lexemes of narrow rows follow.

    A version without a vector of `model` is embedded later.
    """
    params = {**_params(session, versions), "model": model, "now": now}
    await session.execute(_WRITE_BACK, params)
    await session.execute("DELETE FROM memory_vector WHERE user_id = %(user)s AND memory_id = ANY(%(ids)s)", params)
    await session.execute(_VECTORS, params)
    await session.execute(_SOURCE_KEY, params)


async def release_successors(session: WriteSession, memory_ids: Sequence[UUID]) -> None:
    """Unlink the successors of superseded rows that are about to be restored, if they existed before they became successors."""
    await session.execute(
        """
        UPDATE memory n SET supersedes_memory_id = NULL FROM memory o
        WHERE o.user_id = %(user)s AND o.id = ANY(%(ids)s) AND n.user_id = %(user)s
          AND n.id = o.superseded_by_memory_id AND n.supersedes_memory_id = o.id AND n.created_at < o.superseded_at
        """,
        {"user": session.user_id, "ids": list(memory_ids)},
    )


async def set_archived(session: WriteSession, memory_ids: Sequence[UUID], now: int, *, archived: bool) -> None:
    """Archive rows on behalf of the user, or unarchive them.

    Unarchiving undoes a supersession: the row has no successor any more, and the end that it had before, unless another
    end has been set since.
    """
    await session.execute(
        """
        UPDATE memory SET archived = %(archived)s, archived_at = CASE WHEN %(archived)s THEN %(now)s END,
          archived_by = CASE WHEN %(archived)s THEN 'user' END, updated_at = %(now)s,
          valid_until = CASE WHEN %(archived)s OR superseded_by_memory_id IS NULL THEN valid_until ELSE (
            SELECT CASE WHEN bool_or(n.valid_until IS DISTINCT FROM memory.valid_until) FILTER (WHERE n.version > v.version)
                        THEN memory.valid_until ELSE v.valid_until END
            FROM memory_version v LEFT JOIN memory_version n ON n.user_id = %(user)s AND n.memory_id = v.memory_id
            WHERE v.user_id = %(user)s AND v.memory_id = memory.id AND v.action = 'supersede'
            GROUP BY v.version, v.valid_until ORDER BY v.version DESC LIMIT 1) END,
          superseded_by_memory_id = CASE WHEN %(archived)s THEN superseded_by_memory_id END,
          superseded_at = CASE WHEN %(archived)s THEN superseded_at END
        WHERE user_id = %(user)s AND id = ANY(%(ids)s)
        """,
        {"user": session.user_id, "ids": list(memory_ids), "now": now, "archived": archived},
    )


class _TakenKey(NamedTuple):
    id: UUID
    holder: UUID


async def taken_keys(session: WriteSession, memory_ids: Sequence[UUID], leaving: Sequence[UUID]) -> dict[UUID, UUID]:
    """Those of these archived rows whose key another active row has that is not `leaving`, and that row."""
    found = await session.rows(
        _TakenKey,
        """
        SELECT m.id, o.id AS holder FROM memory m CROSS JOIN LATERAL (
            SELECT o.id FROM memory o WHERE o.user_id = %(user)s AND o.knowledge_base_id = m.knowledge_base_id
              AND o.dedupe_key = m.dedupe_key AND NOT o.archived AND o.id <> ALL(%(leaving)s::uuid[])
            UNION ALL
            SELECT o.id FROM memory o WHERE o.user_id = %(user)s AND o.key = m.key AND NOT o.archived
              AND o.namespace IS NOT DISTINCT FROM m.namespace AND o.id <> ALL(%(leaving)s::uuid[])
            LIMIT 1) o
        WHERE m.user_id = %(user)s AND m.id = ANY(%(ids)s) AND m.archived
        """,
        {"user": session.user_id, "ids": list(memory_ids), "leaving": list(leaving)},
    )
    return {row.id: row.holder for row in found}
