"""Reads what a statement says is over: "the trip to Rome is called off", "Ben quit the gym" (English, German, Spanish, French; contract 11.2)."""

import re
from collections.abc import Iterator
from typing import Final

from memd.domain.dates.months import GERMAN_MONTHS
from memd.domain.dates.weekdays import GERMAN_WEEKDAYS, WEEKDAYS
from memd.domain.distilling.tenses import is_past
from memd.domain.german.tenses import is_german_past
from memd.domain.ranking.statement_words import stems_of
from memd.domain.text.alternatives import any_of, either

_SENTENCE: Final = re.compile(r"(?<!\d)[.;!?](?:\s+|\Z)|(?<=\d)[.;!?]\Z")
_GROUPS: Final = any_of(
    "band choir team club company group party board committee course class union association orchestra"
)
_CLAUSE: Final = re.compile(r"[:,]\s+|\s[–—-]\s")
_CONDITION: Final = re.compile(
    rf"\b{any_of('if when whenever unless in_case wenn falls sofern si cuando quand')}\b|\bs['’]il", re.IGNORECASE
)
_FURTHER: Final = re.compile(
    rf"\b{any_of('because due_to since after as and_(?:now|then|we|i) wegen weil aufgrund nachdem por porque parce_que')}\b.*?(?=\saus\Z|\Z)",
    re.IGNORECASE,
)
"""The reason, which is not what is over; before the second part of a German verb, too."""
_DETERMINED: Final = rf"(?=\s{any_of('the our my your his her their its this that all')}\b)"
_STOPPED: Final = any_of(
    rf"""
    gave_up given_up called_off quit stopped(?=\s\w+ing\b) got_rid_of (?:cancell?ed|scrapped|abandoned|dropped){_DETERMINED}
    (?:withdrew|had_to_withdraw|has_withdrawn)_from (?:pulled|dropped|backed)_out_of left(?=\s(?:the|our|my|his|her|their)\s(?:\w+\s)?{_GROUPS}\b)
    """
)
_ENGLISH: Final = either(
    rf"(?<!\bthat )(?<!\bwhich )(?<!\bwho )(?:is|are|was|were|has been|have been|got|['’]s)(?: now| all)? "
    rf"{any_of('called_off cancell?ed scrapped abandoned discontinued')}",
    rf"{any_of('is_off fell_through has_fallen_through')}(?=\W*\Z)",
    rf"(?:{any_of('is_not are_not isn.t aren.t will_not won.t')} {any_of('happening happen taking_place take_place going_ahead go_ahead')})",
    _STOPPED,
    r"no longer(?! (?:only|just|merely|solely)\b)",
    r"(?:not|never|\w+n['’]t)\b(?=.*\bany ?(?:more|longer)\b(?! than\b))",
)
_GERMAN: Final = either(
    rf"(?<=\s){any_of('abgesagt storniert gekündigt aufgegeben aufgehört abbestellt ausgefallen gestrichen abgeblasen geplatzt')}(?: worden)?(?=\Z)",
    r"(?<=\s)aufgehört(?=,? (?:zu|mit)\b)",
    r"(?:fällt|fallen|fiel|fielen)\b(?=.*\saus\Z)",
    "(?:entfällt|entfallen|entfiel)",
    r"(?:hat|haben) sich erledigt",
    r"finde(?:t|n)\b(?=.*\bnicht\b.*\bstatt\Z)",
    r"doch nicht(?! (?:nur|bloß|allein|so)\b)",
    r"nicht mehr(?! (?:nur|bloß|allein|als)\b)",
    r"keine?[nrms]?\b(?=.*\bmehr\b(?! als\b))",
)
_SPANISH: Final = any_of(
    """
    se_(?:canceló|suspendió|anuló) se_(?:ha|han)_(?:cancel|suspend|anul)[ai]do
    (?:está|fue|ha_sido)_(?:cancelad|suspendid|anulad)[oa] (?:están|fueron|han_sido)_(?:cancelad|suspendid|anulad)[oa]s
    ya_no dej(?:ó|é|amos|aron)(?:_de)? (?:ha|han|he|hemos)_(?:dejado(?:_de)?|cancelado|suspendido|anulado) cancel(?:ó|é|amos|aron)
    """
)
_FRENCH: Final = either(
    rf"{any_of('est sont a_été ont_été')} (?:annulé|supprimé|abandonné)e?s?",
    rf"{any_of('ai as a avons avez ont')} (?:annulé|supprimé|abandonné|arrêté|cessé|quitté|résilié)(?: de\b| d['’])?",
    r"(?:n['’]|ne )(?:aura|auront|a|ont) (?:pas|plus) lieu",
    r"ne\b(?=.*\bplus\b(?! (?:que|de \d)\b))",
    r"tomb(?:e|é) à l['’]eau",
)
_ELIDED: Final = r"(?=n['’]\w+.*\bplus\b(?! (?:que|de \d)\b))"
"""Before `n'habite plus`: the verb is one of the words for what is over."""
_NOT_DONE: Final = re.compile(
    rf"(?:\b{any_of('to will would might may could should can must shall not never almost nearly nicht nie fast beinahe no pas')}"
    r"|n['’]t|['’]ll)(?:\s+(?:have|be|been|yet))*\s*\Z",
    re.IGNORECASE,
)
"""Before the verb: what somebody wants, may or does not end."""
_MARKER: Final = re.compile(rf"\b(?:{either(_ENGLISH, _GERMAN, _FRENCH)}(?!\w)|{_SPANISH}\b|{_ELIDED})", re.IGNORECASE)
"""Words that say that something is over."""
_PARTS: Final = """
    off cancel scrap abandon discontinued through happen place ahead gave_up given_up quit stopped rid_of dropped withdr out_of
    left no_longer any abgesagt storniert gekündigt aufgegeben aufgehört abbestellt ausgefallen gestrichen abgeblasen geplatzt
    fällt fallen fiel entf erledigt statt doch_nicht mehr anul suspen ya_no dej annul supprim arrêt cess résili lieu plus eau
"""
_SAID_BY: Final = tuple(part.replace("_", " ") for part in _PARTS.split())
"""What a text contains that `_MARKER` matches; most texts contain nothing of it."""
_SAME_SUBJECT: Final = re.compile(r"\s(?:and|und|y|et)\s+(?:(?:has|have|hat|haben|ha|han)\s*)?\Z", re.IGNORECASE)
"""Before the verb: another clause has its subject."""
_SUBJECT: Final = re.compile(r"(?:(?:the|our|my|die|der|das|la|el|le)\s+)?[^\W_]+", re.IGNORECASE)
_IDLE: Final = stems_of(
    """
    plan plans idea subscription membership contract use uses using anymore longer more every now finally officially unfortunately
    abo abonnement vertrag mitgliedschaft plan nutzen nutzt benutzen verwenden verwendet gibt mehr statt leider jeden jede
    """
)
"""Words of a clause for how something was had, beside the thing itself."""
_ARRANGED: Final = re.compile(
    rf"\b{any_of('planned booked scheduled reserved subscribed registered signed_up geplant gebucht vereinbart reserviert abonniert angemeldet planeado reservado programado previsto contratado inscrit[oa] prévu réservé organisé planifié abonné')}",
    re.IGNORECASE,
)
_ROMANCE_PAST: Final = re.compile(
    r"\b(?:\w{2,}(?:ó|aron|ieron)|(?:he|ha|han|hemos) \w{2,}(?:ado|ido|isto|cho|rto)"
    r"|(?:ai|as|a|avons|avez|ont) (?:\w+ )?(?!trois\b)\w{2,}(?:é|i|u|is|it)(?:e?s?)|est (?:allé|venu|parti|né|mort)e?)\b",
    re.IGNORECASE,
)
"""A Spanish preterite or perfect, or a French `passé composé`."""
_DATE_WORDS: Final = stems_of(" ".join([*GERMAN_MONTHS, *GERMAN_MONTHS.values(), *WEEKDAYS, *GERMAN_WEEKDAYS]))
"""The stems of the names of months and weekdays."""


