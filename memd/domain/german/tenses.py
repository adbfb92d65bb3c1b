"""Whether a German text is about the past."""

import re
from typing import Final

_PAST: Final = re.compile(
    r"\b(?:war(?:en)?|hatten?|gab|ging|fand|(?:habe?n?|hat)\b[^.!?]{0,80}?\b(?-i:[a-zäöüß]{0,20}ge[a-zäöüß]{2,20}(?:t|en)))\b",
    re.IGNORECASE,
)
"""A participle is in lower case: `Ich habe am Freitag einen Termin beim Augenarzt` is not a past tense."""


def is_german_past(text: str) -> bool:
    """Whether a text has a verb in the past tense: one that begins or happens, not each that lasts."""
    return _PAST.search(text) is not None
