"""Choices that users state to a program: `Let's go with Redis`, `FastAPI it is` (contract 11.6)."""

import re
from typing import Final

_NAMED: Final = r"(?:(?:the|an?|plain) )?(?-i:[^\W\d_a-zß-ÿ][\w.+#-]{0,30}|[a-z][\w-]{0,20}\d[\w.-]{0,20})"
_OK: Final = r"(?:ok(?:ay)?|right|alright|then|so),? "
_MAX_READ: Final = 200
"""Characters of a sentence that are read."""
_LET_US: Final = re.compile(
    rf"(?P<before>.{{3,60}}?, |{_OK})?let(?:'s| us) (?:just |rather )?"
    rf"(?P<deed>go (?:with|for)|use|stick (?:with|to)|pick|choose|take|keep|switch to|adopt|move to) (?P<what>{_NAMED}\b[^,;:]{{0,60}}?)(?: then| please| instead)?",
    re.IGNORECASE,
)
_IT_IS: Final = re.compile(rf"(?:{_OK})?(?P<what>{_NAMED}(?: {_NAMED})?) it is", re.IGNORECASE)
_OPENING: Final = re.compile(_OK, re.IGNORECASE)


def as_decision(text: str) -> str:
    """`Let's go with Redis` as `I decided to go with Redis`; any other text, and what names nothing, as it is."""
    if len(text) > _MAX_READ:
        return text
    if match := _IT_IS.fullmatch(text):
        return f"I decided on {match['what']}"
    match = _LET_US.fullmatch(text)
    if match is None:
        return text
    before = match["before"] or ""
    decided = f"decided to {match['deed'].lower()} {match['what']}"
    return f"I {decided}" if not before or _OPENING.fullmatch(before) else f"{before.rstrip(', ')} and {decided}"
