"""The attribute of which subject a Romance question asks for, for `memd.domain.questions.facts`: `¿Dónde vivo?`."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final, NamedTuple

from memd.domain.romance.fact_forms import longest_first
from memd.domain.romance.languages import FACTS
from memd.domain.romance.text import plain
from memd.domain.romance.vocabulary import CAPITALISED, NAME, Vocabulary
from memd.domain.text.stated import USER, AskedValue
from memd.domain.text_analysis.language import Language

_NUMBERS: Final = ("phone-number", "mobile-number")


class _Questions(NamedTuple):
    """The patterns of a language; `attributes` those of questions without a noun that names one."""

    attributes: tuple[tuple[tuple[str, ...], re.Pattern[str]], ...]
    person: re.Pattern[str]
    thing: re.Pattern[str]
    day: re.Pattern[str]


def asked_in_romance(question: str) -> AskedValue | None:
    """What a question asks for; None where it is no question for a fact. The first person is the user."""
    text = question.strip(" ¿?¡!")
    folded = plain(text)
    for language, forms in FACTS.items():
        if asked := _asked(_questions(language), forms.words, text, folded):
            return asked
    return None


def _asked(questions: _Questions, words: Vocabulary, text: str, folded: str) -> AskedValue | None:
    for attributes, form in questions.attributes:
        if match := form.match(folded):
            subject = _subject(match, text)
            return AskedValue(subject, attributes, *_earlier(match, text)) if subject else None
    if match := questions.person.match(folded):
        return AskedValue(USER, (words.people[match["noun"].lower()],), *_earlier(match, text))
    if match := questions.thing.match(folded):
        return AskedValue(USER, _of_thing(words, match), *_earlier(match, text))
    if match := questions.day.match(folded):
        return AskedValue("birthday" if match["birthday"] else _words(match, text, "thing"), ("date",))
    return None


def _of_thing(words: Vocabulary, match: re.Match[str]) -> tuple[str, ...]:
    if match["favourite"]:
        return (f"favorite-{words.favourites[match['favourite'].lower()]}",)
    return _NUMBERS if match["phone"] else ("email", "e-mail-address")


def _subject(match: re.Match[str], text: str) -> str:
    named: Mapping[str, str | None] = match.groupdict()
    return _words(match, text, "who") if named.get("who") else USER


def _earlier(match: re.Match[str], text: str) -> tuple[str, bool]:
    """The value before which another one is asked for, and whether an earlier one is asked for without naming it."""
    named: Mapping[str, str | None] = match.groupdict()
    if named.get("before"):
        return _words(match, text, "before").casefold(), False
    return "", bool(named.get("past") or named.get("earlier"))


def _words(match: re.Match[str], text: str, group: str) -> str:
    """The words of a group with their accents."""
    return text[match.start(group) : match.end(group)]


@cache
def _questions(language: Language) -> _Questions:
    words = FACTS[language].words
    before = rf"{words.before} ?(?P<before>{CAPITALISED}(?: (?:de |del |da |do )?{CAPITALISED}){{0,2}})"
    end = rf"(?: (?:{words.now}|{words.still}|(?P<earlier>{words.was})|{before})){{0,2}}\W*\Z"
    whom = rf"(?: {words.of_whom} [^,.;:!?]{{1,40}}?)?"
    the = rf"(?:{words.my}|{words.article.removesuffix('?')})"

    def compiled(pattern: str) -> re.Pattern[str]:
        return re.compile(pattern, re.IGNORECASE)

    return _Questions(
        tuple(
            (attributes, compiled(form.replace("{who}", rf"{words.article}(?P<who>{NAME})").replace("{end}", end)))
            for attributes, form in words.questions
        ),
        compiled(rf"{words.who_is} {words.my} (?P<noun>{longest_first(words.people)}){end}"),
        compiled(
            rf"{words.what_is} {words.my} (?:(?P<favourite>{longest_first(words.favourites)}) {words.favourite}|(?P<phone>{longest_first(words.phone)})|{words.mail}){end}"
        ),
        compiled(
            rf"{words.when_is} {the} ?(?:(?P<thing>(?:{words.meetings}|{words.deadlines}){whom})|(?P<birthday>{words.birthday}))\W*\Z"
        ),
    )
