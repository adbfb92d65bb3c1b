"""Extracts memories from conversations: turn by turn, and by a sweep over unread messages (contract 11.6).

Every message is read once: the writer of a window's memories marks its messages in the same transaction, and does
nothing when another writer was faster. So a job that runs twice, or two concurrent jobs, create each memory once.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal, TypeAlias
from uuid import UUID

import structlog

from memd.context import Context
from memd.domain.dates.zone import TimeZone
from memd.domain.extraction.answers import may_answer_earlier
from memd.domain.extraction.antecedents import may_refer_back
from memd.domain.extraction.conversation_windows import (
    GAP_MS,
    SETTLE_MS,
    ConversationWindow,
    SourceMessage,
    conversation_windows,
)
from memd.domain.extraction.corrections import may_correct_earlier
from memd.domain.extraction.earlier_messages import EARLIER
from memd.domain.extraction.extract import extract, extract_after
from memd.domain.extraction.extracted_memory import ExtractedMemory
from memd.extraction import store
from memd.extraction.writing import ExtractedRows, make_rows, write_window
from memd.llm.asking import ask
from memd.llm.model_answers import read_extraction
from memd.llm.prompts import extraction_prompt
from memd.memories.deriving import completed_rows
from memd.off_loop import in_thread

log = structlog.get_logger()
Method: TypeAlias = Literal["extractive", "llm"]
MODEL_TIMEOUT_S: Final = 20.0
PAGE: Final = 60


@dataclass(slots=True)
class ExtractionResult:
    """The memories made or found again, and the method; `degraded` when a model is set but did not serve."""

    memory_ids: list[UUID] = field(default_factory=list[UUID])
    messages: int = 0
    method: Method = "extractive"
    degraded: bool = False


async def extract_turn(context: Context, turn_id: str) -> ExtractionResult:
    """Extract memories from a turn's unread messages; a turn is complete, so there is no settling time."""
    async with context.database.owner(context.user_id) as session:
        messages = await store.unread_of_turn(session, turn_id)
    return await _extract(context, messages)


async def extract_waiting(context: Context) -> ExtractionResult:
    """Make memories of the user's oldest 60 unread messages that have settled."""
    async with context.database.owner(context.user_id) as session:
        messages = await store.unread(session, context.now - SETTLE_MS, PAGE)
    return await _extract(context, messages)


async def _extract(
    context: Context, messages: Sequence[SourceMessage], *, earlier_first: bool = True
) -> ExtractionResult:
    result = ExtractionResult()
    for window in conversation_windows(messages):
        found = await _ask_model(context, window)
        if found is not None:
            result.method = "llm"
        else:
            result.degraded |= context.services.llm is not None
        earlier = await _said_before(context, window) if found is None else []
        if earlier_first:
            await _extract_earlier(context, earlier)
        extracted = await in_thread(_read, context, window, earlier, found)
        extracted = replace(extracted, rows=await completed_rows(context, extracted.rows))
        written = await write_window(context, window, extracted)
        result.memory_ids += written.memory_ids
        result.messages += written.messages
    return result


async def _extract_earlier(context: Context, earlier: Sequence[SourceMessage]) -> None:
    """Extract the turns of these messages whose jobs have not run yet: what corrects a memory is read after it.

    One that fails is left to its own job.
    """
    if not earlier:
        return
    async with context.database.owner(context.user_id) as session:
        turn_ids = await store.unread_turns(session, [message.id for message in earlier])
    for turn_id in turn_ids:
        try:
            async with context.database.owner(context.user_id) as session:
                messages = await store.unread_of_turn(session, turn_id)
            await _extract(context, messages, earlier_first=False)
        except Exception:
            log.exception("extraction.earlier_turn_failed")


def _read(
    context: Context,
    window: ConversationWindow,
    earlier: Sequence[SourceMessage],
    found: list[ExtractedMemory] | None,
) -> ExtractedRows:
    """The rows of what a model found, else of what the patterns find."""
    if found is not None:
        return make_rows(context, window, found)
    whole = _local(replace(window, messages=(*earlier, *window.messages)), context.zone)
    before, own = whole.messages[: len(earlier)], whole.messages[len(earlier) :]
    read = replace(window, messages=own)
    return make_rows(context, whole, extract_after(before, read) if before else extract(read))


def _local(window: ConversationWindow, zone: TimeZone) -> ConversationWindow:
    """The window with the local times at which its messages were said, from which their days are read."""
    messages = (replace(message, timestamp=zone.local(message.timestamp)) for message in window.messages)
    return replace(window, messages=tuple(messages))


async def _said_before(context: Context, window: ConversationWindow) -> list[SourceMessage]:
    """The messages of the session that the window continues, if it may refer to one of them; read or unread."""
    if not await in_thread(_may_depend_on_earlier, window):
        return []
    first = window.messages[0]
    async with context.database.owner(context.user_id) as session:
        found = await store.around(session, [first.id], EARLIER, 0, other_turns=True)
    before = [one for one in found.get(first.id, []) if one.id != first.id]
    messages: list[SourceMessage] = []
    for one in reversed(before):
        if (messages[0] if messages else first).timestamp - one.timestamp > GAP_MS:
            break
        messages.insert(0, one)
    return messages


def _may_depend_on_earlier(window: ConversationWindow) -> bool:
    return may_answer_earlier(window) or may_refer_back(window) or may_correct_earlier(window)


async def _ask_model(context: Context, window: ConversationWindow) -> list[ExtractedMemory] | None:
    """The memories that the model extracts from the window; None without a model or a usable answer."""
    count = len(window.messages)
    return await ask(
        context, extraction_prompt(_local(window, context.zone)), lambda answer: _usable(answer, count), MODEL_TIMEOUT_S
    )


def _usable(answer: object, messages: int) -> list[ExtractedMemory] | None:
    """The memories of an answer, which may be an empty list; None for an answer of which nothing can be used."""
    found = read_extraction(answer, messages=messages)
    return found if found or answer in ([], {"memories": []}) else None
