"""Whether a text is in German, and its spelling without umlauts, which chats often have instead."""

import re
from typing import Final

from memd.domain.text_analysis.detection import MAX_TOKENS, detect
from memd.domain.text_analysis.language import Language
from memd.domain.text_analysis.stop_words import STOP_WORDS
from memd.domain.text_analysis.tokens import tokens

_OTHERS: Final = frozenset().union(
    *(words for language, words in STOP_WORDS.items() if language is not Language.GERMAN)
)
_AMBIGUOUS: Final = """
    also aus bin bis damit dann denn dies dir einig hat hin im ist nun ob sein von war weg wen wo zu
"""
"""Function words of German alone that are also words, names or abbreviations in English texts."""
_FURTHER: Final = """
    das der uns bitte niemals immer keinesfalls heißt heisst fuer ueber moechte möchte wuerde muessen hab nen übrigens uebrigens
"""
"""Words that few texts in other languages have."""
_TELLING: Final = (STOP_WORDS[Language.GERMAN] - _OTHERS - frozenset(_AMBIGUOUS.split())) | frozenset(_FURTHER.split())
"""Words of which one is enough."""
_SUPPORTING: Final = (STOP_WORDS[Language.GERMAN] | _TELLING) - STOP_WORDS[Language.ENGLISH]
_ENGLISH: Final = STOP_WORDS[Language.ENGLISH] - STOP_WORDS[Language.GERMAN]
_SEVERAL: Final = 2
_UMLAUT: Final = re.compile("[äöüß]")
_FOLDED: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "’": "'"})


def is_german(text: str) -> bool:
    """Whether the function words at the beginning of a text are German rather than English or of a third language."""
    words = tokens(text)[:MAX_TOKENS]
    german = sum(word in _SUPPORTING or _UMLAUT.search(word) is not None for word in words)
    if german <= sum(map(_ENGLISH.__contains__, words)):
        return False
    if german < _SEVERAL and _TELLING.isdisjoint(words):
        return False
    return detect(words, Language.GERMAN) is Language.GERMAN


def folded(text: str) -> str:
    """The text with `ae`, `oe`, `ue` and `ss` for the letters that Swiss and chat spelling do without."""
    return text.translate(_FOLDED)
