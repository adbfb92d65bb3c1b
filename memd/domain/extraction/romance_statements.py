"""Statements of a user in Spanish, French, Italian or Portuguese to a program that are worth remembering (contract 11.6).

Who they are, where they live and work, their people, what they can and cannot eat, what they like, have and use, when
something is due, decisions, rules and goals. What may not be so, somebody else says, or is only about this talk or a text
that it shows is left.
"""

import re
from collections.abc import Sequence
from typing import Final

from memd.domain.extraction.user_statements import MAX_DETAILED, UserStatement
from memd.domain.romance.forms import Forms
from memd.domain.romance.languages import FORMS
from memd.domain.romance.text import plain
from memd.domain.text.alternatives import any_of
from memd.domain.text.sentences import capitalised, is_question
from memd.domain.text_analysis.language import Language
from memd.domain.types import Category

MAX_READ: Final = 320
"""Characters of a sentence that are read; a longer one is no plain statement."""
_MAX_MESSAGE: Final = 2_000
"""Characters of a message in which a request about a text is looked for."""
_STATED, _VALUED, _EXPLICIT = 0.6, 0.7, 2.0
"""The worth of a statement, of one with a number or a day, and of what memd is asked to remember."""
_IN: Final = any_of("en in dans pour neste nesse no na nel nella")
_OUR: Final = any_of(
    "este esta nuestro nuestra mi ce cette notre mon ma questo questa nostro nostra mio mia nosso nossa meu minha"
)
_GROUP: Final = any_of(
    "proyecto projet progetto projeto repo equipo equipe team codebase empresa oficina entreprise boite societe azienda"
)
_SETTING: Final = re.compile(
    rf"(?:{_IN} ?(?:{_OUR} ?)?{_GROUP}|chez nous|da noi),? ",
    re.IGNORECASE,
)
"""Where a statement holds: `En este proyecto usamos pnpm`."""
_BREAKS: Final = (", ", "; ", ": ", " - ")
"""What may stand between a statement and a question in one sentence: `J'ai deux chats, une idée ?`."""
_MAX_LEADS: Final = 3
_MIN_WORDS: Final = 2


def romance_statement(language: Language, sentence: str, message: str) -> UserStatement | None:
    """The statement in a sentence of a message; None for a request, a remark or a problem report.

    Of a request that ends with something about its author this end is kept: `Busca un hotel, soy alérgica al polvo`.
    """
    forms = FORMS[language]
    text = _before_wish(forms, _without_lead(forms, sentence))
    if len(text) > MAX_READ or len(text.split()) < _MIN_WORDS:
        return None
    if instruction := _instruction(forms, text):
        return instruction
    if (
        forms.material.search(plain(message[:_MAX_MESSAGE]))
        or forms.listener.search(text)
        or _is_open(forms, plain(text))
    ):
        return None
    if forms.request.match(plain(text)):
        ends = (_before_wish(forms, text[clause.end() :]) for clause in forms.clause.finditer(plain(text)))
        return next((found for end in ends if (found := _lasting(forms, end))), None)
    return _lasting(forms, text)


def before_romance_question(language: Language, sentence: str) -> str:
    """The part of a sentence before its question; the whole sentence if it has none, or states nothing before it."""
    forms = FORMS[language]
    if len(sentence) > MAX_READ:
        return sentence
    text = _without_lead(forms, sentence)
    if forms.reminder.match(plain(text)):
        return text.strip("¿? ")
    asked = forms.question.search(plain(text))
    stated = text[: asked.start()] if asked else ""
    if not stated and is_question(sentence):
        stated = max((text.rpartition(mark)[0] for mark in _BREAKS), key=len)
    return stated if _lasting(forms, stated) else sentence


def adds_romance_detail(language: Language, statement: Sequence[str], sentence: str) -> bool:
    """Whether the sentence after a statement says more about somebody or something in it: `Se llama Trueno`."""
    forms, text = FORMS[language], plain(sentence[:MAX_READ])
    short = sum(map(len, statement)) + len(sentence) <= MAX_DETAILED
    return short and forms.detail.match(text) is not None and not _is_open(forms, text)


def _without_lead(forms: Forms, sentence: str) -> str:
    text = sentence
    for _ in range(_MAX_LEADS):
        lead = forms.lead.match(plain(text))
        if lead is None:
            break
        text = text[lead.end() :]
    return capitalised(text)


def _before_wish(forms: Forms, text: str) -> str:
    """The statement in a text that goes on with a wish: `Vivo en Zaragoza y quisiera un gimnasio`; else the text itself."""
    wish = forms.wish.search(plain(text[:MAX_READ]))
    stated = text[: wish.start()] if wish else ""
    return stated if _lasting(forms, stated) else text


def _instruction(forms: Forms, text: str) -> UserStatement | None:
    """What memd is asked to remember, or to do every time."""
    folded = plain(text)
    if forms.reminder.match(folded):
        return UserStatement(text, Category.GOAL, _EXPLICIT)
    if explicit := forms.explicit.match(folded):
        lasting = _lasting(forms, text[explicit.start("rest") :])
        return UserStatement(text, lasting.category if lasting else Category.FACT, _EXPLICIT)
    if forms.rule.match(folded) and not forms.reported.search(folded):
        return UserStatement(text, Category.RULE, _STATED)
    return None


def _is_open(forms: Forms, text: str) -> bool:
    """Whether it may not be so, somebody else says it, or it is about the talk or something that does not work."""
    searched = (forms.doubt, forms.reported, forms.trouble, forms.shown)
    return forms.asked_about.match(text) is not None or any(form.search(text) for form in searched)


def _lasting(forms: Forms, text: str) -> UserStatement | None:
    """The statement about its author that a text is; None for any other text."""
    folded = plain(text)
    setting = _SETTING.match(folded)
    stated = folded[setting.end() :] if setting else folded
    category = next((one.category for one in forms.lasting if one.form.match(stated)), None)
    worth = _VALUED if forms.value.search(folded) else _STATED
    return UserStatement(capitalised(text), category, worth) if category else None
