"""Instructions of developers that hold for a whole project (contract 11.6): which tool, which branch, how long a thing may be.

`Use pnpm, never npm` is one, `Use the second file instead of the first` is about the task at hand. The pattern is English
and matches from the start of a sentence.
"""

import re
from typing import Final

_NOT_HERE: Final = (
    r"(?!(?:the|this|that|these|those|it|them|its|my|your|his|her|their|an?|one|some|any|each|both|option|version|another|other|just|only|more"
    r"|less|first|second|third|last|next)\b)"
)
"""No determiner: what it names is not a thing of the conversation."""
_NAME: Final = rf"{_NOT_HERE}[^\W\d_][\w.+#/@-]*(?: {_NOT_HERE}(?!(?:never|not|and|or|over|rather|instead|here|there|now|today|in|for)\b)[^\W_][\w.+#/@-]*){{0,2}}"
_END: Final = r"(?: (?:please|in this (?:repo(?:sitory)?|project|codebase)|everywhere|for (?:this|the) project))*\W*\Z"
_BRANCH: Final = r"(?:the )?(?:main|master|trunk|develop|production|prod|staging|release branch(?:es)?)(?: branch| directly)?(?: without (?:a )?(?:review|pr|pull request))?"
_PARTS: Final = r"(?:commit messages?|commits|functions|methods|classes|modules|files|lines|docstrings|comments|pull requests|prs|migrations|branch names|variable names)"
_LENGTH: Final = (
    r"(?:(?:under|below|within|shorter than|(?:to )?at most|(?:to )?less than|to under) \d+ (?:characters|chars|lines|words|columns)(?: (?:long|each))?"
    r"|short(?: and \w+)?|small(?: and \w+)?|concise|atomic|in the imperative(?: mood)?|in english|lower[- ]?case)"
)
_RULE: Final = re.compile(
    rf"(?:please )?(?:"
    rf"use {_NAME},? (?:never|and never) {_NAME}{_END}"
    rf"|use {_NAME}(?:,? (?:not|instead of|rather than)|,? and not) {_NAME}{_END}"
    rf"|(?:don't|do not) (?:ever )?(?:force[- ]?push|push|commit|merge|deploy|rebase)(?: (?:anything|code|changes|directly|straight))*(?: (?:to|into|on|onto))? {_BRANCH}{_END}"
    rf"|keep (?:all |your |the |our |every )?{_PARTS} {_LENGTH}{_END}"
    rf")",
    re.IGNORECASE,
)


def is_coding_rule(sentence: str) -> bool:
    """Whether a sentence tells how a project is to be worked on: `Don't push to main directly`."""
    return _RULE.match(sentence) is not None
