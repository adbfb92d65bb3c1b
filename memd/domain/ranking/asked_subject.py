"""Whether the question names the thing that one of two like statements is about (contract 11.2, conflictBoost).

"The backup of the wiki runs at 2:00" and, later, "The backup of the shop runs at 4:00, two hours after the wiki" say the
same of two things. The later one has all words of a question about the wiki, but is no newer value of it.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final, NamedTuple

from memd.domain.ranking.statement_words import stem_of

_MAX_WORDS: Final = 2
"""Words of a thing that another one is compared with."""

Frame = tuple[str, str, int]
"""The words before and behind a thing; at an end of the text one is blank, and only equally many words (else 0) are compared."""


class Framed(NamedTuple):
    """The words in each frame of a statement, and those of the query among them."""

    words: Mapping[Frame, AbstractSet[str]]
    asked: Mapping[Frame, AbstractSet[str]]


def framed(words: Sequence[str], asked: AbstractSet[str]) -> Framed:
    """The frames of a statement, which is given as its words in lower case, for a query, given as stems."""
    found: dict[Frame, AbstractSet[str]] = {}
    bounded = ("", *words, "")
    for length in range(1, min(_MAX_WORDS, len(words) - 1) + 1):
        for begin, (before, behind) in enumerate(zip(bounded, bounded[length + 1 :], strict=False)):
            frame = before, behind, 0 if before and behind else length
            within = frozenset(words[begin : begin + length])
            found[frame] = found[frame] | within if frame in found else within
    named = {word for word in words if stem_of(word) in asked}
    return Framed(found, {frame: within & named for frame, within in found.items() if not within.isdisjoint(named)})


def has_other_subject(older: Framed, newer: Framed) -> bool:
    """Whether the newer statement has other words in the place where the older one has a word of the query."""
    return any(
        not named <= within and not _stems(named) <= _stems(within)
        for frame, named in older.asked.items()
        if (within := newer.words.get(frame))
    )


def _stems(words: AbstractSet[str]) -> AbstractSet[str]:
    return frozenset(map(stem_of, words))
