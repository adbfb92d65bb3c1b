"""Messages that say nothing beyond a memory that is shown with them, most often the one that was made from them.

"I prefer tea." is repeated by "The user prefers tea (15 November 2026).". Words are compared by their English stems,
without those that only a sentence needs; words of other languages are compared as such, where stems do not agree.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from memd.domain.text_analysis.folding import fold
from memd.domain.text_analysis.language import Language
from memd.domain.text_analysis.stemming import stem

MAX_READ: Final = 2_000
"""Characters of a text; what a longer message says counts as more."""
SAME_TIME_MS: Final = 60 * 60_000
"""A memory dates from the first message that it was made from; an older one does not repeat what was said since."""
_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_IGNORED_LIST: Final = """
    a an the i we me us my our ours you your yours he she it they him her them his its their theirs am is are was were
    be been being have has had do does did will would of in on at to for and that this these those there so just also
    as with by from user users let please right well ok okay yes noted
"""
_IGNORED: Final = frozenset(_IGNORED_LIST.split())
_NEGATIONS: Final = frozenset({"not", "no", "never", "without", "nobody", "none"})


class MemoryWords(NamedTuple):
    """The stems of the words of a memory, and when it was recorded (epoch ms)."""

    words: frozenset[str]
    at: int


def memory_words(text: str, at: int) -> MemoryWords:
    """The words of a memory with this text."""
    return MemoryWords(frozenset(_stems(text[:MAX_READ])), at)


def says_more(message: str, timestamp: int, memories: Sequence[MemoryWords]) -> bool:
    """Whether a message (time in epoch ms) says more than each one of the memories; True for one without words."""
    words = frozenset(_stems(message[:MAX_READ]))
    if not words or len(message) > MAX_READ:
        return True
    return not any(timestamp <= one.at + SAME_TIME_MS and _repeats(one.words, words) for one in memories)


def _repeats(memory: frozenset[str], message: frozenset[str]) -> bool:
    return message <= memory and message & _NEGATIONS == memory & _NEGATIONS


def _stems(text: str) -> Iterator[str]:
    for word in _WORD.findall(text.lower()):
        if word.endswith(("n't", "n’t")):
            yield "not"
        elif (base := re.split(r"['’]", word)[0]) not in _IGNORED:
            yield stem(Language.ENGLISH, fold(base))
