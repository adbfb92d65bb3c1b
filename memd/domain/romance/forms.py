"""The forms of a language by which statements of its speakers are recognised."""

import re
from dataclasses import dataclass
from typing import NamedTuple

from memd.domain.types import Category


class Statement(NamedTuple):
    """A form of statements, matched from their beginning, and their category."""

    form: re.Pattern[str]
    category: Category


@dataclass(frozen=True, slots=True)
class Forms:
    """Patterns that read text without accents (`text.plain`), those of `listener` the text as it is.

    `lead`, `explicit`, `reminder`, `rule`, `lasting`, `request`, `asked_about` and `detail` are matched from the
    beginning, the others are searched for.
    """

    lead: re.Pattern[str]
    """Words that open a sentence and say nothing: `Por cierto, `."""
    explicit: re.Pattern[str]
    """What asks to remember the rest, which is in the group `rest`."""
    reminder: re.Pattern[str]
    rule: re.Pattern[str]
    """Instructions for every answer, and rules of a team."""
    lasting: tuple[Statement, ...]
    """What holds of the author, of their people and of their things; the first form that matches gives the category."""
    request: re.Pattern[str]
    asked_about: re.Pattern[str]
    """Sentences about the conversation itself: `Eso me ayuda`, `Merci`."""
    shown: re.Pattern[str]
    """Texts and files that a message shows or asks for: `mi texto`, `ta réponse`."""
    material: re.Pattern[str]
    """Requests to translate, correct, summarise or invent: what else the message says is about a text."""
    doubt: re.Pattern[str]
    reported: re.Pattern[str]
    trouble: re.Pattern[str]
    listener: re.Pattern[str]
    question: re.Pattern[str]
    """Where a question begins that follows a statement in one sentence."""
    wish: re.Pattern[str]
    """Where a wish begins that follows a statement in one sentence: ` y quisiera`, `, je voudrais`."""
    clause: re.Pattern[str]
    """Where a clause begins that may state something of the author after a request."""
    detail: re.Pattern[str]
    """Sentences that say more about somebody or something in the sentence before."""
    value: re.Pattern[str]
    """A number or a day."""
