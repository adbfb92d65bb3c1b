"""Facts about things whose value is a date, a time, a number or an amount.

"The deadline for the audit is 3 March", "we pushed the deadline for the audit to 20 March", "the offsite budget was raised
to 8,000 euros", "staging now listens on port 9090". A thing has one such value of an attribute at a time, so another value
contradicts it. Other values are left to the patterns of `memd.domain.facts.facts`: "the plan is risky" and "the plan is simple"
do not contradict each other.
"""

import re
from typing import Final, NamedTuple

from memd.domain.dates.months import MONTH
from memd.domain.dates.weekdays import WEEKDAY
from memd.domain.text.other_people import KIN_AND_ROLES

_ORDINAL: Final = r"\d{1,2}(?:st|nd|rd|th)"
_DAY_NUMBER: Final = f"{_ORDINAL}?"
_DAY: Final = (
    rf"(?:(?:{WEEKDAY}|next\s+{WEEKDAY})(?:,?\s+)?)?(?:the\s+)?(?:(?:early|mid|late|end\s+of)[ -])?"
    rf"(?:{MONTH}(?:\s+{_DAY_NUMBER}\b)?|{_DAY_NUMBER}\s+(?:of\s+)?{MONTH}|{_ORDINAL})(?:,?\s+(?:19|20)\d\d)?"
    rf"|(?:19|20)\d\d-\d\d(?:-\d\d)?|(?:next\s+)?{WEEKDAY}"
)
_CLOCK: Final = r"\d{1,2}(?::\d\d|(?=\s?[ap]m))\s?(?:[ap]m)?|noon|midnight"
_AMOUNT: Final = r"(?:about\s+|around\s+|up\s+to\s+)?[€$£]?\d[\d.,]*(?:\s?[%\w°/][^\W\d]*){0,3}?"
_REST: Final = r"(?=\W*$|\s*[()]|\s*[,;:.!](?!\d)|\s+(?:and|but|because|since|until|so|while|when|which|that|instead|again|now|today|at|from|as\s+of|starting|effective)\b)"
_THERE: Final = rf"(?=\s+(?:in\s+(?:(?:room|the|our|my)\b|(?!{MONTH}\b)(?-i:[A-Z]))|with\b))"
_DATED: Final = re.compile(rf"(?:(?:on|by|for|in)\s+)?(?P<value>{_DAY})(?:{_REST}|{_THERE})", re.IGNORECASE)
_TIMED: Final = re.compile(rf"(?:at\s+)?(?P<value>{_CLOCK})(?:{_REST}|{_THERE})", re.IGNORECASE)
_COUNTED: Final = re.compile(rf"(?:at\s+)?(?P<value>v?{_AMOUNT}){_REST}", re.IGNORECASE)
_ATTRIBUTES_LIST: Final = """
    budget cap capacity deductible margin maximum minimum wage cost count date deadline dosage dose duration
    estimate fee interval limit number port price quota rate rent retention salary size target temperature threshold
    time timeout version
"""
_ATTRIBUTES: Final = frozenset(_ATTRIBUTES_LIST.split())
_SAME: Final = {"deadline": "date", "due-date": "date", "release-date": "date", "launch-date": "date"}
_PHRASE: Final = r"(?:(?:the|our|my|your|this)\s+)?(?P<phrase>[^\W\d_][^.,;:!?()]{1,60}?)"
_THE: Final = re.compile(r"^(?:the|our|my|your|this)\s+", re.IGNORECASE)
_CHANGED: Final = (
    r"(?:moved|pushed|shifted|postponed|delayed|extended|re-?scheduled|brought|changed|raised|increased|lowered|reduced|"
    r"cut|bumped|updated|reset|dropped)(?:\s+(?:back|forward|up|out|down))?"
)
_OWNER_END: Final = re.compile(r"['’]s$")
_FROM: Final = r"(?:\s+from\s+[^.;]{1,40}?)?"
_BECOMES: Final = (
    # whether the words state a change, and the form: "we pushed the deadline to …", "the deadline was pushed to …"
    (True, rf"^(?:[^\W\d_][\w'’]*\s+){{1,3}}?{_CHANGED}\s+(?=the\s|our\s|my\s){_PHRASE}{_FROM}\s+to\s+(?P<value>\S.*)"),
    (
        True,
        rf"^{_PHRASE}(?:\s+(?:has|have|had|was|were|is|are|got|been|being|just))*\s+{_CHANGED}{_FROM}\s+(?:to|until|till)\s+(?P<value>\S.*)",
    ),
)
_TO: Final = re.compile(r"\s(?:to|until|till)\s", re.IGNORECASE)
"""Every sentence about a changed value contains one of these words."""
_IS: Final = (
    # "the deadline is now …", "the standup is back to …", "the deadline is …"
    (True, rf"^{_PHRASE}\s+(?:is|are|will)\s+now\s+(?:be\s+|set\s+(?:to|for)\s+)?(?P<value>\S.*)"),
    (True, rf"^{_PHRASE}\s+(?:is|are)\s+(?:now\s+)?back\s+(?:to|at|on)\s+(?P<value>\S.*)"),
    (
        False,
        rf"^{_PHRASE}\s+(?:is|are|will\s+be|takes?\s+place|(?P<starts>starts?))\s+(?:set\s+(?:to|for)\s+)?(?P<value>\S.*)",
    ),
)
_GROWN: Final = re.compile(
    rf"^{_PHRASE}(?:\s+(?:has|have|had|just|also))*\s+(?:went|gone|rose|risen|grew|grown|fell|fallen|climbed|jumped|increased|decreased|dropped)"
    rf"(?:\s+(?:up|down))?{_FROM}\s+to\s+(?P<value>\S.*)",
    re.IGNORECASE,
)
"""`The budget went from 9,000 to 9,500 euros`: an amount only; "the race went from 9:00 to 12:30" is none."""
_STATED: Final = tuple((changed, re.compile(form, re.IGNORECASE)) for changed, form in _IS)
_MOVED: Final = tuple((changed, re.compile(form, re.IGNORECASE)) for changed, form in _BECOMES)
_PORT: Final = re.compile(
    r"^(?:(?:the|our|my)\s+)?(?P<phrase>[^\W\d_][^.,;:!?()]{0,60}?)\s+(?P<now>(?:is\s+)?now\s+)?(?:is\s+)?"
    r"(?:listen(?:s|ing)|run(?:s|ning)|served?s?)\s+(?:now\s+)?on\s+port\s+(?P<value>\d{1,5})\b",
    re.IGNORECASE,
)
_OF: Final = re.compile(
    r"^(?P<attribute>.{1,30}?)\s+(?:for|of)\s+(?:(?:the|our|my|your|this)\s+)?(?P<subject>.+)$", re.IGNORECASE
)


