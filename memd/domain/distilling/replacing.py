"""Applies a correction to an earlier sentence: finds the value to replace and writes the sentence with the new one.

A sentence is changed only where that leaves no doubt: it has one value of the kind, or the correction names the old one.
"""

import re
from dataclasses import replace
from difflib import SequenceMatcher
from typing import Final

from memd.domain.distilling.ages import may_be_age_of
from memd.domain.distilling.correction import Correction
from memd.domain.distilling.features import content_words
from memd.domain.distilling.pronouns import may_be_about
from memd.domain.distilling.restating import actors, predicates
from memd.domain.distilling.values import (
    DATES,
    DAY_NUMBER,
    MAX_NAME,
    MAX_READ,
    TITLES,
    Sort,
    Value,
    values_in,
    whole_value,
)

_ALIKE: Final = 0.6
_LIMITS: Final = frozenset({"from", "to", "until", "till", "since", "before", "after", "by"})
"""Prepositions that say which of two days or places is meant."""
_PREPOSITIONS: Final = _LIMITS | {"on", "in", "at", "for", "about", "with"}
_HALF_OF_DAY: Final = re.compile(r" ?(?:[ap]m|[ap]\.m\.?)\Z", re.IGNORECASE)
_HOUR: Final = re.compile(r"(?:0?[1-9]|1[0-2])(?:[:.]\d\d)?")
_PLAIN_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*|[a-z]+", re.IGNORECASE)
_SIGN: Final = re.compile(r"([€$£]?)\d+(?:[.,]\d+)*( ?[%€$£]?)")
_MONEY: Final = re.compile(r"euros?|dollars?|bucks?|pounds?|francs?|crowns?|yen|zloty|percent", re.IGNORECASE)
"""Units that often go without saying."""
_NEGATION: Final = re.compile(r"\b(?:not|never|no|none|neither|nor|without)\b|n['’]t\b", re.IGNORECASE)
"""Negations: after "I don't drink coffee", the new value may be what is drunk: "Sorry, tea, not coffee"."""
_YEAR: Final = re.compile(r",? \d{4}\Z")
_YEAR_ALONE: Final = re.compile(r"19[3-9]\d|20[0-4]\d")
_MIN_DIGITS: Final = 3
"""Digits of what a year alone may correct, next to something shorter: "Sorry, 2015" after "I got 2 cats in 2014"."""
_ORDINAL_END: Final = re.compile(r"(?:st|nd|rd|th)\Z", re.IGNORECASE)


def replaceable(sentence: str, correction: Correction) -> list[Value]:
    """The values of an earlier sentence that the correction may replace: of the same kind, or the ones that it names."""
    if correction.subject - content_words(sentence) or _is_about_another(sentence, correction):
        return []
    if correction.verb:
        return actors(sentence, correction)
    return _values_meant(sentence, correction) or predicates(sentence, correction)


def _values_meant(sentence: str, correction: Correction) -> list[Value]:
    new = correction.new
    if new.sort is Sort.WORD:
        return _word(sentence, correction.old)
    if correction.hour:
        return _day_and_hour(sentence, correction)
    values = [one for one in values_in(sentence) if one.key != new.key]
    if correction.pronoun and not correction.subject:
        values = [one for one in values if may_be_age_of(correction.pronoun, sentence, one)]
    if correction.old:
        old = whole_value(correction.old)
        return [one for one in values if _names(old, one)] if old and _are_kin(old, new) else []
    return _of_the_kind([one for one in values if _same_kind(one, new)], correction)


def _is_about_another(sentence: str, correction: Correction) -> bool:
    """Whether the pronoun of a longer correction can refer to nobody in the sentence: `she lives in Linz` is about no brother."""
    unclear = correction.pronoun and correction.subject and not correction.old
    return bool(unclear) and not may_be_about(correction.pronoun, sentence)


def _of_the_kind(values: list[Value], correction: Correction) -> list[Value]:
    """The values of the right kind that fit the words around the new value, or the new value itself."""
    new = correction.new
    is_told_apart = correction.before in _LIMITS or correction.before not in _PREPOSITIONS or new.sort is Sort.NAME
    if correction.before and is_told_apart:
        values = [one for one in values if one.before == correction.before]
    elif correction.tentative:
        values = [one for one in values if _are_alike(one.text, new.text)]
    if _is_year(new):
        return [one for one in values if _digits(one) >= _MIN_DIGITS] or values
    return values


