"""Versions of products in use (English).

"We upgraded to Python 3.13", "we upgraded Django from 4.2 to 5.2" and "the shop runs on Node 22" say what is used.
Somebody uses many products, but another version of the same one replaces the version before.
"""

import re
from collections.abc import Iterator
from typing import Final

from memd.domain.facts.verbs import ADVERB, DAY
from memd.domain.text_analysis.folding import fold

_SUBJECT: Final = (
    r"(?P<subject>(?!(?:if|once|when|should)\b)(?:(?!(?:not|never|almost|would|should|could|might|wish|want|wants|wanted)\b|\w+n['’]t\b)"
    r"[^\W\d_][\w'’-]*\s+){0,4}?[^\W\d_][\w'’-]*)"
)
_NUMBER: Final = r"v?(?!(?:19|20)\d\d\b)\d+(?:\.\d+)*"
_NAME: Final = r"[^\W\d_][\w+#.-]*"
_PROPER: Final = r"(?-i:[A-Z])[\w+#.-]*"
_END: Final = r"(?=\W*$|[,;:!()]|\.(?!\d)|\s+(?:and|but|because|since|so|with|on|in|for|last|this|now|today|yesterday|everywhere)\b)"
_FROM: Final = rf"(?:\s+from\s+(?:{_NAME}\s+)?(?P<old>{_NUMBER}))?"
_UPGRADED: Final = r"(?:(?:was|were|been)\s+)?(?:upgraded|updated|downgraded)"
_CHANGES: Final = tuple(
    re.compile(rf"^{_SUBJECT}{ADVERB}\s+{words}{_END}", re.IGNORECASE)
    for words in (
        # "upgraded from Node 18 to Node 22", "moved to Python 3.13", "upgraded Django to 5.2", "runs on Postgres 17"
        rf"{_UPGRADED}{_FROM}\s+to\s+(?P<name>(?:{_PROPER}\s)?{_NAME})\s+(?P<new>{_NUMBER})",
        rf"{_UPGRADED}\s+from\s+(?P<name>(?:{_PROPER}\s)?{_NAME})\s+(?P<old>{_NUMBER})\s+to\s+(?P<new>{_NUMBER})",
        rf"moved{_FROM}\s+to\s+(?P<name>{_PROPER})\s+(?P<new>v?\d+(?:\.\d+)+)",
        rf"{_UPGRADED}\s+(?:the\s+|our\s+)?(?P<name>(?:{_PROPER}\s)?{_PROPER}){_FROM}\s+to\s+(?:{_NAME}\s+)?(?P<new>{_NUMBER})",
        rf"(?:now\s+)?runs?(?P<old>)(?:\s+on)?\s+(?!{DAY})(?P<name>(?:{_PROPER}\s)?{_PROPER})\s+(?P<new>{_NUMBER})",
    )
)
_CUE: Final = re.compile(r"\b(?:upgraded|updated|downgraded|moved|runs?)\s.*\d", re.IGNORECASE)
VERSION_END: Final = r"[\s-]*v?\d+(?:\.\d+)*$"
"""The version at the end of a value, for regular expressions of Postgres, too; the letters are lower-case."""
_VERSION: Final = re.compile(VERSION_END)


def version_clauses(sentence: str) -> Iterator[str]:
    """What a sentence says of the version in use, as "… uses Node 22" and "… no longer uses Node 18"; none if nothing."""
    if not _CUE.search(sentence):
        return
    if match := next((found for form in _CHANGES if (found := form.match(sentence))), None):
        yield f"{match['subject']} uses {match['name']} {match['new']}"
        if match["old"]:
            yield f"{match['subject']} no longer uses {match['name']} {match['old']}"


def is_other_version(one: str, other: str) -> bool:
    """Whether two values name one product with two versions: "Python 3.12" and "Python 3.13"."""
    (name, number), (other_name, other_number) = _split(one), _split(other)
    return name == other_name != "" and number != other_number and "" not in {number, other_number}


def _split(value: str) -> tuple[str, str]:
    """The name and the version of a product, in lower case; the version is blank when the value names none."""
    low = fold(value.lower())
    match = _VERSION.search(low)
    return (low[: match.start()], match[0].lstrip(" -v")) if match else (low, "")
