"""Stems of Russian words with a vowel that comes and goes, and of words whose plural is another word.

`пленок` (of films) for `пленка`, `суперкубка` for `суперкубок`: Snowball keeps the vowel, so the genitive plural or the
nominative has a different stem. `дети` (children) is the plural of `ребёнок`.
"""

import re
from typing import Final

_VOWELS: Final = "аеиоуыэюя"
_WITH_VOWEL: Final = re.compile(rf"(.*[{_VOWELS}].*[^{_VOWELS}йь])[ое]([клнрц])")
_AFTER_VOWEL: Final = re.compile(rf"(.*[{_VOWELS}])ек")
_SOFTENED: Final = re.compile(rf"(.*[{_VOWELS}][^{_VOWELS}]?)[йь]([клмнц])")
_CLUSTER: Final = re.compile(rf"(.*[{_VOWELS}].*[^{_VOWELS}йь])([клнц])")
_HUSHING: Final = tuple("жшчщц")
_IRREGULAR: Final = """
    человек люд
    ребенок ребенк дет
    доч дочер дочк
    мат матер
    друг друз
    сын сынов
    врем времен
    им имен
    ух уш
"""
"""Stems of one word on each line; `дочка` is a daughter, too."""


def _by_stem() -> dict[str, tuple[str, ...]]:
    groups = [line.split() for line in _IRREGULAR.strip().splitlines()]
    return {stem: tuple(other for other in group if other != stem) for group in groups for stem in group}


_OF_STEM: Final = _by_stem()


def irregular_stems(stem: str) -> tuple[str, ...]:
    """The other stems of a word whose forms have several: `люд` for `человек`."""
    return _OF_STEM.get(stem, ())


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
