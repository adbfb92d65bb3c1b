"""Which attribute of which subject a question asks for: "where does Ana live?" asks for the residence of Ana.

The attributes are those of `memd.domain.facts.facts`, so that a memory that states the requested attribute can be
distinguished from one that only shares words with the question.
"""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from memd.domain.dates.months import MONTH
from memd.domain.dates.weekdays import WEEKDAY
from memd.domain.facts.facts import COEXISTING, without_determiner
from memd.domain.facts.measured import owned_attribute
from memd.domain.facts.succession import DatedStatement, current
from memd.domain.german.asked_facts import asked_in_german
from memd.domain.graph.entities import slug
from memd.domain.romance.asked_facts import asked_in_romance
from memd.domain.text.names import COMMON_WORDS
from memd.domain.text_analysis.folding import composed

MAX_CHARACTERS: Final = 200
"""Characters of a question; a longer one asks for more than one attribute."""


class AskedFact(NamedTuple):
    """The attributes that answer a question, and the key of the subject (as `Fact.subject_key`).

    `is_all`: the question asks for nothing more, such as a time ("in 2019") or a kind of thing ("which database").
    `is_current`: it does not ask for an earlier value ("where did Ana live before?"). `before`: the value, in lower case, that
    was next to the one that is asked for: `oslo` in "where did Ana live before Oslo?"; blank where none is named. `thing` is the
    key of another subject, whose date is asked for: `dentist-appointment` in "when is my dentist appointment?".
    """

    subject_key: str
    attributes: tuple[str, ...]
    is_all: bool = True
    is_current: bool = True
    before: str = ""
    thing: str = ""


