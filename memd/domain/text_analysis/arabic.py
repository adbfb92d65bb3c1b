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
_MIN_LETTERS: Final = 2
"""Letters that have to be left."""


def light_stem(word: str) -> str:
    """The word without conjunction, article and endings; `word` is folded (one alef, no vowel signs, ه for ة)."""
    if word.startswith(AND) and len(word) > _MIN_AFTER_AND:
        word = word.removeprefix(AND)
    for article in _ARTICLES:
        if word.startswith(article) and len(word) >= len(article) + _MIN_LETTERS:
            word = word.removeprefix(article)
            break
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) >= len(ending) + _MIN_LETTERS:
            word = word.removesuffix(ending)
    return word
