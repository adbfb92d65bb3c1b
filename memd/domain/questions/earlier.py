"""Whether a question asks for an earlier state: "where was it hosted before?", "what did we originally decide?" (English, German)."""

import re
from typing import Final

_EARLIER: Final = re.compile(
    r"\b(?:previous(?:ly)?|formerly|original(?:ly)?|initial(?:ly)?|at first|used to|back then|in the past"
    r"|früher|vorher|zuerst|ursprünglich|damals)\b|\b(?:before|earlier)\W*$",
    re.IGNORECASE,
)


def asks_for_earlier(question: str) -> bool:
    """Whether the words of a question say so; "before" only at its end, as in "what is due before the audit?" it is a limit."""
    return _EARLIER.search(question) is not None
