"""Durable memories out of a window of conversation (contract 11.6), without a model and as a check of a model's answer.

The extractive method keeps the words that were said: sentences worth keeping (see `cues`) are gathered into notes of
neighbouring sentences, at most six a window, each headed by the speaker and the day, so that "I" and "yesterday" can be
resolved by whoever reads the memory later. Questions and code are left out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby, pairwise
from typing import Final

from memd.domain.conversation_windows import SourceMessage, Window
from memd.domain.cues import KEEP, Reading, Voice, read_sentence
from memd.domain.names import proper_names
from memd.domain.sentences import cut_words, is_question, sentences
from memd.domain.types import Category, MessageRole, Store

MAX_MEMORIES: Final = 6
MAX_TITLE: Final = 200
MAX_CONTENT: Final = 4_000
MAX_TAGS: Final = 12
MAX_TAG: Final = 64
MIN_IMPORTANCE, MAX_IMPORTANCE = 0.5, 0.9
AUTO_TAG: Final = "auto-extracted"
STORE_OF: Final = {
    Category.DECISION: Store.EPISODIC,
    Category.EVENT: Store.EPISODIC,
    Category.LESSON: Store.SEMANTIC,
    Category.FACT: Store.SEMANTIC,
    Category.RULE: Store.SEMANTIC,
    Category.PERSON: Store.SEMANTIC,
    Category.WORKFLOW: Store.PROCEDURAL,
    Category.SKILL: Store.PROCEDURAL,
    Category.GOAL: Store.PROSPECTIVE,
}
_TITLE_SENTENCE: Final = 120
_NOTE_CHARACTERS: Final = 600
_CHANGE_OF_SPEAKER: Final = 150
_CHANGE_OF_SUBJECT: Final = 450
_IMPORTANCE_SLOPE: Final = 0.25


@dataclass(frozen=True, slots=True)
class ExtractedMemory:
    """A memory to be written, within the limits of contract 11.6; `importance` becomes its strength.

    `source_indexes` are the ascending positions, in the window, of the messages the memory was made from (one at least).
    """

    title: str
    content: str
    category: Category
    store: Store
    tags: tuple[str, ...]
    importance: float
    source_indexes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Note:
    """A sentence worth keeping and the position of its message."""

    position: int
    sentence: str
    reading: Reading


_Notes = tuple[_Note, ...]


def extract(window: Window) -> list[ExtractedMemory]:
    """The ≤ 6 memories of a window in order of time; none when nothing durable was said."""
    gathered: list[_Notes] = [
        (note,) for position, message in enumerate(window.messages) for note in _notes(position, message)
    ]
    while len(gathered) > 1:
        costs = [_distance(window, left, right) for left, right in pairwise(gathered)]
        least = min(range(len(costs)), key=costs.__getitem__)
        if len(gathered) <= MAX_MEMORIES and costs[least] > _NOTE_CHARACTERS:
            break
        gathered[least : least + 2] = [gathered[least] + gathered[least + 1]]
    return [_memory(window, notes) for notes in gathered]


def heading(message: SourceMessage) -> str:
    """Who spoke, and on which day (UTC): `Caroline (8 May 2023)`; the role stands in for a missing name."""
    day = datetime.fromtimestamp(message.timestamp / 1000, UTC)
    return f"{_speaker(message)} ({day.day} {day:%B %Y})"


def clean_tags(tags: Sequence[str]) -> tuple[str, ...]:
    """Tags as they are stored: lower case, trimmed, distinct, at most 12 of at most 64 characters; `auto-extracted` first."""
    wanted = (" ".join(tag.lower().split()) for tag in tags)
    return tuple(dict.fromkeys((AUTO_TAG, *(tag for tag in wanted if 0 < len(tag) <= MAX_TAG))))[:MAX_TAGS]


def _notes(position: int, message: SourceMessage) -> Iterator[_Note]:
    if message.role is MessageRole.SYSTEM:
        return
    voice = Voice.PERSON if message.speaker else Voice.USER if message.role is MessageRole.USER else Voice.PROGRAM
    for sentence in sentences(message.content):
        reading = None if is_question(sentence) else read_sentence(sentence, voice)
        if reading and reading.score >= KEEP:
            yield _Note(position, sentence, reading)


def _distance(window: Window, left: _Notes, right: _Notes) -> int:
    """What joining two neighbours costs, in characters: their length, more for another speaker or another subject."""
    cost = sum(len(note.sentence) for note in left + right)
    if _speaker(window.messages[left[-1].position]) != _speaker(window.messages[right[0].position]):
        cost += _CHANGE_OF_SPEAKER
    readings = _best(left).reading, _best(right).reading
    if readings[0].category != readings[1].category and any(reading.distinct for reading in readings):
        cost += _CHANGE_OF_SUBJECT
    return cost


def _memory(window: Window, notes: _Notes) -> ExtractedMemory:
    best = _best(notes)
    author = window.messages[best.position].speaker
    title = cut_words(best.sentence, _TITLE_SENTENCE)
    positions = tuple(dict.fromkeys(note.position for note in notes))
    names = [name for note in notes for name in proper_names(note.sentence)]
    speakers = [speaker for position in positions if (speaker := window.messages[position].speaker)]
    return ExtractedMemory(
        title=cut_words(f"{author}: {title}" if author else title, MAX_TITLE),
        content=cut_words(_told(window, notes), MAX_CONTENT),
        category=best.reading.category,
        store=STORE_OF[best.reading.category],
        tags=clean_tags([*speakers, *names]),
        importance=_importance(best.reading.score),
        source_indexes=positions,
    )


def _told(window: Window, notes: _Notes) -> str:
    """The notes word for word, a line for each change of speaker; the day stands where it is new."""
    lines: list[str] = []
    days: set[str] = set()
    for speaker, said in groupby(notes, key=lambda note: _speaker(window.messages[note.position])):
        group = list(said)
        full = heading(window.messages[group[0].position])
        day = full[len(speaker) :]
        lines.append(f"{speaker if day in days else full}: {' '.join(note.sentence for note in group)}")
        days.add(day)
    return "\n".join(lines)


def _best(notes: _Notes) -> _Note:
    return max(notes, key=lambda note: note.reading.score)


def _importance(score: float) -> float:
    return round(min(MAX_IMPORTANCE, max(MIN_IMPORTANCE, MIN_IMPORTANCE + _IMPORTANCE_SLOPE * score)), 3)


def _speaker(message: SourceMessage) -> str:
    return message.speaker or message.role.value.capitalize()
