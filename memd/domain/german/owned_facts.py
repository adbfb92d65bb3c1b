"""Facts in a German sentence about people and things of its author: `Mein Chef heißt Jonas Wirth` (contract 17.5).

Attributes have their English names, so that statements in both languages can be compared. A noun after `ist` may be a
name or a profession, so a lone one is not read as somebody's name: `Meine Frau ist Ärztin`.
"""

import re
from typing import Final

from memd.domain.german.order import NOW
from memd.domain.text.stated import USER, StatedValue

_TITLE: Final = re.compile(r"^(?:Frau|Herr)\s+")
PEOPLE: Final = {
    **dict.fromkeys(("frau", "ehefrau"), "wife"),
    **dict.fromkeys(("mann", "ehemann"), "husband"),
    **dict.fromkeys(("partner", "partnerin"), "partner"),
    "mutter": "mother",
    "vater": "father",
    "schwiegermutter": "mother-in-law",
    "schwiegervater": "father-in-law",
    "schwester": "sister",
    "bruder": "brother",
    "tochter": "daughter",
    "sohn": "son",
    **dict.fromkeys(("chef", "chefin"), "boss"),
    **dict.fromkeys(("zahnarzt", "zahnärztin"), "dentist"),
    **dict.fromkeys(("hausarzt", "hausärztin"), "doctor"),
    **dict.fromkeys(("vermieter", "vermieterin"), "landlord"),
    **dict.fromkeys(("teamleiter", "teamleiterin"), "team-lead"),
    **dict.fromkeys(("mentor", "mentorin"), "mentor"),
    **dict.fromkeys(("anwalt", "anwältin"), "lawyer"),
    **dict.fromkeys(("steuerberater", "steuerberaterin"), "accountant"),
    **dict.fromkeys(("tierarzt", "tierärztin"), "vet"),
    **dict.fromkeys(("kinderarzt", "kinderärztin"), "pediatrician"),
    **dict.fromkeys(("trainer", "trainerin"), "coach"),
    "hund": "dog",
    "katze": "cat",
}
THINGS: Final = {
    **dict.fromkeys(("büro", "buero"), "office"),
    "zeitzone": "time-zone",
    **dict.fromkeys(("adresse", "anschrift"), "address"),
    "auto": "car",
    "editor": "editor",
    "arbeitgeber": "employer",
}
_NAME: Final = r"(?-i:(?:(?:Dr|Prof)\.\s+|Frau\s+|Herr\s+)?[A-ZÄÖÜ][\w'’-]+(?:\s+[A-ZÄÖÜ][\w'’-]+){0,2})"
_END: Final = r"(?=\W*$|\s*[,;:!()]|\.\s|\s+(?:und|aber|weil|seit|mit|ist|hat|kommt|arbeitet|wohnt|lebt|geht|wird)\b)"
_MY: Final = r"^(?:mein|unser)(?:e|er)?\s+(?P<new>neue[rs]?\s+)?"
_WHEN: Final = rf"(?:\s+(?:(?P<now>{NOW}|ab\s+\S+)|aktuell|derzeit|momentan|seit\s+[^,;.]{{1,20}}?))?"
_ALREADY: Final = rf"(?:\s+(?:(?P<changed>{NOW}|ab\s+\S+)|aktuell|derzeit|momentan|seit\s+[^,;.]{{1,20}}?))?"
_CALLED: Final = re.compile(
    rf"{_MY}(?P<noun>{'|'.join(PEOPLE)})\s+(?:hei(?:ß|ss)t{_WHEN}\s+(?P<value>{_NAME})|ist{_ALREADY}\s+(?P<full>(?-i:(?:Frau|Herr|Dr\.)\s+[A-ZÄÖÜ][\w'’-]+|[A-ZÄÖÜ][\w'’-]+\s+[A-ZÄÖÜ][\w'’-]+))){_END}",
    re.IGNORECASE,
)
_NAMED: Final = re.compile(
    rf"{_MY}(?P<noun>{'|'.join(PEOPLE)})\s+(?P<value>(?-i:[A-ZÄÖÜ][\w'’-]+(?:\s+[A-ZÄÖÜ][\w'’-]+)?))\s+(?:ist|hat|kommt|arbeitet|wohnt|lebt|geht|wird|mag|isst|spielt|studiert|lernt)\b",
    re.IGNORECASE,
)
_HOLDER: Final = re.compile(
    rf"^(?:(?P<since>seit)\s+[^.,;]{{1,20}}?\s+ist\s+(?P<inverted>{_NAME})|(?P<value>{_NAME})\s+ist(?:\s+(?P<now>{NOW}))?(?:\s+seit\s+[^.,;]{{1,20}}?)?)\s+"
    rf"(?:mein|unser)e?\s+(?P<new>neue[rs]?\s+)?(?P<noun>{'|'.join(PEOPLE)}){_END}",
    re.IGNORECASE,
)
"""`Frau Yilmaz ist jetzt meine Steuerberaterin`, `Seit Mai ist Jonas Wirth mein Chef`."""
_NO_NAME: Final = re.compile(r"(?:Das|Dies|Er|Sie|Es|Wer|Hier|Das\s+da|Heute|Morgen|Jetzt|Gestern|So|Sein|Ihr)\b")
_THING: Final = re.compile(
    rf"{_MY}(?P<noun>{'|'.join(THINGS)})\s+(?:ist|lautet|liegt|hei(?:ß|ss)t){_WHEN}\s+(?P<value>(?:(?:im|in\s+der|am|an\s+der|beim?|ein|eine)\s+)?(?:(?-i:[a-zäöüß]+[enrs])\s+){{0,2}}?(?-i:[A-ZÄÖÜ\d])[^,;:!?()]{{0,50}}?)(?=\W*$|\s*[,;:!()])",
    re.IGNORECASE,
)
_CALLED_MYSELF: Final = re.compile(rf"^ich\s+hei(?:ß|ss)e{_WHEN}\s+(?P<value>{_NAME}){_END}", re.IGNORECASE)
_EMPLOYED: Final = re.compile(
    rf"^ich\s+(?:bin|arbeite){_WHEN}\s+(?:als\s+)?(?-i:(?:[a-zäöüß]+e[rs]?\s+)?[A-ZÄÖÜ][\w-]+(?:\s+[A-ZÄÖÜ][\w-]+)?)\s+(?:bei|für)\s+(?:de[rmn]\s+)?(?P<value>(?-i:[A-ZÄÖÜ])[\w&.-]*\w(?:\s+(?-i:[A-ZÄÖÜ])[\w-]+){{0,2}})(?=\W*$|\s*[,;:!()]|\s+(?:in|und|aber|seit)\b)",
    re.IGNORECASE,
)


