"""Words of a sentence before its statement: `Correction: …`, `Remember that …`, `On Monday …`, `Last week …`."""

import re
from typing import Final

from memd.domain.dates.months import MONTH
from memd.domain.dates.weekdays import WEEKDAY
from memd.domain.facts.named_dates import DATE
from memd.domain.text.sentences import capitalised

_LABEL: Final = re.compile(
    r"^(?:(?:small\s+|quick\s+)?correction|update|note|(?:kleine\s+)?korrektur|berichtigung|notiz)\s*:\s+",
    re.IGNORECASE,
)
_REMINDER: Final = re.compile(
    r"^(?:please\s+)?(?:don['’]t\s+forget|do\s+not\s+forget|remember|note|keep\s+in\s+mind)\s+that\s+", re.IGNORECASE
)
_TIME: Final = re.compile(
    rf"^(?:(?:on|in)\s+{DATE}|yesterday|today|now|nowadays|currently|recently|at\s+the\s+moment|in\s+the\s+meantime|"
    rf"these\s+days|(?:last|this)\s+(?:week|month|year|spring|summer|autumn|fall|winter|{WEEKDAY}|{MONTH}))"
    r",?\s+(?=[^\W\d_])(?!(?:is|was|are|were|will|has|had|at|in|on|of|from|to|until|and|or)\b)",
    re.IGNORECASE,
)
_SAID: Final = re.compile(
    r"^(?:the|my|our|the\s+user['’]s)\s+(?:doctor|gp|dentist|vet|therapist|midwife|allergist|cardiologist|landlord|lawyer|boss|manager)"
    r"\s+(?:says?|said|confirmed|told\s+(?:me|us|the\s+user))\s+(?:that\s+)?(?=(?:the\s+user|i|we|i['’]m|we['’]re)\b)",
    re.IGNORECASE,
)
"""Who says it is no matter where they should know: `The doctor says I'm no longer allergic`."""


def without_opening(sentence: str) -> str:
    """The sentence without a label, a reminder, a time or an authority before its subject: `We moved` for `On Monday we moved`."""
    plain = _SAID.sub("", _TIME.sub("", _REMINDER.sub("", _LABEL.sub("", sentence.strip()))))
    return plain if plain == sentence else capitalised(plain)
