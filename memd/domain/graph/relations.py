"""Relations that a memory states between entities, read from verb patterns (contract 11.10, built-in method)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from memd.domain.text.spoken import HEADING
from memd.domain.types import AssociationType, RelationType

ASSOCIATION_OF: Final = {
    RelationType.CONFLICTS_WITH: AssociationType.CONTRADICTS,
    RelationType.DEPENDS_ON: AssociationType.DERIVES_FROM,
    RelationType.OCCURS_WITH: AssociationType.CO_OCCURRED,
    RelationType.LEADS_TO: AssociationType.PRECEDES,
}
_MAX_WORDS: Final = 5
_READ_CHARACTERS: Final = 500
_PATTERNS: Final = (
    (RelationType.OWNS, False, r"(?:owns?|(?:is |are )?(?:responsible for|in charge of)|maintains)"),
    (RelationType.OWNS, True, r"(?:is|are|was) (?:owned|maintained) by"),
    (RelationType.OWNS, True, r"(?:owner|maintainer)(?: is|:)(?=\s)"),
    (RelationType.ASSIGNED_TO, False, r"(?:(?:is|was|are|were|has been|have been) )?assigned to"),
    (RelationType.DEPENDS_ON, False, r"(?:depends? on|requires?|relies on|(?:(?:is|are|was) )?blocked (?:by|on))"),
    (RelationType.USES, False, r"(?:uses?|(?:(?:is|are|was) )?(?:built (?:with|on)|powered by))"),
    (RelationType.LEADS_TO, True, r"(?:is|are|was|were) caused by"),
    (RelationType.LEADS_TO, False, r"(?:causes?|caused|leads? to|led to|results? in)"),
    (RelationType.CONFLICTS_WITH, False, r"(?:contradicts?|conflicts? with|(?:is|are) incompatible with)"),
)
"""Each relation, whether its subject comes after the verb, and the verb."""
_VERBS: Final = tuple((kind, turned, re.compile(rf"\b{verb}(?!\w)", re.IGNORECASE)) for kind, turned, verb in _PATTERNS)
_ANY_VERB: Final = re.compile(rf"\b(?:{'|'.join(verb for _, _, verb in _PATTERNS)})(?!\w)", re.IGNORECASE)
_ANY_FOLDED_VERB: Final = re.compile(_ANY_VERB.pattern)
"""The same for case-folded text, to skip the many sentences without any: ignoring case would take twice as long."""
_OWNER_OF: Final = re.compile(r"\b(?:the )?(owner|maintainer) of ([^,.;:]{2,60}?)( is\b|:)", re.IGNORECASE)
_DETERMINER: Final = (
    r"(?:the|an?|our|my|your|his|her|its|their|this|that|these|those|every|each|all|some|any|no|both|new)"
)
_LEADING: Final = re.compile(rf"^(?:{_DETERMINER}\s+)+", re.IGNORECASE)
_INNER_DETERMINER: Final = re.compile(rf"^.*\s{_DETERMINER}\s+", re.IGNORECASE)
_CLAUSE_START: Final = re.compile(
    r"^.*(?:[,;:()—–]|\b(?:and|but|or|because|that|which|who|when|if|so|then|while|since|as|than|where|after|before)\b)\s*",
    re.IGNORECASE | re.DOTALL,
)
_CLAUSE_END: Final = re.compile(
    r"[.;:!?()—–]|\s-\s|(?<!-)\b(?:but|because|which|that|who|whose|when|if|so|then|while|for|to|with|in|on|at|by|from|as|before|after|until|during"
    r"|since|only|is|are|was|were|has|have|had|will|can|could|must|should|would|does|did|instead|again|now|today|yesterday|every|each)\b(?!-)",
    re.IGNORECASE,
)
_ADVERBS: Final = re.compile(
    r"(?:\s+|^)(?:also|still|now|currently|only|really|always|usually|often|mostly|already|just|mainly|will|can|may|is|are|was)$",
    re.IGNORECASE,
)
_NEGATION: Final = re.compile(r"(?:\bnot|n['’]t|\bnever|\bno longer|\bcannot)\s*$", re.IGNORECASE)
_LIST: Final = re.compile(r"\s*,\s*(?:(?:and|or)\s+)?|\s+(?:and|or|plus)\s+", re.IGNORECASE)
_FIRST_PERSON: Final = frozenset({"i", "we"})
_NOT_FIRST: Final = """
    i we you he she it they me us him them this that these those there what who which one everything something nothing
    everyone someone nobody to not
"""
_NOT_FIRST_SET: Final = frozenset(_NOT_FIRST.split())
"""Words that begin no name of an entity: pronouns and particles."""


@dataclass(frozen=True, slots=True)
class StatedRelation:
    """`subject` has this relation to `object`; both are phrases as written in the sentence."""

    subject: str
    relation: RelationType
    object: str


def association_of(relation: RelationType) -> AssociationType:
    """The association between two memories that corresponds to a relation between their entities."""
    return ASSOCIATION_OF.get(relation, AssociationType.SUPPORTS)


def find_statements(sentence: str) -> list[StatedRelation]:
    """The relations a sentence states, in order of its verbs; negated ones and those of a mere pronoun are left out.

    The first 500 characters are read. "I" and "we" after a heading `Speaker (8 May 2023):` are the speaker.
    """
    heading = HEADING.match(sentence)
    body = sentence[heading.end() if heading else 0 :][:_READ_CHARACTERS]
    body = _OWNER_OF.sub(r"\2 \1\3", body)
    if not _ANY_FOLDED_VERB.search(body.casefold()):
        return []
    speaker = heading["speaker"] if heading else None
    found: list[tuple[int, StatedRelation]] = []
    for relation, is_reversed, verb in _VERBS:
        for match in verb.finditer(body):
            before = _before(body[: match.start()], speaker)
            if before is None:
                continue
            for after in _after(body[match.end() :]):
                subject, other = (after, before) if is_reversed else (before, after)
                found.append((match.start(), StatedRelation(subject, relation, other)))
    return [statement for _, statement in sorted(found, key=lambda pair: pair[0])]


def _before(text: str, speaker: str | None) -> str | None:
    """The noun phrase that ends `text`."""
    if _NEGATION.search(text):
        return None
    phrase = _CLAUSE_START.sub("", text.strip())
    while (shorter := _ADVERBS.sub("", phrase)) != phrase:
        phrase = shorter
    if speaker and phrase.lower() in _FIRST_PERSON:
        return speaker
    return _noun_phrase(_INNER_DETERMINER.sub("", phrase))


def _after(text: str) -> Iterator[str]:
    """The noun phrases that begin `text`, more than one if it continues as a list."""
    clause = _ANY_VERB.split(text, maxsplit=1)[0]
    cut = _CLAUSE_END.search(clause)
    listed = _LIST.split(clause[: cut.start()] if cut else clause)
    if clause != text and not cut and len(listed) > 1:
        listed.pop()
    for item in listed:
        phrase = _noun_phrase(item)
        if not phrase:
            return
        yield phrase


def _noun_phrase(text: str) -> str | None:
    phrase = _LEADING.sub("", text.strip(" \t\"'“”‘’,"))
    words = phrase.split()
    if not words or len(words) > _MAX_WORDS or words[0].lower() in _NOT_FIRST_SET:
        return None
    return " ".join(words)
