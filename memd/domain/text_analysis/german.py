"""Stems of German words that end in a vowel, with and without the `s` of a plural or a genitive.

Snowball takes this `s` off after some consonants only, so `Autos` and `Annas` have other stems than `Auto` and `Anna`.
"""

from typing import Final

_VOWELS: Final = tuple("aiouy")
_DIPHTHONGS: Final = ("ai", "ei", "oi", "au", "eu", "ou")
"""After these the `s` is part of the word: `eis`, `haus`, `mais`."""
_MIN_LENGTH: Final = 3


def number_forms(stem: str) -> tuple[str, ...]:
    """The stem without and with its `s`, in this order: `(auto, autos)` for both; a stem of another kind alone."""
    plain = stem.removesuffix("s")
    if len(plain) < _MIN_LENGTH or not plain.endswith(_VOWELS) or plain.endswith(_DIPHTHONGS):
        return (stem,)
    return plain, f"{plain}s"
