"""Finds the prepositions that belong to a verb in an English text: "stands in for me" is not "stands for me" or "stands"."""

from collections.abc import Sequence
from typing import Final

EDGES: Final = "\"'()[]{}*_“”‘’«»"
CLAUSE_END: Final = (".", ",", ";", ":", "!", "?", "…", ")", "—", "–")
_VERBS: Final = {
    "in": "stand fill give check log sign move break drop chip settle tune hand turn believe bring call get let plug fit "
    "stay kick cut take",
    "on": "take carry put go hold turn log sign move keep count rely depend insist try add bring catch get pass switch "
    "work focus let",
    "for": "stand ask wait look apply pay care search vote fall head",
    "at": "look laugh",
    "by": "get stand come drop pass stop swear abide",
    "to": "belong listen refer object lead switch look get",
    "with": "deal agree disagree cope",
    "about": "bring care forget complain worry come",
    "through": "go get break fall follow pull",
    "into": "look run break bump",
    "along": "get come",
    "around": "turn look get",
    "across": "come",
    "from": "suffer recover hear",
}
_IRREGULAR: Final = {
    "stand": "stood",
    "give": "gave given",
    "break": "broke broken",
    "bring": "brought",
    "get": "got gotten getting",
    "let": "letting",
    "take": "took taken",
    "put": "putting",
    "go": "went gone goes",
    "hold": "held",
    "keep": "kept",
    "catch": "caught",
    "fall": "fell fallen",
    "come": "came",
    "swear": "swore sworn",
    "lead": "led",
    "deal": "dealt",
    "run": "ran running",
    "forget": "forgot forgotten forgetting",
    "hear": "heard",
    "stay": "stayed",
    "cut": "cutting",
    "fit": "fitting fitted",
    "try": "tries tried",
    "carry": "carries carried",
    "worry": "worries worried",
    "rely": "relies relied",
    "apply": "applies applied",
    "drop": "dropped dropping",
    "stop": "stopped stopping",
    "chip": "chipped chipping",
    "log": "logged logging",
    "plug": "plugged plugging",
    "refer": "referred referring",
}


def _forms(verb: str) -> set[str]:
    """The forms of a verb; some that no one writes are among them."""
    stem = verb.removesuffix("e")
    return {verb, f"{verb}s", f"{verb}es", f"{stem}ed", f"{stem}ing", *_IRREGULAR.get(verb, "").split()}


_FORMS: Final = {
    particle: frozenset(form for verb in verbs.split() for form in _forms(verb)) for particle, verbs in _VERBS.items()
}


def belongs_to_verb(words: Sequence[str], index: int) -> bool:
    """Whether the preposition at `index` belongs to a verb.

    It does after a verb that is often used with it (stand in, wait for), as the second of two (stand in *for*), and at the end of
    its clause, where nothing follows that it could govern: "the firm she works for".
    """
    word, before = words[index].lower(), words[index - 1].lower().lstrip(EDGES) if index else ""
    core = word.strip(EDGES).rstrip(".,;:!?…")
    if not before or word[:1] in EDGES or before.endswith(CLAUSE_END):
        return False
    if index + 1 == len(words) or word.endswith(CLAUSE_END):
        return True
    if before in _FORMS.get(core, ()):
        return True
    return index > 1 and words[index - 2].lower() in _FORMS.get(before, ())