_PERSON: Final = re.compile(
    rf"^(?:(?!(?:with|of|for|by|to|from|about|and|or)\b)[\w'’-]+ ){{0,4}}(?:interns?|trainees?|apprentices?|nanny|{'|'.join(KIN_AND_ROLES.split())})(?: [^\W\d_a-zß-ÿ][\w-]+){{0,2}}$"
)
"""A phrase for somebody."""


class Measured(NamedTuple):
    """A value with what it belongs to, as written; `changed`: the words state a change."""

    subject: str
    attribute: str
    value: str
    changed: bool


def measured_fact(sentence: str, *, of_person: bool = False) -> Measured | None:
    """The value that a sentence states about a thing; None when it states none.

    A person has no date, but a start date: `of_person`, or a subject such as "our new intern Elif".
    """
    port = _PORT.match(sentence)
    if port:
        return Measured(port["phrase"], "port", port["value"], port["now"] is not None)
    becomes = _TO.search(sentence)
    if becomes and (grown := _GROWN.match(sentence)) and (found := _of(grown["phrase"], grown["value"])) is not None:
        return Measured(*found, changed=True) if _value(grown["value"])[1] is None else None
    for changed, form in (*_MOVED, *_STATED) if becomes else _STATED:
        match = form.match(sentence)
        if match and (found := _of(match["phrase"], match["value"])) is not None:
            subject, attribute, value = found
            starts = attribute == "date" and match.groupdict().get("starts")
            begins = starts and (of_person or _PERSON.search(subject))
            return Measured(subject, "start-date" if begins else attribute, value, changed)
    return None


def _of(phrase: str, text: str) -> tuple[str, str, str] | None:
    """Subject, attribute and value of a noun phrase and what is said about it."""
    value, attribute = _value(text)
    if value is None:
        return None
    if found := owned_attribute(phrase):
        return (*found, value)
    return (phrase, attribute, value) if attribute else None


def owned_attribute(phrase: str) -> tuple[str, str] | None:
    """Subject and attribute of a noun phrase that names one: `refund limit` is the limit of `refund`."""
    named = _OF.match(phrase)
    if named:
        head = named["attribute"].lower().removeprefix("user's ").split()
        return (named["subject"], canonical("-".join(head))) if head[-1] in _ATTRIBUTES else None
    *rest, last = phrase.split()
    if last.lower() not in _ATTRIBUTES:
        return None
    owner = _OWNER_END.sub("", " ".join(rest))
    is_named = any(word[0].isalpha() for word in _THE.sub("", owner).split())
    return owner if is_named else phrase, canonical(last.lower())


def _value(text: str) -> tuple[str | None, str | None]:
    """The value with which a text begins, and the attribute that it is of when no other one is named."""
    for form, attribute in ((_DATED, "date"), (_TIMED, "time"), (_COUNTED, None)):
        match = form.match(text)
        if match:
            return match["value"].rstrip(), attribute
    return None, None


def canonical(attribute: str) -> str:
    """One name for attributes that mean the same: a deadline is a date."""
    return _SAME.get(attribute, attribute)
