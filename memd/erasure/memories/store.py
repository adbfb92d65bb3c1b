"""The SQL of what memories leave behind in other tables: derived memories, checkpoints, snapshots, the queue."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple
from uuid import UUID

from psycopg.types.json import Json

from memd.db.session import WriteSession


class Derived(NamedTuple):
    """A memory that the service derived from others."""

    id: UUID
    archived: bool


class Text(NamedTuple):
    """A memory's own content."""

    content: str


class CheckpointRow(NamedTuple):
    """The entries of a checkpoint."""

    id: UUID
    entries: list[dict[str, Any]]
    summary: str


class SnapshotRow(NamedTuple):
    """The passages of a snapshot."""

    id: UUID
    passages: list[dict[str, Any]]


HAS_SOURCES: Final = "(source_message_ids <> '{}' OR source_memory_ids <> '{}')"
"""The condition of the index `ix_memory_derived`; memories that are not derived from others are not scanned."""


async def derived_from(session: WriteSession, memory_ids: Sequence[UUID], *, alone: bool) -> list[Derived]:
    """The memories derived from these; locked until the transaction ends.

    With `alone`, only those without other sources; else all that have one of these as a source.
    """
    return await session.rows(
        Derived,
        f"""
        SELECT id, archived FROM memory
        WHERE user_id = %(user)s AND source = 'inference' AND {HAS_SOURCES} AND id <> ALL(%(ids)s)
          AND source_memory_ids && %(ids)s::uuid[] AND (NOT %(alone)s OR source_memory_ids <@ %(ids)s::uuid[])
        ORDER BY id FOR UPDATE
        """,
        {"user": session.user_id, "ids": list(memory_ids), "alone": alone},
    )


async def restore_sources(session: WriteSession, memory_ids: Sequence[UUID], now: int) -> list[UUID]:
    """Take the other sources of these consolidations out of the archive; their ids.

    A consolidation archives its sources in its own transaction, so the two times are equal.
    """
    return await session.values(
        """
        UPDATE memory m SET archived = false, archived_at = NULL, archived_by = NULL, consolidated_at = NULL,
                            updated_at = %(now)s
        FROM memory made
        WHERE made.user_id = %(user)s AND made.id = ANY(%(ids)s) AND m.user_id = %(user)s
          AND m.id = ANY(made.source_memory_ids) AND m.id <> ALL(%(ids)s) AND m.knowledge_base_id IS NULL
          AND m.archived AND m.archived_by = 'job' AND m.archived_at = made.created_at
        RETURNING m.id
        """,
        {"user": session.user_id, "ids": list(memory_ids), "now": now},
    )


async def forget_sources(session: WriteSession, memory_ids: Sequence[UUID]) -> None:
    """Take the ids of these memories out of what other memories name as their sources."""
    await session.execute(
        f"""
        UPDATE memory SET source_memory_ids = ARRAY(
            SELECT one FROM unnest(source_memory_ids) AS one WHERE one <> ALL(%(ids)s))
        WHERE user_id = %(user)s AND {HAS_SOURCES} AND source_memory_ids && %(ids)s::uuid[]
        """,
        {"user": session.user_id, "ids": list(memory_ids)},
    )


async def contents(session: WriteSession, memory_ids: Sequence[UUID]) -> list[str]:
    """The contents of these memories, and those that they had before: an edit may have taken out what must not stay."""
    return await session.values(
        """
        SELECT content FROM memory WHERE user_id = %(user)s AND id = ANY(%(ids)s)
        UNION SELECT fields->>'content' FROM memory_version WHERE user_id = %(user)s AND memory_id = ANY(%(ids)s)
        """,
        {"user": session.user_id, "ids": list(memory_ids)},
    )


async def remove_jobs(session: WriteSession, field: str, values: Sequence[str]) -> int:
    """Take the values out of the payload field of the user's waiting jobs; returns how many jobs were deleted or changed.

    The field holds one value or an array. A job with no value left is deleted.
    """
    return await session.value(
        "SELECT memd_remove_own_jobs(%(field)s, %(values)s)", {"field": field, "values": list(values)}
    )


async def checkpoints_with(session: WriteSession, wire_ids: Sequence[str]) -> list[CheckpointRow]:
    """The checkpoints with entries of these memories; locked until the transaction ends."""
    return await session.rows(
        CheckpointRow,
        """
        SELECT id, memory_snapshot AS entries, coalesce(semantic_summary, '') AS summary FROM checkpoint
        WHERE user_id = %(user)s AND json_typeof(memory_snapshot) = 'array' AND EXISTS (
          SELECT FROM json_array_elements(memory_snapshot) AS entry WHERE entry->>'memoryId' = ANY(%(ids)s))
        ORDER BY id FOR UPDATE
        """,
        {"user": session.user_id, "ids": list(wire_ids)},
    )


async def set_checkpoint(session: WriteSession, checkpoint_id: UUID, entries: Sequence[Any], summary: str) -> None:
    """Replace the entries and the summary of a checkpoint."""
    await session.execute(
        """
        UPDATE checkpoint SET memory_snapshot = %(entries)s, semantic_summary = %(summary)s
        WHERE user_id = %(user)s AND id = %(id)s
        """,
        {"user": session.user_id, "id": checkpoint_id, "entries": Json(list(entries)), "summary": summary},
    )


async def snapshots_quoting(session: WriteSession, texts: Sequence[str], quoted: Sequence[str]) -> list[SnapshotRow]:
    """The snapshots with one of the texts as a passage or one of `quoted` inside of one; locked for the transaction."""
    return await session.rows(
        SnapshotRow,
        """
        SELECT id, messages AS passages FROM snapshot
        WHERE user_id = %(user)s AND json_typeof(messages) = 'array' AND EXISTS (
          SELECT FROM json_array_elements(messages) AS passage
          WHERE passage->>'content' = ANY(%(texts)s)
             OR EXISTS (SELECT FROM unnest(%(quoted)s::text[]) AS quote WHERE strpos(passage->>'content', quote) > 0))
        ORDER BY id FOR UPDATE
        """,
        {"user": session.user_id, "texts": list(texts), "quoted": list(quoted)},
    )


async def set_passages(session: WriteSession, snapshot_id: UUID, passages: Sequence[Any], tokens: int) -> None:
    """Replace the passages of a snapshot."""
    await session.execute(
        """
        UPDATE snapshot SET messages = %(messages)s, message_count = %(count)s, total_tokens = %(tokens)s
        WHERE user_id = %(user)s AND id = %(id)s
        """,
        {
            "user": session.user_id,
            "id": snapshot_id,
            "messages": Json(list(passages)),
            "count": len(passages),
            "tokens": tokens,
        },
    )
