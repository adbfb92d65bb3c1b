"""Facts that a text states (subject, attribute, value), and whether two facts contradict each other.

Only attributes that have one value at a time contradict by another value: where somebody lives, who owns something,
what "Ana's phone number" is. The certainty of a conflict is a constant for each kind (contract 17.5, `certainty`):
.95 where the newer fact says that something changed ("moved to", "no longer"), .90 for an attribute with one value, .85
for an employer, a date or a time (an event may take place again), .60 for what a thing "now uses" and for another
version of a product. "Switched from fish to nushell" contradicts only that fish is used: somebody uses many things.
"""

import re
from collections.abc import Iterator
from dataclasses import astuple, dataclass, replace
from typing import Final

from memd.domain.facts.activities import HIDDEN_PREFIX, Activity, ends
from memd.domain.facts.appointments import appointment_fact
from memd.domain.facts.appositions import without_apposition
from memd.domain.facts.clauses import clauses, of_the_user, with_subjects
from memd.domain.facts.measured import canonical, measured_fact
from memd.domain.facts.openings import without_opening
from memd.domain.facts.other_languages import stated_values
from memd.domain.facts.own_clauses import own_clause
from memd.domain.facts.patterns import (
    AFTER_PLACE,
    ASIDE,
    DETERMINERS,
    DIGIT,
    END,
    FORMS,
    HOLDER,
    LIST_END,
    LISTS,
    MAX_LISTED,
    MAX_WORDS,
    NAMED,
    NEW,
    NOT_LAST,
    NOT_SUBJECTS,
    ORDINAL_OR_THOUSANDS,
    OWNED,
    PLACES,
    RELATIVE,
    ROLE_AFTER,
    STATE,
    SWITCHED_FROM,
    WHEN,
)
from memd.domain.facts.residents import is_thing
from memd.domain.facts.roles import may_have_manager
from memd.domain.facts.verbs import verb_forms
from memd.domain.facts.versions import is_other_version
from memd.domain.graph.entities import slug
from memd.domain.romance.facts import is_romance_meeting
from memd.domain.text.sentences import sentences
from memd.domain.text.spoken import HEADING, without_day
from memd.domain.text_analysis.folding import composed, fold

READ_CHARACTERS: Final = 4_000
MAX_FACTS: Final = 12
CERTAIN: Final = 0.9
"""Conflicts of at least this certainty supersede automatically, where the deployment enables that."""
BACKDATED: Final = 0.85
"""The most certain conflict by a memory that names a time before the older memory was recorded as true."""
_STATED_CHANGE: Final = 0.95
_ONE_VALUE: Final = 0.9
_COEXISTING: Final = """
    uses called role allergy diet language preference likes dislikes son daughter brother sister friend colleague cat dog
    relation (full-name)
"""
COEXISTING: Final = tuple(_COEXISTING.split())
"""Attributes of which another value is not a conflict unless its words state a change."""
_MEETINGS: Final = (
    *("appointment", "booking", "call", "delivery", "flight", "interview", "lesson", "meeting", "reservation", "visit"),
    *("besprechung", "flug", "termin", "treffen", "verabredung"),
)
"""The ends of the names of meetings and the like: a `Zahnarzttermin`, a team meeting, a return flight."""
_USER: Final = "User"
_TEAM_OF: Final = re.compile(r"(?:['’]s|\b(?:their|the|our|my|a))\s+(?:\w+\s+)?team$", re.IGNORECASE)
"""`Ana joined Ben's team` names no employer."""
_OWNED_THING: Final = re.compile(r"(?P<owner>[^\W\d_][^'’]{0,60})['’]s\s+(?P<thing>\S.*)")
"""`Ana's dance class moved to Friday` says of Ana what `Ana's dance class is on Friday` says of her."""
_NOT_AT_END: Final = frozenset({"at", "for", "in", "of", "on", "to", "with"})
_RELATIVE_DAYS: Final = frozenset({"today", "tomorrow", "tonight"})
"""No value of a date: tomorrow they are another day."""
_HAS_ROLE: Final = frozenset({"employer", "manager", "uses"})
_PLURAL: Final = re.compile(r"(?<=[^\W\d_]{3})s$")
"""`30ms` and `30m` are not forms of one word."""
_CERTAINTIES: Final = {"employer": 0.85, "uses": 0.6} | dict.fromkeys(
    ("date", "start-date", "end-date", "time", "end-time"), 0.85
)


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact that a sentence states; `subject` and `value` as written, `denied` when the sentence negates the value.

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
        plain = ORDINAL_OR_THOUSANDS.sub("", DETERMINERS.sub("", self.value))
        return slug(plain)


