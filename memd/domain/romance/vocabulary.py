"""The words of a Romance language in which its speakers state facts and ask for them, and their patterns.

Everything reads text without accents (`text.plain`); names and values begin with a capital letter.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

CAPITALISED: Final = r"(?-i:[A-Z])[\w'.&-]*\w"
NAME: Final = (
    rf"(?:(?-i:Dr|Dra|Mme|Don|Dona|Doctor|Doctora|Sr|Sra|M)\b\.? )?{CAPITALISED}"
    rf"(?: (?:(?:de|del|da|do|dos|di|la|le|van|von) )?{CAPITALISED}){{0,2}}"
)
PLACE: Final = (
    rf"(?P<value>{CAPITALISED}(?: (?:(?:de|del|de la|de los|di|da|do|du|des|sur|la|las|les|en) )?{CAPITALISED}){{0,3}}"
    r"|\w{3,})"
)
"""A place or a firm; a word in lower case is one only in a message without capitals."""
RESIDENCE: Final = ("residence", "location", "country")
"""The attributes that a question for a home asks for, in each language."""
NOUN: Final = r"[\w'-]+(?: (?!{stop}\b)[\w'-]+){{0,3}}?"


class Verb(NamedTuple):
    """What a verb states: its forms in the first and in the third person, each with all that stands before the value.

    `value` is the rest of the pattern, with the place holders `{place}`, `{role}`, `{diet}` and `{thing}`; `changed` and
    `denied` as in `StatedValue`. A form that is None does not occur.
    """

    attribute: str
    changed: bool
    denied: bool
    first: str
    third: str | None
    value: str


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Patterns without groups, but for `opening`; nouns are mapped to the attributes that they stand for."""

    cue: str
    """A word that every statement of a fact has."""
    opening: str
    """Words before a statement; the group `now` says that it is new, `past` that it happened at a time before."""
    i: str
    my: str
    new: str
    be: str
    called: str
    i_am_called: str
    now: str
    still: str
    article: str
    favourite: str
    people: Mapping[str, str]
    favourites: Mapping[str, str]
    phone: Mapping[str, str]
    mail: str
    stop: str
    """Words with which a value does not go on."""
    verbs: Sequence[Verb]
    months: str
    """Twelve words, in the order of the year."""
    weekdays: str
    """Seven words, from Monday on."""
    on: str
    """What stands before a day."""
    of: str
    """What stands between a day, its month and its year."""
    meetings: str
    deadlines: str
    birthday: str
    have: str
    of_whom: str
    """What stands between a meeting and whom it is with."""
    moved: str
    cancelled: str
    questions: Sequence[tuple[tuple[str, ...], str]]
    """The attributes that a question asks for; `{who}` is whom it asks about, `{end}` what may follow."""
    who_is: str
    what_is: str
    when_is: str
    before: str
    was: str

    def compiled(self, pattern: str) -> re.Pattern[str]:
        """A pattern that is matched from the beginning of a clause, after what may open it."""
        return re.compile(rf"(?:{self.opening},? )?{pattern}", re.IGNORECASE)

    @property
    def end(self) -> str:
        """The end of a value."""
        return rf"(?=\W*\Z|\s*[,;:!?()]|\.\s|\s(?:{self.stop})\b)"
