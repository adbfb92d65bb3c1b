"""How German sentences of a user open, go on and end: greetings, subordinate clauses, questions, pronouns.

`LEAD`, `EXPLICITLY`, `CLAUSE`, `OWN_CLAUSE` and `ASKED` read text as it was written, the others folded text
(`text.folded`). They are for `memd.domain.extraction.german_statements`.
"""

import re
from typing import Final

from memd.domain.dates.weekdays import GERMAN_WEEKDAYS
from memd.domain.text.alternatives import any_of, either

_AUTHOR: Final = any_of("ich wir mein meine unser unsere")
_STOP: Final = r"\s?[,:;!.–—-]+\s+"
_GREETING: Final = any_of(
    r"""
    hallo hi hey moin servus guten_(?:tag|morgen|abend) danke ach ok(?:ay)? super gut genau stimmt richtig ja nein nee? schwierig leider klar schade puh
    korrektur nachtrag achtung wichtig hinweis info vorab (?:kurze?_|kleine_)?info also nebenbei
    """
)
_ASIDE: Final = any_of(
    r"""
    (?:nur_)?(?:so_)?zur_(?:info|information|kenntnis) nur_damit_du(?:_es)?_weisst [uü]brigens uebrigens btw fyi ps
    p\.s\. kurz_(?:zu_mir|vorab) zu_mir nebenbei_bemerkt apropos ach_ja ach_so ehrlich_gesagt wie_gesagt noch_was
    noch_etwas jedenfalls wie_auch_immer wie_dem_auch_sei zum_(?:kontext|hintergrund) was_ich_noch_sagen_wollte also aber und nein ja naja na_ja
    """
)
LEAD: Final = re.compile(
    either(
        rf"{_GREETING}(?: \w+)?{_STOP}(?:und |aber )?",
        rf"{_ASIDE}(?:{_STOP}|\s+(?!\w+ {_AUTHOR}\b))",
        r"(?:der|die|meine?|unsere?) (?:\w*(?:arzt|[aä]rztin|aerztin)|hebamme|physio\w*) (?:sagt|meint|hat gesagt),? (?=(?:ich|wir) (?:bin|sind|habe?n?|darf|duerfen|dürfen)\b)",
    ),
    re.IGNORECASE,
)
EXPLICITLY: Final = re.compile(
    r"(?:bitte )?(?:merke?|merken sie|notiere?|notieren sie)(?: (?:dir|sich))?(?: bitte)?"
    r"(?:, dass|:| dass|,) (?P<rest>\S+ \S+ \S.*)"
    r"|(?:bitte )?(?:behalte?|behalten sie) (?:bitte )?(?:im kopf|im hinterkopf|in erinnerung)"
    r"(?:, dass|:|,) (?P<kept>\S+ \S+ \S.*)",
    re.IGNORECASE,
)
CLAUSE: Final = re.compile(r"(?:[,;]|\s[-–—]|\.\.\.|…)\s+(?:(?:und|aber|denn|also|daher)\s+)?|\s(?:denn|aber)\s+")
OWN_CLAUSE: Final = re.compile(rf"{_AUTHOR}\b", re.IGNORECASE)
_ASKING: Final = any_of(
    r"""
    was wie wo wann warum wer wohin woher womit welche[mnrs]?
    kannst k(?:ö|oe)nntest k(?:ö|oe)nnten k(?:ö|oe)nnen gibt_es
    (?:hast|haben|soll|sollte|sollen|darf|muss|ist|sind|passt|geht|reicht)_(?:du|sie|ich|wir|das|es|man|die|der)\b
    wei(?:ß|ss)t kennst lohnt bitte schreib gib zeig hilf empfiehl mach erkl(?:ä|ae)r schlag nenn such stell plane
    erstelle?
    """
)
ASKED: Final = re.compile(rf"(?:[,;:.]|\s[-–—])\s+(?:(?:und|also|daher|deshalb|aber)\s+)?{_ASKING}\b", re.IGNORECASE)
_LEADING: Final = any_of(
    rf"""
    am im in seit ab vom von bis vor nach um naechste[nrms]? kommende[nrms]? letzte[nrms]? diese[nrms]? jede[nrms]?
    morgen uebermorgen heute gestern vorgestern {any_of(" ".join(GERMAN_WEEKDAYS))}s
    werktags morgens abends nachmittags vormittags mittags nachts normalerweise meistens? manchmal oft immer nie
    beruflich privat aktuell derzeit momentan zurzeit inzwischen mittlerweile jetzt frueher zuhause zu bei fuer als
    ausserdem auch kuenftig mit nebenher nebenberuflich insgesamt seitdem ende anfang mitte hauptberuflich eigentlich
    leider uebrigens also aber zweimal einmal dreimal \d{{4}} aus wegen dienstlich
    """
)
_SUBJECT: Final = either(
    "ich",
    "wir",
    r"(?:mein|unser)(?:e[rs]?)?(?: (?-i:[a-z]+[en]))?(?: [\w-]+)(?: (?-i:[A-Z])[\w-]+)?",
    r"(?:der|die|das) (?-i:[A-Z])[\w-]+",
)
INVERTED: Final = re.compile(
    rf"(?P<lead>{_LEADING}(?: (?!{_AUTHOR}\b)[^\s,;:]+){{0,7}}?) (?P<verb>[a-z]+) (?P<subject>{_SUBJECT})\b(?P<rest>.*)",
    re.IGNORECASE,
)
_OBJECT_FIRST: Final = any_of(
    """
    mag moegen esse essen trinke trinken hasse hassen liebe lieben vertrage vertragen rauche rauchen nutze nutzen
    benutze benutzen verwende verwenden
    """
)
_NO_OBJECT: Final = any_of(
    r"""
    das es dies\w* was wie wo wann warum wen wem welche\w* den die der dich dir mich so da dann deshalb deswegen sowas wenn
    ob als weil dass womit wofuer variante option version antwort vorschlag punkt
    """
)
OBJECT_FIRST: Final = re.compile(
    rf"(?P<lead>(?!{_NO_OBJECT}\b)[\w-]+(?: (?!{_AUTHOR}\b)[\w-]+){{0,3}}?) (?P<verb>{_OBJECT_FIRST}) (?P<subject>ich|wir)\b(?P<rest>.*)",
    re.IGNORECASE,
)
"""`Soja mag ich nicht`."""
WITHOUT_SUBJECT: Final = re.compile(
    r"(?:habe?|bin|wohne?|mag|heisse|vertrage?) (?!(?:ich|wir|mich|mir|mal)\b)", re.IGNORECASE
)
"""`Hab ne Katze`."""
PARTICIPLE_AT_END: Final = re.compile(
    r" (?!gegen\b)(?-i:[a-z]*ge[a-z]{2,}(?:t|en)|[a-z]{3,}iert|(?:be|ver|er|ent|zer|ueber|unter)[a-z]{3,}(?:t|en))\W*\Z"
)
"""`Ich habe einen Branch angelegt` is no possession."""
_GOES_ON: Final = any_of(
    """
    ist hat geht mag isst heisst kommt wohnt lebt arbeitet wird spielt vertraegt lernt besucht faehrt trinkt studiert
    liegt laeuft kostet beginnt endet
    """
)
DETAIL: Final = re.compile(
    rf"(?:er|sie|es) {_GOES_ON} (?!(?:nicht )?(?:gut|super|toll|egal|klar|mir|dir)\b)\S"
    r"|(?:ihre?|seine?) [\w-]+ (?:ist|sind|heisst|heissen|hat|lautet) \S",
    re.IGNORECASE,
)
"""Pronouns that continue the subject of the previous sentence; the polite `Sie` has a plural verb."""
SAID_BY_AUTHOR: Final = re.compile(r"(?:ich|wir)\b", re.IGNORECASE)
