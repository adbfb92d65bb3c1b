"""Durable memories out of a window of conversation without a model (contract 11.6).

The extractive method keeps the words that were said: sentences worth keeping (see `cues`) are gathered into notes of
neighbouring sentences, at most six a window, each headed by the speaker and the day, so that "I" and "yesterday" can be
resolved by the reader of the memory. Questions and code are left out.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Final

from memd.domain.calendar_day import day_text
from memd.domain.conversation_windows import ConversationWindow, SourceMessage
from memd.domain.cues import KEEP, Reading, Voice, read_sentence
from memd.domain.extracted_memory import MAX_MEMORIES, ExtractedMemory, extracted
from memd.domain.names import proper_names
from memd.domain.sentences import cut_words, is_question, sentences
from memd.domain.types import MessageRole

# Weights in characters. Measured on two-person conversations: hits among the first twelve of recall hardly change for
# notes of 400–900 characters; they fall without a cost for the change of speaker, and with one for every new category.
_MAX_NOTES: Final = 100
_TITLE_SENTENCE: Final = 120
_NOTE_CHARACTERS: Final = 500
_CHANGE_OF_SPEAKER: Final = 150
_CHANGE_OF_SUBJECT: Final = 450
_BASE_IMPORTANCE: Final = 0.625
_BEST_NOTE, _FURTHER_NOTES = 0.075, 0.015


@dataclass(frozen=True, slots=True)
class _Note:
    """A sentence worth keeping and the position of its message."""

    position: int
    sentence: str
    reading: Reading


_Notes = tuple[_Note, ...]


def extract(window: ConversationWindow) -> list[ExtractedMemory]:
    """The ≤ 6 memories of a window in order of time; none when nothing durable was said."""
    notes = [note for position, message in enumerate(window.messages) for note in _notes(position, message)]
    gathered: list[_Notes] = [(note,) for note in _strongest(notes)]
    while len(gathered) > 1:
        costs = [_distance(window, left, right) for left, right in pairwise(gathered)]
        least = min(range(len(costs)), key=costs.__getitem__)
        if len(gathered) <= MAX_MEMORIES and costs[least] > _NOTE_CHARACTERS:
            break
        gathered[least : least + 2] = [gathered[least] + gathered[least + 1]]
    return [_memory(window, notes) for notes in gathered]


def heading(message: SourceMessage) -> str:
    """Who spoke, and on which day (UTC): `Caroline (8 May 2023)`; the role stands in for a missing name."""
    return f"{_speaker(message)} ({day_text(message.timestamp)})"


def _notes(position: int, message: SourceMessage) -> Iterator[_Note]:
    if message.role is MessageRole.SYSTEM:
        return
    voice = Voice.PERSON if message.speaker else Voice.USER if message.role is MessageRole.USER else Voice.PROGRAM
    for sentence in sentences(message.content):
        reading = None if is_question(sentence) else read_sentence(sentence, voice)
        if reading and reading.score >= KEEP:
            yield _Note(position, sentence, reading)


def _strongest(notes: list[_Note]) -> list[_Note]:
    """The 100 best notes in the order in which they were said: a bound on work that ordinary talk does not reach."""
    if len(notes) <= _MAX_NOTES:
        return notes
    least = sorted((note.reading.score for note in notes), reverse=True)[_MAX_NOTES - 1]
    return [note for note in notes if note.reading.score >= least][:_MAX_NOTES]


def _distance(window: ConversationWindow, left: _Notes, right: _Notes) -> int:
    """What joining two neighbours costs, in characters: their length, more for another speaker or another subject."""
    before, after = window.messages[left[-1].position], window.messages[right[0].position]
    cost = sum(len(note.sentence) for note in left + right)
    if _speaker(before) != _speaker(after):
        cost += _CHANGE_OF_SPEAKER
    if _change_of_subject(_best(left).reading, _best(right).reading, named=bool(before.speaker and after.speaker)):
        cost += _CHANGE_OF_SUBJECT
    return cost


def _change_of_subject(left: Reading, right: Reading, *, named: bool) -> bool:
    """Another category; named people wander as they talk, so between them both sides must be distinct."""
    return left.category != right.category and (not named or (left.distinct and right.distinct))


def _memory(window: ConversationWindow, notes: _Notes) -> ExtractedMemory:
    best = _best(notes)
    author = window.messages[best.position].speaker
    title = cut_words(best.sentence, _TITLE_SENTENCE)
    positions = tuple(dict.fromkeys(note.position for note in notes))
    names = [name for note in notes for name in proper_names(note.sentence)]
    speakers = [speaker for position in positions if (speaker := window.messages[position].speaker)]
    return extracted(
        title=f"{author}: {title}" if author else title,
        content=_content(window, notes),
        category=best.reading.category,
        tags=[*speakers, *names],
        importance=_importance([note.reading.score for note in notes]),
        source_indexes=positions,
    )


def _content(window: ConversationWindow, notes: _Notes) -> str:
    """The notes word for word, a line for each change of speaker, headed with the day where the speaker or it is new."""
    lines: list[str] = []
    said_before: set[str] = set()
    for speaker, said in groupby(notes, key=lambda note: _speaker(window.messages[note.position])):
        group = list(said)
        full = heading(window.messages[group[0].position])
        lines.append(f"{speaker if full in said_before else full}: {' '.join(note.sentence for note in group)}")
        said_before.add(full)
    return "\n".join(lines)


def _best(notes: _Notes) -> _Note:
    return max(notes, key=lambda note: note.reading.score)


def _importance(scores: list[float]) -> float:
    """Worth of the whole: mostly that of its best note, a little more for everything else it says."""
    best = max(scores)
    return _BASE_IMPORTANCE + _BEST_NOTE * best + _FURTHER_NOTES * (sum(scores) - best)


def _speaker(message: SourceMessage) -> str:
    return message.speaker or message.role.value.capitalize()
