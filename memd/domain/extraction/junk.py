"""Whether an extracted memory is junk: extraction would no longer make it from the same messages (contract 17.9).

The messages are read again, and the memory is compared with what extraction keeps of them now. How a conversation was
cut into windows is not known any more, so a message is read with more and with less of what was said before it, and
what any reading keeps is not junk. A memory that is not in the words of its messages, as a chat model writes them, is
not judged.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Final
from uuid import UUID

from memd.domain.dates.months import MONTHS
from memd.domain.dates.weekdays import WEEKDAY
from memd.domain.distilling.features import content_words
from memd.domain.distilling.weights import BIAS, WEIGHTS
from memd.domain.distilling.wording import bare
from memd.domain.extraction import cues, statements
from memd.domain.extraction.conversation_windows import SourceMessage, conversation_windows
from memd.domain.extraction.extract import kept_sentences
from memd.domain.text.sentences import sentences
from memd.domain.types import MessageRole

BEFORE: Final = 6
"""Messages before a source that its score depends on."""
AFTER: Final = 2
_DEPTHS: Final = (BEFORE, 2, 0, 1, 3, 4, 5)
"""How many messages before a source are read with it, the likeliest first: its window began with one of them, or earlier."""
_ALONE_DEPTH: Final = 2
_SAME: Final = 0.5
"""The share of a sentence's words that a memory must have to state it."""
_SAID: Final = 0.8
"""The share of a memory's words that shows that it is in the words of its messages."""
_DATE_WORD: Final = re.compile(
    rf"\d+(?:st|nd|rd|th)?|(?:{'|'.join(MONTHS).lower()}|{WEEKDAY}s?|yesterday|today|tonight|tomorrow|night|morning|afternoon|evening|day|week|weekend|month|year"
    r"|last|next|past|coming|ago|winter|spring|summer|fall|autumn|around|asked)"
)
"""A word of a time, which extraction may have replaced with another one."""
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_Words = frozenset[str]

_PATTERNS: Final = 8
"""Version of the patterns; incremented when memories must be judged again."""
RULES: Final = hashlib.sha256(
    repr(
        (sorted(WEIGHTS.items()), BIAS, statements.KEEP_MESSAGE, statements.KEEP_SENTENCE, cues.KEEP, _PATTERNS)
    ).encode()
).hexdigest()[:12]
"""A digest of the weights, thresholds and patterns of extraction; when it changes, memories are judged again."""
NOTHING_KEPT: Final = "extraction keeps nothing of its messages"
OTHERS_KEPT: Final = "extraction keeps other statements of its messages"


class SourceReading:
    """A message that is read again when a memory of it is judged: what was said, and what extraction keeps of it."""

    def __init__(self, message: SourceMessage, context: Sequence[SourceMessage]) -> None:
        """`context` are the messages of its turn or session near it, itself among them."""
        self._message = message
        self._context = context
        self._known: dict[tuple[str, str | None, int, int], list[_Words]] = {}
        self._position: Final = next(index for index, one in enumerate(context) if one.id == message.id)
        self._others: Final = {one.speaker for one in context if one.speaker} - {message.speaker}
        self.said: Final = _words(message.content)
        self.names: Final = frozenset[str]().union(*(_words(one.speaker or "") for one in context))

    def kept(self, words: _Words) -> Iterator[_Words]:
        """The words of the sentences that extraction keeps, the likeliest first: who has found enough reads no further.

        Each sentence that `words` cover in part is also read as if it were all that the message says: a better one next
        to it does not make it junk. Whether a program was listening to the only speaker cannot be seen where the talk
        was cut, so both is read.
        """
        for depth in _DEPTHS:
            yield from self._read(self._message, depth)
        if self._message.speaker and self._message.role is MessageRole.USER and not self._others:
            yield from self._read(replace(self._message, speaker=None), 0)
            yield from self._read(self._message, 0, after=0)
            yield from self._answered
        for sentence in sentences(self._message.content):
            if _covers(words, _words(sentence) - self.names):
                yield from self._read(replace(self._message, content=sentence), _ALONE_DEPTH)

    @cached_property
    def _answered(self) -> list[_Words]:
        """The sentences that extraction keeps of the message when a program answers it."""
        answer = replace(self._message, id=UUID(int=0), role=MessageRole.ASSISTANT, content="Noted.", speaker=None)
        return [_words(bare(sentence)) for sentence in _kept([self._message, answer], self._message.id)]

    def _read(self, message: SourceMessage, depth: int, after: int = AFTER) -> list[_Words]:
        """The sentences that extraction keeps of the message with at most this many messages before and after it."""
        depth, after = min(depth, self._position), min(after, len(self._context) - 1 - self._position)
        key = message.content, message.speaker, depth, after
        if key not in self._known:
            near = [*self._context[self._position - depth : self._position], message]
            kept = sorted(
                set(_kept([*near, *self._context[self._position + 1 : self._position + 1 + after]], message.id))
            )
            self._known[key] = [words for sentence in kept if (words := _words(bare(sentence)))]
        return self._known[key]


def junk_reason(content: str, readings: Sequence[SourceReading]) -> str | None:
    """Why a memory is junk, given its messages; None when it is worth keeping, or when that cannot be known.

    It takes milliseconds for each short message, a tenth of a second for long ones.
    """
    names = frozenset[str]().union(*(one.names for one in readings))
    words = _words(content) - names
    conversation_words = frozenset[str]().union(*(one.said for one in readings))
    if not words or len(words & conversation_words) < _SAID * len(words):
        return None
    reason = NOTHING_KEPT
    for sentence in (kept for one in readings for kept in one.kept(words)):
        if _covers(words, sentence - names):
            return None
        reason = OTHERS_KEPT if sentence - names else reason
    return reason


def _covers(words: _Words, sentence: _Words) -> bool:
    """Whether enough of the words of the sentence are among these."""
    return bool(sentence) and len(sentence & words) >= _SAME * len(sentence)


def _kept(near: Sequence[SourceMessage], message_id: UUID) -> list[str]:
    """The sentences that extraction keeps of a message, read together with these messages, which include it."""
    return [
        sentence
        for window in conversation_windows(near)
        for position, one in enumerate(window.messages)
        if one.id == message_id
        for sentence in kept_sentences(window, position)
    ]


def _words(text: str) -> _Words:
    """The content words without those of times and without the ending that a verb has in the third person."""
    informative = {word.split("'")[0] for word in content_words(text)}
    english = {re.sub(r"i\Z", "y", word.rstrip("es")) for word in informative if not _DATE_WORD.fullmatch(word)}
    foreign = (word for word in _LETTERS.findall(text.lower()) if not word.isascii())
    return frozenset(english.union(foreign))
