"""Appointments that take place, are cancelled, or are replaced by new ones, in English and German.

`The dentist appointment on 3 December was cancelled`, `New dentist appointment: 17 December at 9:30`, `Der neue Zahnarzttermin ist
am 15. Dezember`. A new appointment has the subject of the old one, so that the two can be compared.
"""

import re
from typing import Final, NamedTuple

from memd.domain.dates.months import MONTH
from memd.domain.dates.weekdays import WEEKDAY
from memd.domain.german.days import read_day, read_weekday

MAX_READ: Final = 240
"""Characters of a sentence that are read."""
_NOUN: Final = r"(?:appointment|meeting|visit|check-?up|interview|lesson|session|call|exam|viewing|flight|reservation|booking|delivery|consultation|inspection|hearing)"
_THING: Final = rf"(?P<thing>(?:(?!(?:the|my|our|an?|new|next|no|that|said|says|told|thinks|thought|heard|hopes)\b)[\w'’-]+\s){{0,3}}?{_NOUN})"
_EVENT: Final = (
    r"(?P<thing>(?:(?!(?:the|my|our|an?|that|said|says|told)\b)[\w'’-]+\s){0,3}?"
    r"(?:release|launch|wedding|party|trip|concert|off-?site|workshop|retreat|demo|webinar|conference|event|dinner|lunch|game"
    r"|match|show|race))"
)
_ONE_AT_A_TIME: Final = r"(?=(?:[\w'’-]+\s){0,3}?(?:appointment|check-?up|interview|exam|hearing|inspection)\b)"
"""Before a thing: a new appointment replaces the old one, a new delivery or flight is another one."""
_DAY: Final = rf"(?:{WEEKDAY},?\s+)?(?:\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{MONTH}|{MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?)\b(?:,?\s+(?:19|20)\d\d)?|(?:19|20)\d\d-\d\d-\d\d|{WEEKDAY}\b"
_MY: Final = r"^(?:(?:the|my|our|an?)\s+)?"
_AT: Final = r"(?:\s+at\s+\d{1,2}(?::\d\d)?(?:\s?[ap]m)?)?"
_OFF: Final = (
    r"(?:cancell?ed|called\s+off|off(?![-\w]|\s+(?:the|site|campus|camera|to)\b)|postponed|rescheduled"
    r"|moved(?!\s+(?:online|in|into|indoors|outside|outdoors|upstairs|downstairs|from)\b))\b"
)
_NEW: Final = re.compile(
    rf"{_MY}(?:new\s+{_ONE_AT_A_TIME}|rescheduled\s+){_THING}(?:\s*:|\s+(?:is|will\s+be|on|for))\s*(?:(?:on|for|now)\s+)*(?P<value>{_DAY})",
    re.IGNORECASE,
)
_CANCELLED: Final = re.compile(
    rf"{_MY}{_THING}\s+(?:on|of|for)\s+(?P<old>{_DAY}){_AT}\s+(?:is|was|has\s+been|got|had\s+to\s+be)\s+{_OFF}"
    rf"(?:(?:\s+(?:to|for|until|till)\s+|.{{0,40}}?\bnew\s+(?:one|date|appointment|time)\s+(?:is\s+|will\s+be\s+)?(?:on\s+)?)(?P<value>{_DAY})|(?!\s+to\b))",
    re.IGNORECASE,
)
_EVENT_OFF: Final = re.compile(
    rf"{_MY}{_EVENT}\s+(?:on|of|for)\s+(?P<old>{_DAY}){_AT}\s+(?:is|was|has\s+been|got)\s+(?:cancell?ed|called\s+off|off)(?=\W*$|[,;]|\s+because\b)",
    re.IGNORECASE,
)
_PLAIN: Final = re.compile(rf"{_MY}{_THING}\s+(?:on|for)\s+(?P<value>{_DAY}){_AT}(?=\W*$|\s+with\b)", re.IGNORECASE)
_GERMAN_THING: Final = r"(?P<thing>[\w-]*(?:termin|besprechung|sitzung|gespräch|prüfung|untersuchung|treffen|flug))"
_GERMAN_NEW: Final = re.compile(
    rf"^(?:der|die|das|mein|unser)e?\s+neue[rs]?\s+{_GERMAN_THING}\s+(?:ist|findet)\s+(?=(?:jetzt\s+)?(?:am|auf)\s)(?:jetzt\s+)?(?P<rest>.+)",
    re.IGNORECASE,
)
_GERMAN_CANCELLED: Final = re.compile(
    rf"^(?:der|die|das|mein|unser)e?\s+{_GERMAN_THING}\s+(?P<rest>am\s.{{4,30}}?)\s+(?:(?:ist|wurde)\s+(?:leider\s+)?(?:abgesagt|gestrichen|storniert)|fällt\s+(?:leider\s+)?aus)\b",
    re.IGNORECASE,
)


class AppointmentFact(NamedTuple):
    """The day of an appointment; `changed`: it replaces another one; `denied`: the appointment does not take place then."""

    subject: str
    attribute: str
    value: str
    changed: bool
    denied: bool


def appointment_fact(sentence: str) -> AppointmentFact | None:
    """The day that a sentence states or denies of an appointment; None for any other sentence."""
    if len(sentence) > MAX_READ:
        return None
    text = " ".join(sentence.split())
    if new := _NEW.match(text):
        return AppointmentFact(new["thing"], "date", new["value"], changed=True, denied=False)
    if off := _CANCELLED.match(text):
        value = off["value"]
        return AppointmentFact(off["thing"], "date", value or off["old"], changed=True, denied=value is None)
    if off := _EVENT_OFF.match(text):
        return AppointmentFact(off["thing"], "date", off["old"], changed=True, denied=True)
    if plain := _PLAIN.match(text):
        return AppointmentFact(plain["thing"], "date", plain["value"], changed=False, denied=False)
    return _in_german(text)


def _in_german(text: str) -> AppointmentFact | None:
    for denied, form in ((False, _GERMAN_NEW), (True, _GERMAN_CANCELLED)):
        match = form.match(text)
        day = match and (read_day(match["rest"]) or read_weekday(match["rest"]))
        if match and day:
            return AppointmentFact(match["thing"], "date", day.text, changed=True, denied=denied)
    return None
