"""Forms of German words that have other stems: with the `s` of a plural or a genitive, and those of regular verbs.

Snowball takes this `s` off after some consonants only, so `Autos` and `Annas` have other stems than `Auto` and `Anna`. It
keeps the `t` of a verb and the `ge` of a participle, so `kaufen`, `kaufte` and `gekauft` have three stems.
"""

import re
from typing import Final

_VOWELS: Final = tuple("aiouy")
_DIPHTHONGS: Final = ("ai", "ei", "oi", "au", "eu", "ou")
"""After these the `s` is part of the word: `eis`, `haus`, `mais`."""
_MIN_LENGTH: Final = 3
_VERB: Final = re.compile(r"(?P<participle>ge)?(?P<base>\w{4,}?|bau)(?:(?P<finite>e?te?n?)|(?<=e[lr])n|en)")
_NO_VERB: Final = re.compile(
    "(?:markt?|punkt?|schacht?|gedicht|gericht|geschäft|geschicht|gesicht|gestalt|gewicht)(?:en?)?"
    "|.*(?:heit|keit|schaft|tät)(?:en)?"
)
"""Nouns to which a form of a verb would add another noun (`Mark` and `Markt`), or a word with its `ge` taken off."""
_NO_PARTICIPLE: Final = re.compile("be|emp|ent|er|ver|zer|.*ier$")
"""Verbs whose participle has no `ge`."""
_WITH_E: Final = re.compile(".*(?:[dt]|ch[mn]|[^aeiouäöülrhmn][mn])")
"""Verbs that have an `e` before the `t`: `arbeitet`, `öffnet`."""


def number_forms(stem: str) -> tuple[str, ...]:
    """The stem without and with its `s`, in this order: `(auto, autos)` for both; a stem of another kind alone."""
    plain = stem.removesuffix("s")
    if len(plain) < _MIN_LENGTH or not plain.endswith(_VOWELS) or plain.endswith(_DIPHTHONGS):
        return (stem,)
    return plain, f"{plain}s"


def verb_forms(word: str) -> tuple[str, ...]:
    """The other forms of a normalised word if it is a regular verb: `(kaufen, kauft, gekauft)` for `kaufte`.

    For most other words, these are strings that no text contains.
    """
    verb = _VERB.fullmatch(word)
    if verb is None or _NO_VERB.fullmatch(word) or (verb["participle"] and not verb["finite"]):
        return ()
    base = verb["base"]
    ending = "et" if _WITH_E.fullmatch(base) else "t"
    infinitive = f"{base}n" if base.endswith(("el", "er")) and not base.endswith("ier") else f"{base}en"
    participle = () if _NO_PARTICIPLE.match(base) else (f"ge{base}{ending}",)
    return infinitive, f"{base}{ending}", *participle
