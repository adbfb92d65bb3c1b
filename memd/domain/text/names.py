"""Proper names in prose: runs of capitalised words, without the capital that merely begins a sentence."""

import re
from typing import Final

from memd.domain.dates.months import MONTHS
from memd.domain.dates.weekdays import WEEKDAYS

_UPPER: Final = "A-ZÀ-ÖØ-ÞĀĂĄĆČĎĐĒĖĘĞĢĪĮİĶŁĻŃŅŇŐŒŘŚŞŠŤŪŮŰŲŹŻŽΑ-ΩА-Я"
_WORD: Final = rf"[{_UPPER}][\w&-]*(?:['’](?!(?:s|m|d|ll|re|ve|t)\b)\w+|\.\w+)*"
_RUN: Final = re.compile(rf"(?<![\w'’])(?:{_WORD})(?: (?:(?:of|de|del|la|van|von|der|du|the) ){{0,2}}{_WORD})*")
_SENTENCE_END: Final = re.compile(r"(?:^|[.!?…:\n•–—])[\s\"'“”‘(*]*\Z")
_NEXT_WORD: Final = re.compile(r"\s+(\w+)")
_INNER: Final = re.compile(rf"\w[{_UPPER}\d]")
_COMMON: Final = """
    a about absolutely actually after again agreed ah all also although always am amazing an and another any anyway
    anything are as ask at aw aww awesome back be because been before being best both bravo but by bye can cannot check
    call cheers come contact congrats congratulations cool could definitely did do does doing done either else even ever every
    everyone exactly excited fine first for from fun get give glad go going gonna good got great had haha happy has
    have having he hello her here hey hi him his hopefully how however i if in indeed is it its just keep last lately
    let like look looks lot lots love lucky make makes many maybe me meanwhile meet more most must my need never new next
    nice no nope not nothing now of off oh ok okay on once one only or our out over perfect please plus pretty really
    recently remember right same see she should since so some someone something sometimes sorry sounds still such
    super sure take tell thank thanks that the their them then there these they thing things think this those though time
    to today tomorrow tonight too totally true try two under unfortunately until up us use used very wait was way we
    well were what whatever when whenever where wherever whether which while who why will wish with without wonderful wow would yay yeah yep yes
    yesterday yet you your yup
"""
_VERBS_OF_NAMES: Final = """
    is was has had owns own leads runs manages maintains said says told asked wants wanted prefers likes loves
    hates works worked lives lived moved joined left decided agreed chose uses used needs will depends requires blocks
    replaced went came got bought made took gave causes contradicts
"""
COMMON_WORDS: Final = frozenset([*_COMMON.split(), *WEEKDAYS, *map(str.lower, MONTHS)])
_SHOWS_NAME: Final = frozenset(_VERBS_OF_NAMES.split())


def proper_names(text: str) -> tuple[str, ...]:
    """The distinct names in `text` in order of appearance, e.g. `("Ada Lovelace", "PostgreSQL", "Bank of England")`.

    A single capitalised word that begins a sentence counts only when the word after it shows that it is a name,
    or when it has inner capitals or digits. Days, months, pronouns and interjections are not names.
    """
    found: dict[str, None] = {}
    for match in _RUN.finditer(text):
        words = _trimmed(match.group().split(" "))
        starts_sentence = match.start() == 0 or _SENTENCE_END.search(text, max(0, match.start() - 8), match.start())
        lone = starts_sentence and " " not in match.group()
        if words and (not lone or _INNER.search(words[0]) or _is_actor(words[0], text[match.end() : match.end() + 20])):
            found[" ".join(words)] = None
    return tuple(found)


def _trimmed(words: list[str]) -> list[str]:
    """The run without common words at either end."""
    while words and words[0].lower() in COMMON_WORDS:
        words = words[1:]
    while words and words[-1].lower() in COMMON_WORDS:
        words = words[:-1]
    return words if len(words) != 1 or len(words[0]) > 1 else []


def _is_actor(word: str, rest: str) -> bool:
    """Whether the verb after a word shows it to be a name; `Painting is fun` does not."""
    following = _NEXT_WORD.match(rest)
    return bool(following and following.group(1).lower() in _SHOWS_NAME and not word.endswith("ing"))
