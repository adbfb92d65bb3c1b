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
_HERE: Final = r"(?:in (?:this|the|our) (?:repo(?:sitory)?|project|codebase)|everywhere|for (?:this|the) project)"
_PROJECT: Final = rf"(?:,? (?:for everything(?: {_HERE})?|{_HERE}))"
GENERALLY: Final = r"(?:(?:in general|generally(?: speaking)?|as a (?:general )?rule|by default|overall),? )?"
"""What may open an instruction for a whole project or for every answer."""
_CODE: Final = r"[a-z]\w*[./_#+]+[\w./#+-]*"
_TOOL: Final = (
    r"(?:tabs|spaces|(?:double|single) quotes|[a-z]+ case|camelcase|kebab-case|f-strings"
    r"|p?npm|yarn|bun|deno|pip|uv|poetry|conda|make|just|docker|podman|kubernetes|postgres\w*|mysql|mariadb|sqlite|mongodb|redis|pytest|unittest"
    r"|jest|vitest|mocha|cypress|playwright|black|ruff|flake8|pylint|mypy|pyright|eslint|biome|prettier|webpack|vite|react|vue|svelte|angular"
    r"|fastapi|flask|django|express|axios|fetch|requests|httpx|typescript|javascript|python|rust|golang|go|java|kotlin|bash|zsh|fish|git|svn"
    r"|async(?:/await)?|promises|callbacks|classes|functions|composition|inheritance|enums?|interfaces?|dataclasses|pydantic|var|let|const"
    r"|merge(?: commits)?|rebas(?:e|ing)|squash(?: merges?)?|ssh|https?|rest|graphql|grpc|json|yaml|toml|xml|tailwind|sass|css)"
)
"""What developers choose between; of other things, `Use butter instead of oil` is about the task at hand."""
_END: Final = (
    r"(?: (?:please|ever|in this (?:repo(?:sitory)?|project|codebase)|everywhere|for (?:this|the) project))*\W*\Z"
)
_BRANCH: Final = r"(?:the )?(?:main|master|trunk|develop|production|prod|staging|release branch(?:es)?)(?: branch| directly)?(?: without (?:a )?(?:review|pr|pull request))?"
_PARTS: Final = r"(?:commit messages?|commits|functions|methods|classes|modules|files|lines|docstrings|comments|pull requests|prs|migrations|branch names|variable names)"
_LENGTH: Final = (
    r"(?:(?:under|below|within|shorter than|(?:to )?at most|(?:to )?less than|to under) \d+ (?:characters|chars|lines|words|columns)(?: (?:long|each))?"
    r"|short(?: and \w+)?|small(?: and \w+)?|concise|atomic|in the imperative(?: mood)?|in english|lower[- ]?case)"
)
_CLUTTER: Final = r"(?:(?:obvious|redundant|useless|new|code|inline) )?(?:comments|docstrings|todos|to-dos|print statements|console\.logs?|dependencies|markdown files)"
"""What an agent likes to leave behind."""
_PLACES: Final = (
    r"(?:tests|specs|fixtures|mocks|components|templates|views|controllers|handlers|routes|endpoints|migrations|scripts|modules|services|hooks"
    r"|stylesheets|docstrings|comments|commits|commit messages|production code|new code|(?:this|the) (?:repo(?:sitory)?|project|codebase)|prod(?:uction)?|staging)"
)
"""Kinds of things that a project has many of, or the whole of it: `in e2e tests`, but not `in the test`."""
_ENVIRONMENT: Final = r"(?:dev(?:elopment)?|staging|prod(?:uction)?|ci|tests|new code|local builds)"
_OVER: Final = r"(?:,? (?:not|instead of|rather than)|,? and not)"
_RULE: Final = re.compile(
    rf"{GENERALLY}(?:please )?(?:"
    rf"use {_NAME},? (?:never|and never) {_NAME}{_END}"
    rf"|use {_TOOL}(?:{_PROJECT}?{_OVER} {_TOOL}|{_PROJECT}){_END}|use {_NAME}{_OVER} {_NAME}{_PROJECT}{_END}"
    rf"|use {_NAME}{_OVER} {_CODE}{_END}|use {_CODE}{_OVER} {_NAME}{_END}"
    rf"|(?:don't|do not) (?:ever )?(?:force[- ]?push|push|commit|merge|deploy|rebase)(?: (?:anything|code|changes|directly|straight))*(?: (?:to|into|on|onto))? {_BRANCH}{_END}"
    rf"|keep (?:all |your |the |our |every )?{_PARTS} {_LENGTH}{_END}"
    rf"|(?:for|in|on) {_ENVIRONMENT},? (?:please )?(?:always|never) [a-z]+ (?!(?:it|that|this|them)\b)[\w`'/.-]+.*"
    rf"|use {_TOOL} for (?:all |our |the )?(?:[\w-]+ ){{0,2}}[\w-]+s{_END}"
    rf"|(?:don't|do not|never) use {_NAME}(?: any ?more)?, (?:we(?:'ve)? (?:use|have|removed|dropped|replaced|switched|moved)|it(?:'s| is) deprecated)\b.{{0,80}}"
    rf"|(?:don't|do not|never) (?:ever )?(?:add|write|leave|generate) {_CLUTTER}(?: (?:that|which|with|without|when|where|unless)\b.{{3,80}}|{_END})"
    r"|(?:don't|do not|never) (?:ever )?(?:touch|modify|edit|change|delete|format) (?:anything in )?(?:the )?[\w.-]+/[\w./*-]*(?: (?:folder|directory|dir))?(?=\W*\Z|,|;)"
    rf"|stop (?:adding|writing|leaving|generating) {_CLUTTER}(?: (?:that|which|with|without|when|where|unless)\b.{{3,80}}|{_END})"
    rf"|no (?:more )?(?:{_CLUTTER}|[\w\"'`@:-]+ (?:lines|trailers|footers|headers|tags))(?: in (?:our |any |all |the )?{_PLACES})?(?: please| ever| in this (?:repo(?:sitory)?|project|codebase)){_END}"
    r"|(?:(?:don't|do not|never) (?:ever )?(?:use|mock|stub|call|import|put|write|add|log|print|catch|raise|throw|store|hard-?code|rely on|disable|skip|mix|access)"
    r"|stop (?:using|mocking|stubbing|importing|putting|writing|adding|logging|hard-?coding))"
    rf" (?!(?:it|that|this|them|these|those|anything|the (?:[\w-]+ ){{1,3}}to)\b)[\w`'/.@#-]+(?: [\w`'/.@#-]+){{0,3}}? (?:in|inside|for|from|into|to) (?:(?:our|all|any|the) )?(?:[\w-]+ )?{_PLACES}(?=\W*\Z|,|;| [-–—]|:)"
    rf")",
    re.IGNORECASE,
)


def is_coding_rule(sentence: str) -> bool:
    """Whether a sentence tells how a project is to be worked on: `Don't push to main directly`."""
    return _RULE.match(sentence) is not None
