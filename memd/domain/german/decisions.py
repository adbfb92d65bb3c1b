"""German sentences that say what was decided or learned, how something is done and how often.

The patterns read folded text (`text.folded`), for `memd.domain.extraction.german_statements`; all but `UNDECIDED` and
`RECURS` read it from its beginning.
"""

import re
from typing import Final

from memd.domain.text.alternatives import any_of, either

UNDECIDED: Final = re.compile(
    r"\b(?:noch (?:nicht|nichts|nie|keine?)|nicht entschieden|unentschieden)\b", re.IGNORECASE
)
_DECIDER: Final = any_of(
    r"""
    ich wir das_team der_kunde die_kundin der_vorstand die_geschaeftsfuehrung man die_chefin der_chef mein\w*_\S+
    unser\w*_\S+
    """
)
_DECIDED: Final = any_of("entschieden beschlossen festgelegt geeinigt vereinbart abgemacht verworfen abgesprochen")
_WHAT_WE_DO: Final = either(
    r"bleiben (?:\w+ )?bei \S+",
    r"setzen (?:\w+ ){0,2}auf \S+",
    r"nehmen (?:(?:jetzt|nun|doch|lieber|kuenftig|stattdessen|ab \S+) ){0,2}"
    r"(?!(?:option|variante|vorschlag|moeglichkeit|nummer|punkt)\b)(?:(?-i:[A-Z])\S+|\S+ statt\b)",
    r"verzichten (?:\w+ )?auf \S+",
    r"steigen .{1,40}\bum",
    r"wechseln (?:\S+ ){0,4}?(?:zu|von|auf) \S+",
    r"migrieren (?:\S+ ){0,4}?(?:zu|von|auf|nach) \S+",
    r"streichen \S+",
    r"verschieben \S+",
    r"gehen mit (?-i:[A-Z])\S+",
)
DECISION: Final = re.compile(
    either(
        rf"{_DECIDER} (?:haben?|hat|hab) (?:\S+ ){{0,14}}?{_DECIDED}\b",
        r"(?:ich|wir) (?:entscheiden? uns|entscheide mich|entschied(?:en)?|einig(?:en|ten) uns|beschlossen)\b",
        r"(?:die |unsere )?entscheidung(?::| (?:ist|fiel|steht|lautet)\b)",
        r"(?:entschieden|beschlossen|vereinbart):",
        f"wir {_WHAT_WE_DO}",
        r"es (?:wurde|ist) (?:\S+ ){0,6}?(?:beschlossen|entschieden|festgelegt|vereinbart)\b",
        r"(?:beschlossen|entschieden) (?:wurde|ist|haben wir)\b",
    ),
    re.IGNORECASE,
)
LESSON: Final = re.compile(
    either(
        r"(?:ich|wir) (?:haben?|hab) (?:\S+ ){0,6}?(?:gelernt(?:,| dass|:)|herausgefunden,|festgestellt,|gemerkt, dass)",
        r"(?:gelernt|lehre|lektion|learning|lessons? learned|erkenntnis|merke|fazit)"
        r"(?: (?:daraus|des tages|fuer \S+|aus \S+ \S+))?:",
        r"es (?:hat sich (?:\w+ )?(?:herausgestellt|gezeigt)|stellte sich heraus)\b",
        r"(?:\S+ ){0,4}?(?:hat sich|stellte sich) (?:herausgestellt|heraus),",
        r"(?:die |der )?(?:\w*ursache|grund|ausloeser|root cause|schuldige)\b(?: \S+){0,6}? (?:war|waren|lag)\b",
        r"(?:der|die|das) \S+ lag (?:letztlich |am ende )?(?:daran, dass|an \S+ \S+ )",
        r"es lag daran, dass",
        r"(?:beim )?naechste[ns]? mal (?:sollten|muessen|werden|machen?|nehmen?|pruefen?|testen?|planen?) (?:ich|wir)\b",
        r"nie wieder (?!(?:gut|fragen)\b)\S+ \S+",
    ),
    re.IGNORECASE,
)
WORKFLOW: Final = re.compile(
    either(
        r"(?:vor|nach|bei) jede[mr] (?:release|deployment|deploy|commit|merge|push|sprint|rollout|pr|pull request"
        r"|migration|update|livegang)\w* \S+ \S+",
        r"(?:unser|der) (?:release-?|deploy\w*-?|review-?)(?:prozess|ablauf|workflow) \S+ \S+",
        r"(?:zuerst|als erstes|erst) (?!(?:kam|kamen|war|waren|ging|gingen|hat|hatten?|wurden?|fiel|fielen|gab)\b).{3,120}\b(?:dann|danach|anschliessend)\b.{3,}",
    ),
    re.IGNORECASE,
)
_AGAIN: Final = any_of(
    """
    jede[nrs]? (?:mon|diens|donners|frei|sams|sonn)tags mittwochs werktags taeglich woechentlich monatlich jaehrlich
    immer morgens abends
    """
)
RECURS: Final = re.compile(rf"\b{_AGAIN}\b", re.IGNORECASE)
"""Recurring events, as opposed to a single one."""
