"""Corrections that restate what somebody does, who does it, or what somebody is called.

"No, she works at Acme", "It's Lars who owns it, not Tomasz", "She's called Mirja, not Mirjam". The first two change an
earlier sentence only if that is one clause with the same verb, and, of a person, with the same fact.
"""

import re
from typing import Final

from memd.domain.distilling.correction import Correction
from memd.domain.distilling.features import content_words
from memd.domain.distilling.pronouns import may_refer_to
from memd.domain.distilling.values import MAX_READ, Sort, Value, whole_value
from memd.domain.facts.facts import Fact, find_facts, without_determiner
from memd.domain.text.clauses import is_one_clause

_WORDS: Final = r"[^\W\d_][^,;:–—]{0,58}?"
_OLD: Final = rf",? (?:and )?not (?P<old>{_WORDS})"
_DOES: Final = r"(?:now |actually |really )?(?P<verb>(?-i:[a-z]+))(?P<rest>(?: [^,;:–—]{1,80}?)?)"
_CLEFT: Final = re.compile(
    rf"(?:it|that)(?:'s| is| was) (?:not (?P<first>{_WORDS}),? but )?(?P<new>{_WORDS}) (?:who|that) {_DOES}(?:{_OLD})?",
    re.IGNORECASE,
)
_NOT_FIRST: Final = re.compile(rf"not (?P<old>{_WORDS}),? but (?P<new>{_WORDS}) {_DOES}", re.IGNORECASE)
_NOT_LAST: Final = re.compile(rf"(?P<new>{_WORDS}) {_DOES}{_OLD}", re.IGNORECASE)
_CALLED: Final = re.compile(
    rf"(?:(?:he|she|it)(?:'s| is)(?: actually| really)? (?:called|named)|(?:his|her|its|the) name(?:'s| is)(?: actually| really)?)"
    rf" (?P<new>{_WORDS}){_OLD}",
    re.IGNORECASE,
)
_OF_PERSON: Final = re.compile(
    r"(?P<pronoun>he|she|they)(?P<be>'s|'re)? (?:now |actually |really )?(?P<predicate>[a-z].*)", re.IGNORECASE
)
_BE: Final = {"'s": "is ", "'re": "are "}
_ADDED: Final = r"too|also|as well|both|still|sometimes|often|usually|mostly|maybe|perhaps|probably|originally"
ADDS: Final = re.compile(rf"\b(?:{_ADDED})\b", re.IGNORECASE)
"""Words by which a sentence leaves an earlier one as it is."""
_NOT_ALL: Final = re.compile(
    rf"\b(?:{_ADDED}|either|or|every|part[- ]time|weekends|\w+days|from|until|till|next|starting|tomorrow|soon)\b",
    re.IGNORECASE,
)
"""Words with which a predicate does not describe the present, or does not replace the earlier one."""
_BEGINNING: Final = r"(?:\A|[,;:] (?:and |but )?)"
_PHRASE: Final = r"(?:(?:[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir|[Tt]he) (?:[a-z-]+ ){0,3})?(?P<name>[^\W\d_a-zß-ÿ][\w'-]*(?: [^\W\d_a-zß-ÿ][\w'-]*){0,2})"
_OWN: Final = re.compile(r"(?:my|our) ", re.IGNORECASE)
_AND: Final = re.compile(r"[,;:]| (?:and|but|or|while) ")
"""Where a sentence may continue about the same one: `owns the API and loves it`."""
_NAMED_VALUES: Final = frozenset({"residence", "employer", "called", "manager", "spouse"})
_WORKS_AT: Final = re.compile(
    r"works? at (?:the|an?) (?!(?:office|company|firm|headquarters|store|shop|site|counter|reception)\Z)(?!.*\b(?:moment|minute|weekend|night|end|time|point|pace|speed|rate|level|age|desk|table|distance|expense|same|front|back|top|bottom|crack|request|behest)\b)[a-z]",
    re.IGNORECASE,
)
"""A place of work without a name: `works at the mill`, but neither `works at the moment` nor `works at the office`, which may be that of the same employer."""
_TIME: Final = re.compile(r"(?: (?:now|currently|since [^,;]{3,20}|in \d{4}))?")
"""Words that may follow the replaced value; a sentence with more words would lose them."""
_WORKS_AS: Final = re.compile(r"works? as an? ", re.IGNORECASE)
_SOMEBODY: Final = "Anna "
"""A subject with which to see what a predicate states."""


def actor_correction(text: str, *, opened: bool) -> Correction | None:
    """The correction of who does something: `It's Lars who owns it, not Tomasz`.

    With a word before it that opens a correction (`opened`), the sentence need not say who does not.
    """
    match = _CLEFT.fullmatch(text) or _NOT_FIRST.fullmatch(text)
    return _of_actor(match, opened=opened) if match else None


