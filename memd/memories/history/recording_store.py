"""The SQL that keeps rows as versions before a change ends them."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Final
from uuid import UUID

from memd.db.session import WriteSession
from memd.db.sql.version import VERSION_GROUP, first_of_group, true_until, was_live
from memd.memories.history.store import FIELDS_JSON


@dataclass(frozen=True, slots=True)
class Change:
    """Who changes rows, when (epoch ms), how and why."""

    at: int
    changed_by: UUID | None
    request_id: UUID
    action: str
    reason: str | None
    undoes: UUID | None


NEARLY_SAME: Final = 0.1
"""The cosine distance up to which two versions share an entry of the vector index: an edit of a number or of a few words."""
_NEXT: Final = "greatest(%(at)s, coalesce(m.changed_at, m.created_at))"
_LOCK: Final = "SELECT FROM memory WHERE user_id = %(user)s AND id = ANY(%(ids)s) ORDER BY id FOR UPDATE"
"""Before the others, as a statement of its own: one that waits for a lock itself sees other tables as they were before."""
_KEEP: Final = f"""
INSERT INTO memory_version (user_id, memory_id, version, recorded_from, recorded_until, changed_by, request_id, action,
                            reason, undoes, fields, policy_version, live, knowledge_base_id, channel, store, category,
                            project_id, config, valid_from, valid_until, model, embedding, indexed)
SELECT m.user_id, m.id, m.version, coalesce(m.changed_at, m.created_at), {_NEXT}, %(changed_by)s, %(request_id)s,
       %(action)s, %(reason)s, %(undoes)s, {FIELDS_JSON}, m.policy_version, {was_live("m")}, m.knowledge_base_id,
       m.channel, m.store, m.category, m.project_id, m.chunk_kind = 'config', m.valid_from, {true_until("m")},
       v.model, v.embedding, coalesce(first.embedding <=> v.embedding > {NEARLY_SAME}, true)
FROM memory m LEFT JOIN memory_vector v ON v.user_id = %(user)s AND v.memory_id = m.id AND v.model = %(model)s
LEFT JOIN memory_version first ON first.user_id = %(user)s AND first.memory_id = m.id
  AND first.version = {first_of_group("m.version")} AND first.live AND first.model = v.model
WHERE m.user_id = %(user)s AND m.id = ANY(%(ids)s)
"""
_INDEXED: Final = f"""
SELECT m.user_id, m.id AS memory_id, m.version, coalesce(m.changed_at, m.created_at) AS recorded_from, {_NEXT} AS recorded_until,
       {was_live("m")} AS live, m.knowledge_base_id, m.channel, m.store, m.category, m.project_id,
       m.chunk_kind = 'config' AS config, m.tags, m.created_at, length(m.content) AS length, i.tsv, m.valid_from,
       {true_until("m")} AS valid_until
FROM memory m JOIN memory_index i ON i.user_id = %(user)s AND i.memory_id = m.id
WHERE m.user_id = %(user)s AND m.id = ANY(%(ids)s)
"""
_COMPARED: Final = ("live", "knowledge_base_id", "channel", "store", "category", "project_id", "config", "tags", "length",
                    "tsv", "valid_from", "valid_until")  # fmt: skip
_EXTEND_INDEX: Final = f"""
UPDATE memory_version_index x SET version = n.version, recorded_until = n.recorded_until FROM ({_INDEXED}) n
WHERE x.user_id = %(user)s AND x.memory_id = n.memory_id AND x.version = n.version - 1 AND x.recorded_until = n.recorded_from
  AND ({", ".join(f"x.{name}" for name in _COMPARED)}) IS NOT DISTINCT FROM ({", ".join(f"n.{name}" for name in _COMPARED)})
"""
"""Versions that a search reads alike share a row, with the number of the last: most changes are of strength or metadata."""
_KEEP_INDEX: Final = f"""
INSERT INTO memory_version_index (user_id, memory_id, version, recorded_from, recorded_until, live, knowledge_base_id,
                                  channel, store, category, project_id, config, tags, created_at, length, tsv,
                                  valid_from, valid_until)
SELECT n.* FROM ({_INDEXED}) n
WHERE NOT EXISTS (
  SELECT FROM memory_version_index x WHERE x.user_id = %(user)s AND x.memory_id = n.memory_id AND x.version = n.version)
"""
_ADVANCE: Final = (
    """
    UPDATE memory_index SET changed_at = greatest(%(at)s, coalesce(changed_at, created_at))
    WHERE user_id = %(user)s AND memory_id = ANY(%(ids)s)
    """,
    f"""
    UPDATE memory m SET version = m.version + 1, changed_at = {_NEXT}
    WHERE m.user_id = %(user)s AND m.id = ANY(%(ids)s)
    """,
)
_DROP_OLDEST: Final = tuple(
    f"""
    DELETE FROM {table} v USING memory m
    WHERE m.user_id = %(user)s AND m.id = ANY(%(ids)s) AND v.user_id = %(user)s AND v.memory_id = m.id
      AND v.version < m.version - %(kept)s
    """
    for table in ("memory_version", "memory_version_index")
)
_INDEX_ALONE: Final = f"""
UPDATE memory_version v SET indexed = true FROM memory m
WHERE m.user_id = %(user)s AND m.id = ANY(%(ids)s) AND v.user_id = %(user)s AND v.memory_id = m.id
  AND v.version < m.version - %(kept)s + {VERSION_GROUP} AND {first_of_group("v.version")} < m.version - %(kept)s
  AND NOT v.indexed
"""
"""Those whose first of the group has been dropped."""


async def record(session: WriteSession, memory_ids: Sequence[UUID], change: Change, model: int, kept: int) -> None:
    """Keep the rows as versions that end with this change, of each memory the newest `kept` versions.

    Vectors are those of `model`.
    """
    own = {"user": session.user_id, "ids": list(memory_ids)}
    advance = {**own, "at": change.at}
    await session.execute_all(
        (_LOCK, own),
        (_KEEP, {**own, "model": model, **asdict(change)}),
        *((statement, advance) for statement in (_EXTEND_INDEX, _KEEP_INDEX, *_ADVANCE)),
        *((statement, {**own, "kept": kept}) for statement in (*_DROP_OLDEST, _INDEX_ALONE)),
    )
