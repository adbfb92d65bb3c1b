"""Clues in the words of a text, found with one look-up for each word: a filter before slow patterns."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from operator import add
from typing import Final, TypeAlias

from memd.domain.text.word_cache import WordCache

Literal: TypeAlias = tuple[str, bool]
"""A string to find, and whether it is searched in the original text (True) or in the folded one."""
Clue: TypeAlias = Literal | re.Pattern[str]
"""A literal, or a pattern that a single word of the original text has to match."""

_NOTHING: Final[frozenset[Clue]] = frozenset()


class WordClues:
    """Finds clues; a word is a run without white space.

    A literal is in a text only when its longest part without white space is in one of the text's words.
    """

    def __init__(self, clues: Iterable[Clue], fold: Callable[[str], str]) -> None:
        """`fold` folds whole texts; its result for a word must not depend on the word's position."""
        self._fold = fold
        self._parts: dict[Literal, str] = {}
        self._by_start: defaultdict[str, list[Literal]] = defaultdict(list)
        self._patterns: list[re.Pattern[str]] = []
        for clue in clues:
            if isinstance(clue, tuple):
                part = self._parts[clue] = max(clue[0].split(), key=len, default="")
                self._by_start[part[:2]].append(clue)
            else:
                self._patterns.append(clue)
        self._phrases: frozenset[Literal] = frozenset(
            [literal for literal, part in self._parts.items() if part != literal[0]]
        )
        self._given_away: WordCache[frozenset[Clue]] = WordCache(self._look_at)

    def found(self, exact: str, folded: str) -> frozenset[Clue]:
        """The clues in a text, which is passed in its original and in its folded form."""
        possible = _NOTHING.union(*map(self._given_away.__getitem__, set(exact.split())))
        if possible.isdisjoint(self._phrases):
            return possible
        views = (folded, exact)
        return possible - {phrase for phrase in self._phrases & possible if phrase[0] not in views[phrase[1]]}

    def _look_at(self, word: str) -> frozenset[Clue]:
        views = (self._fold(word), word)
        starts = {start for view in set(views) for start in (*view, *map(add, view, view[1:]))}
        starting = [literal for start in starts & self._by_start.keys() for literal in self._by_start[start]]
        literals = [literal for literal in starting if self._parts[literal] in views[literal[1]]]
        return frozenset([*literals, *(pattern for pattern in self._patterns if pattern.search(word))])
