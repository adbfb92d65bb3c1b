"""A sentence as the clauses in which facts are looked for, each with its subject (English)."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from memd.domain.facts.patterns import ALSO_THEIRS, CONTINUED, FIRST_PERSON, HE_OR_SHE, JOB, MINE, NEW_THING, RAISED
from memd.domain.facts.roles import ALSO_REPORTS
from memd.domain.facts.versions import version_clauses
from memd.domain.text.verbs import third_person

_NEGATED: Final = {"do": "does", "have": "has", "are": "is", "were": "was"}


def of_the_user(sentence: str) -> str:
    """The sentence with "the user" for the first person that it begins with; so questions are read, too (asked_facts)."""
    match = FIRST_PERSON.match(sentence)
    if match is None:
        return MINE.sub(lambda mine: f"{mine['name']} is {mine['now'] or ''}the user's ", sentence)
    rest = sentence[match.end() :]
    if match["verb"] is None:
        return ("The user's" if match["owned"] else "The user is") + rest
    return f"The user {match['adverb'] or ''}{_of_a_name(match['verb'])}{rest}"


def _of_a_name(verb: str) -> str:
    """The verb of the first person as it follows a name: `am` → `is`, `don't` → `doesn't`."""
    low = verb.lower()
    if low.endswith(("n't", "n’t")):
        return _NEGATED.get(low[:-3], low[:-3]) + low[-3:]
    return "is" if low in {"am", "are"} else third_person(verb)


def with_subjects(sentences: Sequence[str]) -> Iterator[str]:
    """The sentences; "He" or "She" at a beginning becomes the subject of the sentence before, if that names only one person."""
    for before, sentence in pairwise(("", *sentences)):
        about = None
        if sentence.startswith(("He ", "She ")):
            about = HE_OR_SHE.match(f"{before.rstrip('.! ')}; {sentence[0].lower()}{sentence[1:]}")
        yield f"{about['subject']} {about['rest']}" if about else sentence


def clauses(sentence: str) -> Iterator[str]:
    """The sentence as one or more that state a fact each, with their subject."""
    if sentence.endswith("?"):
        return
    if versions := [*version_clauses(sentence)]:
        yield from versions
        return
    for part in (sentence, *_further(sentence)):
        if job := JOB.match(part):
            yield from (f"{job['subject']} works as {job['role']}", f"{job['subject']} works at {job['employer']}")
        else:
            yield part


def _further(sentence: str) -> Iterator[str]:
    """What a sentence states besides, each with its subject: `Sven joined Acme; his manager is Maya`."""
    if clause := CONTINUED.match(sentence):
        yield f"{clause['subject']} {third_person(clause['verb'])} {sentence[clause.end() :]}"
    if theirs := ALSO_THEIRS.match(sentence):
        yield f"{theirs['subject']}'s {theirs['rest']}"
    if about := HE_OR_SHE.match(sentence):
        yield f"{about['subject']} {about['rest']}"
    if raised := RAISED.match(sentence):
        yield f"{raised['subject']}'s {raised['thing']} was changed to {raised['value']}"
    if new := NEW_THING.match(sentence):
        yield f"{new['subject']}'s {new['thing']} is now {new['value']}"
    if reports := ALSO_REPORTS.match(sentence):
        yield f"{reports['subject']} {reports['rest']}"
