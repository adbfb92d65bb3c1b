"""The messages of a window shortly before one, by its author and by others."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias

from memd.domain.distilling.wording import bare
from memd.domain.extraction.conversation_windows import ConversationWindow, SourceMessage
from memd.domain.extraction.statements import NEAR
from memd.domain.text.sentences import sentences
from memd.domain.types import MessageRole

EARLIER: Final = 2 * NEAR
"""How many preceding messages, those of others included, a sentence may refer back to."""
MAX_CORRECTIONS: Final = 20
"""Corrections of one message that are read: each reads the sentences before it."""
_MAX_READ: Final = 2_000
"""Longer messages are not searched for pronouns."""
Utterance: TypeAlias = tuple[int, str]
"""The position of a message, and one of its sentences."""
Resolve: TypeAlias = Callable[[ConversationWindow, int, Sequence[str], str], str | None]
"""Resolves a pronoun in a bare sentence of the message at a position, given the sentences before it there; None if unclear."""


def resolved_sentences(window: ConversationWindow, position: int, resolve: Resolve) -> dict[str, str]:
    """The sentences of a user's message in which `resolve` resolves a pronoun, each with its resolved form."""
    message = window.messages[position]
    if message.role is not MessageRole.USER or len(message.content) > _MAX_READ:
        return {}
    message_sentences = sentences(message.content)
    found = (
        (one, resolve(window, position, message_sentences[:index], bare(one)))
        for index, one in enumerate(message_sentences)
    )
    return {one: text for one, text in found if text is not None}


def earlier_utterances(window: ConversationWindow, position: int, preceding: Sequence[str]) -> Iterator[Utterance]:
    """The earlier sentences of a speaker, latest first: those `preceding` it, then those of earlier messages."""
    yield from ((position, sentence) for sentence in reversed(preceding))
    for earlier_position in range(position - 1, max(0, position - EARLIER) - 1, -1):
        if is_same_speaker(window.messages[earlier_position], window.messages[position]):
            yield from (
                (earlier_position, sentence)
                for sentence in reversed(sentences(window.messages[earlier_position].content))
            )


def earlier_texts(window: ConversationWindow, position: int, preceding: Sequence[str]) -> list[str]:
    """The texts before a sentence by anybody: earlier messages, and the sentences `preceding` it in its own."""
    return [*(one.content for one in window.messages[max(0, position - EARLIER) : position]), *preceding]


def speakers(window: ConversationWindow) -> frozenset[str]:
    """The names of those who speak."""
    return frozenset(one.speaker for one in window.messages if one.speaker)


def is_same_speaker(one: SourceMessage, other: SourceMessage) -> bool:
    """Whether two messages have one author."""
    return (one.role, one.speaker) == (other.role, other.speaker)
