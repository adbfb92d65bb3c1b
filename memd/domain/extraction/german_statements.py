"""German statements of a user to a program that are worth remembering (contract 11.6).

As in `user_statements` for English: who they are, their people, what they use, have and like, when something is due,
decisions, rules, goals and lessons. Whatever may not be so, somebody else says, or is only about this talk is left.
"""

import re
from collections.abc import Sequence
from typing import Final

from memd.domain.extraction.user_statements import MAX_DETAILED, SHORT_MESSAGE, UserStatement
from memd.domain.german.decisions import DECISION, LESSON, RECURS, UNDECIDED, WORKFLOW
from memd.domain.german.openings import (
    ASKED,
    CLAUSE,
    DETAIL,
    EXPLICITLY,
    INVERTED,
    LEAD,
    OBJECT_FIRST,
    OWN_CLAUSE,
    PARTICIPLE_AT_END,
    SAID_BY_AUTHOR,
    WITHOUT_SUBJECT,
)
from memd.domain.german.own_statements import APPOINTMENT, DOES, EVENT, HABITUAL, HAS, IS, NOT_AFTER_ALL
from memd.domain.german.people_and_things import (
    AT_OURS,
    DONE_BY_SOMEBODY,
    NAMED,
    ON_BEHALF,
    OWNED,
    PEOPLE,
    SAID_OF,
    THING,
    VALUE,
)
from memd.domain.german.requests import (
    MAX_READ,
    is_about_talk,
    is_german_request,
    is_imagined,
    is_in_doubt,
    is_of_the_moment,
    is_reported,
    is_to_listener,
)
from memd.domain.german.rules import is_german_goal, is_german_reminder, is_german_rule
from memd.domain.german.text import folded
from memd.domain.text.sentences import capitalised, is_question, sentences
from memd.domain.types import Category

_STATED, _VALUED, _EXPLICIT = 0.6, 0.7, 2.0
"""The worth of a statement, of one with a number or a day, and of what memd is asked to remember."""
_MIN_WORDS: Final = 3
_MAX_LEADS: Final = 3
_BESIDE: Final = 12
"""Characters of a message beside a sentence, at most, for the sentence to be all that it says."""
_OF_A_PERSON: Final = re.compile(rf"(?:mein|unser)\w* (?:[\w-]+ ){{0,2}}?{PEOPLE}\b", re.IGNORECASE)


def german_statement(sentence: str, *, message: str) -> UserStatement | None:
    """The statement in a sentence of a message; None for a request, a remark or a problem report.

    Of a sentence that only ends with something about its author, this end is kept: `Buch ein Zimmer, ich mag es ruhig`.
    """
    text = _without_lead(sentence)
    if len(text) > MAX_READ:
        return None
    is_all = len(message) <= len(sentence) + _BESIDE
    of_others = len(message) <= SHORT_MESSAGE and (is_all or not _asks(message))
    if found := _read(text, is_all=is_all, of_others=of_others):
        return found
    plain = folded(text)
    if is_in_doubt(plain) or not is_german_request(plain):
        return None
    ends = (text[clause.end() :] for clause in CLAUSE.finditer(text))
    own = next((end for end in ends if OWN_CLAUSE.match(end)), None)
    return None if own is None else _read(capitalised(own), is_all=False, of_others=False)


def _asks(message: str) -> bool:
    """Whether a message asks for something, so that what it says of things may only belong to that."""
    message_sentences = sentences(message)
    return any(is_question(one) or is_german_request(folded(_without_lead(one))) for one in message_sentences)


def before_german_question(sentence: str) -> str:
    """The part of a sentence before its question or request; the whole sentence if it has neither.

    A reminder that is asked for (`Kannst du mich an … erinnern?`) is no question.
    """
    if len(sentence) > MAX_READ:
        return sentence
    text = _without_lead(sentence)
    if is_german_reminder(folded(text)):
        return text.rstrip("? ")
    asked = ASKED.search(text)
    stated = text[: asked.start()] if asked else ""
    is_own = OWN_CLAUSE.match(stated) or INVERTED.match(folded(stated))
    return stated if is_own and len(stated.split()) >= _MIN_WORDS else sentence


