"""The initial score of a memory, by its length, wording, kind, names and tags (contract 11.5)."""

import re
from typing import Final

from memd.domain.dates.weekdays import WEEKDAY
from memd.domain.text.word_cache import WordCache
from memd.domain.types import Category, Store
from memd.domain.unit_interval import clamp

_BASE: Final = 0.3
_WORDS_PER_POINT, _WORDS_CAP = 200, 0.15
_NAMES_PER_POINT, _NAMES_CAP = 20, 0.08
_TAG_WEIGHT, _TAGS_CAP = 0.02, 0.08

_CATEGORY: Final = {
    Category.DECISION: 0.20,
    Category.LESSON: 0.18,
    Category.GOAL: 0.15,
    Category.SKILL: 0.14,
    Category.PERSON: 0.12,
    Category.RULE: 0.12,
    Category.WORKFLOW: 0.10,
    Category.FACT: 0.08,
    Category.EVENT: 0.05,
    Category.CONVERSATION: 0.0,
}
_STORE: Final = {
    Store.SEMANTIC: 0.15,
    Store.PROCEDURAL: 0.12,
    Store.PROSPECTIVE: 0.10,
    Store.EPISODIC: 0.08,
    Store.SENSORY: 0.0,
}
# Deciding, learning, aiming: what a single word shows; what takes several; and how the several begin.
_WORD: Final = tuple(
    re.compile(rf"\b(?:{words})\b")
    for words in (
        (
            r"decid\w+|decisions?|agree(?:d|s|ment)?|choos\w+|chosen?|approv\w+|adopt(?:ed|s)?|opted|concluded|confirmed|"
            r"rejected"
        ),
        (
            r"learn(?:ed|t|s|ing)?|lessons?|realiz\w+|realis\w+|discover\w*|mistakes?|errors?|bugs?|"
            r"fail(?:ed|s|ures?|ing)?|broken?|wrong|caused|always|never|usually|whenever|patterns?"
        ),
        (
            r"goals?|aims?|objectives?|targets?|plan(?:s|ned|ning)?|deadlines?|milestones?|roadmap|tomorrow|must|should|"
            r"required|to-?do|\d{4}-\d\d-\d\d"
        ),
    )
)
_PHRASE: Final = tuple(
    re.compile(rf"\b(?:{phrases})\b")
    for phrases in (
        r"settled on|commit(?:ted)? to|resolved to",
        r"turn(?:s|ed) out|root cause|every time",
        (
            rf"due(?! to)|next (?:week|month|quarter|year)|by (?:the )?end of|by {WEEKDAY}|"
            r"(?:wants?|wanted|needs?|needed|has|have|had|intends?) to"
        ),
    )
)
_BEGINNING: Final = tuple(
    re.compile(rf"\b(?:{words})\Z")
    for words in (
        r"settled|commit(?:ted)?|resolved",
        r"turn(?:s|ed)|root|every",
        r"due\b.*|next|by|wants?|wanted|needs?|needed|has|have|had|intends?",
    )
)
_WEIGHTS: Final = (0.15, 0.12, 0.12)
_SHOWN, _BEGUN, _CAPITALISED = 0, 3, 6
"""A word's marks: a bit for each group that it shows, one for each group that it may begin to show, one for its capital."""


def salience(title: str, content: str, category: Category, store: Store, tag_count: int) -> float:
    """The salience of a memory within 0..1; words are runs without white space of title and content together."""
    return salience_of(text_score(title, content), category, store, tag_count)


def salience_of(score: float, category: Category, store: Store, tag_count: int) -> float:
    """The salience of a memory whose texts have this `text_score`."""
    kind = _BASE + _CATEGORY[category] + _STORE[store] + min(_TAG_WEIGHT * tag_count, _TAGS_CAP)
    return clamp(kind + score)


def text_score(title: str, content: str) -> float:
    """What the texts of a memory add to its salience, whatever else is known of it; takes time with their length."""
    text = f"{title}\n{content}"
    words = text.split()
    marks = list(map(_MARKS.__getitem__, words))
    names = sum([mark >> _CAPITALISED for mark in marks])
    length = min(len(words) / _WORDS_PER_POINT, _WORDS_CAP)
    return length + _wording(text, set(marks)) + min(names / _NAMES_PER_POINT, _NAMES_CAP)


def _wording(text: str, marks: set[int]) -> float:
    """The weights of the groups that the text shows; `marks` are those of its words."""
    known = 0
    for mark in marks:
        known |= mark
    lowered = text.lower()
    return sum(
        weight
        for group, weight in enumerate(_WEIGHTS)
        if known >> _SHOWN + group & 1 or (known >> _BEGUN + group & 1 and _PHRASE[group].search(lowered))
    )


def _marks(word: str) -> int:
    if word.isdecimal():
        return 0
    lowered = word.lower()
    shown = sum(1 << group for group, pattern in enumerate(_WORD) if pattern.search(lowered))
    begun = sum(1 << group for group, pattern in enumerate(_BEGINNING) if pattern.search(lowered))
    return shown << _SHOWN | begun << _BEGUN | _is_capitalised(word) << _CAPITALISED


def _is_capitalised(word: str) -> bool:
    return word.lstrip("\"'“‘«([{*_")[:1].isupper()


_MARKS: Final = WordCache(_marks)