def ended_things(text: str) -> tuple[frozenset[str], ...]:
    """For each clause that says that something is over, the stems of the words for it and for whom it concerns."""
    low = text.lower()
    if not any(part in low for part in _SAID_BY):
        return ()
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
    match = _MARKER.search(stated)
    if match and not _NOT_DONE.search(before := stated[: match.start()]):
        joined = _SAME_SUBJECT.search(before)
        subject = _SUBJECT.match(before) if joined else None
        yield from stems_of(f"{subject[0] if subject else before} {stated[match.end() :]}") - _IDLE


def may_end(text: str) -> bool:
    """Whether a statement tells of something that lasts, comes or was arranged, which may end, and not of what happened."""
    happened = is_past(text) or is_german_past(text) or _ROMANCE_PAST.search(text) is not None
    return not happened or _ARRANGED.search(text) is not None


def is_named(thing: frozenset[str], stems: frozenset[str]) -> bool:
    """Whether a statement with these stems is about an ended thing: it has all words for it, though not a date if it has none."""
    missing = thing - stems
    if not missing:
        return True
    has_date = any(map(_is_date, stems))
    return missing < thing and not has_date and all(map(_is_date, missing))


def _is_date(stem: str) -> bool:
    return stem[0].isdigit() or stem in _DATE_WORDS
