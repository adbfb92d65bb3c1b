"""Finds memories that bring others up to date, where no conflict says so (contract 11.2, "Which memory is current").

A newer memory may say the same of the same thing with another value ("we use Adyen as the payment provider", two months after
"we use Stripe …"), the same and more, what it replaces, who or what is now in the place of something (`takeovers`), or that
something is over (`endings`). The less it says so itself, the nearer it has to come to the question: by words alone, many
memories say the same of parallel things.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final, NamedTuple
from uuid import UUID

from memd.domain.facts.succession import DatedStatement, replaces
from memd.domain.questions.earlier import is_in_past_tense
from memd.domain.ranking.asked_subject import framed, has_other_subject
from memd.domain.ranking.endings import is_named, may_end
from memd.domain.ranking.rank_score import RankedRow
from memd.domain.ranking.statement_words import (
    FUNCTION_WORDS,
    Places,
    asks_if_still,
    compounds_among,
    in_parts,
    is_about_now,
    stem_of,
    stems_of,
    words_of,
)
from memd.domain.ranking.statements import Statement, read_statement
from memd.domain.ranking.takeovers import takes_over
from memd.domain.ranking.update_words import words_for

MAX_ROWS: Final = 10
"""The best rows among which updates are looked for: each is compared with each."""
LIKE: Final = 0.2
"""An update has at most so much less evidence: where it says the same with another value, times the share of the query's words that
the older one holds, as by words that no row has the cosine tells rows apart ("where can we eat Japanese food?").
"""
REPLACES: Final = 0.3
"""The same for a memory that says what it replaces, and for another value where the query asks if what it names is still so."""
TAKES_OVER: Final = 0.45
"""The same for a memory that says who or what is now in the place of what the other one states."""
ENDS: Final = 0.6
"""The same for a memory that says that what the other one states is over."""
APART_MS: Final = 60_000
"""What is stored in one go is a list, in which each value counts."""
_MIN_SHARED: Final = 2
_MAY_FOLLOW: Final = FUNCTION_WORDS.union(words_for(lambda each: each.naming).split())
"""Words that may follow a noun: any other one makes another thing of it."""
_MAX_HOLE: Final = 4
"""Words of a value."""
_MIN_FRAME: Final = 3


class Update(NamedTuple):
    """The memory that holds now, and the one that it brings up to date."""

    newer: UUID
    older: UUID


class _Query(NamedTuple):
    """A question: its words, the stems of those with a meaning, and what it asks about."""

    words: tuple[str, ...]
    stems: frozenset[str]
    about_now: bool
    still: bool
    """Whether it asks if something is still so."""
    past: bool
    """Whether it has a verb in the past tense."""


def find_updates(
    rows: Sequence[RankedRow], statements: Mapping[UUID, DatedStatement], query: str, valid_at: int
) -> list[Update]:
    """The updates among the best memories, for a question about the values at `valid_at` (epoch ms).

    `statements` say when each memory among them was recorded, and the period that it states. Both memories of an update
    belong to one channel and project, and `succession.replaces` says which is newer. The rows are in order.
    """
    asked = _Query(
        words=words_of(query),
        stems=stems_of(query),
        about_now=is_about_now(query),
        still=asks_if_still(query),
        past=is_in_past_tense(query),
    )
    read = [
        one for row in rows[:MAX_ROWS] if (one := read_statement(row, statements.get(row.candidate.id))) is not None
    ]
    return [
        Update(newer.row.candidate.id, older.row.candidate.id)
        for one, other in combinations(sorted(read, key=lambda one: (one.dated.recorded_at, one.dated.place)), 2)
        if one.group == other.group
        for older, newer in _in_time(one, other, valid_at)
        if not older.row.weak and (_is_newer(older, newer, asked) or _ends(older, newer, asked))
    ]


def _is_newer(older: Statement, newer: Statement, asked: _Query) -> bool:
    """Whether the newer one, which is as relevant, says what is so now of what the older one states."""
    if newer.row.weak or len(older.meaning & newer.meaning) < _MIN_SHARED:
        return False
    return _replaces(older, newer, asked) or (
        abs(older.dated.recorded_at - newer.dated.recorded_at) >= APART_MS
        and (_restates(older, newer, asked) or _extends(older, newer) or _takes_over(older, newer, asked))
    )


def _in_time(first: Statement, second: Statement, valid_at: int) -> Iterator[tuple[Statement, Statement]]:
    """The older and the newer one, of which the second was recorded later; none where the newer one was not true at the moment."""
    older, newer = (first, second) if replaces(second.dated, first.dated) else (second, first)
    if newer.dated.since <= valid_at and not newer.dated.had_ended:
        yield older, newer


def _less(older: Statement, newer: Statement) -> float:
    """How much less evidence the newer one has."""
    return older.evidence.total - newer.evidence.total


def _less_aside_from_facts(older: Statement, newer: Statement) -> float:
    """The same, without what the older one gets for stating the fact that is asked for."""
    return _less(older, newer) - older.evidence.facts


def _replaces(older: Statement, newer: Statement, asked: _Query) -> bool:
    """Whether the newer one says that it replaces what the older one states, for a question that does not name that."""
    old = newer.replaced & older.meaning
    if not old or asked.about_now:
        return bool(old)
    return _less(older, newer) <= REPLACES and not old & asked.stems


def _ends(older: Statement, newer: Statement, asked: _Query) -> bool:
    """Whether the newer one says that something is over that the older one states and the question names.

    What the older one states of it, such as its date, does not count as evidence: it is no longer so.
    """
    if not newer.ended:
        return False
    compounds = compounds_among({*older.words, *newer.words, *asked.words})
    stated = in_parts(older.meaning, compounds)
    named = in_parts(asked.stems, compounds) & stated
    return (
        any(thing & named and is_named(thing, stated) for thing in (in_parts(one, compounds) for one in newer.ended))
        and may_end(older.text)
        and (asked.about_now or _less_aside_from_facts(older, newer) <= ENDS)
    )


def _takes_over(older: Statement, newer: Statement, asked: _Query) -> bool:
    """Whether the newer one says what is now in the place of what the older one states, for a question that fits both."""
    return (
        not asked.past
        and (asked.about_now or _less_aside_from_facts(older, newer) <= TAKES_OVER)
        and takes_over(older, newer, asked.stems)
    )


def _restates(older: Statement, newer: Statement, asked: _Query) -> bool:
    """Whether the newer one says the same of the same thing with another value, and answers the question as well.

    Where the question asks if a value that it names is still so, the older one may have more of its words.
    """
    less = _less(older, newer)
    answers = less <= LIKE * older.evidence.words and _has_asked_words(older, newer)
    return (
        (less <= REPLACES if asked.still else answers and not (older.meaning - newer.meaning) & asked.stems)
        and newer.shares_half(older)
        and _has_other_value(older, newer)
        and not _is_about_another(older, newer, asked)
    )


def _is_about_another(older: Statement, newer: Statement, asked: _Query) -> bool:
    """Whether the question names the thing that the older one is about, and the newer one says the same of another thing."""
    return not asked.still and has_other_subject(framed(older.words, asked.stems), framed(newer.words, asked.stems))


def _extends(older: Statement, newer: Statement) -> bool:
    """Whether the newer one says all that the older one says, and more: the shorter text is closer to a question."""
    return (
        _MIN_SHARED <= len(older.stems) < len(newer.stems)
        and _less(older, newer) <= LIKE
        and _has_asked_words(older, newer)
        and _contains(older, newer)
    )


def _contains(older: Statement, newer: Statement) -> bool:
    """Whether the newer one has all words of the older one with a meaning, in its order, and of the same things.

    "The key to the garage" is not "the key", and "tea parties" are not "tea".
    """
    following = enumerate(newer.words)
    places = [next((place for place, word in following if stem_of(word) == stem), None) for stem in older.stems]
    first, last = places[0], places[-1]
    if first is None or last is None:
        return False
    begin = next(place for place, word in enumerate(older.words) if stem_of(word))
    if older.words[begin + 1] != newer.words[first + 1]:
        return False
    behind = newer.words[last + 1 : last + 2]
    is_compound = behind and f"{newer.words[last]} {behind[0]}" in newer.text.lower()
    return not is_compound or behind[0] in _MAY_FOLLOW


def _has_asked_words(older: Statement, newer: Statement) -> bool:
    """Whether the newer one has the words of the query that the older one has."""
    return newer.evidence.words >= older.evidence.words


def _has_other_value(older: Statement, newer: Statement) -> bool:
    """Whether each has a name or a number that the other one lacks, next to the same word, or they differ in one place only."""
    return (
        bool(_own(older.numbers, newer.numbers) & _own(newer.numbers, older.numbers))
        or _is_one_frame(older, newer)
        or bool(_own(older.names, newer.names) & _own(newer.names, older.names))
    )


def _own(one: Mapping[str, Places], other: Mapping[str, Places]) -> Places:
    """The places of the words that the other one lacks; none at an end of the text."""
    words = one.keys() - other.keys()
    return frozenset(place for word in words for place in one[word] if place[1]) if words else frozenset()


def _is_one_frame(one: Statement, other: Statement) -> bool:
    """Whether both begin and end with the same words, some of which have a meaning, around a short value."""
    begin = _common(one.words, other.words)
    end = _common(one.words[begin:][::-1], other.words[begin:][::-1])
    frame = [*one.words[:begin], *one.words[len(one.words) - end :]]
    holes = [len(words) - begin - end for words in (one.words, other.words)]
    return min(holes) > 0 and max(holes) <= _MAX_HOLE and len(frame) >= _MIN_FRAME


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """How many words both begin with."""
    return next(
        (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
