"""What a user says of the task at hand: that something does not work, or how the thing is at the moment.

The patterns are English.
"""

import re
from typing import Final

from memd.domain.text.alternatives import any_of, either

_DOES_NOT_WORK: Final = either(
    r"it (?:still |just |also |always )*(?:fails?|crash(?:es)?|hangs?|freezes?|breaks?)\b",
    r"nothing (?:happens|happened|works|changes|changed)\b",
)
_STEP: Final = "(?:step|line|level|page|part|question|problem|chapter|task|exercise|bug|issue|ticket|error)"
STUCK: Final = rf"stuck(?!_(?:on|with)_(?!{_STEP}\b)[\w.-]+_v?\d)"
"""A word of `any_of`: `stuck` or `stuck on step 3`, but not `stuck on Python 3.8`, which lasts."""
_BROKEN: Final = any_of(
    rf"""
    errors?(?!_(?:codes|handling|budgets?)\b) takes_(?:forever|ages) exceptions? traceback bug crash\w* broken confused
    {STUCK} typo undefined wrong weird empty
    """
)
_EXPECTED: Final = any_of("work compile run understand know see get think mean help sure")
_ATTEMPTED: Final = any_of("log_?in sign_in connect install upload download import compile reproduce render")
_SHOWING: Final = any_of("screen display monitor page terminal window")
_AT_HAND: Final = any_of("code file function test answer option output version")
_TROUBLE: Final = re.compile(
    r"\b"
    + either(
        rf"{_BROKEN}\b",
        rf"(?:doesn't|don't|didn't|isn't|won't|not) (?:\w+ )?{_EXPECTED}\w*",
        r"fails? (?:with|when|to)\b",
        r"(?:fails?|crash(?:es)?|hangs?|freezes?|dies) after\b",
        rf"(?:can't|cannot|couldn't) {_ATTEMPTED}\b",
        rf"{_SHOWING} (?:just |suddenly )*(?:went|goes|is|turned|stays) (?:black|blank|dark|white)\b",
        rf"this {_AT_HAND}\b",
        r"you gave\b",
        r"your (?:answer|code|last|second)\b",
        _DOES_NOT_WORK,
    ),
    re.IGNORECASE,
)
_SOME: Final = any_of(r"an? this the that these some two three four several many \d+")
_OWN: Final = re.compile(
    r"\b(?:i|we) (?:don't|do not) (?:\w+ )?work (?:at|for|as|with)\b"
    r"|\b(?:i|we)(?:'m|'re| am| are) not (?:getting|running|seeing) (?=(?:an?|the|my|our) [^.]*\bafter all\W*\Z)",
    re.IGNORECASE,
)
"""What is about its author: `I don't work at Acme any more`, `We're not getting the dog after all`."""
_ERROR: Final = re.compile(
    r"\b"
    + either(
        rf"(?:get(?:ting)?|got|see(?:ing)?|saw) {_SOME} (?:[\w-]+ ){{0,2}}?(?:errors?|exceptions?|traceback|warnings?)\b",
        rf"(?:i|we) (?:don't|do not) (?:know|understand|see|get) {any_of('what how why where when who which if whether')}\b",
        _DOES_NOT_WORK,
    ),
    re.IGNORECASE,
)
_THING_AT_HAND: Final = any_of(
    """
    functions? methods? responses? files? lists? arrays? outputs? pages? buttons? lines? rows? columns? cells? values?
    variables? loops? class strings? results? tests? status payload tables? index keys? modal header footer icons? fonts?
    text image title label width height margin padding patch diff commit branch log stack_?trace console query object
    dict json html css
    """
)
_IS_OR_DOES: Final = any_of("is are was were has have shows? says? returns? takes? takes needs contains? holds?")
_OF_THE_TASK: Final = re.compile(
    either(
        rf"the (?:\w+ )?{_THING_AT_HAND} (?:(?:only|still|now|already|always) )?{_IS_OR_DOES}\b"
        r"(?!.*\b(?:every|each|rotates?)\b)",
        r"(?:right now|at the moment|currently),? the (?:\w+ )?[\w-]+ (?:shows?|says?|returns?|displays?|prints?)\b",
    ),
    re.IGNORECASE,
)
"""What is said of the thing at hand, true until it is changed: `The file is 300 lines long`."""


def reports_trouble(sentence: str) -> bool:
    """Whether a sentence may be about something that does not work: `My build is broken`."""
    return _TROUBLE.search(_OWN.sub("", sentence)) is not None


def reports_error(sentence: str) -> bool:
    """Whether a sentence can only be about trouble with the task at hand: `I got an error`, but not `I had a car crash`."""
    return _ERROR.search(sentence) is not None


def is_about_the_task(sentence: str) -> bool:
    """Whether a sentence says something of the thing that is being worked on."""
    return _OF_THE_TASK.match(sentence) is not None
