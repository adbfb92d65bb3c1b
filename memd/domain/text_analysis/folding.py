"""Spellings that count as one: case, width, accents, Arabic vowel signs and alef forms, the digits of any script."""

import re
import unicodedata
from functools import lru_cache
from typing import Final

from memd.domain.text_analysis.scripts import Script, script_of

_BASIC: Final = range(0x80, 0x10000)
MARKS_CLASS: Final = "".join(chr(code) for code in _BASIC if unicodedata.category(chr(code)).startswith("M"))
"""Combining marks, which belong to the word before them; the inside of a regular expression's character class."""

MAX_MARKS: Final = 30
"""Marks on one letter (the stream-safe text format of Unicode): to normalise n of them takes n² steps."""
_MANY_MARKS: Final = re.compile(f"[{MARKS_CLASS}\U00010000-\U0001efff]{{{MAX_MARKS + 1},}}")
"""Characters that may be marks: the other planes hold both letters and marks, so these are checked one by one."""

_DIGITS: Final = {
    code: str(unicodedata.decimal(chr(code))) for code in _BASIC if unicodedata.category(chr(code)) == "Nd"
}
_REPLACED: Final[dict[int, str | None]] = {
    **_DIGITS,
    ord("_"): " ",
    0x00AD: None,  # soft hyphen
    0x0640: None,  # Arabic tatweel, which only stretches a word
    0x200C: None,  # zero-width non-joiner
    0x200D: None,  # zero-width joiner
    0x2060: None,  # word joiner
    0xFEFF: None,  # byte order mark
}
_TO_REPLACE: Final = re.compile(f"[{''.join(map(chr, _REPLACED))}]")

_LETTERS: Final = {
    **dict.fromkeys("أإآٱ", "ا"),
    "ى": "ي",
    "ی": "ي",
    "ک": "ك",
    "ة": "ه",
    "ё": "е",
    "ß": "ss",
    "æ": "ae",
    "œ": "oe",
    "ø": "o",
    "đ": "d",
    "ð": "d",
    "ħ": "h",
    "ı": "i",
    "ł": "l",
    "þ": "th",
    "ς": "σ",
    "ँ": "ं",
}
_SILENT_MARKS: Final = re.compile("[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u093c]")
"""Marks that are often left out: accents, Hebrew points, Arabic vowel signs, the Devanagari nukta."""
_NASALS: Final = re.compile("ङ्(?=[क-घ])|ञ्(?=[च-झ])|ण्(?=[ट-ढ])|न्(?=[त-ध])|म्(?=[प-भ])")
"""Devanagari nasals before a consonant of the same class, for which the anusvara is written as often."""
_ACCENTED: Final = frozenset({Script.LATIN, Script.GREEK})


def normalise(text: str) -> str:
    """The text in lower case and compatibility form (NFKC), with ASCII digits, without invisible characters."""
    text = unicodedata.normalize("NFKC", few_marks(text)).lower()
    return text.translate(_REPLACED) if _TO_REPLACE.search(text) else text


def composed(text: str) -> str:
    """The text with each accent in one character with its letter (NFC), as most keyboards write it."""
    return text if text.isascii() else unicodedata.normalize("NFC", few_marks(text))


def few_marks(text: str) -> str:
    """The text with at most `MAX_MARKS` combining marks in a row, so that normalising it takes linear time."""
    return text if text.isascii() else _MANY_MARKS.sub(_cut_marks, text)


def _cut_marks(run: re.Match[str]) -> str:
    kept: list[str] = []
    marks = 0
    for char in run.group():
        marks = marks + 1 if unicodedata.category(char).startswith("M") else 0
        if marks <= MAX_MARKS:
            kept.append(char)
    return "".join(kept)


def fold(word: str) -> str:
    """A normalised word without accents and other marks that are often left out; é = e, ß = ss, ё = е, हिन्दी = हिंदी."""
    return word if word.isascii() else "".join(map(_fold_letter, _NASALS.sub("ं", word)))


@lru_cache(maxsize=8192)
def _fold_letter(letter: str) -> str:
    if letter in _LETTERS:
        return _LETTERS[letter]
    if _SILENT_MARKS.match(letter):
        return ""
    if script_of(letter) in _ACCENTED:
        return _SILENT_MARKS.sub("", unicodedata.normalize("NFKD", letter))
    return letter
