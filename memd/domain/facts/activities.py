"""What somebody does or plans, and sentences by which it ends or is done (English).

`The user plays tennis` ends with `doesn't play tennis any more`, `wants to run a marathon` with `gave up on the marathon` or `ran
the marathon`. An attribute names the noun that it is about, so that only what is said about one thing is compared. Two
activities never contradict each other: only an end contradicts what it ends (`ends`).
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from memd.domain.dates.months import MONTH
from memd.domain.facts.clauses import of_the_user
from memd.domain.facts.openings import without_opening
from memd.domain.text.alternatives import any_of
from memd.domain.text.sentences import capitalised, sentences
from memd.domain.text.spoken import HEADING, without_day
from memd.domain.text.verbs import base_form, is_past_form
from memd.domain.text_analysis.folding import composed, fold
from memd.domain.text_analysis.language import Language
from memd.domain.text_analysis.stemming import stem
from memd.domain.text_analysis.stop_words import STOP_WORDS

HIDDEN_PREFIX: Final = "("
"""The prefix of attributes that profiles hide, such as `(plan marathon)`, `(activity tennis)`."""
_PLAN, _ACTIVITY = "plan", "activity"
_MAX_TEXT, _MAX_SENTENCE = 1_000, 240
"""Characters that are read."""
_SUBJECT: Final = (
    r"(?:The user['’]s [a-z]+ (?=[A-Z]))?(?P<subject>The user|(?!(?:The|This|That|It|There|If|When|I|We|You)\b)[A-Z][\w-]+(?: [A-Z][\w-]+)?)"
    rf"(?: {any_of('also now just still recently finally really already currently has have officially')})*"
)
_VERB: Final = r"(?P<verb>[a-z]+) (?P<object>\S.*)"
_ING: Final = r"(?P<verb>[a-z]+ing)\b(?: (?P<object>\S.*))?"
_STATIVE_VERBS: Final = any_of(
    """
    is was says thinks knows means wants needs hopes plans likes loves enjoys prefers hates dislikes lives works uses speaks
    believes feels seems looks moves does owes costs decides promises
    """
)
_MEANS_TO: Final = any_of(
    "wants needs has plans hopes intends aims decided promised is_going is_planning is_hoping would_like would_love"
)
_ANY_MORE: Final = r"(?=.*\b(?:any ?more|any longer)\b)"
_AFTER_ALL: Final = r"(?=.*\bafter all\b)"
_GAVE_UP: Final = any_of(
    """
    gave_up_on gave_up given_up_on given_up dropped abandoned scrapped backed_out_of pulled_out_of quit broke_up_with
    split_up_with
    """
)
_CANCELLED: Final = r"(?:cancell?ed|called off)(?!.* on (?:the )?\d)"
"""One meeting of a series is cancelled by its day."""
_DOES_NOT: Final = r"(?:does not|doesn['’]t|do not|don['’]t|will not|won['’]t)"
_IS_OFF: Final = (
    r"(?:(?:is|was|has been|got) (?:off|cancell?ed|called off|scrapped)|fell through|(?:is not|isn['’]t) happening)"
    r"(?: after all)?(?=\W*$|[,;(]| because\b)"
)


def _forms(*forms: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(f"^{form}") for form in forms)


_A_PLAN: Final = "(?:the|their) (?:plan|idea|dream|goal)s?"
_PLANS: Final = _forms(
    rf"{_SUBJECT} is (?!going to (?!the\b|an?\b|[A-Z])){_ING}",
    rf"{_SUBJECT} {_MEANS_TO} to {_VERB}",
    rf"(?P<subject>The user|[A-Z][\w-]+)['’]s (?:goal|plan|dream|aim) (?:for [^.,;]{{1,20}} )?is to {_VERB}",
    rf"Remind (?P<subject>the user) to {_VERB}",
)
_ONGOING: Final = _forms(
    rf"{_SUBJECT} (?!{_STATIVE_VERBS}\b)(?P<verb>[a-z]+s) (?!to [a-z])(?P<object>\S.*)",
    rf"{_SUBJECT} is (?P<verb>married|engaged) to (?P<object>\S.*)",
    r"(?P<subject>The user)['’]s (?P<object>(?:[\w-]+ ){0,2}?[\w-]+ (?:is|takes place|starts) (?:on|in|at) \S.*)",
)
_ENDINGS: Final = _forms(
    rf"{_SUBJECT} no longer (?!is\b){_VERB}",
    rf"{_SUBJECT} {_DOES_NOT} {_ANY_MORE}{_VERB}",
    rf"{_SUBJECT} (?:is not|isn['’]t) {_ANY_MORE}{_VERB}",
    rf"{_SUBJECT} is no longer {_ING}",
    rf"{_SUBJECT} (?:stopped|quit|gave up|given up) {_ING}",
    rf"{_SUBJECT} (?:{_GAVE_UP}|{_CANCELLED}) (?!(?:out|off|by|in|down|on|my|your|{_A_PLAN} (?:to|of))\b)(?P<object>\S.*)",
    r"(?P<object>[A-Z][\w-]+) and (?P<subject>the user) (?:(?:has|have|got|are|were) )*(?:(?:broke|broken|split) up|divorced|separated)\b",
    rf"(?P<object>(?:The|The user['’]s) .{{2,60}}?) {_IS_OFF}",
)
_PARTINGS: Final = _forms(rf"{_SUBJECT} (?:sold|got rid of|gave away) (?P<object>\S.*)")
"""Who sold the bike has it no longer, but may mean to buy one."""
_REVOKED: Final = _forms(
    rf"{_SUBJECT} {_DOES_NOT} {_AFTER_ALL}{_VERB}",
    rf"{_SUBJECT} (?:is not|isn['’]t) {_AFTER_ALL}(?:going to (?=[a-z]+ \S))?{_VERB}",
    rf"{_SUBJECT} decided (?:not to|against) {_VERB}",
    rf"{_SUBJECT} (?:{_GAVE_UP}) {_A_PLAN} (?:to|of) {_VERB}",
)
"""Only plans: who decided not to take the train today may take it every day."""
_READ_AS: Final = (
    # the forms, the kinds that they are about, whether they say that it ended
    (_ENDINGS, (_PLAN, _ACTIVITY), True),
    (_PARTINGS, (_ACTIVITY,), True),
    (_REVOKED, (_PLAN,), True),
    (_PLANS, (_PLAN,), False),
    (_ONGOING, (_ACTIVITY,), False),
)
_DONE: Final = _forms(
    rf"{_SUBJECT} (?:finished|completed) (?P<object>(?:the|their|his|her)\b.*)", rf"{_SUBJECT} {_VERB}"
)
_DONT: Final = re.compile(r"^(?:I|We) (don['’]t|do not|won['’]t|will not)\b")
_HABITS: Final = frozenset({"smoke", "vape", "gambl"})
"""Verbs by which something ends without an object: `quit smoking` ends `smokes a pack a day`."""
_OBJECT_END: Final = re.compile(
    r"[.,;:!?()]|(?:^| )(?:because|since|until|when|while|so|and|but|or|as|that|which|who|if|after|before|any ?more|any longer"
    r"|again|now|today|tomorrow|yesterday|instead|every|each|this|next|last|around|called|named)\b"
    rf"| (?:on|in|by|at) (?:\d|{MONTH}|the (?:morning|afternoon|evening|night|week)\b|spring|summer|autumn|fall|winter)"
    r"| (?:a|per) (?:day|week|month|year)\b",
    re.IGNORECASE,
)
_PREPOSITION: Final = any_of("on in at to for from with by of about into over under around through")
_NOUN_PHRASE: Final = re.compile(
    rf"(?:{_PREPOSITION} )?(?:(?:the|an?|their|his|her|its|my|our|user['’]s) )*"
    rf"(?P<nouns>\S+(?: (?!(?:{_PREPOSITION}|is|takes|starts)\b)\S+){{0,3}})",
    re.IGNORECASE,
)
_CLAUSE: Final = re.compile(r",? (?:so|and|but) (?=the user (?:is|has|does|doesn|no)\b)")
_INDEFINITE: Final = re.compile(r"\ban?\b")
_HISTORY: Final = re.compile(r"\b(?:in|since|before|until|around) (?:\w+ )?(?:19|20)\d\d\b|\b(?:once|ago|ever)\b")
"""In `ran a marathon in 2019`: another one than that which is planned."""
_NO_NOUNS_LIST: Final = """
    it them this that these those him her me us you one lot bit thing something anything everything nothing way more time
    back out up off down away home over is are takes starts
