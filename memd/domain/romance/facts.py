"""Facts that a sentence in a Romance language states: residence, employer, people, diet, favourites, appointments.

Who is meant by a pronoun is not known, so such a sentence states nothing, nor does one that is in doubt, conditional or
reported. A lone word after `es` may be a profession, so it is nobody's name; two sisters may both be `mi hermana`, so what one
without a name does is not compared.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from memd.domain.dates.months import MONTHS
from memd.domain.dates.weekdays import WEEKDAYS
from memd.domain.romance.fact_forms import FactForms, VerbForm
from memd.domain.romance.languages import FACTS, FORMS
from memd.domain.romance.places import is_wide, may_be_town, may_employ
from memd.domain.romance.text import plain
from memd.domain.text.stated import USER, StatedValue, diet
from memd.domain.text_analysis.detection import detect
from memd.domain.text_analysis.language import Language
from memd.domain.text_analysis.tokens import tokens

MAX_READ: Final = 240
"""Characters of a sentence that are read."""
_MAX_CLAUSES: Final = 6
_SEVERAL: Final = frozenset({"sister", "brother", "son", "daughter", "dog", "cat", "dentist", "doctor"})
"""People and pets of whom somebody may have several."""
_NO_NAMES: Final = """
    el ella ello usted uno una nadie alguien todo todos toda todas cada quien que cual este esta ese esa aquel aquella otro otra
    eso esto je tu nous vous on io tu noi voi yo nosotros eu nos il elle on ce cela ca qui personne chacun tout tous toute cette lui lei egli nessuno qualcuno tutto tutti ogni chi
    che questo questa quello quella ele ela voce ninguem alguem tudo quem isso isto este esta gente hoy aujourd'hui oggi hoje
    ahora maintenant adesso ora agora donde ou dove onde como comment come cuando quand quando ya non no ne si aqui ici qui la
"""
_NOT_SUBJECTS: Final = frozenset(_NO_NAMES.split())
_NOTHING: Final = frozenset({"nada", "nadie", "rien", "nulla", "niente", "tout", "todo", "tudo", "tutto"})
_NO_ROLES: Final = """
    noche dia manana tarde siempre antes loco loca burro burra mula negro negra
    un una une uno tu tous toujours avant nuit fou folle um uma sempre prima noite dia tarde bestia matto pazza todos ahora yo tal
