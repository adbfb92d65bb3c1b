"""Sentences by which speakers correct what they have just said, in languages other than English.

A correction names a value, and maybe the one that it replaces: a day, a weekday, a time of day, an amount, or, beside the one
that it replaces, a name. `No, perdón, el martes`, `Je voulais dire mardi`, `Nein, doch am 4. Dezember`.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

MAX_READ: Final = 120
"""Characters of a correction; a longer sentence is not one."""
AMOUNT: Final = r"\d+(?:[.,]\d+)*"
_NUMBER: Final = re.compile(AMOUNT)
_MARKS: Final = " ,;:.!–—-"
_UNIT_CHARACTERS: Final = 4


class SpokenCorrection(NamedTuple):
    """The value that holds, its sort (`name` for another word), the one that it replaces (blank if not named).

    `clear`: the words can only correct, so that it is no answer to a question either. `text`: the value with what is said of it.
    """

    new: str
    sort: str
    old: str
    clear: bool
    text: str


@dataclass(frozen=True)
class CorrectionForms:
    """How a language corrects; patterns have no groups, and read the text that `folded` returns, of the same length."""

    sorts: Mapping[str, str]
    """What values of a sort look like: `day`, `weekday`, `clock`, `month` and `amount`."""
    refusal: str
    fault: str
    meant: str
    still: str
    be: str
    before: str
    """What may stand before a value."""
    instead: str
    """What stands between the value that holds and the one that does not."""
    but_not: str
    """The same after a comma."""
    closing: str
    """Words after a correction that say nothing."""
    name: str
    unit: re.Pattern[str]
    """The beginning of what a number counts."""
    units: Mapping[str, str]
    """Other ways to write a unit."""
    mark: str
    """Before a correction in words."""
    folded: Callable[[str], str] = str

    @cached_property
    def _any(self) -> str:
        return "|".join(f"(?P<{sort}>{form})" for sort, form in self.sorts.items())

    @cached_property
    def _values(self) -> re.Pattern[str]:
        return re.compile(rf"(?<![\w.,:])(?:{self._any})", re.IGNORECASE)

    @cached_property
    def _opens(self) -> re.Pattern[str]:
        return re.compile(f"{self.refusal}|{self.fault}", re.IGNORECASE)

    @cached_property
    def _signs(self) -> re.Pattern[str]:
        return re.compile(rf"\b(?:{self.refusal}|{self.fault}|{self.meant})(?!\w)", re.IGNORECASE)

    @cached_property
    def _correction(self) -> re.Pattern[str]:
        end = (
            rf"(?: (?:{self.instead}) (?P<old>[^,.;!?]{{1,40}})|, (?:{self.but_not}) (?P<other>[^,.;!?]{{1,40}}))?"
            rf"(?:,? (?:{self.closing}))*[\s.!…]*\Z"
        )
        return re.compile(
            rf"(?:(?P<opening>{self.refusal}|(?P<fault>{self.fault}))[\s,;:.!–—-]+)?(?P<meant>{self.meant}[:,]? )?(?P<still>{self.still} )?(?:{self.be})?(?:{self.still} )?"
            rf"{self.before}(?P<new>{self._any}|{self.name})(?: (?P<hour>{self.before}{self.sorts['clock']}))?{end}",
            re.IGNORECASE,
        )

    @cached_property
    def _leading(self) -> re.Pattern[str]:
        return re.compile(rf"\A{self.before}", re.IGNORECASE)

    def may_correct(self, text: str) -> bool:
        """Whether a text has words with which corrections begin."""
        return self._signs.search(self.folded(text)) is not None

    def found_in(self, message_sentences: Sequence[str]) -> Iterator[tuple[int, SpokenCorrection]]:
        """The corrections among the sentences of a message with their places; `No.` before one belongs to it."""
        opening = ""
        for index, sentence in enumerate(message_sentences):
            found = self._read(f"{opening}{sentence}".strip()) if len(sentence) <= MAX_READ else None
            alone = sentence.strip(_MARKS)
            opening = f"{alone}, " if self._opens.fullmatch(self.folded(alone)) else ""
            if found:
                yield index, found

    def _read(self, sentence: str) -> SpokenCorrection | None:
        match = self._correction.match(self.folded(sentence))
        if match is None:
            return None

        def words(group: str) -> str:
            return sentence[match.start(group) : match.end(group)] if match[group] else ""

        sort = next((name for name in self.sorts if match[name]), "name")
        old = (words("old") or words("other")).strip()
        clear = bool(
            match["fault"] or match["meant"] or (match["still"] and match["opening"]) or (match["opening"] and old)
        )
        if not (match["opening"] or match["meant"]) or (sort == "name" and not old):
            return None
        new, hour = words("new"), words("hour")
        bare = old[self._leading.match(self.folded(old)).end() :] if old else ""  # type: ignore[union-attr]
        return SpokenCorrection(new, sort, bare, clear, f"{new} {hour}" if hour else new)

    def corrected(self, sentence: str, correction: SpokenCorrection) -> str | None:
        """The sentence with the value that holds; None where it has no value, or several values, of that sort, or has the new one.

        A day beside its weekday cannot be replaced alone, so the correction follows in words.
        """
        values = [(found.lastgroup, found.span()) for found in self._values.finditer(self.folded(sentence))]
        spans = [
            (start, end)
            for sort, (start, end) in values
            if sort == correction.sort and (not correction.old or correction.old in sentence[start:end])
        ]
        if correction.sort == "name":
            spans = [found.span() for found in re.finditer(rf"\b{re.escape(correction.old)}\b", sentence)]
        if len(spans) != 1 or _has(sentence, correction.new):
            return None
        ((start, end),) = spans
        if {"day", "weekday"} <= {sort for sort, _ in values} and correction.sort in {"day", "weekday"}:
            return f"{sentence.rstrip('.! ')}. {self.mark}: {correction.text}."
        if correction.sort == "amount":
            return self._with_amount(sentence, start, end, correction.text)
        return f"{sentence[:start]}{correction.text}{sentence[end:]}"

    def _with_amount(self, sentence: str, start: int, end: int, amount: str) -> str | None:
        """The sentence with another amount between two places, of which the unit is kept; None where it counts something else."""
        number, new = _NUMBER.match(sentence[start:end]), _NUMBER.match(amount)
        if number is None or new is None:
            return None
        unit, new_unit = sentence[start + number.end() : end].strip(), amount[new.end() :].strip()
        if not (new_unit and self.unit.match(unit)):
            end = start + number.end()
        elif self._unit_key(unit) != self._unit_key(new_unit):
            return None
        return f"{sentence[:start]}{amount}{sentence[end:]}"

    def _unit_key(self, unit: str) -> str:
        """The same for the forms of one unit: `Kind` and `Kinder`, `€` and `Euro`."""
        folded = unit.casefold()
        return self.units.get(folded, folded)[:_UNIT_CHARACTERS]

    def values_of(self, text: str, sort: str) -> frozenset[str]:
        """The values of a sort in a text, in lower case."""
        found = self._values.finditer(self.folded(text))
        return frozenset(text[one.start() : one.end()].casefold() for one in found if one.lastgroup == sort)


def _has(sentence: str, value: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", sentence, re.IGNORECASE) is not None
