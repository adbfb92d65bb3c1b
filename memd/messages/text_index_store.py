"""The text index of a message, and the SQL of those that are stored already."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple
from uuid import UUID

from memd.db.session import WriteSession
from memd.db.text_index import TextIndex, text_index
from memd.domain.dates.zone import TimeZone
from memd.domain.messages.message_text import message_label
from memd.domain.text_analysis.analysis import VERSION
from memd.domain.text_analysis.language import Language
from memd.messages.new import NewMessage


class MessageText(NamedTuple):
    """The columns of a message from which its text index is computed."""

    id: UUID
    timestamp: int
    speaker: str | None
    role: str
    content: str


def text_indexes(
    user_id: UUID, messages: Iterable[MessageText | NewMessage], default: Language, zone: TimeZone
) -> dict[UUID, TextIndex]:
    """The text indexes of messages of a user. It only computes, so a thread may do it.

    The language is detected in the content; date and speaker are indexed too.
    """
    indexes: dict[UUID, TextIndex] = {}
    for message in messages:
        label = message_label(zone.local(message.timestamp), message.speaker, message.role)
        indexes[message.id] = text_index(user_id, (message.content,), (label,), default)
    return indexes


async def outdated(session: WriteSession, after: UUID, limit: int) -> list[MessageText]:
    """Messages that an earlier text analysis has indexed, by id, after `after`."""
    return await session.rows(
        MessageText,
        f"""
        SELECT m.id, m.timestamp, m.speaker, m.role, m.content
        FROM message_index i JOIN message m ON m.user_id = %(user)s AND m.id = i.message_id
        WHERE i.user_id = %(user)s AND i.index_version < {VERSION} AND i.message_id > %(after)s
        ORDER BY i.message_id LIMIT %(limit)s
        """,
        {"user": session.user_id, "after": after, "limit": limit},
    )


async def set_text_indexes(session: WriteSession, indexes: Mapping[UUID, TextIndex]) -> None:
    """Re-index messages."""
    await session.execute_many(
        f"""
        UPDATE message_index SET language = %(language)s, tsv = %(tsv)s, index_version = {VERSION}
        WHERE user_id = %(user)s AND message_id = %(id)s
        """,
        [{"user": session.user_id, "id": message_id, **index._asdict()} for message_id, index in indexes.items()],
    )
