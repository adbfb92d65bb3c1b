"""The SQL of the text indexes of memories and chunks that are stored already."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from memd.db.session import OwnerSession, WriteSession
from memd.db.text_index import TextIndex, text_index
from memd.domain.text_analysis.analysis import VERSION
from memd.domain.text_analysis.language import Language


class StoredText(NamedTuple):
    """The columns of a memory from which its text index is computed."""

    id: UUID
    title: str
    content: str
    tags: list[str]


async def outdated(session: OwnerSession, after: UUID, limit: int) -> list[StoredText]:
    """Memories and chunks, archived ones too, that an earlier text analysis has indexed, by id, after `after`."""
    return await session.rows(
        StoredText,
        f"""
        SELECT m.id, m.title, m.content, m.tags FROM memory_index i
        JOIN memory m ON m.user_id = %(user)s AND m.id = i.memory_id
        WHERE i.user_id = %(user)s AND i.index_version < {VERSION} AND i.memory_id > %(after)s
        ORDER BY i.memory_id LIMIT %(limit)s
        """,
        {"user": session.user_id, "after": after, "limit": limit},
    )


async def lock_texts(session: WriteSession, memory_ids: Sequence[UUID]) -> list[StoredText]:
    """The texts of rows without a concurrent writer, locked."""
    return await session.rows(
        StoredText,
        """
        SELECT id, title, content, tags FROM memory WHERE user_id = %(user)s AND id = ANY(%(ids)s)
        FOR UPDATE SKIP LOCKED
        """,
        {"user": session.user_id, "ids": list(memory_ids)},
    )


async def lock_active(session: WriteSession, memory_id: UUID) -> StoredText | None:
    """The text of an active memory, locked until the transaction ends; None when it is gone."""
    return await session.row(
        StoredText,
        """
        SELECT id, title, content, tags FROM memory WHERE user_id = %(user)s AND id = %(id)s AND NOT archived FOR UPDATE
        """,
        {"user": session.user_id, "id": memory_id},
    )


def text_indexes(user_id: UUID, texts: Iterable[StoredText], default: Language) -> dict[UUID, TextIndex]:
    """The text indexes of the rows of a user. It only computes, so a thread may do it."""
    return {text.id: text_index(user_id, (text.title, text.content), text.tags, default) for text in texts}


async def set_text_indexes(session: WriteSession, indexes: Mapping[UUID, TextIndex]) -> None:
    """Re-index rows."""
    await session.execute_many(
        f"""
        UPDATE memory_index SET language = %(language)s, tsv = %(tsv)s, index_version = {VERSION}
        WHERE user_id = %(user)s AND memory_id = %(id)s
        """,
        [{"user": session.user_id, "id": row_id, **index._asdict()} for row_id, index in indexes.items()],
    )