def _parts(correction: Correction) -> list[Correction]:
    """The correction of the day and that of the hour, of one that has both."""
    day = replace(correction, hour=None)
    return [day, replace(day, new=correction.hour, before="")] if correction.hour else [day]


def _day_and_hour(sentence: str, correction: Correction) -> list[Value]:
    """The day and the hour that may be replaced; none where the sentence has no day."""
    stated = {value.key for value in values_in(sentence)}
    day, hour = (list[Value]() if one.new.key in stated else replaceable(sentence, one) for one in _parts(correction))
    return day + hour if day or correction.new.key in stated else []


def _both_replaced(sentence: str, correction: Correction) -> str | None:
    """The sentence with the right day and the right hour; whichever is right already stays."""
    stated = {value.key for value in values_in(sentence)}
    text: str | None = sentence
    for part in _parts(correction):
        if text is not None and part.new.key not in stated:
            text = replaced(text, part)
    return text


def replaced(sentence: str, correction: Correction) -> str | None:
    """The earlier sentence with the right value or predicate; None if the new wording is uncertain."""
    text = _both_replaced(sentence, correction) if correction.hour else _with_value(sentence, correction)
    stated = predicates(sentence, correction) if text is None else []
    return f"{sentence[: stated[0].start]}{correction.predicate}{sentence[stated[0].end :]}" if stated else text


def _with_value(sentence: str, correction: Correction) -> str | None:
    found = replaceable(sentence, correction)
    if len(found) != 1 or (correction.old and _NEGATION.search(sentence)):
        return None
    (value,), new = found, correction.new
    equated = (
        correction.equates
        and value.before == "is"
        and not sentence[value.end :].strip(" .!")
        and _have_one_shape(value.text, new.text)
    )
    if new.sort is Sort.NAME and not (
        correction.old or correction.before or correction.verb or equated or _are_alike(value.text, new.text)
    ):
        return None
    text = None if correction.verb else _part(value, correction)
    text = text or _put(value, new)
    if text is None or (value.before in {"a", "an"} and _sounds_open(text) != _sounds_open(value.text)):
        return None
    start = value.start
    if value.sort is Sort.NEAR and new.sort in {Sort.DAY, Sort.WEEKDAY} and value.before not in _PREPOSITIONS:
        text = f"on {text}"
    elif new.sort is Sort.NEAR and value.before == "on":
        start = sentence.lower().rindex("on", 0, start)
    return f"{sentence[:start]}{text}{sentence[value.end :]}"


def _word(sentence: str, word: str) -> list[Value]:
    """Where the sentence has the word."""
    found = re.finditer(rf"(?<![\w'’-]){re.escape(word)}(?![\w'’-])", sentence[:MAX_READ], re.IGNORECASE)
    return [Value(Sort.WORD, one[0], one.start(), one.end(), _last_word(sentence[: one.start()]), "") for one in found]


def _last_word(text: str) -> str:
    return (text.lower().split() or [""])[-1]


def _are_alike(one: str, other: str) -> bool:
    """Whether one name may be a slip for the other, such as `Bern` for `Berlin`."""
    if max(len(one), len(other)) > MAX_NAME:
        return False
    return SequenceMatcher(None, TITLES.sub("", one), TITLES.sub("", other)).ratio() >= _ALIKE


def _have_one_shape(one: str, other: str) -> bool:
    """Whether both look like names of people: both have a title, or both a first and a last name."""
    titled = bool(TITLES.match(one)), bool(TITLES.match(other))
    return titled == (True, True) or (titled == (False, False) and len(one.split()) > 1 and len(other.split()) > 1)


def _are_kin(one: Value, other: Value) -> bool:
    return (
        one.sort is other.sort
        or (one.sort in DATES and other.sort in DATES)
        or {one.sort, other.sort} == {Sort.NUMBER, Sort.CLOCK}
    )


def _same_kind(old: Value, new: Value) -> bool:
    """Whether the new value can replace the old one: numbers with different units, or by another period, cannot."""
    if new.sort is Sort.ORDINAL:
        return old.sort in {Sort.DAY, Sort.ORDINAL}
    if _is_year(new) and old.sort in {Sort.DAY, Sort.MONTH}:
        return bool(_YEAR.search(old.text))
    if new.sort is Sort.NUMBER and old.sort is Sort.CLOCK:
        return not new.unit and bool(_HOUR.fullmatch(new.text))
    if {old.sort, new.sort} == {Sort.NUMBER, Sort.CLOCK} or not _are_kin(old, new) or _is_by_another_period(old, new):
        return False
    if new.unit and not old.unit:
        return bool(_MONEY.fullmatch(new.unit))
    return not new.unit or old.unit.rstrip("s") == new.unit.rstrip("s")


