"""The attribute of which subject a German question asks for, for `memd.domain.questions.facts`: `Wo wohne ich?`."""

import re
from typing import Final

from memd.domain.german.owned_facts import PEOPLE, THINGS
from memd.domain.text.stated import USER, AskedValue

_NAME: Final = r"(?P<name>(?-i:[A-ZÄÖÜ][\w'’-]+(?:\s+[A-ZÄÖÜ][\w'’-]+)?))"
_WHO: Final = rf"(?:(?P<self>ich|wir)|{_NAME})"
_END: Final = r"(?:\s+(?:jetzt|derzeit|aktuell|zurzeit|momentan|gerade|denn|eigentlich|noch\s?mal))*\s*\?*$"
_BEFORE: Final = r"vor\s+(?:(?:frau|herrn|dr\.)\s+)?(?P<before>(?-i:[A-ZÄÖÜ][\w'’-]+(?:\s+[A-ZÄÖÜ][\w'’-]+)?))"
_FORMS: Final = (
    (
        ("residence", "location"),
        rf"(?:wo|in\s+welche[mr]\s+(?:stadt|ort|land))\s+(?:wohn|leb)(?:e|t|en)\s+{_WHO}{_END}",
    ),
    (
        ("employer",),
        rf"(?:wo|bei\s+wem|für\s+wen|(?:bei|für)\s+welche[rm]?\s+(?:firma|unternehmen|arbeitgeber))\s+arbeite[nt]?\s+{_WHO}{_END}",
    ),
    (("name",), rf"wie\s+hei(?:ß|ss)e\s+(?P<self>ich)(?P<name>){_END}"),
)
_QUESTIONS: Final = tuple((attributes, re.compile(rf"^{form}", re.IGNORECASE)) for attributes, form in _FORMS)
_OWNED: Final = re.compile(
    rf"^(?:(?:wie\s+hei(?:ß|ss)t|wer\s+ist)\s+(?:mein|unser)e?\s+(?P<person>{'|'.join(PEOPLE)})"
    rf"|(?:wo|was|wie|welche[rs]?|in\s+welche[mr]\s+\w+)\s+(?:ist|lautet|liegt|hei(?:ß|ss)t)\s+(?:mein|unser)e?\s+(?P<thing>{'|'.join(THINGS)})){_END}",
    re.IGNORECASE,
)
_DATED: Final = re.compile(
    r"^wann\s+(?:ist|findet|habe\s+ich)\s+(?:der|die|das|(?:mein|unser)e?n?)\s+(?:nächste[rn]?\s+)?(?P<thing>(?-i:[A-ZÄÖÜ])[\w-]*(?:termin|besprechung|sitzung|gespräch|prüfung|untersuchung|treffen|flug))(?:\s+statt)?\s*\?*$",
    re.IGNORECASE,
)
"""`Wann ist mein Zahnarzttermin?`."""
_PREDECESSOR: Final = re.compile(
    rf"^(?:wer\s+war|wie\s+hie(?:ß|ss))\s+(?:{_BEFORE}\s+(?:mein|unser)e?\s+(?P<person>{'|'.join(PEOPLE)})|(?:mein|unser)e?\s+(?P<last>{'|'.join(PEOPLE)})\s+{_BEFORE.replace('before', 'next')})\s*\?*$",
    re.IGNORECASE,
)
"""`Wer war vor Frau Yilmaz mein Steuerberater?`."""


def asked_in_german(question: str) -> AskedValue | None:
    """What a question asks for; None where it is no question for a fact. The first person is the user."""
    if former := _PREDECESSOR.match(question):
        noun, following = former["person"] or former["last"], former["before"] or former["next"]
        return AskedValue(USER, (PEOPLE[noun.lower()],), following.casefold())
    if dated := _DATED.match(question):
        return AskedValue(dated["thing"], ("date",))
    if owned := _OWNED.match(question):
        person, thing = owned["person"], owned["thing"]
        return AskedValue(USER, (PEOPLE[person.lower()] if person else THINGS[thing.lower()],))
    for attributes, form in _QUESTIONS:
        if match := form.match(question):
            return AskedValue(USER if match["self"] else match["name"], attributes)
    return None