_AUXILIARY: Final = r"(?:does|did|do|has|had|have|is|am|are|was|were|will|would)"
_ADVERB: Final = r"(?:\s+(?:now|currently|still|presently))?"
_SUBJECT: Final = r"(?P<subject>[^\W\d_][^,;:!?()]{0,60}?)"
_END: Final = (
    r"(?:\s+(?:now|currently|at\s+the\s+moment|today|these\s+days|then|back\s+then|nowadays|"
    r"(?P<earlier>before|previously|earlier|formerly|originally)|"
    r"(?P<further>(?:in|on|at|since|as\s+of|before|after|during)\s+[^?]{2,40})))?\s*\??$"
)
_WHO: Final = r"(?:who|whom)"
_WHICH: Final = r"(?:which|what)(?:\s+\w+){1,3}?"
_PLACE: Final = r"(?:where|(?:in\s+)?(?:which|what)\s+(?:city|town|country|place|village))"
_LIVE: Final = r"(?:live|living|reside|based|moved?|relocated?)(?:\s+(?:in|to))?"
_WORK: Final = r"(?:work|working|employed)"
_DUE: Final = r"(?:scheduled|due|planned|postponed|rescheduled)(?:\s+for)?"
_DOES: Final = rf"{_AUXILIARY}\s+{_SUBJECT}{_ADVERB}"
_FORMS: Final = (
    ("residence", rf"{_PLACE}\s+{_DOES}\s+{_LIVE}"),
    ("employer", rf"where\s+{_DOES}\s+{_WORK}(?:\s+(?:at|for))?"),
    ("employer", rf"(?:for\s+)?(?:{_WHO}|{_WHICH})\s+{_DOES}\s+{_WORK}\s+(?:at|for|by)"),
    ("employer", rf"(?:who|{_WHICH})\s+(?:employs|employed)\s+{_SUBJECT}"),
    ("role", rf"what\s+{_DOES}\s+work(?:ing)?\s+as"),
    ("job", rf"what\s+{_DOES}\s+do(?:ing)?\s+for\s+a\s+living"),
    ("allergy", rf"(?:to\s+)?what\s+{_DOES}\s+allergic(?:\s+to)?"),
    ("language", rf"(?:which|what)\s+languages?\s+{_DOES}\s+speak"),
    ("manager", rf"(?:to\s+)?{_WHO}\s+{_DOES}\s+report(?:ing)?(?:\s+to)?"),
    ("manager", rf"who\s+manage[sd]\s+{_SUBJECT}"),
    ("owner", rf"who\s+(?:owns|owned|maintains|maintained)\s+{_SUBJECT}"),
    ("owner", rf"{_WHO}\s+{_DOES}\s+(?:owned|maintained)\s+by"),
    ("spouse", rf"(?:to\s+)?{_WHO}\s+{_DOES}\s+married(?:\s+to)?"),
    ("date", rf"when\s+{_DOES}\s+{_DUE}"),
    ("price", rf"(?:how\s+much|what)\s+{_DOES}\s+cost"),
    ("uses", rf"(?:what|(?:which|what)(?:\s+(?!(?:version|release|edition|of)\b)\w+){{1,3}}?)\s+{_DOES}\s+use"),
)
_WIDER: Final = {"residence": ("residence", "location"), "job": ("job", "role", "employer")}
"""What answers a question of this form as well."""
_QUESTIONS: Final = tuple((name, re.compile(rf"^{form}{_END}", re.IGNORECASE)) for name, form in _FORMS)
_IS: Final = r"(?:what|who|which|when|where|how\s+much)\s*(?:['’]s|\s+(?:is|was|are|were))"
_WHEN: Final = re.compile(r"when\b.*\bthe user['’]s\b", re.IGNORECASE)
_NAMED: Final = (
    re.compile(
        rf"^{_IS}\s+(?P<subject>[^\W\d_][^,;:!?()]{{0,60}}?)['’]s\s+(?P<attribute>[a-z][\w -]{{1,30}}?){_END}",
        re.IGNORECASE,
    ),
    re.compile(
        rf"^{_IS}\s+the\s+(?P<attribute>[a-z][\w -]{{1,30}}?)\s+of\s+(?P<subject>[^,;:!?()]{{1,60}}?){_END}",
        re.IGNORECASE,
    ),
)
_THING: Final = re.compile(
    rf"^(?:(?P<when>when)(?:['’]s|\s+(?:is|was|will))|(?:what|how\s+(?:much|high|long|big))(?:['’]s|\s+(?:is|was|are)))\s+(?:the|this)\s+"
    rf"(?P<thing>[^\W\d_][^,;:!?()'’]{{1,60}}?)(?:\s+be)?{_END}",
    re.IGNORECASE,
)
"""`When is the exam?`, `What is the refund limit?`."""
_SYNONYMS: Final = {
    "home": ("residence", "address"),
    "home-town": ("residence",),
    "city": ("residence",),
    "company": ("employer",),
    "job": ("role", "employer"),
    "position": ("role",),
    "boss": ("manager",),
    "manager": ("boss",),
    "maintainer": ("owner",),
    "husband": ("spouse",),
    "allergies": ("allergy",),
    "languages": ("language",),
    "wife": ("spouse",),
    "cost": ("price",),
    "deadline": ("date", "due-date"),
    "due-date": ("date",),
    "phone": ("phone-number",),
    "telephone-number": ("phone-number",),
    "number": ("phone-number",),
}
_SELF: Final = re.compile(r"(?<!tell )(?<!give )(?<!show )\b(?:I|me|we|us)\b(?!['’])", re.IGNORECASE)
_OWNER: Final = re.compile(r"\b(?:my|our)\b", re.IGNORECASE)
"""Who asks is whom extraction calls the user."""
_CAPITALISED: Final = re.compile(r"[A-Z][\w-]*(?:\s+[A-Z][\w-]*)*")
_WORDS: Final = re.compile(r"[^\W_][\w-]+")
_CUES: Final = {
    word: attribute
    for attribute, cues in {
        "residence": "live lives lived living home hometown reside resides residence based",
        "employer": "employer employers employs employed company firm",
        "manager": "boss manager manages managed reports report",
        "owner": "owner owns owned maintainer maintains maintained",
        "spouse": "husband wife spouse married",
        "price": "price cost costs priced",
        "phone-number": "phone telephone",
    }.items()
    for word in cues.split()
}
_OTHERWISE: Final = re.compile(
    r"^(?:since\s+)?(?:when|why|how\s+(?:long|many|often))\b|\bfor\s+a\s+living\b"
    r"|\b(?:live[sd]?|living)\s+with\b|\bwith\s+whom\b"
    r"|\b(?:reports?|reported|reporting)\s+to\s+(?-i:[A-Z])|\b(?:managed|employed|owned|maintained)\s+by\s+(?-i:[A-Z])"
    r"|\b(?:which|what)\s+(?:tele)?phone\b(?!\s+number)",
    re.IGNORECASE,
)
"""Cues that ask for something else: a time (`when did Ana get married?`), the other side (`who reports to Ana?`), whom
somebody lives with, a job (`for a living`), a thing (`which phone does Ana have?`)."""
_FILLERS_LIST: Final = """
    city town country place village name number current currently present presently now new tell know called today
    nowadays
"""
_FILLERS: Final = frozenset(_FILLERS_LIST.split())
_LEADING: Final = re.compile(r"^(?:new|current|present|latest|(?P<earlier>old|former|previous|earlier))-")
_DEDUCTED: Final = r"VAT|GST|HST|MwSt|(?:sales\s+|income\s+)?tax(?:es)?|discounts?|deductions?"
NO_VALUE: Final = rf"(?:{MONTH}|{WEEKDAY}|Christmas|Easter|{_DEDUCTED})\b"
"""Behind `before`: a time, or what is deducted or added (`cost before VAT`)."""
_BEFORE: Final = re.compile(
    rf"before\s+(?!{NO_VALUE})(?P<value>(?-i:[A-Z])[\w'’.-]*(?:\s+(?-i:[A-Z])[\w'’.-]*){{0,3}})",
    re.IGNORECASE,
)
"""The value before which another one held."""


