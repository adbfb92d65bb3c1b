"""Facts that a text states about something: subject, attribute, value; and which of two facts contradict each other.

Only attributes that have one value at a time contradict by another value: where somebody lives, who owns something,
what "Ana's phone number" is. The certainty of a contradiction is a constant for each kind (contract 17.5, `certainty`):
.95 where the newer fact says that something changed ("moved to", "no longer"), .90 for an attribute with one value, .85
for an employer, a date or a time (an event may take place again), .60 for what a thing "now uses".
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from memd.domain.distilling.verbs import third_person
from memd.domain.entities import slug
from memd.domain.measured_facts import MONTH, WEEKDAY, canonical, measured_fact
from memd.domain.sentences import sentences

READ_CHARACTERS: Final = 4_000
MOST_FACTS: Final = 12
CERTAIN: Final = 0.9
"""Contradictions of at least this certainty supersede automatically, where the deployment enables that."""
BACKDATED: Final = 0.85
"""The most certain contradiction by a memory that names a time before the older memory was recorded as true."""
_STATED_CHANGE: Final = 0.95
_ONE_VALUE: Final = 0.9
COEXISTING: Final = (
    "uses",
    "role",
    "allergy",
    "diet",
    "language",
    "preference",
    "likes",
    "dislikes",
    "son",
    "daughter",
    "brother",
    "sister",
    "friend",
    "colleague",
    "cat",
    "dog",
)
"""Attributes of which another value is not a contradiction unless its words state a change."""
_CERTAINTIES: Final = {"employer": 0.85, "date": 0.85, "time": 0.85, "uses": 0.6}
_SUBJECT: Final = r"(?P<subject>[^\W\d_][^.,;:!?()]{0,60}?)"
_ADVERB: Final = (
    r"(?:\s+(?:currently|still|also|already|really|absolutely|officially|recently|just|has|have|had|will))*"
)
_END: Final = re.compile(
    r"[;!?()]|[.:,](?!\d)|\s+(?:and|but|because|since|until|till|after|before|as\s+of|with|so|while|when|where|who|which|that|"
    r"instead|again|now|today|anymore|any\s+more|these\s+days|from\s+now|starting|this\s+(?:week|month|year))\b",
    re.IGNORECASE,
)
_LISTS: Final = frozenset({"allergy", "language"})
"""Attributes whose value is read as a whole: half a list of allergies is worse than none."""
_LIST_END: Final = re.compile(
    r"[;!?()]|[.:](?!\d)|,?\s+(?:because|since|until|till|after|before|so|while|when|where|who|which|that|now|"
    r"(?:and|but)\s+(?:they|he|she|it|their|lives?|works?|prefers?|likes?|loves?|uses?|has|is|does))\b",
    re.IGNORECASE,
)
_NOT_SUBJECTS: Final = frozenset(
    [
        "i",
        "we",
        "you",
        "he",
        "she",
        "it",
        "they",
        "me",
        "us",
        "him",
        "her",
        "them",
        "this",
        "that",
        "these",
        "those",
        "there",
        "what",
        "who",
        "which",
        "where",
        "when",
        "why",
        "how",
        "if",
        "someone",
        "somebody",
        "everyone",
        "everybody",
        "nobody",
        "everything",
        "something",
        "nothing",
    ]
)
_DIGIT: Final = re.compile(r"\d")
_AUXILIARIES: Final = frozenset(
    [
        "was",
        "were",
        "been",
        "be",
        "is",
        "are",
        "got",
        "to",
        "not",
        "never",
        "will",
        "would",
        "should",
        "could",
        "must",
        "can",
    ]
)
"""What a noun phrase does not end with: "the project was" moved to production and lives nowhere; nor "Ann wants to" use it."""
_ORDINAL_OR_THOUSANDS: Final = re.compile(r"(?<=\d)(?:(?:st|nd|rd|th)\b|,(?=\d{3}\b))", re.IGNORECASE)
_DETERMINERS: Final = re.compile(r"^(?:the|a|an|our|my|your|his|her|its|their)\s+", re.IGNORECASE)
_DAY: Final = (
    r"(?:the\s+)?(?:\d|(?:next\s+)?(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:january|february|march|april|may|june|july|"
    r"august|september|october|november|december)\b)"
)
_DATE: Final = (
    rf"(?:(?:early|mid|late)[ -])?(?:{MONTH}(?:\s+\d{{1,2}}(?:st|nd|rd|th)?)?(?:\s+\d{{4}})?|"
    rf"(?:the\s+)?\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{MONTH}(?:\s+\d{{4}})?|(?:19|20)\d\d(?:-\d\d){{0,2}}|{WEEKDAY}|"
    r"(?:the\s+)?(?:spring|summer|autumn|fall|winter)(?:\s+(?:of\s+)?\d{4})?)"
)
_WHEN: Final = re.compile(
    rf"\s+(?:(?:in|on|by|during|from)\s+{_DATE}|yesterday|tomorrow|tonight|"
    rf"(?:last|next)\s+(?:night|week|month|year|spring|summer|autumn|fall|winter|{WEEKDAY}|{MONTH})|"
    r"(?:an?|one|two|three|four|five|six|\d+)\s+(?:day|week|month|year)s?\s+ago)$",
    re.IGNORECASE,
)
"""When a value began, at its end: no part of it."""
_MOST_WORDS, _MOST_LISTED = 6, 12
"""Words of a value, and of one that is a list."""
# attribute, whether the words say that something changed, whether they deny the value
_VERBS: Final = (
    ("residence", False, False, r"(?:lives?|resides?|is\s+(?:based|living))\s+in"),
    ("residence", True, False, r"(?:now\s+lives?\s+in|(?:moved|relocated)(?:\s+from\s+[^.,;]{1,30}?)?\s+to)"),
    ("residence", True, True, r"(?:no\s+longer\s+lives?|does\s+not\s+live|doesn['’]t\s+live|used\s+to\s+live)\s+in"),
    ("employer", False, False, r"(?:works?\s+(?:at|for)|is\s+employed\s+(?:at|by))"),
    ("employer", True, False, r"(?:now\s+works?\s+(?:at|for)|joined)"),
    (
        "employer",
        True,
        True,
        r"(?:no\s+longer\s+works?|does\s+not\s+work|doesn['’]t\s+work|used\s+to\s+work)\s+(?:at|for)",
    ),
    ("role", False, False, r"works?\s+as"),
    ("role", True, False, r"(?:was\s+promoted\s+to|now\s+works?\s+as)"),
    ("manager", False, False, r"reports?\s+to"),
    ("manager", True, False, r"now\s+reports?\s+to"),
    ("owner", False, False, r"(?:is|are)\s+(?:owned|maintained)\s+by"),
    ("owner", True, False, r"(?:is|are)\s+now\s+(?:owned|maintained)\s+by"),
    ("spouse", False, False, r"is\s+married\s+to"),
    ("date", False, False, r"(?:is|are)\s+(?:scheduled\s+(?:for|on)|due(?:\s+(?:on|by))?|planned\s+for)"),
    ("date", True, False, r"(?:(?:was|were|been|is)\s+)?(?:now\s+scheduled\s+for|(?:re-?scheduled|postponed)\s+to)"),
    ("date", True, False, rf"(?:(?:was|were|been|is)\s+)?moved\s+to(?=\s+{_DAY})"),
    ("price", False, False, r"(?:costs?|(?:is|are)\s+priced\s+at)"),
    ("price", True, False, r"now\s+costs?"),
    ("allergy", False, False, r"(?:is|are)\s+allergic\s+to"),
    (
        "diet",
        False,
        False,
        r"(?:is|are)(?:\s+an?)?(?=\s+(?:vegetarian|vegan|pescatarian|lactose[- ]intolerant|diabetic)\b)",
    ),
    ("language", False, False, r"speaks"),
    ("preference", False, False, r"prefers"),
    ("likes", False, False, r"(?:likes|loves|enjoys|is\s+fond\s+of|is\s+a\s+(?:big\s+|huge\s+)?fan\s+of)"),
    ("dislikes", False, False, r"(?:dislikes|hates|can['’]t\s+stand|doesn['’]t\s+like|does\s+not\s+like)"),
    ("uses", False, False, r"uses?"),
    ("uses", True, False, r"(?:now\s+uses?|(?:switched|migrated)(?:\s+from\s+[^.,;]{1,30}?)?\s+to)"),
    ("uses", True, True, r"(?:no\s+longer\s+uses?|does\s+not\s+use|doesn['’]t\s+use|used\s+to\s+use)"),
)
_STATED: Final = tuple(
    (attribute, changed, denied, re.compile(rf"^{_SUBJECT}{_ADVERB}\s+{verb}\s+(?P<value>\S.*)", re.IGNORECASE))
    for attribute, changed, denied, verb in _VERBS
)
_IS: Final = r"(?P<verb>is\s+now|is\s+no\s+longer|is\s+not|is|was\s+changed\s+to|(?:has\s+)?changed\s+to)"
_ATTRIBUTE: Final = r"(?P<attribute>[a-z][\w -]{1,30}?)"
_RELATIVE: Final = re.compile(
    r"^(?P<subject>[^\W\d_][^.,;:!?()]{0,60}?)['’]s\s+(?:(?:older|younger|little|big|best|new)\s+)?"
    r"(?P<attribute>wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?|boss|manager|mother|father|mom|mum|dad"
    r"|son|daughter|brother|sister|friend|colleague|cat|dog)\s+(?-i:(?P<value>[^\W\d_a-z][^\W\d_]+))\b(?!['’]s)",
    re.IGNORECASE,
)
"""`Ana's wife Marta will come` names the wife."""
_NAMED: Final = re.compile(
    r"^(?P<subject>the user) is (?-i:(?P<value>[A-Z][^\W\d_]+(?: [A-Z][^\W\d_]+)?))(?=[,.(]| and\b|$)", re.IGNORECASE
)
_CONTINUED: Final = re.compile(
    r"^(?P<subject>(?-i:The user|[A-Z][^\W\d_]+))(?!['’]s)\b.*?(?:,| and| but)\s+(?:and\s+)?they\s+(?P<verb>[a-z]+)\s+",
    re.IGNORECASE,
)
"""A second clause about the same subject, as extraction words it: `The user lives in Bonn and they prefer tea`."""
_JOB: Final = re.compile(
    rf"^{_SUBJECT}{_ADVERB}\s+works?\s+as\s+(?P<role>[^.,;()]{{2,60}}?)\s+(?:at|for)\s+(?P<employer>.+?)(?:\s+in\s+(?-i:[A-Z]).*)?$",
    re.IGNORECASE,
)
_OWNED: Final = (
    re.compile(
        rf"^(?P<subject>[^\W\d_][^.,;:!?()]{{0,60}}?)['’]s\s+{_ATTRIBUTE}\s+{_IS}\s+(?P<value>\S.*)", re.IGNORECASE
    ),
    re.compile(
        rf"^the\s+{_ATTRIBUTE}\s+of\s+(?P<subject>[^.,;:!?()]{{1,60}}?)\s+{_IS}\s+(?P<value>\S.*)", re.IGNORECASE
    ),
)


_STATE: Final = re.compile(
    r"(?:fine|good|ok|okay|great|happy|sad|sick|ill|tired|busy|late|ready|here|there|away|gone|back|important|broken|down|nice|bad"
    r"|amazing|awesome|so|very|really|too|pretty)\b",
    re.IGNORECASE,
)
"""How something is, not what: `Ana's manager is fine with it` names no manager."""


@dataclass(frozen=True, slots=True)
class Fact:
    """What a sentence states; `subject` and `value` as written, `denied` when it says that the value is not so.

    `changed`: the words state a change.
    """

    subject: str
    attribute: str
    value: str
    changed: bool = False
    denied: bool = False

    @property
    def subject_key(self) -> str:
        """The same for all ways to write the subject."""
        return slug(self.subject)

    @property
    def shown_value(self) -> str:
        """The value as people read it: "not Acme" where it is denied."""
        return f"not {self.value}" if self.denied else self.value

    @property
    def value_key(self) -> str:
        """The same for all ways to write the value."""
        plain = _ORDINAL_OR_THOUSANDS.sub("", _DETERMINERS.sub("", self.value))
        return slug(plain)


def without_determiner(phrase: str) -> str:
    """A noun phrase without the article or possessive that it begins with."""
    return _DETERMINERS.sub("", phrase.strip())


def find_facts(text: str) -> list[Fact]:
    """The facts that a text states, in order, at most 12; questions and sentences about a pronoun state none."""
    read = sentences(text[:READ_CHARACTERS])
    found = [fact for sentence in read for clause in _clauses(sentence.strip()) for fact in _stated(clause)]
    return list(dict.fromkeys(found))[:MOST_FACTS]


def _clauses(sentence: str) -> Iterator[str]:
    """The sentence as one or more that state a fact each, with their subject."""
    if sentence.endswith("?"):
        return
    clause = _CONTINUED.match(sentence)
    parts = (
        [sentence, f"{clause['subject']} {third_person(clause['verb'])} {sentence[clause.end() :]}"]
        if clause
        else [sentence]
    )
    for part in parts:
        if job := _JOB.match(part):
            yield from (f"{job['subject']} works as {job['role']}", f"{job['subject']} works at {job['employer']}")
        else:
            yield part


def _stated(sentence: str) -> Iterator[Fact]:
    if match := _RELATIVE.match(sentence):
        yield from _fact(match, match["attribute"].lower(), changed=False, denied=False)
        yield from _done(match["value"] + sentence[match.end() :])
    elif match := _NAMED.match(sentence):
        yield from _fact(match, "name", changed=False, denied=False)
    elif match := next((found for form in _OWNED if (found := form.match(sentence))), None):
        if _STATE.match(match["value"]):
            return
        verb = " ".join(match["verb"].lower().split())
        denied = verb in {"is no longer", "is not"}
        yield from _fact(match, canonical(slug(match["attribute"])), changed=verb != "is", denied=denied)
    else:
        yield from _done(sentence)


def _done(sentence: str) -> Iterator[Fact]:
    measured = measured_fact(sentence)
    if measured is not None and _is_named(subject := without_determiner(measured.subject)):
        yield Fact(subject, measured.attribute, measured.value, changed=measured.changed)
        return
    # The forms that state a change come last in their attribute and contain those that do not.
    for attribute, changed, denied, form in reversed(_STATED):
        match = form.match(sentence)
        if match:
            yield from _fact(match, attribute, changed=changed, denied=denied)
            return


def _is_named(subject: str) -> bool:
    words = subject.lower().split()
    return bool(words) and words[0] not in _NOT_SUBJECTS and words[-1] not in _AUXILIARIES


def _fact(match: re.Match[str], attribute: str, *, changed: bool, denied: bool) -> Iterator[Fact]:
    subject = _DETERMINERS.sub("", match["subject"].strip())
    end = (_LIST_END if attribute in _LISTS else _END).search(match["value"])
    value = match["value"][: end.start() if end else None].strip(" \"'“”‘’")
    if attribute != "date":
        value = _WHEN.sub("", value)
    words = value.split()
    if (
        _is_named(subject)
        and words
        and len(words) <= (_MOST_LISTED if attribute in _LISTS else _MOST_WORDS)
        and slug(value)
    ):
        yield Fact(subject, attribute, value, changed=changed, denied=denied)


def certainty(old: Fact, new: Fact) -> float | None:
    """How certain it is that the newer fact contradicts the older one; None where it does not.

    A value that only says more or less than the other ("Oslo", "central Oslo") is no other value.
    """
    if (old.subject_key, old.attribute) != (new.subject_key, new.attribute):
        return None
    same = old.value_key == new.value_key
    if old.denied != new.denied:
        return _STATED_CHANGE if same else None
    if old.denied or same or _refines(old.value_key, new.value_key):
        return None
    if not new.changed and (old.attribute in COEXISTING or _is_weekday(old, new)):
        return None
    if old.attribute in _CERTAINTIES:
        return _CERTAINTIES[old.attribute] if not new.changed or old.attribute == "uses" else _STATED_CHANGE
    return _STATED_CHANGE if new.changed else _ONE_VALUE


def _is_weekday(old: Fact, new: Fact) -> bool:
    """Whether both name a day of the week: the meeting of this Monday and the one of next week's Tuesday are two."""
    return old.attribute == "date" and not _DIGIT.search(old.value + new.value)


def _refines(one: str, other: str) -> bool:
    first, second = set(one.split("-")), set(other.split("-"))
    return first <= second or second <= first
