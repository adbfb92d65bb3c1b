"""Statements that a user makes to a program in passing and that are worth remembering.

That is who they are, what they use, have and like, when something is due. Requests, questions, reports of trouble and
remarks about the answer are not.

The patterns are English. They read one sentence at a time, without what opens it ("By the way, ").
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from memd.domain.distilling.corrections import read_correction
from memd.domain.distilling.habits import is_habit, is_standing_instruction
from memd.domain.distilling.openings import split_openings
from memd.domain.extraction.author_statements import is_about_author
from memd.domain.extraction.object_pronouns import has_open_object
from memd.domain.extraction.project_statements import describes_project, without_setting
from memd.domain.extraction.remarks import VALUE, is_remark
from memd.domain.extraction.stated_changes import states_change, states_own_change
from memd.domain.extraction.trouble import is_about_the_task, reports_trouble
from memd.domain.extraction.user_requests import beside_request
from memd.domain.text.alternatives import any_of, either
from memd.domain.text.names import proper_names
from memd.domain.text.sentences import capitalised
from memd.domain.types import Category

SHORT_MESSAGE: Final = 400
"""Characters of a message in which a statement about something else than its author is taken for the author's own words.

Longer ones are often pasted: an article, a log, a file."""
MAX_DETAILED: Final = 175
"""Characters of a statement with its details."""
_STATED, _EXPLICIT = 0.6, 2.0
"""The worth of a statement, and of what memd is asked to remember: more than any score by cues."""
_NAME_WORTH, _MAX_NAMES, _VALUE_WORTH = 0.1, 2, 0.1
_MIN_WORDS: Final = 2
_MIN_WORDS_OF_OTHERS: Final = 4

_REMINDER: Final = re.compile(
    r"(?:(?:can|could|would|will) you )?(?:please )?(?:remind me|don't (?:let me )?forget)\b"
    rf"(?!(?: {any_of('please of about it this that then later tomorrow again')})*\W*\Z)",
    re.IGNORECASE,
)
"""`Remind me to call Ida`; `Remind me.` alone names nothing."""
_TO_DO: Final = re.compile(
    rf"{any_of('to[-_]?dos? next_steps? action_items? open_(?:point|item|task)s?')}: \w", re.IGNORECASE
)
"""What is still to be done, after its label: `TODO: rotate the key before Friday`."""
_NOTICE: Final = re.compile(
    r"(?:please )?"
    + any_of(
        "remember note(?:_to_self)? keep_in_mind for_the_record fyi for_your_information heads[-_]up just_so_you_know"
    )
    + "[,:]? (?:that )?",
    re.IGNORECASE,
)
_NO_SUBJECT: Final = any_of(
    """
    it this that these those there he she they you your i we my our here what which if when maybe perhaps so then now ok
    thanks? yes no or
    """
)
_HAPPENS: Final = any_of(
    r"""
    is are was were has have needs? uses? runs? happens? expires? starts? ends? opens? closes? lives? works? sits? stays?
    owns? leads? reports? teaches studies speaks costs? ships? pays? plays? charges? slips? launches takes? leaves?
    arrives? allows? requires? rotates? goes go listens? supports? moved changed raised increased lowered wants? prefers?
    asked_for expects? owes? gets?_\d+ comes?_(?:off|out|back|in|on|at) belongs? contains? holds? stores? sends?
    fails?_(?:every|on|at) depends?
    """
)
_OTHERS: Final = re.compile(
    rf"(?:(?:since|as of|from|until) [\w.]+,? )?(?!{_NO_SUBJECT}\b)(?:[\w'’.-]+ ){{1,8}}?{_HAPPENS}\b", re.IGNORECASE
)
_LABEL: Final = any_of(
    """
    pricing price budget deadline due_date launch release_date (?:tech_)?stack team(?:_size)? time_?zone address phone
    e-?mail domain repo birthday location hosting database db front_?end back_?end (?:target_)?audience job hobbies diet
    allerg(?:y|ies) languages? pets? kids car editor os browser shell employer company role height weight age nickname
    pronouns
    """
)
_UNFILLED: Final = any_of(r"\? none n/a tbd todo")
_LABELLED: Final = re.compile(
    rf"(?:(?:my|our|the) )?{_LABEL}(?: \w+)?: (?!{_UNFILLED}(?:\W|\Z))\w[^?]*\Z",
    re.IGNORECASE,
)
"""A value after its name, as in a form: `budget: 400 euros`."""
_CONSEQUENCE: Final = re.compile(r", (?:which is why|that's why|which means|so that) ", re.IGNORECASE)
_SECOND_PERSON: Final = re.compile(r"\b(?:you|your|yours)\b", re.IGNORECASE)
_PRONOUN: Final = any_of("he she they it his her their its")
_NEXT: Final = any_of("one date time day place address price number")
_EXTENT: Final = any_of("more less longer earlier later before after above below over under on at in with without")
_DETAIL: Final = re.compile(
    either(
        rf"{_PRONOUN}(?:'s|'re)?\b(?! (?:work(?:s|ed)? (?:now|fine|well)|means|helps?)\b)",
        rf"the (?:new|next|other) {_NEXT} {any_of('is are was will_be starts ends')}\b",
        r"the deadline (?:is|was)\b",
        r"(?:never|not|always|only|at (?:most|least)|no) "
        rf"(?!more (?:questions|thanks)|longer (?:needed|relevant|necessary)){_EXTENT}\b",
    ),
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class UserStatement:
    """The words of a sentence that are worth remembering, their category, and their worth in terms of cue scores."""

    text: str
    category: Category
    worth: float


def user_statement(sentence: str, *, message_characters: int) -> UserStatement | None:
    """The statement in a sentence, for a message of this length; None for a request, a remark or a problem report.

    Of a request only what it says about its author is kept: `Book a room, I prefer quiet ones` gives the second half.
    """
    short = message_characters <= SHORT_MESSAGE
    if _REMINDER.match(sentence) or (short and _TO_DO.match(sentence)):
        return UserStatement(sentence, Category.GOAL, _EXPLICIT)
    if notice := _NOTICE.match(sentence):
        rest = capitalised(sentence[notice.end() :])
        return UserStatement(rest, Category.FACT, _EXPLICIT) if len(rest.split()) >= _MIN_WORDS else None
    if short and is_standing_instruction(sentence):
        return UserStatement(sentence, Category.RULE, _STATED + _VALUE_WORTH)
    text = _before_consequence(beside_request(sentence))
    if reports_trouble(text) or len(text.split()) < _MIN_WORDS:
        return None
    clause = without_setting(text)
    own = is_about_author(clause) or is_habit(text) or states_own_change(text)
    if own or (short and _is_about_a_thing(text)):
        names = min(len(proper_names(text)), _MAX_NAMES)
        return UserStatement(
            text, Category.FACT, _STATED + _NAME_WORTH * names + _VALUE_WORTH * bool(VALUE.search(text))
        )
    return None


def stated_in_correction(sentence: str) -> str:
    """What a correction says if it says what is corrected, too; the whole sentence for any other.

    `Actually, no: the workshop is on 10 December, not on the 9th.` gives `The workshop is on 10 December, not on the 9th.`:
    where it finds nothing to correct, as in another session, it is a statement like others.
    """
    found = read_correction(sentence)
    text, kinds = split_openings(sentence)
    return capitalised(f"{text}.") if found and found.subject and kinds & {"doubt", "fault"} else sentence


def _before_consequence(text: str) -> str:
    """A statement of which only the consequence is trouble, without it: `I get up at 5, which is why 6 am doesn't work`."""
    consequence = _CONSEQUENCE.search(text)
    return text[: consequence.start()] if consequence and reports_trouble(text[consequence.start() :]) else text


def adds_detail(statement: Sequence[str], sentence: str) -> bool:
    """Whether the sentence after a statement says more about somebody or something in it: `She's a vegetarian`."""
    short = sum(map(len, statement)) + len(sentence) <= MAX_DETAILED
    continues = _DETAIL.match(sentence) or has_open_object(sentence)
    return short and bool(continues) and not (reports_trouble(sentence) or is_remark(sentence))


def _is_about_a_thing(sentence: str) -> bool:
    """Whether the sentence says something definite of somebody or something else than its author."""
    return bool(_LABELLED.match(sentence)) or _states_a_value(sentence) or _is_about_others(sentence)


def _is_about_others(sentence: str) -> bool:
    return not _SECOND_PERSON.search(sentence) and states_change(sentence)


def _states_a_value(sentence: str) -> bool:
    """Whether the sentence says something definite of a thing: a number, a day, an address or a name."""
    if _SECOND_PERSON.search(sentence) or len(sentence.split()) < _MIN_WORDS_OF_OTHERS:
        return False
    if describes_project(sentence):
        return True
    if not _OTHERS.match(sentence) or is_about_the_task(sentence):
        return False
    return bool(VALUE.search(sentence) or proper_names(sentence))
