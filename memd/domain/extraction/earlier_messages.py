"""The messages of a window shortly before one, by its author and by others."""

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from memd.domain.extraction.conversation_windows import ConversationWindow, SourceMessage
from memd.domain.extraction.statements import NEAR
from memd.domain.text.sentences import sentences

EARLIER: Final = 2 * NEAR
"""How many preceding messages, those of others included, a sentence may refer back to."""
MAX_CORRECTIONS: Final = 20
"""Corrections of one message that are read: each reads the sentences before it."""
Utterance: TypeAlias = tuple[int, str]
"""The position of a message, and one of its sentences."""


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
