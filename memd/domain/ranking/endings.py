"""Reads what a statement says is over: "the trip to Rome is called off", "Ben quit the gym" (English, German, Spanish; contract 11.2)."""

import re
from collections.abc import Iterator
from typing import Final

from memd.domain.dates.months import GERMAN_MONTHS
from memd.domain.dates.weekdays import GERMAN_WEEKDAYS, WEEKDAYS
from memd.domain.distilling.tenses import is_past
from memd.domain.german.tenses import is_german_past
from memd.domain.ranking.statement_words import stems_of
from memd.domain.text.alternatives import any_of, either
from memd.domain.text_analysis.language import Language
from memd.domain.text_analysis.stop_words import STOP_WORDS

_SENTENCE: Final = re.compile(r"(?<!\d)[.;!?](?:\s+|\Z)|(?<=\d)[.;!?]\Z")
_CLAUSE: Final = re.compile(r"[:,]\s+|\s[–—-]\s")
_CONDITION: Final = re.compile(
    rf"\b{any_of('if when whenever unless in_case wenn falls sofern si cuando')}\b", re.IGNORECASE
)
_FURTHER: Final = re.compile(
    rf"\b{any_of('because due_to since after as and_(?:now|then|we|i) wegen weil aufgrund nachdem por porque')}\b.*?(?=\saus\Z|\Z)",
    re.IGNORECASE,
)
"""The reason, which is not what is over; before the second part of a German verb, too."""
_DETERMINED: Final = rf"(?=\s{any_of('the our my your his her their its this that all')}\b)"
_STOPPED: Final = any_of(
    rf"gave_up given_up called_off quit stopped(?=\s\w+ing\b) got_rid_of (?:cancell?ed|scrapped|abandoned|dropped){_DETERMINED}"
)
_ENGLISH: Final = either(
    rf"(?<!\bthat )(?<!\bwhich )(?<!\bwho )(?:is|are|was|were|has been|have been|got|['’]s)(?: now| all)? "
    rf"{any_of('called_off cancell?ed scrapped abandoned discontinued')}",
    _STOPPED,
    r"no longer(?! (?:only|just|merely|solely)\b)",
    r"(?:not|never|\w+n['’]t)\b(?=.*\bany ?(?:more|longer)\b(?! than\b))",
)
_GERMAN: Final = either(
    rf"(?<=\s){any_of('abgesagt storniert gekündigt aufgegeben aufgehört abbestellt ausgefallen')}(?: worden)?(?=\Z)",
    r"(?:fällt|fallen|fiel|fielen)\b(?=.*\saus\Z)",
    "(?:entfällt|entfallen|entfiel)",
    r"finde(?:t|n)\b(?=.*\bnicht\b.*\bstatt\Z)",
    r"nicht mehr(?! (?:nur|bloß|allein|als)\b)",
    r"keine?[nrms]?\b(?=.*\bmehr\b(?! als\b))",
)
_SPANISH: Final = any_of(
    "se_canceló se_ha_cancelado (?:está|fue|ha_sido)_cancelad[oa] (?:están|fueron|han_sido)_cancelad[oa]s ya_no dej(?:ó|é|amos|aron)_de"
)
_NOT_DONE: Final = re.compile(
    rf"(?:\b{any_of('to will would might may could should can must shall not never almost nearly nicht nie fast beinahe no')}"
    r"|n['’]t|['’]ll)(?:\s+(?:have|be|been|yet))*\s*\Z",
    re.IGNORECASE,
)
"""Before the verb: what somebody wants, may or does not end."""
_MARKERS: Final = (
    (re.compile(rf"\b{either(_ENGLISH, _GERMAN)}(?!\w)", re.IGNORECASE), frozenset[str]()),
    (re.compile(rf"\b{_SPANISH}\b", re.IGNORECASE), STOP_WORDS[Language.SPANISH]),
)
"""Words that say that something is over, and the function words of their language, where `stems_of` does not leave them out."""
_IDLE: Final = stems_of(
    """
    plan plans idea subscription membership contract use uses using anymore longer more every now finally officially unfortunately
    abo abonnement vertrag mitgliedschaft plan nutzen nutzt benutzen verwenden verwendet gibt mehr statt leider jeden jede
    """
)
"""Words of a clause for how something was had, beside the thing itself."""
_ARRANGED: Final = re.compile(
    rf"\b{any_of('planned booked scheduled reserved subscribed registered signed_up geplant gebucht vereinbart reserviert abonniert angemeldet')}\b",
    re.IGNORECASE,
)
_DATE_WORDS: Final = stems_of(" ".join([*GERMAN_MONTHS, *GERMAN_MONTHS.values(), *WEEKDAYS, *GERMAN_WEEKDAYS]))
"""The stems of the names of months and weekdays."""


def ended_things(text: str) -> tuple[frozenset[str], ...]:
    """For each clause that says that something is over, the stems of the words for it and for whom it concerns."""
    clauses = (
        clause
        for sentence in _SENTENCE.split(text)
        if not _CONDITION.search(sentence)
        for clause in _CLAUSE.split(sentence)
    )
    return tuple(stems for clause in clauses if (stems := frozenset(_ended(clause))))


def _ended(clause: str) -> Iterator[str]:
    """The stems of what a clause says is over; none where it does not."""
    stated = _FURTHER.sub("", clause).rstrip()
    for marker, function_words in _MARKERS:
        match = marker.search(stated)
        if match and not _NOT_DONE.search(stated[: match.start()]):
            words = f"{stated[: match.start()]} {stated[match.end() :]}"
            yield from stems_of(words) - _IDLE - function_words


def may_end(text: str) -> bool:
    """Whether a statement tells of something that lasts, comes or was arranged, which may end, and not of what happened."""
    return not (is_past(text) or is_german_past(text)) or _ARRANGED.search(text) is not None


def is_named(thing: frozenset[str], stems: frozenset[str]) -> bool:
    """Whether a statement with these stems is about an ended thing: it has all words for it, though not a date if it has none."""
    missing = thing - stems
    if not missing:
        return True
    has_date = any(map(_is_date, stems))
    return missing < thing and not has_date and all(map(_is_date, missing))


def _is_date(stem: str) -> bool:
    return stem[0].isdigit() or stem in _DATE_WORDS
