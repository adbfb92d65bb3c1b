"""How much a memory is worth on the face of it: length, wording, kind, names and tags (contract 11.5)."""

import re
from typing import Final

from memd.domain.types import Category, Store
from memd.domain.unit_interval import cut

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
_DECIDING: Final = re.compile(
    r"\b(?:decid\w+|decisions?|agree(?:d|s|ment)?|choos\w+|chosen?|approv\w+|settled on|adopt(?:ed|s)?|opted|"
    r"commit(?:ted)? to|concluded|confirmed|rejected|resolved to)\b",
    re.IGNORECASE,
)
_LEARNING: Final = re.compile(
    r"\b(?:learn(?:ed|t|s|ing)?|lessons?|realiz\w+|realis\w+|discover\w*|turn(?:s|ed) out|mistakes?|errors?|bugs?|"
    r"fail(?:ed|s|ures?|ing)?|broken?|wrong|root cause|caused|always|never|usually|every time|whenever|patterns?)\b",
    re.IGNORECASE,
)
_AIMING: Final = re.compile(
    r"\b(?:goals?|aims?|objectives?|targets?|plan(?:s|ned|ning)?|deadlines?|milestones?|roadmap|due(?! to)|tomorrow|"
    r"next (?:week|month|quarter|year)|by (?:the )?end of|by (?:mon|tues|wednes|thurs|fri|satur|sun)day|"
    r"(?:wants?|wanted|needs?|needed|has|have|had|intends?) to|must|should|required|to-?do|\d{4}-\d\d-\d\d)\b",
    re.IGNORECASE,
)
_WORDING: Final = ((0.15, _DECIDING), (0.12, _LEARNING), (0.12, _AIMING))


def salience(title: str, content: str, category: Category, store: Store, tag_count: int) -> float:
    """The salience of a memory within 0..1; words are runs without white space of title and content together."""
    text = f"{title}\n{content}"
    words = text.split()
    score = _BASE + _CATEGORY[category] + _STORE[store]
    score += min(len(words) / _WORDS_PER_POINT, _WORDS_CAP)
    score += sum(weight for weight, wording in _WORDING if wording.search(text))
    score += min(sum(map(_is_capitalised, words)) / _NAMES_PER_POINT, _NAMES_CAP)
    score += min(_TAG_WEIGHT * tag_count, _TAGS_CAP)
    return cut(score)


def _is_capitalised(word: str) -> bool:
    return word.lstrip("\"'“‘«([{*_")[:1].isupper()
