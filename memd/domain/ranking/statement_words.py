"""Reads the words of a short statement or a question: their meaning, their places, the day behind them (contract 11.2, conflictBoost)."""

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final

from memctl.wire.instants import to_ms
from memd.domain.dates.months import MONTH, month_number
from memd.domain.ranking.update_words import words_for
from memd.domain.text.alternatives import any_of
from memd.domain.text.word_forms import word_forms
from memd.domain.text_analysis.german import verb_forms
from memd.domain.text_analysis.language import Language
from memd.domain.text_analysis.stemming import stem
from memd.domain.text_analysis.stop_words import STOP_WORDS

CHANGE_ADVERBS: Final = frozenset(words_for(lambda each: f"{each.now} {each.again}").split())
"""Adverbs by which a statement says that it was not always so."""
FUNCTION_WORDS: Final = (
    frozenset[str]().union(
        *(STOP_WORDS[each] for each in (Language.ENGLISH, Language.GERMAN, Language.SPANISH, Language.FRENCH))
    )
    - frozenset(words_for(lambda each: each.meaningful).split())
    | CHANGE_ADVERBS
    | frozenset(words_for(lambda each: each.function).split())
)
"""Words without a meaning of their own, in lower case (English, German, Spanish, French)."""
_FORM_LIST: Final = words_for(lambda each: each.forms).split()
_INFINITIVES: Final = dict(zip(_FORM_LIST[::2], _FORM_LIST[1::2], strict=True))
_APOSTROPHE: Final = re.compile(r"\A(?:[cdjlmnst]|qu)['’](?=\w{2})|['’](?:s|m|d|re|ve|ll)\Z", re.IGNORECASE)
"""A French article or pronoun before a vowel, or a short form of an English verb: `l'équipe`, `she's`."""
_INFINITIVE: Final = re.compile(r"\w{3,}[aei]r")
"""A French or Spanish one has the stem of the third person and an `r`: `fume` and `fumer`, `fuma` and `fumar`."""
_LINKS: Final = ("", "s", "n", "en", "es", "e")
"""Letters between the two words of a German compound."""
_MIN_PART: Final = 4
WORD: Final = re.compile(r"[^\W_]+(?:[.:'’/-][^\W_]+)*")
_SAID: Final = re.compile(rf"\s*\((?P<day>\d{{1,2}}) (?P<month>{MONTH}) (?P<year>(?:19|20)\d\d)\)", re.IGNORECASE)
"""The day on which it was said, which extraction writes behind a statement; what is back-filled may be stored out of order."""
_STILL: Final = re.compile(rf"\b{any_of(words_for(lambda each: each.still))}\b", re.IGNORECASE)
_NOW: Final = re.compile(
    rf"\b{any_of(words_for(lambda each: f'{each.now} {each.asked_now} {each.still}'))}\b", re.IGNORECASE
)

Places = frozenset[tuple[bool, str]]
"""The words next to a word: (whether it stands behind, the word in lower case; blank at an end of the text)."""


def words_of(text: str) -> tuple[str, ...]:
    """All words in lower case; what `.:'’/-` joins is one word."""
    return tuple(WORD.findall(text.lower()))


def stems_of(text: str) -> frozenset[str]:
    """The stems of the words with a meaning."""
    return frozenset(filter(None, map(stem_of, words_of(text))))


def plain_word(word: str) -> str:
    """A word without what an apostrophe joins to it: `équipe` for `l'équipe`, `she` for `she's`."""
    return _APOSTROPHE.sub("", word) if "'" in word or "’" in word else word


@lru_cache(maxsize=10_000)
def stem_of(word: str) -> str:
    """The stem of a word in lower case, the same for all forms of an English or regular German verb; empty for a function word."""
    plain = plain_word(word)
    if plain in FUNCTION_WORDS:
        return ""
    stemmed = stem(Language.ENGLISH, _INFINITIVES.get(plain, plain))
    if (forms := word_forms(stemmed)) != (stemmed,):
        return forms[0]
    if verb := verb_forms(stemmed):
        return verb[0]
    return stemmed[:-1] if _INFINITIVE.fullmatch(stemmed) else stemmed


def compounds_among(words: AbstractSet[str]) -> Mapping[str, frozenset[str]]:
    """The stems of the compounds of two of the words, in lower case, each with the stems of these: `zahnarzttermin`."""
    parts = {word for word in words if len(word) >= _MIN_PART}
    return {
        stem_of(word): frozenset({stem_of(first), stem_of(second)})
        for word in parts
        for first in parts
        if len(word) > len(first) and word.startswith(first)
        for link in _LINKS
        if (second := word[len(first) :].removeprefix(link)) in parts
    }


def in_parts(stems: frozenset[str], compounds: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """The stems, with those of its two words in the place of each compound."""
    return frozenset().union(*(compounds.get(one, {one}) for one in stems)) if compounds else stems


def numbers_of(words: Sequence[str]) -> Mapping[str, Places]:
    """The words that begin with a digit, with their places."""
    return places_of(words, {word for word in words if word[0].isdigit()})


def places_of(words: Sequence[str], wanted: AbstractSet[str]) -> Mapping[str, Places]:
    """The wanted ones of the words of a text, with their places."""
    found: dict[str, Places] = {}
    for before, word, after in zip(("", *words), words, (*words[1:], ""), strict=False):
        if word in wanted:
            found[word] = found.get(word, frozenset()) | {(False, before), (True, after)}
    return found


def is_about_now(query: str) -> bool:
    """Whether a question asks about the present or a change."""
    return _NOW.search(query) is not None


def asks_if_still(query: str) -> bool:
    """Whether a question asks if something that it names is still so."""
    return _STILL.search(query) is not None


def without_day(text: str) -> str:
    """The text without the day on which it was said."""
    return _SAID.sub("", text) if "(" in text else text


def said_at(text: str) -> int | None:
    """The first millisecond (epoch, UTC) of the day on which it was said; None without a day that exists."""
    match = _SAID.search(text) if "(" in text else None
    if match is None:
        return None
    try:
        day = datetime(int(match["year"]), month_number(match["month"].lower()), int(match["day"]), tzinfo=UTC)
    except ValueError:
        return None
    return to_ms(day)
