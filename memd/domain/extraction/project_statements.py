"""How a project is made: `The repo uses pnpm, not npm`, `The backend is written in Go` (contract 11.6).

The patterns are English and match from the start of a sentence. What a program does when it is asked, such as what it
returns, is left out: it is often part of a question.
"""

import re
from typing import Final

from memd.domain.text.alternatives import any_of, either

_PART: Final = any_of(
    """
    repo(?:sitory)? project codebase monorepo backend frontend server client service app api website site ci pipeline
    build database db cache queue docs logs schema team
    """
)
_MADE: Final = (
    any_of("written built made deployed hosted stored cached kept generated tested served licensed versioned")
    + " "
    + any_of("in with on by under from at every")
)
_DOES: Final = any_of(
    """
    uses? runs?_(?:on|in|with|under) lives?_(?:in|on|at|under) goes?_to depends?_on deploys?_(?:to|with|from) targets?
    supports? listens?_on talks?_to
    """
)
_VAGUE: Final = any_of("it that this them you up out fine well too a_hurry")
_NAMED: Final = r"[\w`'/.-]"
"""The beginning of what a part of a project uses."""
_PROJECT: Final = re.compile(
    rf"(?:the|our) (?:[a-z-]+ )?{_PART} (?:(?:always|only|now|also) )?(?:{_DOES}|(?:is|are) {_MADE}) (?!{_VAGUE}\b){_NAMED}",
    re.IGNORECASE,
)
_OF_PROJECTS: Final = any_of(
    """
    ci cd tests e2e_tests unit_tests logs metrics traces dashboards alerts backups secrets migrations deploys deployments
    releases builds assets images feature_flags docs prod production staging
    """
)
"""What a project has without an article: `ci is on github actions`."""
_WHERE: Final = any_of("on in with to at from through via under by")
_IS_THERE: Final = any_of("is are runs? live lives go goes happen happens come comes stay stays deploy deploys")
_HELD: Final = any_of("stored hosted kept written deployed built managed run")
_NO_PLACE: Final = any_of(
    r"""
    it that this them you my your here there time fire red green progress trouble line fact general hold first last
    least risk
    (?:the|an?)_(?:attachment|attached|screenshot|zip|link|bottom|top|mess|way|wrong|moment|pr|diff|patch|message)
    attached below above
    """
)
_PLACED: Final = re.compile(
    rf"{_OF_PROJECTS} (?:(?:always|only|now|also|all) )?"
    + either(rf"{_IS_THERE} {_WHERE}", "uses?", rf"(?:is|are) {_HELD} {_WHERE}")
    + rf" (?!{_NO_PLACE}\b){_NAMED}",
    re.IGNORECASE,
)
_UNIT_OF_WORK: Final = any_of(
    """
    prs? pull_requests? commits? branch(?:es)? endpoints? migrations? releases? features? functions? modules? components?
    tables? services? bug_?fix(?:es)? changes? tests? deploys?
    """
)
_MUST: Final = any_of("needs? must ha(?:s|ve)_to requires? gets? should go(?:es)?_through")
_ACCIDENT: Final = any_of("lost stuck ignored dropped overwritten reverted worse slower")
_REQUIRED: Final = re.compile(
    rf"(?:all|every|each|any) (?:new )?{_UNIT_OF_WORK} {_MUST} (?!{_ACCIDENT}\b)[\w`'-](?!.*\b(?:now|again)\W*\Z)",
    re.IGNORECASE,
)
_NO_REVIEWER: Final = any_of("it this that he she they who which nobody everybody everyone what")
_REVIEWS: Final = any_of(
    """
    (?:reviews|approves|merges|deploys|triages)_(?:all|every|each|the|our)
    (?:does|handles)_all_(?:of_)?(?:the|our)
    (?:owns|maintains)_(?:the|our|all)
    """
)
_REVIEWER: Final = re.compile(
    rf"(?!{_NO_REVIEWER}\b)[^\W\d_][\w'’-]* (?:always )?{_REVIEWS} ",
    re.IGNORECASE,
)
_GROUP: Final = any_of("project repo(?:sitory)? codebase monorepo team company office department household family")
_SETTING: Final = re.compile(rf"(?:in|on|for) (?:this|our|my|the) {_GROUP},? ", re.IGNORECASE)


def describes_project(sentence: str) -> bool:
    """Whether a sentence says what a part of a project uses, runs on, is made with or needs, or who reviews it."""
    return any(pattern.match(sentence) for pattern in (_PROJECT, _PLACED, _REQUIRED, _REVIEWER))


def without_setting(sentence: str) -> str:
    """The sentence without where it holds: `In this project we squash commits` as `we squash commits`."""
    setting = _SETTING.match(sentence)
    return sentence[setting.end() :] if setting else sentence
