"""Reads what a statement says is over or replaced: "the trip to Rome is called off", "Postgres instead of MariaDB" (contract 11.2)."""

import re
from collections.abc import Iterator
from itertools import takewhile
from typing import Final

from memd.domain.distilling.tenses import is_past
from memd.domain.german.tenses import is_german_past
from memd.domain.questions.earlier import names_earlier
from memd.domain.ranking.statement_words import FUNCTION_WORDS, stem_of, stems_of, words_of
from memd.domain.ranking.update_words import LANGUAGES, words_for
from memd.domain.romance.tenses import is_romance_past
from memd.domain.text.alternatives import any_of
from memd.domain.text.phrases import Phrases

_OVER: Final = Phrases([phrase for each in LANGUAGES for phrase in each.over])
_INSTEAD: Final = Phrases([phrase for each in LANGUAGES for phrase in each.instead])
_SENTENCE: Final = re.compile(r"(?<!\d)[.;!?](?:\s+|\Z)|(?<=\d)[.;!?]\Z")
_CLAUSE: Final = re.compile(r"[:,](?<!\baufgehört,)\s+|\s[–—-]\s")
"""Between clauses, but not before what somebody has stopped: `Tom hat aufgehört, Gitarre zu spielen`."""
_CONDITION: Final = re.compile(rf"\b{any_of(words_for(lambda each: each.condition))}(?!\w)", re.IGNORECASE)
_REASON: Final = re.compile(rf"\b{any_of(words_for(lambda each: each.reason))}\b.*?(?=\saus\Z|\Z)", re.IGNORECASE)
"""The reason, up to the second part of a German verb."""
_UNDONE: Final = re.compile(
    rf"(?:\b{any_of(words_for(lambda each: each.undone))}|n['’]t|['’]ll)(?:\s+(?:have|be|been|yet))*\s*\Z",
    re.IGNORECASE,
)
"""Before the verb: what somebody wants, may or does not end."""
_SAME_SUBJECT: Final = re.compile(
    rf"\s{any_of(words_for(lambda each: each.joining))}\s+(?:{any_of(words_for(lambda each: each.verbs))}\s*)?\Z",
    re.IGNORECASE,
)
"""Before the verb: another clause has its subject."""
_SUBJECT: Final = re.compile(rf"(?:{any_of(words_for(lambda each: each.determiners))}\s+)?[^\W_]+", re.IGNORECASE)
_ASIDE: Final = stems_of(words_for(lambda each: each.aside))
_ARRANGED: Final = re.compile(rf"\b{any_of(words_for(lambda each: each.arranged))}", re.IGNORECASE)
_DETERMINERS: Final = frozenset(words_for(lambda each: each.determiners).split())
_MONTHS: Final = stems_of(" ".join(name for each in LANGUAGES for name in each.months))


def ended_things(text: str) -> tuple[frozenset[str], ...]:
    """For each clause that says that something is over, the stems of the words for it and for whom it concerns."""
    if not _OVER.may_be_in(text):
        return ()
    clauses = (
        clause
        for sentence in _SENTENCE.split(text)
        if not _CONDITION.search(sentence)
        for clause in _CLAUSE.split(sentence)
    )
    return tuple(stems for clause in clauses if (stems := frozenset(_ended(clause))))


def _ended(clause: str) -> Iterator[str]:
    """The stems of what a clause says is over; none where it does not, or says it of nothing but its first word: "Ben quit"."""
    stated = _REASON.sub("", clause).rstrip()
    match = _OVER.first(stated)
    if match and not _UNDONE.search(before := stated[: match.start()]):
        joined = _SAME_SUBJECT.search(before)
        subject = _SUBJECT.match(before) if joined else None
        found = stems_of(f"{subject[0] if subject else before} {stated[match.end() :]}") - _ASIDE
        yield from found if found - stems_of(stated.split(" ", 1)[0]) else ()


def replaced_stems(text: str) -> frozenset[str]:
    """The stems of the words for what is replaced or ended, as the text says; none for a text about the past, which may be out of date."""
    if not _INSTEAD.may_be_in(text):
        return frozenset()
    found = frozenset[str]().union(*(_first_stems(match[match.lastindex or 0]) for match in _INSTEAD.all(text)))
    return found if found and not names_earlier(text) else frozenset()


def _first_stems(text: str) -> frozenset[str]:
    """The stems of the words up to the first function word, without a determiner."""
    words = words_of(text)
    named = words[1:] if words and words[0] in _DETERMINERS else words
    return frozenset(filter(None, map(stem_of, takewhile(lambda word: word not in FUNCTION_WORDS, named))))


def may_end(text: str) -> bool:
    """Whether a statement tells of something that lasts, comes or was arranged, which may end, and not of what happened."""
    happened = is_past(text) or is_german_past(text) or is_romance_past(text)
    return not happened or _ARRANGED.search(text) is not None


def is_named(thing: frozenset[str], stems: frozenset[str]) -> bool:
    """Whether a statement with these stems is about an ended thing: it has all words for it, though not a date if it has none.

    A weekday is no date: who stops working on Fridays works on other days.
    """
    missing = thing - stems
    if not missing:
        return True
    has_date = any(map(_is_date, stems))
    return missing < thing and not has_date and all(map(_is_date, missing))


def _is_date(stem: str) -> bool:
    return stem[0].isdigit() or stem in _MONTHS
