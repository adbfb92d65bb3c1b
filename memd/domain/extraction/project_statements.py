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
_OF_PROJECTS: Final = (
    r"(?:ci|cd|tests|e2e tests|unit tests|logs|metrics|traces|dashboards|alerts|backups|secrets|migrations|deploys|deployments|releases|builds|assets"
    r"|images|feature flags|docs|prod|production|staging)"
)
"""What a project has without an article: `ci is on github actions`."""
_PLACED: Final = re.compile(
    rf"{_OF_PROJECTS} (?:(?:always|only|now|also|all) )?(?:(?:is|are|runs?|live|lives|go|goes|happen|happens|come|comes|stay|stays|deploy|deploys)"
    r" (?:on|in|with|to|at|from|through|via|under|by)|uses?|(?:is|are) (?:stored|hosted|kept|written|deployed|built|managed|run) (?:on|in|with|to|at|from|through|via|under|by))"
    r" (?!(?:it|that|this|them|you|my|your|here|there|time|fire|red|green|progress|trouble|line|fact|general|hold|first|last|least|risk"
    r"|(?:the|an?) (?:attachment|attached|screenshot|zip|link|bottom|top|mess|way|wrong|moment|pr|diff|patch|message)|attached|below|above)\b)[\w`'/.-]",
    re.IGNORECASE,
)
_REQUIRED: Final = re.compile(
    r"(?:all|every|each|any) (?:new )?(?:prs?|pull requests?|commits?|branch(?:es)?|endpoints?|migrations?|releases?|features?|functions?|modules?"
    r"|components?|tables?|services?|bug ?fix(?:es)?|changes?|tests?|deploys?) (?:needs?|must|ha(?:s|ve) to|requires?|gets?|should|go(?:es)? through) (?!(?:lost|stuck|ignored|dropped|overwritten|reverted|worse|slower)\b)[\w`'-](?!.*\b(?:now|again)\W*\Z)",
    re.IGNORECASE,
)
_REVIEWER: Final = re.compile(
    r"(?!(?:it|this|that|he|she|they|who|which|nobody|everybody|everyone|what)\b)[^\W\d_][\w'’-]* (?:always )?(?:(?:reviews|approves|merges|deploys|triages) (?:all|every|each|the|our)|(?:does|handles) all (?:of )?(?:the|our)|(?:owns|maintains) (?:the|our|all)) ",
    re.IGNORECASE,
)
_SETTING: Final = re.compile(
    r"(?:in|on|for) (?:this|our|my|the) (?:project|repo(?:sitory)?|codebase|monorepo|team|company|office|department|household|family),? ",
    re.IGNORECASE,
)


def describes_project(sentence: str) -> bool:
    """Whether a sentence says what a part of a project uses, runs on, is made with or needs, or who reviews it."""
    return any(pattern.match(sentence) for pattern in (_PROJECT, _PLACED, _REQUIRED, _REVIEWER))


def without_setting(sentence: str) -> str:
    """The sentence without where it holds: `In this project we squash commits` as `we squash commits`."""
    setting = _SETTING.match(sentence)
    return sentence[setting.end() :] if setting else sentence
