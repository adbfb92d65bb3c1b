"""How a project is made: `The repo uses pnpm, not npm`, `The backend is written in Go` (contract 11.6).

The patterns are English and match from the start of a sentence. What a program does when it is asked, such as what it
returns, is left out: it is often part of a question.
"""

import re
from typing import Final

_PART: Final = (
    r"(?:repo(?:sitory)?|project|codebase|monorepo|backend|frontend|server|client|service|app|api|website|site|ci|pipeline|build"
    r"|database|db|cache|queue|docs|logs|schema|team)"
)
_MADE: Final = r"(?:written|built|made|deployed|hosted|stored|cached|kept|generated|tested|served|licensed|versioned) (?:in|with|on|by|under|from|at|every)"
_DOES: Final = (
    r"(?:uses?|runs? (?:on|in|with|under)|lives? (?:in|on|at|under)|goes? to|depends? on|deploys? (?:to|with|from)|targets?|supports?"
    r"|listens? on|talks? to)"
)
_PROJECT: Final = re.compile(
    rf"(?:the|our) (?:[a-z-]+ )?{_PART} (?:(?:always|only|now|also) )?(?:{_DOES}|(?:is|are) {_MADE}) "
    r"(?!(?:it|that|this|them|you|up|out|fine|well|too|a hurry)\b)[\w`'/.-]",
    re.IGNORECASE,
)
_SETTING: Final = re.compile(
    r"(?:in|on|for) (?:this|our|my|the) (?:project|repo(?:sitory)?|codebase|monorepo|team|company|office|department|household|family),? ",
    re.IGNORECASE,
)


def describes_project(sentence: str) -> bool:
    """Whether a sentence says what a part of a project uses, runs on or is made with."""
    return _PROJECT.match(sentence) is not None


def without_setting(sentence: str) -> str:
    """The sentence without where it holds: `In this project we squash commits` as `we squash commits`."""
    setting = _SETTING.match(sentence)
    return sentence[setting.end() :] if setting else sentence
