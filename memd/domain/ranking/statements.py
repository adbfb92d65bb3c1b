"""A short memory as a statement, read as far as it is compared with others (contract 11.2, conflictBoost)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from memd.domain.facts.succession import DatedStatement
from memd.domain.ranking.endings import ended_things, replaced_stems
from memd.domain.ranking.evidence import Evidence
from memd.domain.ranking.rank_score import RankedRow
from memd.domain.ranking.statement_clauses import Clause, clauses_of
from memd.domain.ranking.statement_words import (
    CHANGE_ADVERBS,
    Places,
    numbers_of,
    places_of,
    said_at,
    stem_of,
    without_day,
    words_of,
)
from memd.domain.text.names import proper_names

MAX_CHARACTERS: Final = 300
"""A longer text says more than one thing."""
SHARE: Final = 0.5
"""The share of the words with a meaning that another statement of the same has, too."""


@dataclass(frozen=True)
class Statement:
    """What a row says; read as far as it is compared."""

    row: RankedRow
    dated: DatedStatement
    """When it was recorded: on the day that it names behind the words, if it was stored later."""
    text: str
    """The content without the day on which it was said."""
    words: tuple[str, ...]
    """The words of the content in lower case, without the adverbs of a change."""
    meaning: frozenset[str]
    """The stems of the words with a meaning, of the title, too."""

    @property
    def evidence(self) -> Evidence:
        """How well it answers the question."""
        return self.row.candidate.evidence

    @cached_property
    def group(self) -> tuple[str | None, str | None]:
        """The channel and the project: only within them is one the update of another."""
        return self.row.candidate.stored.channel, self.row.candidate.stored.project_id

    def shares_half(self, other: "Statement") -> bool:
        """Whether both share half of the words of the one that has fewer."""
        return len(self.meaning & other.meaning) >= SHARE * min(len(self.meaning), len(other.meaning))

    @cached_property
    def stems(self) -> tuple[str, ...]:
        """The stems of the words of the content that have a meaning, in order."""
        return tuple(filter(None, map(stem_of, self.words)))

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        """The clauses of the content, in order."""
        return clauses_of(self.text)

    @cached_property
    def names(self) -> Mapping[str, Places]:
        """The words of names, in lower case, with their places."""
        return places_of(self.words, {word for name in proper_names(self.text) for word in words_of(name)})

    @cached_property
    def numbers(self) -> Mapping[str, Places]:
        """The words that begin with a digit, with their places."""
        return numbers_of(self.words)

    @cached_property
    def replaced(self) -> frozenset[str]:
        """The words for what is replaced, as the content says; none for a text about the past."""
        return replaced_stems(self.text)

    @cached_property
    def ended(self) -> tuple[frozenset[str], ...]:
        """The words for each thing that is over, as the content says."""
        return ended_things(self.text)


def read_statement(row: RankedRow, dated: DatedStatement | None) -> Statement | None:
    """The row as a statement; None for one that is long or no memory (`dated` is None), or weak and says of nothing that it is over."""
    stored = row.candidate.stored
    if dated is None or len(stored.content) > MAX_CHARACTERS or (row.weak and not ended_things(stored.content)):
        return None
    said = min(said_at(stored.content) or dated.recorded_at, dated.recorded_at)
    text = without_day(stored.content)
    words = tuple(word for word in words_of(text) if word not in CHANGE_ADVERBS)
    of_title = () if stored.title in stored.content else words_of(without_day(stored.title))
    meaning = frozenset(filter(None, map(stem_of, (*words, *of_title))))
    return Statement(row, dated._replace(recorded_at=said), text, words, meaning)
