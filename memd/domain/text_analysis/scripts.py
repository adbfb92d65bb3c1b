"""Scripts of Unicode: the languages written in each, and whether it separates words."""

from bisect import bisect_right
from enum import StrEnum
from functools import lru_cache
from typing import Final

from memd.domain.text_analysis.language import Language


class Script(StrEnum):
    """The script of a character; `OTHER` for all that need no special treatment."""

    ARABIC = "arabic"
    ARMENIAN = "armenian"
    CYRILLIC = "cyrillic"
    DEVANAGARI = "devanagari"
    GREEK = "greek"
    HAN = "han"
    HANGUL = "hangul"
    HEBREW = "hebrew"
    KANA = "kana"
    KHMER = "khmer"
    LAO = "lao"
    LATIN = "latin"
    MYANMAR = "myanmar"
    TAMIL = "tamil"
    THAI = "thai"
    OTHER = "other"


_BLOCKS: Final = (
    (0x0041, 0x024F, Script.LATIN),
    (0x0370, 0x03FF, Script.GREEK),
    (0x0400, 0x052F, Script.CYRILLIC),
    (0x0531, 0x058F, Script.ARMENIAN),
    (0x0591, 0x05F4, Script.HEBREW),
    (0x0600, 0x06FF, Script.ARABIC),
    (0x0750, 0x077F, Script.ARABIC),
    (0x0900, 0x097F, Script.DEVANAGARI),
    (0x0B80, 0x0BFF, Script.TAMIL),
    (0x0E00, 0x0E7F, Script.THAI),
    (0x0E80, 0x0EFF, Script.LAO),
    (0x1000, 0x109F, Script.MYANMAR),
    (0x1780, 0x17FF, Script.KHMER),
    (0x1E00, 0x1EFF, Script.LATIN),
    (0x1F00, 0x1FFF, Script.GREEK),
    (0x2E80, 0x2FDF, Script.HAN),
    (0x3005, 0x3007, Script.HAN),
    (0x3041, 0x30FF, Script.KANA),
    (0x31F0, 0x31FF, Script.KANA),
    (0x3400, 0x4DBF, Script.HAN),
    (0x4E00, 0x9FFF, Script.HAN),
    (0xAC00, 0xD7A3, Script.HANGUL),
    (0xF900, 0xFAFF, Script.HAN),
    (0xFB1D, 0xFB4F, Script.HEBREW),
    (0x20000, 0x3FFFF, Script.HAN),
)
"""Ranges of code points, in order; letters only are looked up, after NFKC."""
_STARTS: Final = [first for first, _, _ in _BLOCKS]

UNSEGMENTED: Final = frozenset(
    {Script.HAN, Script.HANGUL, Script.KANA, Script.KHMER, Script.LAO, Script.MYANMAR, Script.THAI}
)
"""Scripts that do not separate words; Hangul separates phrases, whose particles no stemmer of Postgres knows."""

UNSEGMENTED_CLASS: Final = "".join(
    f"{chr(first)}-{chr(last)}" for first, last, script in _BLOCKS if script in UNSEGMENTED
)
"""Their characters, as the inside of a regular expression's character class."""

WRITTEN_IN: Final = {
    Script.ARABIC: Language.ARABIC,
    Script.ARMENIAN: Language.ARMENIAN,
    Script.CYRILLIC: Language.RUSSIAN,
    Script.DEVANAGARI: Language.HINDI,
    Script.GREEK: Language.GREEK,
    Script.HAN: Language.CHINESE,
    Script.HANGUL: Language.KOREAN,
    Script.HEBREW: Language.SIMPLE,
    Script.KANA: Language.JAPANESE,
    Script.KHMER: Language.KHMER,
    Script.LAO: Language.LAO,
    Script.MYANMAR: Language.BURMESE,
    Script.TAMIL: Language.TAMIL,
    Script.THAI: Language.THAI,
    Script.OTHER: Language.SIMPLE,
}
"""The default language of a script; Latin script has none."""

_LATIN: Final = (
    *(Language.ENGLISH, Language.SPANISH, Language.PORTUGUESE, Language.FRENCH, Language.GERMAN, Language.ITALIAN),
    *(Language.INDONESIAN, Language.TURKISH, Language.DUTCH, Language.ROMANIAN, Language.SWEDISH, Language.HUNGARIAN),
    *(Language.DANISH, Language.NORWEGIAN, Language.FINNISH, Language.CATALAN, Language.SERBIAN),
    *(Language.LITHUANIAN, Language.ESTONIAN, Language.BASQUE, Language.IRISH),
)
LANGUAGES_OF: Final = {
    Script.ARABIC: (Language.ARABIC,),
    Script.CYRILLIC: (Language.RUSSIAN, Language.SERBIAN),
    Script.DEVANAGARI: (Language.HINDI, Language.NEPALI),
    Script.HEBREW: (Language.YIDDISH,),
    Script.LATIN: _LATIN,
}
"""The languages with a stemmer that share a script, or are not alone in it; those with more speakers first."""


def is_mostly_latin(text: str) -> bool:
    """Whether at least half of the letters of a text are Latin; so for a text without letters."""
    letters = [script_of(letter) for letter in text if letter.isalpha()]
    return 2 * letters.count(Script.LATIN) >= len(letters)


@lru_cache(maxsize=8192)
def script_of(letter: str) -> Script:
    """The script of a letter."""
    code = ord(letter)
    _, last, script = _BLOCKS[max(0, bisect_right(_STARTS, code) - 1)]
    return script if code <= last else Script.OTHER
