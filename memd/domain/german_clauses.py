"""Whether a German text is one main clause, and whether it says that something lasts (contract 17.5).

Without a parser, as in `memd.domain.clauses`: in doubt a text is more than one clause, and what it says does not last.
"""

import re
from typing import Final

from memd.domain.german_tenses import is_german_past
from memd.domain.sentences import sentences
from memd.domain.weekdays import GERMAN_WEEKDAYS

_STOP: Final = re.compile(r"[;:](?!\d)|[!?…](?=\s*\S)|\s[-–—]+\s|—|[()\n]|,(?!\d)")
"""What one main clause does not have inside; a comma begins a subordinate clause."""
_NOT_SO: Final = re.compile(
    r"\b(?:kann|kannst|könn\w+|muss|musst|müss\w+|musst\w+|soll|soll\w+|darf|dürf\w+|durft\w+|möcht\w+|will|woll\w+|würd\w+|wär\w*"
    r"|hätt\w+|erlaubt|geplant|vorgesehen|vielleicht|eventuell|wenn|falls|weil|dass|ob|sofern|solange|sobald"
    r"|zu\s+(?-i:[a-zäöüß]{2,}e(?:n|rn|ln))|(?-i:[a-zäöüß]{2,}zu[a-zäöüß]{3,}en))\b",
    re.IGNORECASE,
)
"""Modal verbs, conditions, and infinitives of what is to be done."""
_JOINT: Final = re.compile(
    r"\s+(?:und|aber|oder|sondern|denn|sowie)\s+(?!(?:bleib|läuft|laufen|dauer|gilt|gelten|geht|gehen)\w*)",
    re.IGNORECASE,
)
_STATE: Final = (
    r"(?:vorübergehend\s+)?(?:geschlossen|geöffnet|gesperrt|offen|zu|dicht|krank(?:geschrieben)?|weg|verreist|unterwegs|abwesend|verhindert"
    r"|gültig|vermietet|befristet|verfügbar|reserviert|gebucht|belegt|frei|beurlaubt|freigestellt|deaktiviert|aktiv|pausiert"
    r"|eingefroren|ausgebucht|kostenlos|erreichbar)"
)
_FINITE: Final = re.compile(
    r"\b(?:(?:ich|wir|er|sie|es|du|man)\b|(?-i:(?:ist|sind|bin|war|waren|hat|habe|haben|hatten?|wird|werden|wurden?|gibt|gab|zog|blieb|begann|kam|ging|fand|stand|lag|hieß|trug|nahm|fiel|schrieb|verließ)\b"
    r"|(?!(?:nicht|mit|seit|jetzt|erst|dort|fast|sonst|selbst|zuletzt|statt|laut|meist|oft|fest|gut|rot|alt)\b|ge\w+t\b)"
    r"[a-zäöüß]{2,}(?:t|te|ten)\b(?!\s+[A-ZÄÖÜ])|[A-ZÄÖÜ]\w+\s+(?!" + _STATE + r"\b)[a-zäöüß]{2,}en\b))",
    re.IGNORECASE,
)
"""A verb, or words that look like a subject with its verb; `alte` before a noun is an adjective."""
_FUNCTION: Final = """
    der die das den dem des ein eine einen einem einer eines kein keine mein meine meinen meiner unser unsere unseren sein seine
    ihr ihre in im am an auf bei beim mit nach von vom zu zum zur für aus über unter vor seit bis ab auch nicht noch dann jetzt
"""
_WITHOUT_VERB: Final = frozenset(_FUNCTION.split())
"""Words in lower case after a conjunction that do not show that a verb follows."""
_LASTING: Final = re.compile(
    r"\b(?:bleib(?:e|t|en)|blieb(?:en)?|gilt|gelten|galt(?:en)?|läuft|laufen|lief(?:en)?|dauer(?:t|n|te|ten)|wohn(?:e|t|en|te|ten)"
    r"|leb(?:e|t|en|te|ten)|arbeite(?:n|t|te|ten)?|studier(?:e|t|en|te|ten)|ruh(?:t|en|te)|geht|gehen|leite(?:n|t|te|ten)?"
    r"|unterricht(?:e|et|en|ete)|warte(?:t|n)?|miete(?:t|n|te)?|vertritt)\b",
    re.IGNORECASE,
)
_IS_SO: Final = re.compile(rf"\b{_STATE}\b", re.IGNORECASE)
_IS: Final = re.compile(r"\b(?:ist|sind|bin|war|waren|hat|habe|haben|hatten?)\b", re.IGNORECASE)
_ENDS_IN_NOUN: Final = re.compile(r"(?<!\w)(?!Zeit\b)[A-ZÄÖÜ\d][\w.-]*\W*\Z")
"""Without an infinitive or a participle; who has time until Friday must be ready by then."""
_INFINITIVE: Final = re.compile(rf"\s(?!{_STATE}\b)[a-zäöüß]{{2,}}e(?:n|ln|rn)[.!\s]*\Z")
_RECURS: Final = re.compile(
    r"\b(?:jede[nrsm]?|immer|stets|täglich|wöchentlich|monatlich|jährlich|meistens|normalerweise|gewöhnlich|werktags|wochentags"
    rf"|morgens|abends|nachts|(?:{'|'.join(GERMAN_WEEKDAYS)})s)\b",
    re.IGNORECASE,
)
_LASTED: Final = re.compile(
    r"\b(?-i:wohnten?|lebten?|arbeiteten?|leiteten?|studierten?|unterrichteten?|dauerten?|mieteten?|kosteten?|ruhten?|blieb(?:en)?|lief(?:en)?"
    r"|galt(?:en)?|lag(?:en)?|standen?|wurden?)\b"
)


def is_one_german_clause(text: str) -> bool:
    """Whether a text, its days left out, is one sentence of one main clause, without a modal verb."""
    body = text.strip().rstrip(".!")
    if _STOP.search(body) or _NOT_SO.search(body) or len(sentences(body)) > 1:
        return False
    first, *others = _JOINT.split(body)
    return bool(_FINITE.search(first)) + sum(_is_verbal(part) for part in others) <= 1


def _is_verbal(part: str) -> bool:
    """Whether what follows a conjunction has a verb of its own."""
    word = part.split(" ", 1)[0]
    return bool(_FINITE.search(part)) or (word.islower() and word not in _WITHOUT_VERB)


def lasts(text: str) -> bool:
    """Whether what a clause says goes on until the day after "bis", rather than to be done by it."""
    if _INFINITIVE.search(text):
        return False
    if _LASTING.search(text):
        return True
    if _IS.search(text):
        return bool(_IS_SO.search(text) or _ENDS_IN_NOUN.search(text))
    return bool(_IS_SO.search(text)) and not _FINITE.search(text)


def is_over_or_recurs(text: str) -> bool:
    """Whether a clause is about the past, or about what happens again and again: it names no end that is to come."""
    return bool(_RECURS.search(text) or _LASTED.search(text)) or is_german_past(text)