def german_owned_fact(sentence: str) -> StatedValue | None:
    """The fact in a sentence with plain word order about somebody or something of its author; the subject is `user`."""
    if match := _CALLED.match(sentence):
        changed = bool(match["new"] or match["now"] or match["changed"])
        return _owned(PEOPLE[match["noun"].lower()], _TITLE.sub("", match["value"] or match["full"]), changed=changed)
    if match := _NAMED.match(sentence):
        return _owned(PEOPLE[match["noun"].lower()], match["value"], changed=bool(match["new"]))
    if (match := _HOLDER.match(sentence)) and not _NO_NAME.match(name := match["inverted"] or match["value"]):
        changed = bool(match["new"] or match["now"] or match["since"])
        return _owned(PEOPLE[match["noun"].lower()], _TITLE.sub("", name), changed=changed)
    if match := _THING.match(sentence):
        changed = bool(match["new"] or match["now"])
        return _owned(THINGS[match["noun"].lower()], match["value"].rstrip(". "), changed=changed)
    for attribute, form in (("name", _CALLED_MYSELF), ("employer", _EMPLOYED)):
        if match := form.match(sentence):
            return _owned(attribute, match["value"], changed=bool(match["now"]))
    return None


def _owned(attribute: str, value: str, *, changed: bool) -> StatedValue:
    return StatedValue(USER, attribute, value, changed)