def in_plain_order(text: str) -> str:
    """`It's Peter who runs the newsletter` as `Peter runs the newsletter`; any other text as it is."""
    match = _CLEFT.fullmatch(text)
    if match is None or match["first"] or not (_name(match["new"]) or _OWN.match(match["new"])):
        return text
    _who, does = text[match.end("new") :].split(maxsplit=1)
    return f"{match['new'][0].upper()}{match['new'][1:]} {does}"


def predicate_correction(text: str, *, opened: bool, firm: bool) -> Correction | None:
    """The correction of what somebody does: `she works at Acme` after words that open a correction, or `Lars owns it, not Tomasz`."""
    if " not " in text:
        match = _NOT_LAST.fullmatch(text)
        return _of_actor(match, opened=opened) if match else None
    match = _OF_PERSON.fullmatch(text) if opened else None
    if match is None or _NOT_ALL.search(text):
        return None
    predicate = _BE.get((match["be"] or "").lower(), "") + match["predicate"]
    if _definite_fact(_SOMEBODY, predicate) is None:
        return None
    pronoun = match["pronoun"].lower()
    return Correction(
        _whole(Sort.PREDICATE, predicate), "", "", frozenset(), firm, False, text, pronoun=pronoun, predicate=predicate
    )


def name_correction(text: str) -> Correction | None:
    """The correction of a name: `she's called Mirja, not Mirjam`."""
    match = _CALLED.fullmatch(text)
    new, old = (_name(match["new"]), _name(match["old"])) if match else (None, None)
    return Correction(new, "", old.text, frozenset(), firm=True, refuses=False, text=text) if new and old else None


def actors(sentence: str, correction: Correction) -> list[Value]:
    """The words for the one who does in an earlier sentence what somebody else does: `My brother Tomasz`."""
    sentence = in_plain_order(sentence)
    match = re.search(rf"{_BEGINNING}(?P<who>{_PHRASE}) {re.escape(correction.verb)}\b", sentence[:MAX_READ])
    who = match and _name(match["name"])
    if match is None or who is None or _AND.search(sentence, match.end()):
        return []
    if not is_one_clause(sentence[match.start("who") :]):
        return []
    is_old = correction.old in match["name"].split() or correction.old == match["name"]
    right = is_old if correction.old else who.key != correction.new.key
    return [Value(Sort.NAME, match["who"], match.start("who"), match.end("who"), "", "")] if right else []


def predicates(sentence: str, correction: Correction) -> list[Value]:
    """The predicates of an earlier sentence that state the same fact, with another value, about the pronoun's person."""
    new = correction.predicate
    if not new:
        return []
    verb = re.escape(new.split()[0])
    match = re.search(
        rf"{_BEGINNING}(?P<who>(?:[^\W\d_][\w'’-]* ){{1,5}}?)(?P<said>{verb} [^,;:]+?)[.!]*\Z", sentence[:MAX_READ]
    )
    if match is None or not may_refer_to(correction.pronoun, match["who"]):
        return []
    old_fact, new_fact = (_definite_fact(match["who"], predicate) for predicate in (match["said"], new))
    if old_fact is None or new_fact is None or old_fact.value_key == new_fact.value_key:
        return []
    if not _TIME.fullmatch(match["said"].partition(old_fact.value)[2]):
        return []
    same = (old_fact.subject_key, old_fact.attribute) == (new_fact.subject_key, new_fact.attribute)
    return [Value(Sort.PREDICATE, match["said"], *match.span("said"), "", "")] if same else []


def _of_actor(match: re.Match[str], *, opened: bool) -> Correction | None:
    found = match.groupdict()
    old_value = found.get("first") or found["old"]
    new, old = _name(found["new"]), _name(old_value) if old_value else None
    words = content_words(found["verb"] + found["rest"])
    if new is None or not words or (old is None and (old_value or not opened)) or ADDS.search(match.string):
        return None
    named = old.text if old else ""
    return Correction(new, "", named, words, bool(old), False, match.string, verb=found["verb"])


def _definite_fact(subject: str, predicate: str) -> Fact | None:
    """The one fact that a clause states, if its value is a name, a place of work or a job."""
    text = f"{subject}{predicate}"
    facts = [fact for fact in find_facts(text) if fact.attribute in {*_NAMED_VALUES, "role"}]
    if len(facts) != 1 or facts[0].denied or not is_one_clause(text):
        return None
    (fact,) = facts
    if fact.attribute == "role":
        return fact if _WORKS_AS.match(predicate) else None
    is_place = fact.attribute == "employer" and _WORKS_AT.match(predicate)
    return fact if is_place or _name(without_determiner(fact.value)) else None


def _name(words: str) -> Value | None:
    found = whole_value(words)
    return found if found and found.sort is Sort.NAME else None


def _whole(sort: Sort, text: str) -> Value:
    return Value(sort, text, 0, len(text), "", "")
