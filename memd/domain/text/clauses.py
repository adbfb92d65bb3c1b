"""Whether a text is one main clause, so that what it says about a time applies to all of it.

Without a parser: a text is cut at punctuation and conjunctions, and counts as one clause when at most one part has a
verb, nothing in it is subordinate, and its verb is not modal. In doubt it is more than one clause.
"""

import re
from typing import Final

from memd.domain.text.sentences import sentences
from memd.domain.text.verbs import COMMON_VERBS, third_person

_STOP: Final = re.compile(r"[;:](?!\d)|[!?…](?=\s*\S)|\s[-–—]+\s|—|[()\n]")
"""Marks that separate statements."""
_SUBORDINATE: Final = re.compile(
    r"\b(?:because|if|when|whenever|while|whereas|although|though|unless|which|who|whom|whose|that|where|whether|as long as"
    r"|so that|in case|provided|once|except|after|before|than"
    r"|(?:says?|said|thinks?|thought|tells?|told|believes?|knows?|heard|writes?|means?) (?:\w+ )?(?:the|an?|my|our|i|we|you|he|she|it|they|there)"
    r")\b",
    re.IGNORECASE,
)
_MODAL: Final = re.compile(
    r"\b(?:(?<!\d )(?<!th )(?<!in )(?<!of )(?<!to )(?<!by )(?<!from )(?<!since )(?<!until )may|might|can|could|must|should|shall|would|ought|cannot|can't|needn't|mustn't|shouldn't|couldn't|wouldn't|allowed"
    r"|supposed|expected|required|permitted|(?:needs?|has|have|had|wants?|plans?|hopes?|is|are) to)\b(?! \d)",
    re.IGNORECASE,
)
_HEDGE: Final = re.compile(
    r"\b(?:probably|maybe|perhaps|possibly|likely|apparently|presumably|at least|at most|not until)\b", re.IGNORECASE
)
_JOINT: Final = re.compile(
    r",\s*(?:and|but|or|so|yet|then)\s+|,\s*|\s+(?:and|but|or|so|yet|then)\s+(?!(?:will\s+)?(?:stay|remain|continue|last)s?\b)",
    re.IGNORECASE,
)
_SUBJECT_PRONOUN: Final = r"(?:i|we|you|he|she|it|they|there|nobody|everybody|everyone|someone)\b"
_AUXILIARY: Final = r"(?:is|are|am|was|were|be|has|have|had|do|does|did|will|won't|\w+n't|\w+'(?:s|re|m|ll|ve)(?=\s+(?:\w+ing|\w+ed|not|a|the|in|at|on)\b))"
_BASES: Final = """
    be begin bring buy call change close come cost drink drive eat expire finish fly have hold include join keep last lead lie
    leave live lose manage meet move need offer open own pay prefer rent report rest run sell serve sit sleep speak stand
    start stay stop study take teach train travel use visit work return hold apply cover
"""
_IRREGULAR: Final = """
    went got saw met made took bought found came began won lost ran gave felt heard wrote built left spent taught brought broke
    sent told said sold flew drove ate fell chose paid held kept led stood sat slept spoke became
"""
_FORMS: Final = frozenset([*map(third_person, {*COMMON_VERBS, *_BASES.split()}), *_IRREGULAR.split()])
_BASE_AFTER: Final = "|".join(sorted({*COMMON_VERBS, *_BASES.split()}))
_VERB: Final = re.compile(
    rf"\b{_AUXILIARY}(?!\w)|\b(?:{'|'.join(sorted(_FORMS))})\b|\b(?!(?:need|feed|speed|seed|red|bed|shed|hundred|united)\b)[a-z]{{2,}}ed\b"
    rf"|\A\s*{_SUBJECT_PRONOUN}\s+\w|\b(?:we|you|they|i)\s+(?:{_BASE_AFTER})\b"
    r"|\A\s*(?:the|our|my|your|his|her|their|its|an?)\s+[a-z]+\s+[a-z]+s\s+[a-z]|\A\s*(?-i:[A-Z])\w+\s+(?-i:[a-z]+s)\s+\w",
    re.IGNORECASE,
)
"""A verb, or words that look like a subject with its verb."""


def is_one_clause(text: str) -> bool:
    """Whether a text is one sentence of one main clause, without a modal verb or a hedge."""
    body = text.strip().rstrip(".!")
    if any(sign.search(body) for sign in (_STOP, _SUBORDINATE, _MODAL, _HEDGE)) or len(sentences(body)) > 1:
        return False
    parts = [part for part in _JOINT.split(body) if part.strip()]
    verbal = [bool(_VERB.search(part)) for part in parts]
    return sum(verbal) <= 1
