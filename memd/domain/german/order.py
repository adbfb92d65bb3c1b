"""German sentences that begin with a time, in the order in which facts are read: `Seit Mai wohne ich in Köln`."""

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


def in_plain_order(sentence: str) -> str:
    """The sentence with its subject first; as it is where it does not begin with a time, or is no such form."""
    if moved := _MOVED.match(sentence):
        return f"{moved['subject']} {moved['verb']} {moved['rest']}"
    inverted = _INVERTED.match(sentence)
    if inverted is None:
        return sentence
    since = "seit Kurzem" if inverted["since"] else "jetzt"
    return f"{inverted['subject']} {inverted['verb']} {since} {inverted['rest']}"
