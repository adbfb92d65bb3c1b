"""The forms of statements and of questions of a language, made of its vocabulary once."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from memd.domain.romance.vocabulary import NAME, NOUN, PLACE, Vocabulary

_DIET: Final = r"(?P<value>(?:vegetari|vegan|pesce?tari)\w*)(?! (?:los|le|il|la|nos|nas|as|aos|durante|solo|a veces|parfois|a volte|as vezes)\b)"
"""Not only on Mondays."""
_MAIL: Final = r"(?P<value>[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,4})"
_NUMBER: Final = r"(?P<value>\+?\d[\d ./()-]{4,20}\d)"


class VerbForm(NamedTuple):
    """A form of `Verb`; `of_user`: in the first person."""

    attribute: str
    changed: bool
    denied: bool
    of_user: bool
    pattern: re.Pattern[str]


def longest_first(words: Iterable[str]) -> str:
    """One of the words, the longest that matches; without a group."""
    return "|".join(sorted(words, key=len, reverse=True))


@dataclass(frozen=True)
class FactForms:
    """The patterns of a language; each is matched from the beginning of a clause, or of a question."""

    words: Vocabulary

    @cached_property
    def cue(self) -> re.Pattern[str]:
        """Searched for before anything else is tried."""
        return re.compile(self.words.cue, re.IGNORECASE)

    @cached_property
    def verbs(self) -> tuple[VerbForm, ...]:
        """Those of the first and of the third person; who is meant is in `kin` (with `name`) or in `subject`."""
        words = self.words
        somebody = rf"(?:{words.my} (?P<kin>{longest_first(words.people)})(?: (?P<name>{NAME}))?|(?P<subject>{NAME}))"
        made: list[VerbForm] = []
        for attribute, changed, denied, first, third, value in words.verbs:
            rest = rf"(?:,? (?:(?P<then>{words.now})|{words.still})){{0,2}} {self._value(value)}{words.end}"
            made.append(VerbForm(attribute, changed, denied, True, words.compiled(rf"{words.i}{first}{rest}")))
            if third:
                made.append(VerbForm(attribute, changed, denied, False, words.compiled(rf"{somebody} {third}{rest}")))
        return tuple(made)

    def _value(self, pattern: str) -> str:
        noun = NOUN.format(stop=self.words.stop)
        role = rf"(?P<value>(?!(?:{self.words.stop})\b)[\w'-]+(?: (?:(?:de|d'|di|da) ?)?(?!(?:{self.words.stop})\b)[\w'-]+){{0,2}}?)"
        return (
            pattern.replace("{place}", PLACE)
            .replace("{role}", role)
            .replace("{diet}", _DIET)
            .replace("{thing}", f"(?P<value>{noun})")
        )

    @cached_property
    def called(self) -> re.Pattern[str]:
        """`Mi nueva jefa se llama Ana`, `mi jefa es Ana Ruiz`: a lone word after `es` may be no name."""
        words = self.words
        noun = (
            rf"{words.my} (?:(?P<new>{words.new}) )?(?P<noun>{longest_first(words.people)})(?: (?P<newer>{words.new}))?"
        )
        still = rf"(?: (?:{words.now}|{words.still}))?"
        return words.compiled(
            rf"{noun}(?: (?P<then>{words.now}))? (?:{words.called}{still} (?P<value>{NAME})|(?P<be>{words.be}){still} (?P<full>{NAME})){words.end}"
        )

    @cached_property
    def holder(self) -> re.Pattern[str]:
        """`Ana Ruiz es mi nueva jefa`."""
        words = self.words
        return words.compiled(
            rf"(?P<value>{NAME}) (?P<be>{words.be})(?: (?P<then>{words.now}))? {words.my} (?:(?P<new>{words.new}) )?(?P<noun>{longest_first(words.people)})(?: (?P<newer>{words.new}))?{words.end}"
        )

    @cached_property
    def own_name(self) -> re.Pattern[str]:
        """`Me llamo Lucía`."""
        return self.words.compiled(rf"{self.words.i_am_called} (?P<value>{NAME}){self.words.end}")

    @cached_property
    def favourite(self) -> re.Pattern[str]:
        """`Mi color favorito es el azul`."""
        words = self.words
        value = rf"(?P<value>{NOUN.format(stop=words.stop)})"
        return words.compiled(
            rf"{words.my} (?P<noun>{longest_first(words.favourites)}) {words.favourite} (?P<be>{words.be})(?: (?P<then>{words.now}))? {words.article}{value}{words.end}"
        )

    @cached_property
    def phone(self) -> re.Pattern[str]:
        """`Mi número de teléfono es el 612 345 678`."""
        return self._reached(rf"(?P<noun>{longest_first(self.words.phone)})", rf"(?:(?:el|le|il|lo|o) )?{_NUMBER}")

    @cached_property
    def mail(self) -> re.Pattern[str]:
        """`Mi correo es a@example.org`."""
        return self._reached(self.words.mail, _MAIL)

    def _reached(self, noun: str, value: str) -> re.Pattern[str]:
        words = self.words
        be = rf"(?: (?P<newer>{words.new}))?(?: (?P<be>{words.be})(?: (?P<then>{words.now}))?|:)"
        end = r"(?=\W*\Z|\s*[,;]|\.\s|\s\w)"
        return words.compiled(rf"{words.my} (?:(?P<new>{words.new}) )?{noun}{be} {value}{end}")

    @cached_property
    def meeting(self) -> re.Pattern[str]:
        """The beginning of the name of a meeting."""
        return re.compile(rf"{self.words.meetings}\b", re.IGNORECASE)

    @cached_property
    def day(self) -> re.Pattern[str]:
        """A day of a month, or of the week."""
        words = self.words
        return re.compile(
            rf"(?:{words.on} )?(?:(?:{longest_first(words.weekdays.split())}),? (?:{words.on} )?)?(?P<number>\d{{1,2}})(?:er|ro|o)? (?:{words.of} )?(?P<month>{longest_first(words.months.split())})\b(?: (?:{words.of} )?(?P<year>(?:19|20)\d\d)\b)?"
            rf"|(?:{words.on} )(?P<weekday>{longest_first(words.weekdays.split())})\b",
            re.IGNORECASE,
        )

    @cached_property
    def dated(self) -> re.Pattern[str]:
        """`Mi cita con el dentista es el`, before a day."""
        words = self.words
        whom = rf"(?: {words.of_whom} [^,.;:!?\d]{{1,40}}?)?"
        the = rf"(?:{words.my}|{words.article.removesuffix('?').strip()})"
        thing = rf"(?P<thing>(?:{words.meetings}|{words.deadlines}){whom}|(?P<birthday>{words.birthday}))"
        moved = rf"(?P<moved>(?: {words.of} [^,.;:!?]{{3,30}}?)? {words.moved})"
        return words.compiled(
            rf"(?:{the} ?{thing}(?:{moved}| (?P<be>{words.be}))|{words.i}{words.have} {words.article}(?P<had>{words.meetings}{whom})) (?=(?:{words.on} )?(?:\d|{longest_first(words.weekdays.split())}))"
        )

    @cached_property
    def cancelled(self) -> re.Pattern[str]:
        """`La cita con el dentista del 3 de mayo se ha cancelado`; the day is in `value`."""
        words = self.words
        whom = rf"(?: {words.of_whom} [^,.;:!?\d]{{1,40}}?)?"
        the = rf"(?:{words.my}|{words.article.removesuffix('?').strip()})"
        return words.compiled(
            rf"{the} ?(?P<thing>{words.meetings}{whom}) (?:{words.of} )?(?P<value>(?:{words.on} )?(?=\d|{longest_first(words.weekdays.split())})[^,.;:!?]{{3,30}}?) {words.cancelled}\b"
        )

    @cached_property
    def joint(self) -> re.Pattern[str]:
        """Where another clause begins."""
        return re.compile(r"\s*[,;]\s+(?:(?:y|e|et|pero|mais|ma|mas) )?|\s+(?:y|e|et|pero|mais|ma|mas)\s+")
