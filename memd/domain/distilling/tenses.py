"""The tense of a sentence around a time that it names: whether "on Friday" is the last one or the next."""

import re
from typing import Final

from memd.domain.dates.weekdays import WEEKDAY

_CLAUSE: Final = r"(?:(?! (?:and|but|or|so|who|that|which|because|since|after|when)\b)[^,;])*"
"""The rest of a clause: the verb before it says when all of it happens."""
_FUTURE: Final = (
    rf"(?:will|\w+'ll|going to|gonna|(?:wants?|needs?|have|has|like|hopes?|plans?) to)\b{_CLAUSE}"
    r"|(?:(?:is|are|am|\w+'(?:m|re|s)) )?(?:scheduled|booked|planned)\b|(?:(?:is|are|am)|\w+'(?:m|re|s)) (?:(?:also|not|\w+ly) )?\w{2,}ing\b(?: [a-z]+ed\b)?"
    r"|(?:have|has|'ve got|'s got) (?:an?|another|my|our|his|her|their)\b"
    r"|(?:we|they|I|you) (?:meet|fly|leave|move|marry|travel|start|graduate|retire|launch|close|open|return)\b"
    r"|(?:told|asked|invited|reminded|instructed) (?:me|us|him|her|them) to\b|(?:agreed|promised) to (?!(?:the|an?|my|our|this|that)\b)|takes? over\b"
    r"|(?:takes? place|happens?|graduates|retires|marries|travels)\b"
    r"|(?:plan\w*|next|upcoming|can't wait|looking forward|remind\w*|appointment|deadline|due|expires?|ends?|starts?|begins?|leaves?"
    r"|arrives?|opens?|closes?|returns?|flies)\b"
)
_PAST: Final = (
    r"(?:was|were|did|had|went|got|saw|met|made|took|bought|found|came|began|won|lost|ran|gave|felt|heard|wrote|built|left|spent"
    r"|taught|brought|broke|sent|told|said|sold|flew|drove|ate|fell|chose|paid|held|caught"
    r"|(?!need|feed|speed|indeed|exceed|proceed|succeed)(?-i:[a-z]{2,}ed))\b"
)
_TENSES: Final = re.compile(
    rf"\b(?:(?P<future>{_FUTURE})|(?P<past>(?<!\bbe ){_PAST})|(?P<present>(?:is|are|am)\b(?: (?:not|also|\w+ly))?(?: \w{{2,}}ed\b)?|(?<=')s\b))",
    re.IGNORECASE,
)
_DATE_FOLLOWS: Final = rf"(?: the (?:morning|afternoon|evening|week|end) of)?(?: the)?(?: {WEEKDAY},?)? \Z"
_WORDS: Final = r"(?:(?! (?:and|but|or|so|because) )[^,;:.!?]){0,80}?"
_RESCHEDULED: Final = re.compile(
    rf"\b(?:(?:mov|shift|bring)(?:ed?|es|ing|s)?|(?:push|extend)(?:ed|es|ing|s)?|brought){_WORDS} to{_DATE_FOLLOWS}"
    rf"|\b(?:postpon|reschedul|delay|defer|adjourn)\w*{_WORDS} (?:to|till|until|for){_DATE_FOLLOWS}",
    re.IGNORECASE,
)
"""The words before the new date of a rescheduling: `moved the call to` 3 May, but not `moved to Rome on` 3 May."""
_OLD_DATE: Final = re.compile(
    r"\b(?:mov|shift|push|extend|brought|postpon|reschedul|delay|defer|adjourn)[^,;:.!?]{0,80} from\Z", re.IGNORECASE
)
_FROM_THEN: Final = re.compile(
    r"(?:[,;–-]|\b(?:and|but)) ?(?:starting|beginning|effective|with effect)(?: (?:from|on|in|as of|with))?(?: the)? \Z",
    re.IGNORECASE,
)
"""Before the day from which something is so, whatever the tense: `I was promoted, starting` 1 January."""
_HELD: Final = re.compile(
    rf"(?:\b(?:is|are|am)|\b(?:it|that|he|she|there|what|we|they|I)['’](?:s|re|m))(?: (?!an?\b|the\b|this\b|my\b|our\b|\w+ed\b)\w+)?"
    rf" (?:on|at|in){_DATE_FOLLOWS}",
    re.IGNORECASE,
)
"""A present verb with a time: `my exam is on` 3 May has not been yet."""
APPOINTMENT: Final = (
    r"(?:(?:my|our|the) )?(?!(?:i|we|he|she|they|you|it)\b)(?:[\w'’-]+ ){0,3}?(?:exams?|dentist|doctor|vet|physio|check-?up|appointment|appt|interview|meeting|call|wedding|flight"
    r"|party|parents['’]? evening|recital|rehearsal|deadline|concert|conference|presentation|surgery|operation|trip|vacation|holiday|dinner|lunch|haircut|driving test|race|reunion|funeral|graduation)"
    r"(?: (?:with|at|in|to|for) [\w'’-]+(?: [\w'’-]+){0,2}?)?"
)
"""The words for an appointment, without its day: `dentist`, `my meeting with the bank`."""
_APPOINTED: Final = re.compile(rf"{APPOINTMENT} (?:on|in){_DATE_FOLLOWS}", re.IGNORECASE)


def tense_at(match: re.Match[str], time: int) -> str | None:
    """`past`, `present` or `future`, by the last verb or noun that shows it before a time, else the first one after it.

    The time itself is at this place of the string. An appointment without a verb, as in `wedding on` 6 June, is ahead.
    """
    head = match.string[:time]
    if _RESCHEDULED.search(head) or _HELD.search(head):
        return "future"
    if head.endswith((" is from ", " are from ")):
        return "past"
    is_old = _OLD_DATE.search(head.rstrip()) and re.match(r" to\b", match.string[match.end() :])
    if is_old or _FROM_THEN.search(head):
        return None
    before = [found.lastgroup for found in _TENSES.finditer(match.string[: match.start()])]
    if before:
        return before[-1]
    after = _TENSES.search(match.string, match.end())
    if after is None and _APPOINTED.match(head):
        return "future"
    return after.lastgroup if after else None


def is_past(sentence: str) -> bool:
    """Whether the last word in a sentence that shows a tense is in the past tense."""
    return [found.lastgroup for found in _TENSES.finditer(sentence)][-1:] == ["past"]
