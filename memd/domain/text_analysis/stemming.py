"""Words to stems: the Snowball stemmers, which are those of the text search configurations of Postgres."""

from functools import cache
from typing import Any, Final, Protocol

import Stemmer

from memd.domain.text_analysis.arabic import AND, light_stem
from memd.domain.text_analysis.folding import fold
from memd.domain.text_analysis.language import Language
from memd.domain.text_analysis.scripts import LANGUAGES_OF, WRITTEN_IN, Script, script_of
from memd.domain.text_analysis.stop_words import STOP_WORDS

_library: Final[Any] = Stemmer  # the library is untyped


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802 -- the library's name


def lexemes_of(language: Language, word: str) -> tuple[str, ...]:
    """The lexemes of a normalised word in a text of this language; none for a stop word, and for marks without a letter.

    Two at most: the stem of the word as it is spelled, and that of the word without accents; both without accents. Of an
    Arabic word the second one is the light stem.
    """
    script = script_of(word[0])
    language = _language_of_word(language, script)
    if word in STOP_WORDS.get(language, ()):
        return ()
    if word.isascii():
        return (stem(language, word),)
    bare = fold(word)
    if script is not Script.LATIN and _is_bare_stop_word(language, bare):
        return ()
    second = light_stem(bare) if language is Language.ARABIC else fold(stem(language, bare))
    return tuple(dict.fromkeys(filter(None, (fold(stem(language, word)), second))))


def stem(language: Language, word: str) -> str:
    """The stem of a normalised word; the word itself for a language without a stemmer."""
    return _stemmer(language).stemWord(word) if language.has_stemmer else word


@cache
def _stemmer(language: Language) -> _Stemmer:
    """One for each language; it keeps no words, as the callers remember them."""
    return _library.Stemmer(language.value, 0)


@cache
def _bare_stop_words(language: Language) -> frozenset[str]:
    """The stop words without their marks. In Latin script an accent may make another word: `né` is none, `ne` is one."""
    return frozenset(map(fold, STOP_WORDS.get(language, ())))


def _is_bare_stop_word(language: Language, bare: str) -> bool:
    """Whether a word without its marks is a stop word, in Arabic also one that is written together with "and"."""
    known = _bare_stop_words(language)
    return bare in known or (language is Language.ARABIC and bare.startswith(AND) and bare.removeprefix(AND) in known)


def _language_of_word(language: Language, script: Script) -> Language:
    """The language by which a word is stemmed: that of the text where the word is of its script, else the script's own."""
    if language is Language.SIMPLE or language in LANGUAGES_OF.get(script, ()):
        return language
    return Language.ENGLISH if script is Script.LATIN else WRITTEN_IN[script]
