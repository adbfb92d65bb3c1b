"""What a sentence in another language than English states of somebody or something, and what a question in one asks for.

Attributes have the English names of `memd.domain.facts.facts`, so that statements in several languages can be compared.
"""

from typing import Final, NamedTuple

USER: Final = "user"
"""Whom the first person means."""
_DIETS: Final = {"vegetari": "vegetarian", "vegan": "vegan", "pes": "pescatarian"}


def diet(word: str) -> str:
    """A diet as English names it, of a word that begins as its name does: `Vegetarierin`; StopIteration for any other."""
    return next(name for stem, name in _DIETS.items() if word.lower().startswith(stem))


class StatedValue(NamedTuple):
    """A value with what it belongs to; `changed`: the words state a change; `denied`: the value is not so (any more)."""

    subject: str
    attribute: str
    value: str
    changed: bool = False
    denied: bool = False


class AskedValue(NamedTuple):
    """The subject and the attributes that a question asks for.

    `before`: the value, in lower case, that came next. `earlier`: an earlier value is asked for, whatever came next.
    """

    subject: str
    attributes: tuple[str, ...]
    before: str = ""
    earlier: bool = False
