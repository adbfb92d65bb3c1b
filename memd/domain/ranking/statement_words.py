"""Reads the words of a short statement: their meaning, what it replaces, the day behind it (contract 11.2, conflictBoost)."""

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import UTC, datetime
from functools import lru_cache
from itertools import takewhile
from typing import Final

from memctl.wire.instants import to_ms
from memd.domain.dates.months import MONTH, month_number
from memd.domain.text.word_forms import word_forms
from memd.domain.text_analysis.german import verb_forms
from memd.domain.text_analysis.language import Language
from memd.domain.text_analysis.stemming import stem
from memd.domain.text_analysis.stop_words import STOP_WORDS

_CHANGE_LIST: Final = """
    now currently nowadays again back instead jetzt nun inzwischen mittlerweile neuerdings künftig wieder derzeit
    ahora actualmente maintenant désormais dorénavant actuellement
"""
CHANGE_ADVERBS: Final = frozenset(_CHANGE_LIST.split())
"""Adverbs by which a statement says that it was not always so."""
_ENGLISH_TOO_LIST: Final = "son sea sin hay era eras ton aura auras todo nada poco estado estados sentido sentidos"
_ENGLISH_TOO: Final = frozenset(_ENGLISH_TOO_LIST.split())
"""Spanish and French function words that are English words, or nouns, with a meaning."""
FUNCTION_WORDS: Final = (
    STOP_WORDS[Language.ENGLISH]
    | STOP_WORDS[Language.GERMAN]
    | (STOP_WORDS[Language.SPANISH] | STOP_WORDS[Language.FRENCH]) - _ENGLISH_TOO
    | CHANGE_ADVERBS
    | {"unsere", "unserem", "unseren", "unserer", "unseres"}
)
"""Words without a meaning of their own, in lower case (English, German, Spanish, French)."""
_APOSTROPHE: Final = re.compile(r"\A(?:[cdjlmnst]|qu)['’](?=\w{2})|['’](?:s|m|d|re|ve|ll)\Z")
"""A French article or pronoun before a vowel, or a short form of an English verb: `l'équipe`, `she's`."""
_INFINITIVE: Final = re.compile(r"\w{3,}[aei]r")
"""A French or Spanish one has the stem of the third person and an `r`: `fume` and `fumer`, `fuma` and `fumar`."""
WORD: Final = re.compile(r"[^\W_]+(?:[.:'’/-][^\W_]+)*")
_SAID: Final = re.compile(rf"\s*\((?P<day>\d{{1,2}}) (?P<month>{MONTH}) (?P<year>(?:19|20)\d\d)\)", re.IGNORECASE)
"""The day on which it was said, which extraction writes behind a statement; what is back-filled may be stored out of order."""
_NOW: Final = re.compile(
    r"\b(?:now|currently|current|today|these days|nowadays|at the moment|latest|changed?|new"
    r"|jetzt|aktuell\w*|derzeit|momentan|heute|geändert|ahora|actualmente|maintenant|actuellement|désormais|en ce moment)\b",
    re.IGNORECASE,
)
_STILL: Final = re.compile(
    r"\b(?:still|noch(?! (?:nicht|nie|mal|ein\w*)\b)|weiterhin|todavía|aún|sigue[ns]?|encore|toujours)\b", re.IGNORECASE
)
_ABOUT_THE_PAST: Final = re.compile(
    r"\b(?:before|previous\w*|earlier|former\w*|original\w*|initial\w*|first|once|used to|old|older|oldest|back then"
    r"|history|früher\w*|vorher\w*|zuerst|ursprünglich\w*|ehemalig\w*|damals|alte[nrs]?)\b",
    re.IGNORECASE,
)
"""Words of a memory about the past: what it says of a replacement may itself be out of date."""
_REPLACING: Final = re.compile(
    r"(?:\b(?:migrated|moved|ported|switched|changed|upgraded|went)\b[^.;]{0,60}? from(?= [^.;]{1,60} to\b)|, not(?! (?:only|just|merely|solely)\b)(?: on| in| at)?"
    r"|\b(?:(?:took|takes|taken) over\b[^.;]{0,60}? from|übernimmt\b[^.;]{0,60}? von)"
    r"|\b(?:instead of|rather than|no longer(?: (?:in|on|at|by|with))?|replac(?:es?|ed|ing)|dropped|gave up|quit|stopped using|got rid of|minds? about|away from|succeeds"
    r"|sustituye a|reemplaza a|en lugar de|en vez de|remplace|à la place d[eu]|au lieu d[eu]|succède à"
    r"|statt|anstatt|anstelle von|ersetzt|nicht mehr)) (?P<old>[^.;,:!?()]{1,60})",
    re.IGNORECASE,
)
_ENDED: Final = re.compile(
    r"\s(?:was|were|is|are|has been|have been) (?:switched off|dropped|removed|retired|replaced|shut down|turned off)\b",
    re.IGNORECASE,
)
_LEFT: Final = re.compile(
    r"\b(?:since|after|because|now that) (?P<old>[^\W_]+) (?:has )?(?:left|retired|resigned|quit|moved on)\b",
    re.IGNORECASE,
)
_PARTS: Final = """
    _from_ ,_not instead rather no_longer replac drop gave_up quit stopped got_rid away statt anstelle ersetzt nicht_mehr
    _off remov retired shut left resigned moved_on succeed übernimmt sustituye reemplaza en_lugar en_vez remplace la_place
    au_lieu succède mind
"""
_SAID_BY: Final = tuple(part.replace("_", " ") for part in _PARTS.split())
"""What a text contains that one of these patterns matches; most texts contain nothing of it."""
_DETERMINER_LIST: Final = "the a an our der die das den dem el la los las un una le les une"
_DETERMINERS: Final = frozenset(_DETERMINER_LIST.split())
_MAX_OLD: Final = 4
"""Words for what is replaced, up to the first function word."""

