"""Sentences that contain a password, a PIN, a token or another secret: extraction never keeps them (contract 11.6).

Where a secret is kept, how often it changes and that it exists may be remembered; what it is may not.
"""

import re
from typing import Final

from memd.domain.german.secrets import contains_german_secret
from memd.domain.romance.secrets import contains_romance_secret

_NAMED: Final = (
    r"(?:pass ?words?|pass ?codes?|pass ?phrases?|pins?(?: codes?| numbers?)?|(?:access|auth\w*|bearer|api|refresh|session|secret|personal access"
    r"|\w+) tokens?|tokens?|(?:shared |client )?secrets?|(?:api|access|private|secret|licen[sc]e|encryption|ssh|recovery|wifi|security) keys?"
    r"|credentials?|(?:security|recovery|backup|unlock|door|alarm|safe|lock|access|gate|verification) codes?|cvv|cvc|seed phrase"
    r"|safe combination|passwd|pwd|(?:pass|kenn)w[oö]rt|contraseña)"
)
_OF_IT: Final = r"(?: (?:for|of|to|at|in|on|from) (?:[\w'’.-]+ ){0,4}[\w'’.-]+?)?"
_BE: Final = (
    r"(?: (?:is|was|will be|are|were)(?: now| still| just| currently| simply)?(?: (?:set|changed) to)?:?|'s|’s"
    r"| (?:has been |was |got )?(?:changed|reset|set) to|\s*[:=]| [-–—])"
)
_NO_VALUE: Final = (
    r"(?!(?:a|an|the|in|on|at|by|with|for|from|to|not|no|now|too|very|so|also|only|always|never|still|already|all|my|our|your|his|her|their|its"
    r"|kept|stored|saved|managed|hidden|written|known|shared|needed|required|mandatory|optional|rotated|rotating|changed|reset|expired|expiring"
    r"|valid|invalid|wrong|correct|incorrect|missing|encrypted|hashed|secured|protected|generated|sent|used|long|short|weak|strong|safe|secure"
    r"|unique|different|important|available|empty|broken|lost|gone|stolen|leaked|due|ready|what|how|where|under|inside|about|that|being|going"
    r"|there|here|\d+ ?(?:bits?|bytes?|char\w*|digits?|letters?|words?|minutes?|hours?|days?|weeks?|months?|years?|percent)|locked|blocked|limited|good|fine|easy|hard|hint\w*|handled|issued|read|set)\b)"
)
_WORD_END: Final = r"(?=[\s.,;:!?)\"'”’]*(?:\Z|[,;.!?]\s|\band\b|\bplease\b|\bbut\b|\bby the way\b))"
_SIGNED: Final = r"[\"'`“]?(?=[^\s]*[\d_@#$%^&*!~+=/\\-])[^\s\"'`”]{3,}"
"""A word with a digit or a sign in it, as secrets have."""
_STATES: Final = re.compile(
    rf"\b{_NAMED}{_OF_IT}(?:{_BE}\s*(?:[\"“`'][^\"”`']{{3,}}[\"”`']|[\"'`“]?{_NO_VALUE}(?:{_SIGNED}|[^\s\"'`”]{{3,}}[\"'`”]?{_WORD_END}))"
    rf"|\s+to\s+{_NO_VALUE}{_SIGNED})",
    re.IGNORECASE,
)
_BESIDE: Final = re.compile(rf"\b{_NAMED}\s+[\"'`“]?(?=[^\s]*\d)[^\s\"'`”]{{4,}}", re.IGNORECASE)
_BEFORE: Final = re.compile(
    rf"(?<!\S){_SIGNED}[\"'`”]? (?:is|was)(?: now| still)? (?:my|our|the|his|her|their)(?: [\w'’-]+){{0,3}}? {_NAMED}\b",
    re.IGNORECASE,
)
_KNOWN_SHAPE: Final = re.compile(
    r"\b(?:gh[pousr]_\w{8,}|github_pat_\w{8,}|glpat-[\w-]{8,}|sk-[\w-]{12,}|xox[abpr]-[\w-]{8,}|AKIA[0-9A-Z]{12,}|AIza[\w-]{20,}"
    r"|eyJ[\w-]{10,}\.[\w-]{10,}|npm_\w{20,}|hf_\w{16,}|[srp]k_(?:test|live)_\w{3,}|whsec_\w{8,}"
    r"|shp(?:at|ca|pa|ss)_\w{16,}|dop_v1_\w{20,}|SG\.[\w-]{10,}\.[\w-]{10,})|-----BEGIN [A-Z ]*PRIVATE KEY"
)
_MENTIONS: Final = re.compile(
    r"pass|pins?\b|token|secret|key|credential|code|cv[vc]\b|phrase|combination|pwd|kennw|contrase", re.IGNORECASE
)
"""A part of each name of a secret: few sentences have one."""
_MIN_READ: Final = 6
"""Characters of the shortest sentence that can name a secret and say it: `pwd=ab`."""
_MAX_READ: Final = 1_000
"""Characters of a sentence that are read: a statement is shorter."""


def contains_secret(sentence: str) -> bool:
    """Whether the sentence says what a secret is: `My PIN is 4711`, not `The PIN is kept in the safe`."""
    if len(sentence) < _MIN_READ:
        return False
    text = sentence[:_MAX_READ]
    if _KNOWN_SHAPE.search(text):
        return True
    english = bool(_MENTIONS.search(text)) and any(one.search(text) for one in (_STATES, _BESIDE, _BEFORE))
    return english or contains_german_secret(text) or contains_romance_secret(text)