def adds_german_detail(statement: Sequence[str], sentence: str) -> bool:
    """Whether the sentence after a statement says more about somebody or something in it: `Sie ist Vegetarierin`."""
    plain = folded(sentence[:MAX_READ])
    short = sum(map(len, statement)) + len(sentence) <= MAX_DETAILED
    is_ignored = is_in_doubt(plain) or is_to_listener(plain[len("Sie") :]) or is_of_the_moment(plain)
    return short and DETAIL.match(plain) is not None and not is_ignored


def _without_lead(sentence: str) -> str:
    """The sentence without what opens it: `Übrigens, `, `Hallo Ada, `."""
    text = sentence
    for _ in range(_MAX_LEADS):
        lead = LEAD.match(text)
        if lead is None:
            break
        text = text[lead.end() :]
    return capitalised(text)


def _read(text: str, *, is_all: bool, of_others: bool) -> UserStatement | None:
    plain = folded(text)
    if len(plain.split()) < _MIN_WORDS and not is_german_rule(plain, alone=is_all):
        return None
    if is_german_reminder(plain):
        return UserStatement(text, Category.GOAL, _EXPLICIT)
    if explicit := EXPLICITLY.match(plain):
        category = _category(capitalised(explicit["rest"] or explicit["kept"]), is_all=False, of_others=True)
        return UserStatement(text, category or Category.FACT, _EXPLICIT)
    category = _category(plain, is_all=is_all, of_others=of_others)
    worth = _VALUED if re.search(VALUE, plain, re.IGNORECASE) else _STATED
    return UserStatement(text, category, worth) if category else None


def _category(plain: str, *, is_all: bool, of_others: bool) -> Category | None:
    """The category of folded text; None when it states nothing lasting."""
    if is_reported(plain):
        return None
    if LESSON.match(plain) and not (is_to_listener(plain) or is_imagined(plain)):
        return Category.LESSON
    if is_german_rule(plain, alone=is_all) and not (SAID_BY_AUTHOR.match(plain) and is_of_the_moment(plain)):
        return Category.RULE
    if is_in_doubt(plain) or is_imagined(plain):
        return None
    order = next((form for form in (INVERTED, OBJECT_FIRST) if form.match(plain)), None)
    ordered = order.sub(_in_plain_order, plain, count=1) if order else plain
    if WITHOUT_SUBJECT.match(plain):
        ordered = f"ich {plain}"
    return _of_work(plain, ordered) or _of_life(ordered, of_others=of_others)


def _in_plain_order(inverted: re.Match[str]) -> str:
    lead = inverted["lead"][:1].lower() + inverted["lead"][1:]
    return f"{inverted['subject']} {inverted['verb']} {lead}{inverted['rest']}"


def _of_work(plain: str, ordered: str) -> Category | None:
    """A decision, workflow or goal: what a text says of trouble does not count against these."""
    if is_to_listener(plain):
        return None
    if is_about_talk(plain) and not DECISION.match(plain):
        return None
    if DECISION.match(ordered):
        return None if UNDECIDED.search(plain) else Category.DECISION
    if WORKFLOW.match(plain):
        return Category.WORKFLOW
    return Category.GOAL if is_german_goal(ordered) else None


def _of_life(text: str, *, of_others: bool) -> Category | None:
    """The category of a statement about what somebody is, has, does or did, or about where they live and work."""
    if is_to_listener(text) or is_about_talk(text) or is_of_the_moment(text):
        return None
    if EVENT.match(text) or APPOINTMENT.match(text):
        return Category.FACT if RECURS.search(text) else Category.EVENT
    if OWNED.match(text):
        return Category.PERSON if _OF_A_PERSON.match(text) else Category.FACT
    if any(form.match(text) for form in (DOES, IS, HABITUAL, NOT_AFTER_ALL)) or (
        HAS.match(text) and not PARTICIPLE_AT_END.search(text)
    ):
        return Category.FACT
    return _of_others(text) if of_others else None


def _of_others(text: str) -> Category | None:
    """The category of a statement about people or things around the author: with a number, a day, or as theirs."""
    if NAMED.match(text) or DONE_BY_SOMEBODY.match(text):
        return Category.PERSON
    if AT_OURS.match(text) or ON_BEHALF.match(text):
        return Category.FACT
    if not (THING.match(text) and SAID_OF.search(text)):
        return None
    return Category.PERSON if _OF_A_PERSON.match(text) else Category.FACT
