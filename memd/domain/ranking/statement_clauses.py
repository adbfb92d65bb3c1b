"""The clauses of a short statement, and which values stand in which role in them (contract 11.2, conflictBoost)."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from memd.domain.ranking.statement_words import CHANGE_ADVERBS, FUNCTION_WORDS, WORD, plain_word, stem_of
from memd.domain.ranking.update_words import LANGUAGES, words_for
from memd.domain.text.alternatives import any_of
from memd.domain.text.names import COMMON_WORDS

_BOUNDARY: Final = re.compile(
    r"[.;,:!?…](?<!\b[A-Z]\.)(?<!\b(?:Mr|Ms|Dr|Sr)\.)(?<!\b(?:Mrs|Mme|Sra)\.)\s+"
    rf"|\s(?:[–—-]|{any_of(words_for(lambda each: each.joining))})\s"
)
"""Between clauses; it may also be between the parts of a list, which are clauses that say little."""
_CHANGED: Final = re.compile(rf"\b{any_of(words_for(lambda each: each.changed))}\b", re.IGNORECASE)
"""Verbs, and words of several, by which a statement says that something changed."""
_ROLES: Final = {word: role for each in LANGUAGES for role, words in each.roles.items() for word in words.split()}
_VERBS: Final = frozenset(words_for(lambda each: each.verbs).split())
_REACH: Final = 4
"""The preposition of a name is among so many words before it: `en el colegio San Marcos`."""
_DAYS: Final = frozenset(form for each in LANGUAGES for day in each.weekdays for form in (day, f"{day}s"))
_DAY: Final = "day"


@dataclass(frozen=True)
class Clause:
    """A clause of a statement; `tokens` are its words as written, `low` those in lower case, `stems` those with a meaning."""

    text: str
    tokens: tuple[str, ...]
    low: tuple[str, ...]
    stems: frozenset[str]

    @cached_property
    def changed(self) -> bool:
        """Whether it says that it was not always so: "now", "wieder", "switched"."""
        return not CHANGE_ADVERBS.isdisjoint(self.low) or _CHANGED.search(self.text) is not None

    @cached_property
    def named_first(self) -> str:
        """The stem of the name that it begins with; blank without one."""
        return stem_of(self.low[0]) if _is_name(self.tokens[0], self.low[0]) else ""

    @cached_property
    def roles(self) -> Mapping[str, frozenset[str]]:
        """The stems of its names by the role in which they stand, and of its weekdays."""
        found: dict[str, set[str]] = {}
        for place, (token, word) in enumerate(zip(self.tokens, self.low, strict=True)):
            if word in _DAYS:
                found.setdefault(_DAY, set()).add(stem_of(word))
            elif _is_name(token, word):
                found.setdefault(self._role(place), set()).add(stem_of(word))
        return {role: frozenset(stems) for role, stems in found.items()}

    def _role(self, place: int) -> str:
        """The role of the word at a place; blank for a subject or an object."""
        for word in reversed(self.low[max(0, place - _REACH) : place]):
            if word in _ROLES:
                return _ROLES[word]
            if word in _VERBS:
                break
        return ""


def _is_name(token: str, low: str) -> bool:
    """Whether a word may be a name: it begins with a capital, or contains one."""
    return low != token and low not in COMMON_WORDS and low not in FUNCTION_WORDS


def clauses_of(text: str) -> tuple[Clause, ...]:
    """The clauses of a text, in order."""
    return tuple(_clauses(text))


def _clauses(text: str) -> Iterator[Clause]:
    for part in _BOUNDARY.split(text):
        tokens = WORD.findall(part)
        if tokens:
            tokens = tuple(map(plain_word, tokens) if "'" in part or "’" in part else tokens)
            low = tuple(map(str.lower, tokens))
            yield Clause(part, tokens, low, frozenset(filter(None, map(stem_of, low))))