def without_determiner(phrase: str) -> str:
    """A noun phrase without the article or possessive that it begins with."""
    return DETERMINERS.sub("", phrase.strip())


def find_facts(text: str) -> list[Fact]:
    """The facts that a text states, in order, at most 12; questions and sentences about a pronoun state none.

    In words that are kept as they were said (`spoken.HEADING`) the first person is the speaker.
    """
    text = without_day(composed(text[: 2 * READ_CHARACTERS]))
    heading_match = HEADING.match(text)
    words = text[heading_match.end() if heading_match else 0 :][:READ_CHARACTERS]
    read = [without_apposition(without_opening(sentence)) for sentence in sentences(words)]
    found = [fact for one in with_subjects(read) for fact in _read(one)]
    if heading_match and heading_match["speaker"] != _USER:
        found = [
            replace(one, subject=heading_match["speaker"]) if one.subject == _USER.lower() else one for one in found
        ]
    return list(dict.fromkeys(found))[:MAX_FACTS]


def _read(sentence: str) -> list[Fact]:
    if appointment := appointment_fact(sentence):
        return [Fact(*appointment)]
    if RELATIVE.match(of_user := of_the_user(sentence)):
        return _facts_of(of_user)
    found = _facts_of(sentence) or _facts_of_the_user(sentence) or [Fact(*one) for one in stated_values(sentence)]
    further = own_clause(sentence)
    return found + _facts_of(further) if further else found


def _facts_of(sentence: str) -> list[Fact]:
    return [fact for clause in clauses(sentence) for fact in _stated(clause)]


def _facts_of_the_user(sentence: str) -> list[Fact]:
    """The facts of a sentence in the first person; whether a number is an age, a street or an amount, it does not say."""
    named = of_the_user(sentence)
    return [fact for fact in _facts_of(named) if not fact.value[:1].isdigit()] if named != sentence else []


def _stated(sentence: str) -> Iterator[Fact]:
    if match := RELATIVE.match(sentence):
        yield from _fact(match, match["attribute"].lower(), changed=False, denied=False)
        yield from _done(match["value"] + sentence[match.end() :], of_person=True)
    elif match := NAMED.match(sentence):
        yield from _fact(match, "name", changed=False, denied=False)
    elif match := HOLDER.match(sentence):
        changed = bool(match["now"] or match["new"] or match["again"])
        yield from _fact(match, canonical(slug(match["attribute"])), changed=changed, denied=False)
    elif match := next((found for form in OWNED if (found := form.match(sentence))), None):
        yield from _of_owner(match)
    else:
        yield from _done(sentence)


def _of_owner(match: re.Match[str]) -> Iterator[Fact]:
    """`Ana's new car is a Skoda`: an attribute of the owner; nothing where it is only in a state, as in `is broken`."""
    if STATE.match(match["value"]):
        return
    verb = " ".join(match["verb"].lower().split())
    attribute = slug(match["attribute"])
    changed = verb != "is" or attribute.startswith("new-")
    denied = verb in {"is no longer", "is not"}
    yield from _fact(match, canonical(NEW.sub("", attribute)), changed=changed, denied=denied)


def _done(sentence: str, *, of_person: bool = False) -> Iterator[Fact]:
    measured = measured_fact(sentence, of_person=of_person)
    if measured is not None and _is_named(subject := without_determiner(measured.subject)):
        subject, attribute = _owned(subject, measured.attribute) if measured.changed else (subject, measured.attribute)
        yield Fact(subject, attribute, measured.value, changed=measured.changed)
        return
    # The forms that state a change come last in their attribute and contain those that do not.
    for attribute, changed, denied, form in reversed((*verb_forms(sentence), *FORMS)):
        match = form.match(sentence)
        if match and (found := list(_fact(match, attribute, changed=changed, denied=denied))):
            yield from _switched(found[0], match) if attribute == "uses" and changed and not denied else found
            return


def _switched(fact: Fact, match: re.Match[str]) -> Iterator[Fact]:
    """The tool that is used now; the tool that it replaces, if named, is denied. Nothing else is contradicted."""
    moved = SWITCHED_FROM.match(fact.value)
    old = match.groupdict().get("old") or (moved and moved["old"])
    if not old:
        yield fact
        return
    yield replace(fact, value=moved["new"] if moved else fact.value, changed=False)
    yield replace(fact, value=without_determiner(old), denied=True)


