"""Whether a memory that extraction made is junk: its present rules would not make it of the same messages (contract 17.9).

The messages are read again, and the memory is compared with what extraction keeps of them now. How a conversation was
cut into windows is not known any more, so a message is read with more and with less of what was said before it, and what
any reading keeps is no junk. A memory that is not in the words of its messages, as a chat model writes them, is not judged.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from memd.domain import cues
from memd.domain.conversation_windows import SETTLE_MS, SourceMessage, conversation_windows
from memd.domain.distilling import statements
from memd.domain.distilling.features import content_words
from memd.domain.distilling.weights import BIAS, WEIGHTS
from memd.domain.extraction import kept_sentences
from memd.domain.sentences import sentences

BEFORE: Final = 6
"""Messages before a source that its score depends on."""
AFTER: Final = 2
_DEPTHS: Final = (BEFORE, 2, 0)
_ALONE_DEPTH: Final = 2
_SAME: Final = 0.5
"""The share of a sentence's words that shows that a memory tells it."""
_SAID: Final = 0.8
"""The share of a memory's words that shows that it is in the words of its messages."""
_DATE_WORD: Final = re.compile(
    r"\d+|(?:january|february|march|april|may|june|july|august|september|october|november|december|week|weekend|asked)"
)
_OTHER_WORD: Final = re.compile(r"[^\W\d_]*[^\W\d_a-z][^\W\d_]*")
"""A word with a letter that English has not."""
_Words = frozenset[str]

RULES: Final = hashlib.sha256(
    repr((sorted(WEIGHTS.items()), BIAS, statements.KEEP_MESSAGE, statements.KEEP_SENTENCE, cues.KEEP)).encode()
).hexdigest()[:12]
"""Names the weights and thresholds of extraction; with others, memories are judged anew."""
NOTHING_KEPT: Final = "extraction keeps nothing of its messages"
OTHERS_KEPT: Final = "extraction keeps other statements of its messages"


class SourceReading:
    """A message that is read again when a memory of it is judged: what was said, and what extraction keeps of it."""

    def __init__(self, message: SourceMessage, around: Sequence[SourceMessage]) -> None:
        """`around` are the messages of its turn or session near it, itself among them."""
        self._message = message
        self._around = around
        self._known: dict[tuple[str, int], list[_Words]] = {}
        self.said: Final = _words(message.content)
        self.names: Final = frozenset[str]().union(*(_words(one.speaker or "") for one in around))

    def kept(self, told: _Words) -> Iterator[_Words]:
        """The words of the sentences that extraction keeps, the likeliest first: who has found enough reads no further.

        Each sentence that `told` has in part is also read as if it were all that the message says: that another one is
        better makes none junk.
        """
        for depth in _DEPTHS:
            yield from self._read(self._message.content, depth)
        for sentence in sentences(self._message.content):
            if _tells(told, _words(sentence) - self.names):
                yield from self._read(sentence, _ALONE_DEPTH)

    def _read(self, content: str, depth: int) -> list[_Words]:
        """What extraction keeps of the content with at most so many messages before it."""
        key = content, depth
        if key not in self._known:
            message = replace(self._message, content=content)
            kept = sorted(set(_kept(message, self._around, depth)))
            self._known[key] = [words for sentence in kept if (words := _words(sentence))]
        return self._known[key]


def junk_reason(content: str, readings: Sequence[SourceReading]) -> str | None:
    """Why a memory is junk, given its messages; None when it is worth keeping, or when that cannot be told.

    It takes milliseconds for each short message, a tenth of a second for long ones.
    """
    names = frozenset[str]().union(*(one.names for one in readings))
    words = frozenset(word for word in _words(content) if not _DATE_WORD.fullmatch(word)) - names
    said = frozenset[str]().union(*(one.said for one in readings))
    if not words or len(words & said) < _SAID * len(words):
        return None
    reason = NOTHING_KEPT
    for sentence in (kept for one in readings for kept in one.kept(words)):
        if _tells(words, sentence - names):
            return None
        reason = OTHERS_KEPT if sentence - names else reason
    return reason


def _tells(words: _Words, sentence: _Words) -> bool:
    """Whether these words tell the sentence."""
    return bool(sentence) and len(sentence & words) >= _SAME * len(sentence)


def _kept(message: SourceMessage, around: Sequence[SourceMessage], depth: int) -> list[str]:
    """What extraction keeps of a message when it is read with at most so many messages before it."""
    place = next(place for place, one in enumerate(around) if one.id == message.id)
    near = [*around[max(0, place - depth) : place], message, *around[place + 1 : place + 1 + AFTER]]
    settled = max(one.created_at for one in near) + SETTLE_MS
    return [
        sentence
        for window in conversation_windows(near, settled)
        for position, one in enumerate(window.messages)
        if one.id == message.id
        for sentence in kept_sentences(window, position)
    ]


def _words(text: str) -> _Words:
    """The content words without the ending that a verb has in the third person."""
    english = {word.split("'")[0].rstrip("es") for word in content_words(text)}
    return frozenset(english.union(_OTHER_WORD.findall(text.lower())))