Places = frozenset[tuple[bool, str]]
"""The words next to a word: (whether it stands behind, the word in lower case; blank at an end of the text)."""


def words_of(text: str) -> tuple[str, ...]:
    """All words in lower case; what `.:'’/-` joins is one word."""
    return tuple(WORD.findall(text.lower()))


def stems_of(text: str) -> frozenset[str]:
    """The stems of the words with a meaning."""
    return frozenset(filter(None, map(stem_of, words_of(text))))


@lru_cache(maxsize=10_000)
def stem_of(word: str) -> str:
    """The stem of a word in lower case, the same for all forms of an English or regular German verb; empty for a function word."""
    plain = _APOSTROPHE.sub("", word) if "'" in word or "’" in word else word
    if plain in FUNCTION_WORDS:
        return ""
    stemmed = stem(Language.ENGLISH, plain)
    if (forms := word_forms(stemmed)) != (stemmed,):
        return forms[0]
    if verb := verb_forms(stemmed):
        return verb[0]
    return stemmed[:-1] if _INFINITIVE.fullmatch(stemmed) else stemmed


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
    return _NOW.search(query) is not None or asks_if_still(query)


def asks_if_still(query: str) -> bool:
    """Whether a question asks if something that it names is still so."""
    return _STILL.search(query) is not None


def replaced_stems(text: str) -> frozenset[str]:
    """The stems of the words for what is replaced or ended, as the text says; none for a text about the past."""
    low = text.lower()
    if not any(part in low for part in _SAID_BY):
        return frozenset()
    behind = [word for match in _REPLACING.finditer(text) for word in _first_words(match["old"])]
    before = [word for match in _ENDED.finditer(text) for word in words_of(text[: match.start()])[-1:]]
    left = [match["old"] for match in _LEFT.finditer(text)]
    found = [*behind, *before, *left]
    return stems_of(" ".join(found)) if found and not _ABOUT_THE_PAST.search(text) else frozenset()


def _first_words(text: str) -> list[str]:
    """The words up to the first function word, without a determiner."""
    words = words_of(text)
    named = words[1:] if words and words[0] in _DETERMINERS else words
    return list(takewhile(lambda word: word not in FUNCTION_WORDS, named[:_MAX_OLD]))


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