def _is_named(subject: str) -> bool:
    words = subject.lower().split()
    if not words or words[0] in NOT_SUBJECTS or words[-1] in NOT_LAST or words[-1].endswith(("n't", "n’t")):
        return False
    return any(word[0].isalpha() for word in words)


def _fact(match: re.Match[str], attribute: str, *, changed: bool, denied: bool) -> Iterator[Fact]:
    subject = DETERMINERS.sub("", match["subject"].strip())
    end = (LIST_END if attribute in LISTS else END).search(match["value"])
    value = match["value"][: end.start() if end else None].strip(" \"'“”‘’")
    if attribute != "date":
        value = WHEN.sub("", ASIDE.sub("", value))
    if attribute in _HAS_ROLE:
        value = WHEN.sub("", ROLE_AFTER.sub("", value))
    if attribute == "residence":
        value = AFTER_PLACE.sub("", value)
    if attribute == "residence" and (PLACES.match(subject) or is_thing(match["subject"], _verb(match))):
        attribute = "location"
    subject, attribute = _owned(subject, attribute)
    if attribute == "manager" and not may_have_manager(subject):
        return
    if _is_named(subject) and _is_value(value, attribute):
        yield Fact(subject, attribute, value, changed=changed, denied=denied)


def _is_value(value: str, attribute: str) -> bool:
    """Whether the words are a whole value of the attribute: not a pronoun, cut off, relative or too long."""
    words, low = value.split(), value.lower()
    if not words or not slug(value) or low in NOT_SUBJECTS or words[-1].lower() in _NOT_AT_END:
        return False
    if (attribute == "date" and low in _RELATIVE_DAYS) or (attribute == "employer" and _TEAM_OF.search(value)):
        return False
    return len(words) <= (MAX_LISTED if attribute in LISTS else MAX_WORDS)


def _owned(subject: str, attribute: str) -> tuple[str, str]:
    """Of the date of what somebody owns, the owner and the thing: `Ana's class is on Friday` names no date either."""
    owned = _OWNED_THING.match(subject) if attribute == "date" else None
    return (owned["owner"], slug(owned["thing"])) if owned else (subject, attribute)


def _verb(match: re.Match[str]) -> str:
    """The words between the subject and the value."""
    return match.string[match.end("subject") : match.start("value")]


def certainty(old: Fact, new: Fact) -> float | None:
    """The certainty that the newer fact contradicts the older one, 0..1; None if it does not.

    A value that only says more or less than the other ("Oslo", "central Oslo"), or has no accents, is not a different value.
    """
    if (old.subject_key, old.attribute) != (new.subject_key, new.attribute):
        return None
    if old.attribute.startswith(HIDDEN_PREFIX):
        return BACKDATED if ends(Activity(*astuple(old)), Activity(*astuple(new))) else None
    before, after = fold(old.value_key), fold(new.value_key)
    same = before == after
    if old.denied != new.denied:
        return _STATED_CHANGE if same else None
    replaces = new.changed or (old.attribute == "uses" and is_other_version(old.value, new.value))
    may_coexist = not replaces and (old.attribute in COEXISTING or _is_weekday(old, new) or _is_any(old))
    if old.denied or same or may_coexist or _refines(before, after):
        return None
    if old.attribute in _CERTAINTIES:
        return _CERTAINTIES[old.attribute] if not new.changed or old.attribute == "uses" else _STATED_CHANGE
    return _STATED_CHANGE if new.changed else _ONE_VALUE


def _is_any(meeting: Fact) -> bool:
    """Whether it is the day or time of a meeting, of which there may be others: somebody sees a dentist twice a year."""
    if meeting.attribute not in {"date", "time"}:
        return False
    return meeting.subject_key.endswith(_MEETINGS) or is_romance_meeting(meeting.subject)


def _is_weekday(old: Fact, new: Fact) -> bool:
    """Whether both name a day of the week: the meeting of this Monday and the one of next week's Tuesday are two."""
    return old.attribute in {"date", "start-date", "end-date"} and not DIGIT.search(old.value + new.value)


def _refines(one: str, other: str) -> bool:
    """Whether one value has no word that the other one lacks; `euros` and `Euro` are one word."""
    first, second = ({_PLURAL.sub("", word) for word in value.split("-")} for value in (one, other))
    return first <= second or second <= first