def asked_fact(question: str) -> AskedFact | None:
    """The attribute and subject that a question asks for; None without an attribute or without a named subject."""
    plain = " ".join(question.split())
    if len(plain) > MAX_CHARACTERS:
        return None
    if other := asked_in_german(plain) or asked_in_romance(composed(plain)):
        asked = _asked(other.subject, other.attributes)
        return asked and asked._replace(before=other.before, is_all=not other.earlier, is_current=not other.earlier)
    text = _OWNER.sub("the user's", _SELF.sub("the user", plain))
    for form in _NAMED:
        match = form.match(text)
        if match:
            asked = _asked_by(match, _attributes(match["attribute"]))
            if asked and _WHEN.match(text):
                asked = asked._replace(attributes=(*asked.attributes, "date"), thing=asked.attributes[0])
            former = _LEADING.match(slug(match["attribute"]))
            return asked._replace(is_all=False, is_current=False) if asked and former and former["earlier"] else asked
    for attribute, form in _QUESTIONS:
        match = form.match(text)
        if match:
            return _asked_by(match, _WIDER.get(attribute, (attribute,)))
    return _of_thing(text) or _by_cues(text)


def _of_thing(text: str) -> AskedFact | None:
    """A question for the date of a thing, or for an amount or the like that is named after it."""
    match = _THING.match(text)
    if match is None:
        return None
    subject, attribute = (match["thing"], "date") if match["when"] else owned_attribute(match["thing"]) or ("", "")
    asked = _asked(subject, (attribute,))
    is_current = match["earlier"] is None
    return asked and asked._replace(is_all=is_current and match["further"] is None, is_current=is_current)


def _by_cues(text: str) -> AskedFact | None:
    """A question of nothing but one name, words for one attribute, and function words: "in what town is Ana's home?"."""
    if _OTHERWISE.search(text):
        return None
    runs: list[list[str]] = [
        kept
        for run in _CAPITALISED.findall(text)
        if (kept := [word for word in run.split() if word.lower() not in COMMON_WORDS])
    ]
    if len(runs) != 1:
        return None
    words = [word for word in map(str.lower, _WORDS.findall(text)) if word not in COMMON_WORDS]
    rest = [word for word in words if word not in {name.lower() for name in runs[0]}]
    asked = {_CUES.get(word) for word in rest if word not in _FILLERS}
    if len(asked) != 1 or None in asked:
        return None
    return _asked(" ".join(runs[0]), tuple(attribute for attribute in asked if attribute))


def _asked_by(match: re.Match[str], attributes: tuple[str, ...]) -> AskedFact | None:
    asked = _asked(match["subject"], attributes)
    if asked is None:
        return None
    before = _BEFORE.fullmatch(match["further"] or "")
    is_current = match["earlier"] is None
    is_all = is_current and (before is not None or match["further"] is None) and attributes != ("uses",)
    return asked._replace(is_all=is_all, is_current=is_current, before=before["value"].casefold() if before else "")


def _asked(subject: str, attributes: tuple[str, ...]) -> AskedFact | None:
    key = slug(without_determiner(subject))
    return AskedFact(key, attributes) if key else None


def _attributes(named: str) -> tuple[str, ...]:
    """The attributes that a noun phrase names."""
    attribute = _LEADING.sub("", slug(named))
    return (attribute, *_SYNONYMS.get(attribute, ()))


def stated_shares(asked: AskedFact | None, statements: Sequence[DatedStatement | None], valid_at: int) -> list[float]:
    """How well each row answers the question at a moment; a statement is None for a row that does not answer it.

    An attribute with one value at a time: 1 for the row that is current among those whose period had begun by then
    (`succession.current`), 0 for all others. Other attributes: 0.5 for each row whose period had begun. Where an earlier
    value is asked for, the same, but for 1 for the last one before the current row.
    """
    begun = [one for one in statements if one is not None and one.since <= valid_at]
    if asked is None or not begun:
        return [0.0] * len(statements)
    last = current(begun)
    if any(attribute in COEXISTING for attribute in asked.attributes):
        answer, other = None, 0.5
    elif asked.is_current:
        answer, other = last, 0.0
    else:
        answer, other = current(one for one in begun if one != last), 0.5
    return [_share(one, answer, other if one in begun else 0.0) for one in statements]


def _share(statement: DatedStatement | None, answer: DatedStatement | None, other: float) -> float:
    return 1.0 if statement is not None and statement == answer else other
