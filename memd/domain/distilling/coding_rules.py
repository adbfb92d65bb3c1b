"""Instructions of developers that hold for a whole project (contract 11.6): which tool, which branch, how long a thing may be.

`Use pnpm, never npm` is one, `Use the second file instead of the first` is about the task at hand. The pattern is English
and matches from the start of a sentence.
"""

import re
from typing import Final

from memd.domain.text.alternatives import any_of, either

_DETERMINER: Final = any_of(
    """
    the this that these those it them its my your his her their an? one some any each both option version another other
    just only more less first second third last next
    """
)
_NOT_HERE: Final = rf"(?!{_DETERMINER}\b)"
"""No determiner: what it names is not a thing of the conversation."""
_NO_PART_OF_NAME: Final = any_of("never not and or over rather instead here there now today in for")
_NAME: Final = rf"{_NOT_HERE}[^\W\d_][\w.+#/@-]*(?: {_NOT_HERE}(?!{_NO_PART_OF_NAME}\b)[^\W_][\w.+#/@-]*){{0,2}}"
_REPOSITORY: Final = any_of("repo(?:sitory)? project codebase")
_HERE: Final = either(rf"in (?:this|the|our) {_REPOSITORY}", "everywhere", "for (?:this|the) project")
_PROJECT: Final = rf"(?:,? (?:for everything(?: {_HERE})?|{_HERE}))"
GENERALLY: Final = r"(?:(?:in general|generally(?: speaking)?|as a (?:general )?rule|by default|overall),? )?"
"""What may open an instruction for a whole project or for every answer."""
_CODE: Final = r"[a-z]\w*[./_#+]+[\w./#+-]*"
_TOOL: Final = any_of(
    r"""
    tabs spaces (?:double|single)_quotes [a-z]+_case camelcase kebab-case f-strings
    p?npm yarn bun deno pip uv poetry conda make just docker podman kubernetes
    postgres\w* mysql mariadb sqlite mongodb redis
    pytest unittest jest vitest mocha cypress playwright
    black ruff flake8 pylint mypy pyright eslint biome prettier webpack vite
    react vue svelte angular fastapi flask django express axios fetch requests httpx
    typescript javascript python rust golang go java kotlin bash zsh fish git svn
    async(?:/await)? promises callbacks classes functions composition inheritance enums? interfaces? dataclasses pydantic
    var let const
    merge(?:_commits)? rebas(?:e|ing) squash(?:_merges?)?
    ssh https? rest graphql grpc json yaml toml xml tailwind sass css
    """
)
"""What developers choose between; of other things, `Use butter instead of oil` is about the task at hand."""
_IN_PROJECT: Final = rf"in this {_REPOSITORY}"
_END: Final = rf"(?: {either('please', 'ever', _IN_PROJECT, 'everywhere', 'for (?:this|the) project')})*\W*\Z"
_BRANCH: Final = (
    "(?:the )?"
    + any_of("main master trunk develop production prod staging release_branch(?:es)?")
    + "(?: branch| directly)?(?: without (?:a )?(?:review|pr|pull request))?"
)
_PARTS: Final = any_of(
    """
    commit_messages? commits functions methods classes modules files lines docstrings comments pull_requests prs
    migrations branch_names variable_names
    """
)
_BELOW: Final = any_of("under below within shorter_than (?:to_)?at_most (?:to_)?less_than to_under")
_LENGTH: Final = either(
    rf"{_BELOW} \d+ (?:characters|chars|lines|words|columns)(?: (?:long|each))?",
    r"short(?: and \w+)?",
    r"small(?: and \w+)?",
    "concise",
    "atomic",
    "in the imperative(?: mood)?",
    "in english",
    "lower[- ]?case",
)
_CLUTTER: Final = r"(?:(?:obvious|redundant|useless|new|code|inline) )?" + any_of(
    r"comments docstrings todos to-dos print_statements console\.logs? dependencies markdown_files"
)
"""What an agent likes to leave behind."""
_PLACES: Final = any_of(
    rf"""
    tests specs fixtures mocks components templates views controllers handlers routes endpoints migrations scripts modules
    services hooks stylesheets docstrings comments commits commit_messages production_code new_code
    (?:this|the)_{_REPOSITORY} prod(?:uction)? staging
    """
)
"""Kinds of things that a project has many of, or the whole of it: `in e2e tests`, but not `in the test`."""
_ENVIRONMENT: Final = any_of("dev(?:elopment)? staging prod(?:uction)? ci tests new_code local_builds")
_OVER: Final = r"(?:,? (?:not|instead of|rather than)|,? and not)"
_NEVER: Final = "(?:don't|do not|never)"
_EVER: Final = "(?:ever )?"
_PUSH: Final = r"(?:force[- ]?push|push|commit|merge|deploy|rebase)(?: (?:anything|code|changes|directly|straight))*"
_UNLESS: Final = rf"(?: {any_of('that which with without when where unless')}\b.{{3,80}}|{_END})"
_REPLACED: Final = either(
    "we(?:'ve)? (?:use|have|removed|dropped|replaced|switched|moved)",
    "it(?:'s| is) deprecated",
)
_DONE_NOWHERE: Final = any_of(
    "use mock stub call import put write add log print catch raise throw store hard-?code rely_on disable skip mix access"
)
_STOPPED: Final = any_of("using mocking stubbing importing putting writing adding logging hard-?coding")
_WHAT: Final = (
    r"(?!(?:it|that|this|them|these|those|anything|the (?:[\w-]+ ){1,3}to)\b)[\w`'/.@#-]+(?: [\w`'/.@#-]+){0,3}?"
)
_PATH: Final = r"(?:anything in )?(?:the )?[\w.-]+/[\w./*-]*(?: (?:folder|directory|dir))?"
_RULE: Final = re.compile(
    rf"{GENERALLY}(?:please )?"
    + either(
        rf"use {_NAME},? (?:never|and never) {_NAME}{_END}",
        rf"use {_TOOL}(?:{_PROJECT}?{_OVER} {_TOOL}|{_PROJECT}){_END}",
        rf"use {_NAME}{_OVER} {_NAME}{_PROJECT}{_END}",
        rf"use {_NAME}{_OVER} {_CODE}{_END}",
        rf"use {_CODE}{_OVER} {_NAME}{_END}",
        rf"(?:don't|do not) {_EVER}{_PUSH}(?: (?:to|into|on|onto))? {_BRANCH}{_END}",
        rf"keep (?:all |your |the |our |every )?{_PARTS} {_LENGTH}{_END}",
        rf"(?:for|in|on) {_ENVIRONMENT},? (?:please )?(?:always|never) [a-z]+ (?!(?:it|that|this|them)\b)[\w`'/.-]+.*",
        rf"use {_TOOL} for (?:all |our |the )?(?:[\w-]+ ){{0,2}}[\w-]+s{_END}",
        rf"{_NEVER} use {_NAME}(?: any ?more)?, {_REPLACED}\b.{{0,80}}",
        rf"{_NEVER} {_EVER}(?:add|write|leave|generate) {_CLUTTER}{_UNLESS}",
        rf"{_NEVER} {_EVER}(?:touch|modify|edit|change|delete|format) {_PATH}(?=\W*\Z|,|;)",
        rf"stop (?:adding|writing|leaving|generating) {_CLUTTER}{_UNLESS}",
        rf"no (?:more )?(?:{_CLUTTER}|[\w\"'`@:-]+ (?:lines|trailers|footers|headers|tags))"
        rf"(?: in (?:our |any |all |the )?{_PLACES})?(?: please| ever| {_IN_PROJECT}){_END}",
        rf"(?:{_NEVER} {_EVER}{_DONE_NOWHERE}|stop {_STOPPED}) {_WHAT} (?:in|inside|for|from|into|to)"
        rf" (?:(?:our|all|any|the) )?(?:[\w-]+ )?{_PLACES}(?=\W*\Z|,|;| [-–—]|:)",
    ),
    re.IGNORECASE,
)


def is_coding_rule(sentence: str) -> bool:
    """Whether a sentence tells how a project is to be worked on: `Don't push to main directly`."""
    return _RULE.match(sentence) is not None
