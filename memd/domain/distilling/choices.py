"""Choices that users state to a program: `Let's go with Redis`, `FastAPI it is`, `Let's use that` (contract 11.6)."""

import re
from typing import Final

_NAMED: Final = r"(?:(?:the|an?|plain) )?(?-i:[^\W\d_a-zß-ÿ][\w.+#-]{0,30}|[a-z][\w-]{0,20}\d[\w.-]{0,20})"
_SMALL_NAMED: Final = (
    r"(?!(?:it|that|this|these|those|them|the|an?|one|two|both|some|another|any|my|your|our|his|her|their|its|only|just|more|less|something|anything"
    r"|what|whatever|all|each|every|other|different|\w+ing)\b)[a-z][\w.+#-]{1,30}"
)
_OK: Final = r"(?:ok(?:ay)?|right|alright|then|so),? "
_MAX_READ: Final = 200
"""Characters of a sentence that are read."""
_MAX_ANSWER: Final = 4_000
_LET_US: Final = re.compile(
    rf"(?P<before>.{{3,60}}?, |{_OK})?let(?:'s| us) (?:just |rather )?"
    rf"(?:(?P<deed>go (?:with|for)|use|stick (?:with|to)|pick|choose|take|keep|switch to|adopt|move to) (?P<what>{_NAMED}\b[^,;:]{{0,60}}?)"
    rf"|(?P<small_deed>go with|use|switch to|adopt) (?P<small>{_SMALL_NAMED}(?: (?!(?:for|as|with)\b)[a-z][\w.+#-]{{1,30}}){{0,2}}?(?: (?:for|as|with) [^,;:]{{1,60}}?)?))(?: then| please| instead)?",
    re.IGNORECASE,
)
_IT_IS: Final = re.compile(rf"(?:{_OK})?(?P<what>{_NAMED}(?: {_NAMED})?) it is", re.IGNORECASE)
_WE_WILL: Final = re.compile(
    rf"(?:{_OK})?we(?:'ll| will) (?P<deed>use|adopt|switch to|migrate to|stick with) (?P<what>{_NAMED}(?: (?:for|as|in) [^,;:]{{1,60}}?)?)(?: then| instead)?",
    re.IGNORECASE,
)
_CHANGED_MIND: Final = re.compile(
    r"(?P<who>I|we)(?:'ve| have)? changed (?P<mind>my|our) minds?(?::|,| and| -| –) (?:so |now )?(?:I|we)(?:'ll| will|'d rather| are going to|'re going to)? "
    r"(?!(?:am|are|is|was|were|have|had|do|did|can|could|would|might|may|don't|didn't|not|won't)\b)(?P<what>[a-z]+ \w[^?]*)",
    re.IGNORECASE,
)
_LET_US_DECIDE: Final = re.compile(r"let(?:'s| us) (?:decide|agree)(?::| that) (?P<what>\w+ \w[^?]*)", re.IGNORECASE)
_OPENING: Final = re.compile(_OK, re.IGNORECASE)
_ACCEPTED: Final = re.compile(
    r"(?:(?:ok(?:ay)?|yes|yeah|yep|great|good|perfect|sounds good|cool|alright|sure|right|nice|fine|makes sense|agreed)[,.! ]+)*"
    r"(?:let(?:'?s| us)|we(?:'ll| will)|i(?:'ll| will)|i'd) (?:go with|use|take|pick|choose|stick with) (?:that|this|it|your suggestion)(?: one)?(?: then| please)?\W*",
    re.IGNORECASE,
)
_SUGGESTED: Final = re.compile(
    r"\b(?:i(?:'d| would)(?: (?:probably|definitely|rather|just))? (?:(?P<use>use)|go (?:with|for)|pick|choose|opt for|take|recommend|suggest)|i (?:recommend|suggest)|my recommendation (?:is|would be))"
    r" (?!(?:to|that|you|we|it|this|not|\w+ing|the \w+ (?:one|option|approach|way)|an? (?:different|other|small|simple|short)|an? (?:\w+ )?(?:break|look|change|step)|\d+ \w+)\b)(?P<what>[^\s,;:.!?][^,;:!?\n]{1,60}?)(?=[,;:!?\n]|\.(?:\s|\Z)| (?:because|since|as|for|here|instead|over|which|and)\b|\Z)",
    re.IGNORECASE,
)


def accepted(reply: str, answer: str) -> str | None:
    """`Let's go with that` after `I'd use Redis, it is fast` as `I decided to use Redis`; None unless one thing was suggested."""
    if len(reply) > _MAX_READ or not _ACCEPTED.fullmatch(reply):
        return None
    suggested = list(_SUGGESTED.finditer(answer[:_MAX_ANSWER]))
    if len(suggested) != 1:
        return None
    what = suggested[0]["what"].strip("*_` ")
    return f"I decided to use {what}" if suggested[0]["use"] else f"I decided on {what}"


def with_decision(text: str) -> str:
    """`I changed my mind: we stay on Hetzner` as `I changed my mind and decided to stay on Hetzner`; any other text as it is."""
    match = _CHANGED_MIND.fullmatch(text) if len(text) <= _MAX_READ else None
    return f"{match['who']} changed {match['mind']} mind and decided to {match['what']}" if match else text


def as_decision(text: str) -> str:
    """`Let's go with Redis` as `I decided to go with Redis`, `Let's decide: keys live a day` as `Decision: keys live a day`.

    Any other text, and what names nothing, as it is.
    """
    if len(text) > _MAX_READ:
        return text
    if match := _LET_US_DECIDE.fullmatch(text):
        return f"Decision: {match['what']}"
    if match := _IT_IS.fullmatch(text):
        return f"I decided on {match['what']}"
    if match := _WE_WILL.fullmatch(text):
        return f"I decided to {match['deed'].lower()} {match['what']}"
    match = _LET_US.fullmatch(text)
    if match is None:
        return text
    before = match["before"] or ""
    decided = f"decided to {(match['deed'] or match['small_deed']).lower()} {match['what'] or match['small']}"
    return f"I {decided}" if not before or _OPENING.fullmatch(before) else f"{before.rstrip(', ')} and {decided}"