"""
_NO_NOUNS: Final = frozenset(_NO_NOUNS_LIST.split())
_PLURAL: Final = re.compile(r"(?<=\w{3}[^isu])s$")
_WORD: Final = re.compile(r"[^\W_]+")


class Activity(NamedTuple):
    """An activity with its attribute as `facts` has them; of an end `denied` is set, of what was done `changed`."""

    subject: str
    attribute: str
    value: str
    changed: bool = False
    denied: bool = False


def activities(text: str) -> list[Activity]:
    """The activities that a text states or ends, in order; the first person is the user."""
    plain = without_day(composed(text[:_MAX_TEXT]))
    if HEADING.match(plain):
        return []
    read = (one for one in sentences(plain) if len(one) <= _MAX_SENTENCE and not one.endswith("?"))
    clauses = (clause for one in read for clause in _CLAUSE.split(without_opening(one)))
    return list(dict.fromkeys(found for clause in clauses for found in _read(capitalised(clause))))


def ends(stated: Activity, later: Activity) -> bool:
    """Whether the later one of two activities with one attribute ends the one that was stated, or says that it was done.

    `Bought a bike` is a bike of any kind, `bought the bike` the one that was meant.
    """
    if stated.denied or stated.changed or not later.changed:
        return False
    before, after = _content(stated.value), _content(later.value)
    is_any = not later.denied and _INDEFINITE.search(later.value) is not None
    return before == after if is_any else after <= before


def asked_about(question: str, ended: Iterable[tuple[str, str]]) -> list[str]:
    """The attributes of activities whose last value, given with each, shares a word with the question."""
    asked = _content(question)
    return [attribute for attribute, value in ended if attribute.startswith(HIDDEN_PREFIX) and asked & _content(value)]


def _read(sentence: str) -> Iterator[Activity]:
    named = of_the_user(_DONT.sub(r"The user \1", sentence))
    for forms, kinds, is_end in _READ_AS:
        if match := _first(forms, named):
            yield from _made(match, kinds, denied=is_end)
            return
    match = _first(_DONE, named)
    if match and is_past_form(match.groupdict().get("verb", "finished")) and not _is_history(match["object"]):
        yield from _made(match, (_PLAN,), changed=True)


def _is_history(thing: str) -> bool:
    """Whether something of the kind was done once: `a marathon in 2019`."""
    return _INDEFINITE.match(thing) is not None and _HISTORY.search(thing) is not None


def _first(forms: tuple[re.Pattern[str], ...], sentence: str) -> re.Match[str] | None:
    return next((match for form in forms if (match := form.match(sentence))), None)


def _made(
    match: re.Match[str], kinds: tuple[str, ...], *, changed: bool = False, denied: bool = False
) -> Iterator[Activity]:
    named = match.groupdict()
    subject = (named.get("subject") or "user").removeprefix("The ").removeprefix("the ")
    verb, thing = named.get("verb") or "", named.get("object") or ""
    end = _OBJECT_END.search(thing)
    thing = thing[: end.start() if end else None].strip()
    value = f"{verb} {thing}".strip()
    for about in _about(verb, thing):
        for kind in kinds:
            yield Activity(subject, f"({kind} {about})", value, changed or denied, denied)


def _about(verb: str, thing: str) -> Iterator[str]:
    """The noun that an activity is about, and its verb where that says enough."""
    if verb and (base := _lemma(verb)) in _HABITS:
        yield base
    if found := _NOUN_PHRASE.match(thing):
        *others, noun = found["nouns"].split()
        for word in (noun, *(one for one in others if one[0].isupper())):
            if word.isalpha() and word.lower() not in _NO_NOUNS:
                yield _PLURAL.sub("", word.lower())


def _content(value: str) -> frozenset[str]:
    words = (word.lower() for word in _WORD.findall(value))
    return frozenset(
        _lemma(word) for word in words if word not in STOP_WORDS[Language.ENGLISH] or word in {"have", "has"}
    )


def _lemma(word: str) -> str:
    return stem(Language.ENGLISH, fold(base_form(word.lower())))