"""
_NOT_ROLES: Final = frozenset([*_NO_ROLES.split(), *FACTS[Language.SPANISH].words.weekdays.split()])
_ACCENT: Final = frozenset("èéÈÉ")
_BLANKS: Final = re.compile(r"[ ./()-]+")


def romance_facts(sentence: str) -> list[StatedValue]:
    """The facts that a sentence states, in order; none for one in another language, and for a question."""
    if len(sentence) > MAX_READ or sentence.endswith("?"):
        return []
    text = " ".join(sentence.split())
    folded = plain(text)
    for language, forms in FACTS.items():
        if forms.cue.search(folded) and (found := _read(language, forms, text, folded)):
            return found
    return []


def _read(language: Language, forms: FactForms, text: str, folded: str) -> list[StatedValue]:
    open_forms = (FORMS[language].doubt, FORMS[language].reported)
    if any(form.search(folded) for form in open_forms):
        return []
    found = dict.fromkeys(
        one
        for start in _starts(forms, folded)
        for one in _of_clause(forms, text[start:], folded[start:], is_first=start == 0)
    )
    return list(found) if found and detect(tokens(text), language) is language else []


def _starts(forms: FactForms, folded: str) -> list[int]:
    return [0, *(joint.end() for joint in forms.joint.finditer(folded))][:_MAX_CLAUSES]


def _of_clause(forms: FactForms, text: str, folded: str, *, is_first: bool) -> Iterator[StatedValue]:
    seen: set[str] = set()
    for verb in reversed(forms.verbs):
        if (is_first or verb.of_user) and (match := verb.pattern.match(folded)) and (one := _told(verb, match, text)):
            if verb.attribute not in seen:
                yield one
            seen.add(verb.attribute)
    if not seen and (found := _owned(forms, text, folded) or _dated(forms, text, folded)):
        yield found


def _told(verb: VerbForm, match: re.Match[str], text: str) -> StatedValue | None:
    """What the verb of a clause states; None where it names nobody, or no such value."""
    attribute, value = verb.attribute, _span(match, text, "value")
    known = match["value"].lower()
    subject = USER if verb.of_user else _somebody(match, text)
    if subject is None or known in _NOTHING or (match["value"][:1].islower() and not _may_be_lower(attribute, text)):
        return None
    if attribute in {"residence", "employer"} and not (may_be_town(known) and _is_place(attribute, known)):
        return None
    if attribute == "role" and known.split()[0] in _NOT_ROLES:
        return None
    if attribute == "residence" and is_wide(known):
        attribute = "country"
    if attribute == "diet":
        value = diet(known)
    return StatedValue(subject, attribute, value, verb.changed or _is_new(match), verb.denied)


def _is_place(attribute: str, known: str) -> bool:
    return attribute == "residence" or may_employ(known)


def _may_be_lower(attribute: str, text: str) -> bool:
    """Whether a value may be in lower case: a place is in a message without any capital."""
    return attribute not in {"residence", "employer"} or text.islower()


def _somebody(match: re.Match[str], text: str) -> str | None:
    """Whom a verb in the third person is about."""
    if match["subject"]:
        words = match["subject"].lower().split()
        return None if words[0] in _NOT_SUBJECTS else _span(match, text, "subject")
    if match["name"]:
        return _span(match, text, "name")
    return None


def _owned(forms: FactForms, text: str, folded: str) -> StatedValue | None:
    """Somebody or something of the author: a person, their own name, a favourite, a number, an address."""
    people, favourites, phones = forms.words.people, forms.words.favourites, forms.words.phone
    if (match := forms.called.match(folded)) and (match["value"] or _is_verb(match, text)):
        name = _span(match, text, "value" if match["value"] else "full")
        is_name = match["value"] is not None or len(name.split()) > 1
        return _of_user(people[match["noun"].lower()], name, match) if is_name else None
    if (match := forms.holder.match(folded)) and _is_verb(match, text):
        is_name = match["value"].lower().split()[0] not in _NOT_SUBJECTS
        return _of_user(people[match["noun"].lower()], _span(match, text, "value"), match) if is_name else None
    if (match := forms.favourite.match(folded)) and _is_verb(match, text):
        return _of_user(f"favorite-{favourites[match['noun'].lower()]}", _span(match, text, "value"), match)
    if match := forms.phone.match(folded):
        return _of_user(phones[match["noun"].lower()], _BLANKS.sub("", match["value"]), match)
    for attribute, form in (("name", forms.own_name), ("email", forms.mail)):
        if match := form.match(folded):
            return _of_user(attribute, _span(match, text, "value"), match)
    return None


def _of_user(attribute: str, value: str, match: re.Match[str]) -> StatedValue:
    return StatedValue(USER, attribute, value, _is_new(match))


def _dated(forms: FactForms, text: str, folded: str) -> StatedValue | None:
    """The day of an appointment, a deadline or a birthday; denied where the appointment does not take place."""
    if off := forms.cancelled.match(folded):
        day = read_romance_day(forms, off["value"])
        return StatedValue(_span(off, text, "thing"), "date", day, True, True) if day else None
    match = forms.dated.match(folded)
    day = match and read_romance_day(forms, folded[match.end() :])
    if match is None or not day or not (match["moved"] or match["had"] or _is_verb(match, text)):
        return None
    subject = "birthday" if match["birthday"] else _span(match, text, "had" if match["had"] else "thing")
    return StatedValue(subject, "date", day, bool(match["moved"]))


def is_romance_meeting(subject: str) -> bool:
    """Whether a subject is a meeting, a journey or the like, of which there may be others: `cita con el dentista`."""
    folded = plain(subject)
    return any(forms.meeting.match(folded) for forms in FACTS.values())


def read_romance_day(forms: FactForms, folded: str) -> str | None:
    """The day with which a text begins, as English writes it: `3 May 2026`, `Monday`."""
    match = forms.day.match(folded)
    if match is None:
        return None
    if match["weekday"]:
        return WEEKDAYS[forms.words.weekdays.split().index(match["weekday"].lower())].capitalize()
    month = MONTHS[forms.words.months.split().index(match["month"].lower())]
    return f"{int(match['number'])} {month} {match['year'] or ''}".rstrip()


def _is_new(match: re.Match[str]) -> bool:
    """Whether the words say that the value is new."""
    named: Mapping[str, str | None] = match.groupdict()
    return any(named.get(group) for group in ("now", "then", "new", "newer"))


def _is_verb(match: re.Match[str], text: str) -> bool:
    """Whether `e` is the verb `è` or `é`: without its accent it means "and"."""
    named: Mapping[str, str | None] = match.groupdict()
    if named.get("be") != "e":
        return True
    return text[match.start("be")] in _ACCENT


def _span(match: re.Match[str], text: str, group: str) -> str:
    """The words of a group as they were written, with their accents."""
    return text[match.start(group) : match.end(group)].strip(" .,")
