"""German sentences by which speakers correct what they have just said: `Nein, doch am 4. Dezember`, `Ich meinte Dienstag`.

A correction names a value, and maybe the one that it replaces: a day, a weekday, a time of day, an amount, or, beside the one
that it replaces, a name.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from memd.domain.dates.months import GERMAN_MONTHS
from memd.domain.dates.weekdays import ENGLISH_WEEKDAYS

MAX_READ: Final = 120
"""Characters of a correction; a longer sentence is not one."""
_MONTH: Final = rf"(?:{'|'.join(GERMAN_MONTHS)})"
_SORTS: Final = {
    "day": rf"\d{{1,2}}\.\s?(?:{_MONTH}\b(?:\s\d{{4}}\b)?|\d{{1,2}}\.(?:\d{{4}}|\d\d)?(?!\d))",
    "weekday": rf"(?:{'|'.join(ENGLISH_WEEKDAYS)})(?:vormittag|mittag|nachmittag|abend)?\b",
    "clock": r"(?:halb|viertel (?:vor|nach)) \w+\b|\d{1,2}(?:[:.]\d\d)? ?uhr\b(?: \d\d?\b)?|\d{1,2}:\d\d\b",
    "month": rf"{_MONTH}\b(?:\s\d{{4}}\b)?",
    "amount": r"\d+(?:[.,]\d+)*(?: ?(?:€|%|(?!uhr\b)[^\W\d_]+))?",
}
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
_UNITS: Final = {"€": "euro", "eur": "euro", "%": "prozent"}
_ANY: Final = "|".join(f"(?P<{sort}>{form})" for sort, form in _SORTS.items())
_VALUES: Final = re.compile(rf"(?<![\w.,:])(?:{_ANY})", re.IGNORECASE)
_BEFORE: Final = (
    r"(?:(?:erst |schon |auch )?(?:am|um|im|in|auf|auf den|ab|ab dem|bis|bis zum|der|den|dem|die|gegen|für|bei) )?"
)
_REFUSAL: Final = r"(?:(?:ach|oh|äh|ähm|ups|mist|hm|ja|und|quatsch),? )?(?:nein|nee|ne|halt|moment|warte|stopp|sorry|entschuldigung|entschuldige|verzeihung|pardon|ups|quatsch|blödsinn)"
_FAULT: Final = r"(?:(?:kleine )?korrektur|(?:das )?(?:war|ist) (?:falsch|ein fehler|mein fehler|ein tippfehler)|das stimmt nicht|stimmt nicht|ich habe mich (?:vertan|vertippt|geirrt|verschrieben)|vertippt|tippfehler)"
_MEANT: Final = r"(?:ich (?:meinte|meine)(?: natürlich| eigentlich| doch)?|gemeint (?:war|ist)|es (?:sollte|muss|müsste)(?: natürlich)? heißen:?|richtig (?:ist|wäre))"
_BE: Final = r"(?:(?:es|er|sie|das|die|der)(?: \w+)? (?:ist|sind|war|kostet|kosten|beginnt|findet)(?: \w+)? )"
_END: Final = r"(?: (?:statt|und nicht|nicht) (?P<old>[^,.;!?]{1,40})|, (?:und )?nicht (?P<other>[^,.;!?]{1,40}))?(?:,? (?:statt|statt dessen|stattdessen|sorry|entschuldigung|bitte|natürlich|gemeint|meinte ich))*[\s.!…]*\Z"
_CORRECTION: Final = re.compile(
    rf"(?:(?P<opening>{_REFUSAL}|(?P<fault>{_FAULT}))[\s,;:.!–—-]+)?(?P<meant>{_MEANT}[:,]? )?(?P<still>doch )?(?:{_BE})?(?:doch )?{_BEFORE}(?P<new>{_ANY}|(?-i:[A-ZÄÖÜ])[\w-]+(?: (?-i:[A-ZÄÖÜ])[\w-]+)?)"
    rf"(?: (?P<hour>(?:um )?{_SORTS['clock']}))?{_END}",
    re.IGNORECASE,
)
_OPENS: Final = re.compile(f"{_REFUSAL}|{_FAULT}", re.IGNORECASE)
_SIGNS: Final = re.compile(rf"\b(?:{_REFUSAL}|{_FAULT}|{_MEANT})\b", re.IGNORECASE)
_MARKS: Final = " ,;:.!–—-"


class GermanCorrection(NamedTuple):
    """The value that holds, its sort (`name` for another word), the one that it replaces (blank if not named).

    `clear`: the words can only correct, so that it is no answer to a question either. `text`: the value with what is said of it.
    """

    new: str
    sort: str
    old: str
    clear: bool
    text: str


def may_correct(text: str) -> bool:
    """Whether a text has words with which corrections begin."""
    return _SIGNS.search(text) is not None


def german_corrections(message_sentences: Sequence[str]) -> Iterator[tuple[int, GermanCorrection]]:
    """The corrections among the sentences of a message with their places; `Nein.` before one belongs to it."""
    opening = ""
    for index, sentence in enumerate(message_sentences):
        found = _read(f"{opening}{sentence}") if len(sentence) <= MAX_READ else None
        opening = f"{sentence.strip(_MARKS)}, " if _OPENS.fullmatch(sentence.strip(_MARKS)) else ""
        if found:
            yield index, found


def _read(sentence: str) -> GermanCorrection | None:
    match = _CORRECTION.match(sentence.strip())
    if match is None:
        return None
    sort = next((name for name in _SORTS if match[name]), "name")
    old = (match["old"] or match["other"] or "").strip()
    clear = bool(
        match["fault"] or match["meant"] or (match["still"] and match["opening"]) or (match["opening"] and old)
    )
    if not (match["opening"] or match["meant"]) or (sort == "name" and not old):
        return None
    text = match["new"] if match["hour"] is None else f"{match['new']} {match['hour']}"
    return GermanCorrection(match["new"], sort, _bare(old), clear, text)


def _bare(words: str) -> str:
    """The words without a preposition or an article before them."""
    return re.sub(rf"\A{_BEFORE}", "", words, count=1, flags=re.IGNORECASE)


def corrected(sentence: str, correction: GermanCorrection) -> str | None:
    """The sentence with the value that holds; None where it has no value, or several values, of that sort, or has the new one.

    A day beside its weekday cannot be replaced alone, so the correction follows in words.
    """
    values = [(found.lastgroup, found.group(), found.span()) for found in _VALUES.finditer(sentence)]
    spans = [
        span
        for sort, text, span in values
        if sort == correction.sort and (not correction.old or correction.old in text)
    ]
    if correction.sort == "name":
        spans = [found.span() for found in re.finditer(rf"\b{re.escape(correction.old)}\b", sentence)]
    if len(spans) != 1 or _has(sentence, correction.new):
        return None
    ((start, end),) = spans
    if {"day", "weekday"} <= {sort for sort, _, _ in values} and correction.sort in {"day", "weekday"}:
        return f"{sentence.rstrip('.! ')}. Korrektur: {correction.text}."
    if correction.sort == "amount":
        return _with_amount(sentence, start, end, correction.text)
    return f"{sentence[:start]}{correction.text}{sentence[end:]}"


def _with_amount(sentence: str, start: int, end: int, amount: str) -> str | None:
    """The sentence with another amount between two places, of which the unit is kept; None where it counts something else."""
    number, new = _NUMBER.match(sentence[start:end]), _NUMBER.match(amount)
    if number is None or new is None:
        return None
    unit, new_unit = sentence[start + number.end() : end].strip(), amount[new.end() :].strip()
    if not (new_unit and _is_unit(unit)):
        end = start + number.end()
    elif _unit_key(unit) != _unit_key(new_unit):
        return None
    return f"{sentence[:start]}{amount}{sentence[end:]}"


def _is_unit(word: str) -> bool:
    """Whether the word after a number is what it counts: a noun or a sign, not the `und` of `Ich bin 30 und Lehrer`."""
    return bool(word) and not word[0].islower()


def _unit_key(unit: str) -> str:
    """The same for the forms of one unit: `Kind` and `Kinder`, `€` and `Euro`."""
    folded = unit.casefold()
    return _UNITS.get(folded, folded)[:4]


def values_of(text: str, sort: str) -> frozenset[str]:
    """The values of a sort in a text, in lower case."""
    return frozenset(found.group().casefold() for found in _VALUES.finditer(text) if found.lastgroup == sort)


def _has(sentence: str, value: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", sentence, re.IGNORECASE) is not None
