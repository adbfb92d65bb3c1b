"""Stems of Russian words with a vowel that comes and goes: `пленок` (of films) for `пленка`, `суперкубка` for `суперкубок`.

Snowball keeps the vowel, so the genitive plural or the nominative has a different stem.
"""

import re
from typing import Final

_VOWELS: Final = "аеиоуыэюя"
_WITH_VOWEL: Final = re.compile(rf"(.*[{_VOWELS}].*[^{_VOWELS}йь])[ое]([клнрц])")
_AFTER_VOWEL: Final = re.compile(rf"(.*[{_VOWELS}])ек")
_SOFTENED: Final = re.compile(rf"(.*[{_VOWELS}][^{_VOWELS}]?)[йь]([клмнц])")
_CLUSTER: Final = re.compile(rf"(.*[{_VOWELS}].*[^{_VOWELS}йь])([клнц])")
_HUSHING: Final = tuple("жшчщц")


def alternating_stems(stem: str) -> tuple[str, ...]:
    """The stem of a folded Russian word with or without a vowel before its last consonant; most are of no word."""
    if match := _WITH_VOWEL.fullmatch(stem):
        return (match[1] + match[2],)
    if match := _AFTER_VOWEL.fullmatch(stem):
        return (f"{match[1]}йк",)
    if match := _SOFTENED.fullmatch(stem):
        return (f"{match[1]}е{match[2]}",)
    if match := _CLUSTER.fullmatch(stem):
        start, end = match.groups()
        vowels = "е" if start.endswith(_HUSHING) else "о" if end == "к" else "ое"
        return tuple(start + vowel + end for vowel in vowels)
    return ()
