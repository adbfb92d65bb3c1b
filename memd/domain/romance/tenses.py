"""Whether a Spanish or French text is about the past."""

import re
from typing import Final

_PAST: Final = re.compile(
    r"\b(?:\w{2,}(?:ó|aron|ieron)|(?:he|ha|han|hemos) \w{2,}(?:ado|ido|isto|cho|rto)"
    r"|(?:ai|as|a|avons|avez|ont) (?:\w+ )?(?!trois\b)\w{2,}(?:é|i|u|is|it)(?:e?s?)|est (?:allé|venu|parti|né|mort)e?)\b",
    re.IGNORECASE,
)
"""A Spanish preterite or perfect, or a French `passé composé`."""


def is_romance_past(text: str) -> bool:
    """Whether a text has a verb that tells what happened once."""
    return _PAST.search(text) is not None
