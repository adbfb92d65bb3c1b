"""Whether a question asks for an earlier value: "where was it hosted before?", "who was the first owner?" (English, German)."""

import re
from typing import Final

from memd.domain.german.tenses import is_german_past
from memd.domain.questions.facts import NO_VALUE, AskedFact
from memd.domain.text.alternatives import any_of, either

_EARLIER: Final = any_of(
    r"""
    previous(?:ly)? former(?:ly)? earlier original(?:ly)?(?!_of\b) initial(?:ly)? at_first back_then in_the_past
    (?:my|our|'s|’s)_old (?<!\bis_)(?<!\bare_)(?<!\bbe_)(?<!\bgetting_)used_to did_(?:\w+_){1,2}?use_to_(?:be|have|live|work)
    before(?=\W{0,3}\Z)
    antes(?!_(?:de|del|que)\b) anterior(?:es|mente)? previamente avant(?=\W{0,3}\Z) auparavant autrefois précédent(?:e|s|es)? ancien(?:s|ne|nes)?
    früher\w* vorher(?:ige[nrs]?)? vorige[nrs]? zuvor zuerst ursprünglich\w* ehemalig\w* damals anfangs
    """
)
"""Words that say so in any tense; "before" only at the end, as in "what is due before the audit?" it is a limit."""
_IN_THE_PAST: Final = any_of(
    rf"""
    first(?!_names?\b) once (?<!how_)old older oldest history before(?=_)(?!_(?:\d|{NO_VALUE}))
    erste[nrs]? alte[nrs]? bisherige[nrs]? davor vor(?=_)(?!_(?:\d|allem\b|{NO_VALUE}))
    """
)
"""Words that say so in a question in the past tense: "what was our first provider?", but not "what do I do first?"."""
_PAST_TENSE: Final = re.compile(
    r"\b(?:(?:(?!\A)was|were|did|had|hieß(?:en)?|wurden?)\b"
    r"|(?:habe?n?|hat)\b(?!.{0,80}\bzu\b).{0,80}\w{3}(?:t|en)\W{0,3}\Z"
    r"|\w{2,}(?:aba|abas|aban|ábamos|ait|aient)\b|era|eran|tenía|teníamos|tenían|había|vivía|vivían)",
    re.IGNORECASE,
)
"""A verb in the past, or a German participle at the end; at the beginning, "was" may be the German "what"."""
_ADVICE: Final = re.compile(
    rf"\b{any_of('can could should shall must may kann können soll sollen sollte muss müssen darf')}\b(?! you\b)",
    re.IGNORECASE,
)
"""What to do, or what is possible, is asked of the present: "can the meeting be earlier?", "was soll ich zuerst tun?"."""
_MATCH: Final = re.compile(rf"\b{_EARLIER}(?!\w)", re.IGNORECASE)
_MATCH_IN_PAST_TENSE: Final = re.compile(rf"\b{either(_EARLIER, _IN_THE_PAST)}(?!\w)", re.IGNORECASE)


def asks_for_earlier(question: str, fact: AskedFact | None) -> bool:
    """Whether a question, and the fact that it asks for (`asked_fact`, every language), ask for a value that held before the current one."""
    if fact is not None and (fact.before or not fact.is_current):
        return True
    if _ADVICE.search(question):
        return False
    return names_earlier(question) if is_in_past_tense(question) else _MATCH.search(question) is not None


def names_earlier(text: str) -> bool:
    """Whether a text about the past has a word for what was before."""
    return _MATCH_IN_PAST_TENSE.search(text) is not None


def is_in_past_tense(question: str) -> bool:
    """Whether a question has a verb in the past tense (English, German, and the imperfect of Spanish and French)."""
    return _PAST_TENSE.search(question) is not None or is_german_past(question)