def _is_by_another_period(old: Value, new: Value) -> bool:
    """Whether the new number is one `a month`, and the old one is not."""
    return bool(new.rate) and new.rate.split()[-1:] != old.rate.split()[-1:]


def _is_year(value: Value) -> bool:
    return value.sort is Sort.NUMBER and not value.unit and bool(_YEAR_ALONE.fullmatch(value.text))


def _digits(value: Value) -> int:
    return sum(character.isdecimal() for character in value.text)


def _names(old: Value, value: Value) -> bool:
    """Whether these words for what is replaced mean this value: the whole of it, or a part such as a last name."""
    if old.key == value.key or _within(old.text, value.text):
        return True
    if value.sort is Sort.CLOCK and _HALF_OF_DAY.sub("", value.key) == old.key:
        return True
    day = DAY_NUMBER.search(value.text) if value.sort is Sort.DAY else None
    return old.sort is Sort.ORDINAL and day is not None and day[1] == _ORDINAL_END.sub("", old.key)


def _within(part: str, text: str) -> re.Match[str] | None:
    return re.search(rf"(?<!\w){re.escape(part)}(?!\w)", text, re.IGNORECASE)


def _part(value: Value, correction: Correction) -> str | None:
    """The value with a part of it replaced: `LH 123` with `132` for `123`; None when the correction names no part of it."""
    old = whole_value(correction.old) if correction.old else None
    if old is None or old.key == value.key or old.sort is Sort.ORDINAL or old.sort is not correction.new.sort:
        return None
    if len(correction.new.text.split()) > len(old.text.split()):
        return None
    part = _within(old.text, value.text)
    return f"{value.text[: part.start()]}{correction.new.text}{value.text[part.end() :]}" if part else None


def _put(old: Value, new: Value) -> str | None:
    """The words that stand in place of the old value; None when they may not fit there."""
    if new.sort is Sort.ORDINAL:
        return _put_day_number(old, new)
    if new.sort in DATES:
        return _put_date(old, new)
    if old.sort in DATES:
        return f"{old.text[:-4]}{new.text}" if _is_year(new) else None
    if old.sort is Sort.CLOCK:
        half = _HALF_OF_DAY.search(old.text)
        return new.text + half[0] if half and _HOUR.fullmatch(new.text) else new.text
    if new.sort is Sort.NUMBER:
        return _put_number(old, new) if old.sort is Sort.NUMBER else None
    return new.text if old.sort is new.sort else None


def _put_day_number(old: Value, new: Value) -> str | None:
    if old.sort is Sort.ORDINAL:
        return new.text if new.text.startswith("the ") == old.text.startswith("the ") else None
    found = DAY_NUMBER.search(old.text)
    number = new.text.removeprefix("the ")
    if found is None:
        return None
    day = number if found[2] else _ORDINAL_END.sub("", number)
    return f"{old.text[: found.start()]}{day}{old.text[found.end() :]}"


def _put_date(old: Value, new: Value) -> str | None:
    if (old.sort is Sort.MONTH) != (new.sort is Sort.MONTH):
        return None
    if old.sort is Sort.WEEKDAY and new.sort is Sort.WEEKDAY:
        if old.before == "every":
            return new.text.removesuffix("s")
        return new.text if old.text.endswith("s") == new.text.endswith("s") else None
    year = _YEAR.search(old.text)
    if year is None or _YEAR.search(new.text) or new.text[:4].isdecimal():
        return new.text
    same_month = old.sort is new.sort and old.key.split()[-1] == new.key.split()[-1]
    return f"{new.text}{year[0]}" if same_month else None


def _put_number(old: Value, new: Value) -> str | None:
    """A number keeps the sign of money and the unit that the old one has; another size (`40k`) is not guessed."""
    if new.unit and not old.unit:
        return f"{new.text} {new.unit}" if _PLAIN_NUMBER.fullmatch(old.text) else None
    if _PLAIN_NUMBER.fullmatch(old.text):
        return new.text if _PLAIN_NUMBER.fullmatch(new.text) else None
    sign = _SIGN.fullmatch(old.text)
    if _PLAIN_NUMBER.fullmatch(new.text):
        return f"{sign[1]}{new.text}{sign[2]}" if sign else None
    return new.text if not old.unit else None


def _sounds_open(text: str) -> bool:
    return text[:1].lower() in set("aeiou8")
