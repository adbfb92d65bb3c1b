"""The words that open a correction: "Oh no, sorry, that's wrong."."""

import re
from typing import Final

from memd.domain.dates.months import MONTH
from memd.domain.dates.weekdays import WEEKDAY

MARKS: Final = " \t.!…,;:–—-()*"
"""Characters around the words of a correction that say nothing."""
_MAX_OPENINGS: Final = 5
_INTERJECTION: Final = r"oh|ah|a+r+g+h*|ugh|damn|gosh|uh|um|hmm?|well|and|but|so|ok(?:ay)?|also|yes|yeah"
_DOUBT: Final = (
    r"(?:no|nope|nah|wait|hold on|hang on|sorry about that|pardon(?: me)?|excuse me)(?=\s*[,;:.!–—-]|\Z| (?:i|its?|thats?|this|not|the|my|our|make|sorry|sry|actually|wait|no)\b)"
    rf"|(?:no )?wait(?: no)?(?= (?:(?:on|at|in) )?(?:\d|the \d|{WEEKDAY}|{MONTH}|tomorrow\b))|sorry|sry|oops|whoops|actually|apologies"
    r"|(?:they|he|she|the [a-z]+) (?:just )?(?:e-?mailed|called|rang|wrote|texted|messaged|phoned)(?: me| us| back)?(?=\s*[,;:.!–—-] *(?:its?|thats?|the|make|now)\b)"
)
_FAULT: Final = (
    r"(?:that|this|it)(?:'s| is| was) (?:wrong|not right|incorrect|not correct|(?:an? |my )(?:mistake|typo|error))"
    r"|(?:small |quick |one )?correction|correcting myself|my (?:bad|mistake|fault)|i (?:misspoke|mistyped|was wrong|got (?:that|it) wrong"
    r"|made (?:a|an) (?:mistake|typo|error)|said (?:that|it) wrong)|typo|scratch that|not quite|(?:wrong|incorrect)(?=\s*[,;:.!–—-])|let me correct (?:that|myself)"
)
_OPENING: Final = re.compile(
    rf"(?:(?P<fault>{_FAULT})|(?P<doubt>{_DOUBT})|(?P<interjection>{_INTERJECTION}))(?:\s*[,;:.!–—-]+\s*|\s+|\Z)",
    re.IGNORECASE,
)


def split_openings(sentence: str) -> tuple[str, set[str]]:
    """The sentence without its openings, and their kinds."""
    text, kinds = sentence.strip(MARKS), set[str]()
    for _ in range(_MAX_OPENINGS):
        opening = _OPENING.match(text)
        if opening is None:
            break
        kinds.add(str(opening.lastgroup))
        text = text[opening.end() :]
    return text, kinds
