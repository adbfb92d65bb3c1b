"""Whether a German text is one main clause, and whether it says that something lasts (contract 17.5).

Without a parser, as in `memd.domain.text.clauses`: in doubt a text is more than one clause, and what it says does not last.
"""

import re
from typing import Final

from memd.domain.dates.weekdays import GERMAN_WEEKDAYS
from memd.domain.german.tenses import is_german_past
from memd.domain.text.sentences import sentences

_STOP: Final = re.compile(r"[;:](?!\d)|[!?…](?=\s*\S)|\s[-–—]+\s|—|[()\n]|,(?!\d)")
"""Words and marks that end a main clause; a comma begins a subordinate clause."""
_NOT_SO: Final = re.compile(
    r"\b(?:kann|kannst|könn\w+|muss|musst|müss\w+|musst\w+|soll|soll\w+|darf|dürf\w+|durft\w+|möcht\w+|will|woll\w+|würd\w+|wär\w*"
    r"|hätt\w+|erlaubt|geplant|vorgesehen|vielleicht|eventuell|wenn|falls|weil|dass|ob|sofern|solange|sobald"
    r"|nicht|nie|kein\w*|wieder|mindestens|höchstens|maximal|frühestens|spätestens|wahrscheinlich|vermutlich|voraussichtlich|wohl"
    r"|angeblich|fast|beinahe|etwa|ungefähr|circa|ca|alle[ns]?"
    r"|zu\s+(?-i:[a-zäöüß]{2,}e(?:n|rn|ln))|(?-i:[a-zäöüß]{2,}zu[a-zäöüß]{3,}en))\b",
    re.IGNORECASE,
)
"""Modal verbs, conditions, infinitives of what is to be done, negations, bounds and guesses; `alle` may be done by then."""
_JOINT: Final = re.compile(
    r"\s+(?:und|aber|oder|sondern|denn|sowie)\s+(?!(?:bleib|läuft|laufen|dauer|gilt|gelten|geht|gehen)\w*)",
    re.IGNORECASE,
)
_STATE: Final = (
    r"(?:vorübergehend\s+)?(?:geschlossen|geöffnet|gesperrt|krank(?:geschrieben)?|verreist|unterwegs|abwesend|verhindert"
    r"|gültig|vermietet|befristet|belegt|beurlaubt|freigestellt|deaktiviert|pausiert|eingefroren|ausgebucht|kostenlos)"
)
"""States that last until a day and do not begin on it."""
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
    r"|leb(?:e|t|en|te|ten)|ruh(?:t|en|te)|vertritt|(?:arbeite|studiere?)(?:n|t|te|ten)?\b.*?\b(?:als|an|bei|beim|im|in))\b",
    re.IGNORECASE,
)
_IS_SO: Final = re.compile(rf"\b{_STATE}\b|\A(?!(?:der|die|das)\b).*\bweg\b", re.IGNORECASE)
"""A parcel that is gone by Friday is there before; a person who is away until Friday is not."""
_IS: Final = re.compile(r"\b(?:ist|sind|bin|war|waren)\b", re.IGNORECASE)
_OFF: Final = re.compile(
    r"\b(?:im\s+(?:Urlaub|Homeoffice|Mutterschutz)|in\s+(?:Urlaub|Elternzeit|Mutterschutz|Kur|Reha|Quarantäne)"
    r"|(?:hat|habe|haben)\b.*\b(?:Urlaub|Elternzeit|Bereitschaft|Ferien|frei))\b",
    re.IGNORECASE,
)
_GOAL: Final = re.compile(r"\A\W*bis\b", re.IGNORECASE)
"""`Bis Freitag läuft der neue Server` says what will be reached."""
_PREFIX: Final = re.compile(r"\s(?:ab|an|auf|aus|durch|ein|fort|heraus|raus|rein|um|vor|weiter|zurück|zu)[.!\s]*\Z")
"""The second part of a verb: `läuft bis Freitag durch`."""
_STAYS_SHUT: Final = re.compile(r"\bbleib(?:t|en)\b.*\s(?:zu|auf|aus|an)[.!\s]*\Z", re.IGNORECASE)
_RANGED: Final = re.compile(
    r"\b(?:ist|sind|bin|war(?:en)?|dauer(?:t|n|te|ten)|bleib(?:e|t|en)|gilt|gelten|galt(?:en)?|findet|finden|fand(?:en)?|hat|habe|haben|hatten?"
    r"|(?:arbeite|leb|wohn|studier|leite|unterrichte)(?:e|t|en|te|ten|n)?)(?:\s+(?:dort|hier|jetzt|noch|nun|nur|schon))?\s*\Z",
    re.IGNORECASE,
)
"""A verb just before a range: `Rechnungen von Januar bis März` are of that time, and still there."""
_RANGE_OF: Final = re.compile(
    r"\A\W*(?:Urlaub|Betriebsurlaub|Betriebsferien|Ferien|Elternzeit|Mutterschutz|Bereitschaft|Sperrung)\b",
    re.IGNORECASE,
)
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
    if _GOAL.search(text) or _INFINITIVE.search(text):
        return False
    if _LASTING.search(text):
        return not _PREFIX.search(text) or _STAYS_SHUT.search(text) is not None
    return bool(_OFF.search(text) or (_IS_SO.search(text) and (_IS.search(text) or not _FINITE.search(text))))


def holds_in_range(before: str, rest: str) -> bool:
    """Whether a clause is true in the range that follows `before`; `rest` is the clause without the range."""
    if _RANGED.search(before):
        return True
    return not _FINITE.search(rest) and bool(_RANGE_OF.search(rest) or _IS_SO.search(rest))


def is_over_or_recurs(text: str) -> bool:
    """Whether a clause is about the past, or about what happens again and again: it names no end that is to come."""
    return bool(_RECURS.search(text) or _LASTED.search(text)) or is_german_past(text)
