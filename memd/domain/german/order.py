"""German sentences in the order in which facts are read: `Seit Mai wohne ich in Köln`, `Ich heiße Tom und wohne in Ulm`."""

import re
from typing import Final

NOW: Final = r"jetzt|nun|inzwischen|mittlerweile|neuerdings|ab\s+sofort|nunmehr"
_INVERTED: Final = re.compile(
    rf"^(?:{NOW}|ab\s+[^.,;]{{1,20}}?|(?P<since>seit)\s+[^.,;]{{1,20}}?)\s+(?P<verb>wohn(?:t|e)|leb(?:t|e)|arbeitet?|beträgt|kostet|ist|bin|liegt|läuft)\s+"
    r"(?P<subject>[^.,;:!?()]{1,60}?)\s+(?P<rest>(?:(?:in|bei|für|auf|am|um)\s|€?\d).*)$",
    re.IGNORECASE,
)
"""`Ab Januar beträgt die Miete 950 Euro` is read as `die Miete beträgt jetzt 950 Euro`."""
_MOVED: Final = re.compile(
    r"^(?:im|am|vor|gestern|anfang|mitte|ende|letzte[mnrs]?|vorige[mnrs]?)\b[^.,;:!?()]{0,25}?\s+(?P<verb>bin|sind|ist)\s+(?P<subject>[^.,;:!?()]{1,40}?)\s+"
    r"(?P<rest>(?:von\s+[^.,;]{1,30}?\s+)?nach\s+[^.,;]{2,60}gezogen\b.*)$",
    re.IGNORECASE,
)
"""`Letztes Jahr bin ich nach Graz gezogen`."""
_LED: Final = re.compile(
    r"^(?P<subject>(?:[Ii]ch|[Ww]ir)|(?:(?:[Mm]ein|[Uu]nser)e?\s+[\w-]+\s+)?[A-ZÄÖÜ][\w'’-]+(?:\s+[A-ZÄÖÜ][\w'’-]+)?)\s+(?=[a-zäöüß]+\s)"
)
_CONTINUED: Final = re.compile(r"(?:wohne|wohnt|wohnen|lebe|lebt|leben|arbeite|arbeitet|arbeiten)\s+\S")
_JOINT: Final = re.compile(r"\s*,\s+|\s+und\s+")
_OWN: Final = re.compile(
    r"(?:[,;]|\s[–-])\s+(?P<own>(?:mein|unser)e?\s+(?:neue[rs]?\s+)?[A-ZÄÖÜ]\w+\s+(?:ist|heißt)\s+[^,;]+)$"
)
_NOT_SO: Final = re.compile(
    r"\b(?:wenn|falls|ob|dass|sagt\w*|meint\w*|glaub\w*|behauptet\w*|fragt\w*|denk\w*|dachte\w*|vielleicht|wohl|hätte|wäre)\b",
    re.IGNORECASE,
)
"""Words before a clause that put it in doubt or attribute it to somebody else."""


def own_german_clauses(sentence: str) -> list[str]:
    """The last clause, if it is about something of the author's: `Herr Groß ist in Rente; unser Steuerberater ist jetzt Frau Kim`."""
    own = _OWN.search(sentence)
    return [own["own"]] if own and not _NOT_SO.search(sentence[: own.start()]) else []


def clauses_of_subject(sentence: str) -> list[str]:
    """The sentence, and each further clause that says where its subject lives or works, with that subject."""
    led = _LED.match(sentence)
    if led is None:
        return [sentence]
    further = [part for part in _JOINT.split(sentence[led.end() :])[1:] if _CONTINUED.match(part)]
    return [sentence, *(f"{led['subject']} {part}" for part in further)]


def in_plain_order(sentence: str) -> str:
    """The sentence with its subject first; as it is where it does not begin with a time, or is no such form."""
    if moved := _MOVED.match(sentence):
        return f"{moved['subject']} {moved['verb']} {moved['rest']}"
    inverted = _INVERTED.match(sentence)
    if inverted is None:
        return sentence
    since = "seit Kurzem" if inverted["since"] else "jetzt"
    return f"{inverted['subject']} {inverted['verb']} {since} {inverted['rest']}"
