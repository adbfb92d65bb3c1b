"""A light stem of Arabic words: light10 (Larkey et al., "Light Stemming for Arabic Information Retrieval", 2007).

Snowball stems a noun differently with and without its article: its stem of `انتخابات` (elections) is not that of
`الانتخابات` (the elections), and it takes the first letter of `سيارات` (cars) for a future tense. This stem is the same
for both, and is indexed in addition to the Snowball stem.
"""

from typing import Final

AND: Final = "و"
"""The conjunction that is written as one word with what follows."""
_ARTICLES: Final = ("وال", "بال", "كال", "فال", "ال", "لل")
_ENDINGS: Final = ("ها", "ان", "ات", "ون", "ين", "يه", "ه", "ي")
"""In the order in which they are taken off, each once."""
_MIN_AFTER_AND: Final = 3
_POSSESSED: Final = ("تي", "تك", "ته", "تها", "تنا", "تكم", "تهم")
"""Ends of a noun that ends with ة, with a possessive: `سيارتي` (my car)."""
_MIN_POSSESSED: Final = 3
"""Letters before such an end: `بيتي` is of `بيت`."""
_PREFIXED: Final = ("ل", "ك")
"""Prepositions that are written as one word with a noun, and that Snowball takes for letters of it."""
_MIN_PREFIXED: Final = 4
"""Letters of a stem that may have one: `ريم` is no part of `كريم`."""
_MIN_LETTERS: Final = 2
"""Letters that have to be left."""


def light_stem(word: str) -> str:
    """The word without conjunction, article and endings; `word` is folded (one alef, no vowel signs, ه for ة)."""
    word = _without_opening(word)
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) >= len(ending) + _MIN_LETTERS:
            word = word.removesuffix(ending)
    return word


def _without_opening(word: str) -> str:
    """The word without conjunction and article."""
    if word.startswith(AND) and len(word) > _MIN_AFTER_AND:
        word = word.removeprefix(AND)
    for article in _ARTICLES:
        if word.startswith(article) and len(word) >= len(article) + _MIN_LETTERS:
            return word.removeprefix(article)
    return word


def related_stems(word: str) -> tuple[str, ...]:
    """The light stems of other forms of a folded noun: with and without a possessive after ة, with and without ل or ك."""
    bare = _without_opening(word)
    stems: list[str] = []
    if bare.endswith("ه") and len(bare) > _MIN_POSSESSED:
        stems.append(f"{bare[:-1]}ت")
    for ending in _POSSESSED:
        noun = bare.removesuffix(ending)
        if noun != bare and len(noun) >= _MIN_POSSESSED:
            stems.append(light_stem(f"{noun}ه"))
    stem = light_stem(word)
    if len(stem) >= _MIN_PREFIXED:
        stems += [f"{prefix}{stem}" for prefix in _PREFIXED]
    if stem.startswith(_PREFIXED) and len(stem) > _MIN_PREFIXED:
        stems.append(stem[1:])
    return tuple(stems)
