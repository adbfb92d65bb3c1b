"""Durable memories out of a window of conversation without a model (contract 11.6).

One statement becomes one memory of at most 240 characters: in the third person, with the speaker's name, and with dates
for relative times. What people say in English is chosen by `distilling.statements`. Talk without names, which is that
of a user with a program, and talk in other languages is read by cue words (`cues`); other languages keep the words that
were said, headed by the speaker and the day. Questions and code are left out.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Final

from memd.domain.calendar_day import day_text
from memd.domain.conversation_windows import ConversationWindow, SourceMessage
from memd.domain.cues import KEEP, Reading, Voice, read_sentence
from memd.domain.distilling.features import content_words, function_word_share
from memd.domain.distilling.statements import NEAR, Statement, statements
from memd.domain.distilling.wording import MAX_STATEMENT, bare, worded
from memd.domain.extracted_memory import MAX_MEMORIES, ExtractedMemory, extracted
from memd.domain.names import proper_names
from memd.domain.sentences import cut_words, is_question, sentences
from memd.domain.text_analysis.detection import detect
from memd.domain.text_analysis.language import Language
from memd.domain.text_analysis.tokens import tokens
from memd.domain.time_window import DAY_MS, EPOCH
from memd.domain.types import Category, MessageRole
from memd.domain.user_statements import adds_detail, before_question, is_remark, is_request, user_statement

_TITLE: Final = 80
_ASKS: Final = 2
"""Content words of a question that names what it asks for; "How are you?" does not."""
_ENGLISH_SHARE: Final = 0.1
_FIRST_DAY, _LAST_DAY = -719_162, 2_932_896
_BASE_IMPORTANCE: Final = 0.6
_SCORE_IMPORTANCE, _FURTHER_IMPORTANCE = 0.06, 0.015
_GOOD_SCORE: Final = 1.0
"""The score, by cues, of a statement that is as important as one that the model gives even odds."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """The words of a sentence that are kept, what they are, and their worth by cues."""

    text: str
    category: Category
    score: float


@dataclass(frozen=True, slots=True)
class _Note:
    """A memory to be: the sentences of one speaker, where they were said, and their worth."""

    positions: tuple[int, ...]
    sentences: tuple[str, ...]
    category: Category
    score: float
    english: bool


def extract(window: ConversationWindow) -> list[ExtractedMemory]:
    """The ≤ 6 best statements of a window in order of time; none when nothing durable was said."""
    best = sorted(_notes(window, range(len(window.messages))), key=lambda note: -note.score)[:MAX_MEMORIES]
    return [_memory(window, note) for note in sorted(best, key=lambda note: note.positions)]


def kept_sentences(window: ConversationWindow, position: int) -> list[str]:
    """The sentences of those statements of the window that stand on the message at `position`, however many there are.

    Statements are looked for in it and in the few messages before it that it may add a detail to.
    """
    read = range(max(0, position - 2 * NEAR), position + 1)
    return [sentence for note in _notes(window, read) if position in note.positions for sentence in note.sentences]


def _notes(window: ConversationWindow, read: range) -> list[_Note]:
    """What the messages at the places `read` state; the other ones are what was said around them."""
    english = {position: _is_english(window.messages[position]) for position in read}
    notes = [_note(one) for one in statements(window, [english.get(at, False) for at in range(len(window.messages))])]
    return notes + [
        note
        for position, message in enumerate(window.messages)
        if position in read and not (english[position] and message.speaker) and message.role is not MessageRole.SYSTEM
        for note in _by_cues(position, message, english=english[position])
    ]


def heading(message: SourceMessage) -> str:
    """Who spoke, and on which day (UTC): `Caroline (8 May 2023)`; the role replaces a missing name."""
    return f"{message.speaker or message.role.value.capitalize()} ({day_text(message.timestamp)})"


def _is_english(message: SourceMessage) -> bool:
    """Whether a message is in English; of a named speaker, whose words are not read by patterns, by its function words."""
    text = message.content
    shown = message.speaker is None or function_word_share(text) >= _ENGLISH_SHARE
    return shown and detect(tokens(text), Language.ENGLISH) is Language.ENGLISH


def _note(statement: Statement) -> _Note:
    first = statement[0]
    return _Note(
        positions=tuple(dict.fromkeys(one.position for one in statement)),
        sentences=tuple(one.sentence for one in statement),
        category=_category(first.sentence, first.reading),
        score=max(one.score for one in statement),
        english=True,
    )


def _by_cues(position: int, message: SourceMessage, *, english: bool) -> Iterator[_Note]:
    voice = Voice.PERSON if message.speaker else Voice.USER if message.role is MessageRole.USER else Voice.PROGRAM
    note: _Note | None = None
    for whole in sentences(message.content):
        sentence = before_question(whole) if voice is Voice.USER and english else whole
        asks = is_question(sentence)
        if note and voice is Voice.USER and not asks and adds_detail(note.sentences, sentence):
            note = replace(note, sentences=(*note.sentences, sentence))
            continue
        found = None if asks else _read(message, sentence, voice, english=english)
        if found:
            if note:
                yield note
            note = _Note((position,), (found.text,), found.category, found.score - _GOOD_SCORE, english)
        elif note:
            yield note
            note = None
    if note:
        yield note


def _read(message: SourceMessage, sentence: str, voice: Voice, *, english: bool) -> _Kept | None:
    """What a sentence is kept as; None when it is not worth it."""
    if voice is Voice.USER and english:
        return _read_user(message, bare(sentence))
    reading = read_sentence(sentence, voice)
    return _Kept(sentence, reading.category, reading.score) if reading and reading.score >= KEEP else None


def _read_user(message: SourceMessage, sentence: str) -> _Kept | None:
    if is_remark(sentence):
        return None
    stated = user_statement(sentence, message_characters=len(message.content))
    text = stated.text if stated else sentence
    reading = read_sentence(text, Voice.USER)
    if stated is None and reading and reading.category is Category.FACT and is_request(sentence):
        return None
    if reading and reading.score >= KEEP:
        category = stated.category if stated and stated.category is Category.GOAL else reading.category
        return _Kept(text, category, max(reading.score, stated.worth if stated else 0))
    return _Kept(text, stated.category, stated.worth) if stated else None


def _category(sentence: str, reading: Reading | None) -> Category:
    """What the cues say, where they can be trusted in people's talk; else `fact`."""
    if reading is None or reading.score < KEEP:
        return Category.FACT
    emphatic = reading.category is Category.RULE and sentence.rstrip().endswith("!")
    return Category.FACT if emphatic else reading.category


def _memory(window: ConversationWindow, note: _Note) -> ExtractedMemory:
    speakers = [name for at in note.positions if (name := window.messages[at].speaker)]
    names = [name for sentence in note.sentences for name in proper_names(sentence)]
    content = _content(window, note)
    question = _question(window, note)
    importance = _BASE_IMPORTANCE + _SCORE_IMPORTANCE * note.score + _FURTHER_IMPORTANCE * (len(note.sentences) - 1)
    return extracted(
        title=cut_words(content if question is None else f"{speakers[0]}, asked: {question}", _TITLE),
        content=content,
        category=note.category,
        tags=[*speakers, *names],
        importance=importance,
        source_indexes=note.positions if question is None else (*note.positions, note.positions[0] - 1),
    )


def _question(window: ConversationWindow, note: _Note) -> str | None:
    """The question of the message before that this answers: it names what is talked about; None without one."""
    position = note.positions[0]
    answered, asker = window.messages[position], window.messages[position - 1] if position else None
    if asker is None or answered.speaker is None or asker.speaker == answered.speaker or not note.english:
        return None
    asked = [one for one in sentences(asker.content) if is_question(one) and len(content_words(one)) >= _ASKS]
    return asked[-1] if asked else None


def _content(window: ConversationWindow, note: _Note) -> str:
    message = window.messages[note.positions[0]]
    if not note.english:
        return cut_words(f"{heading(message)}: {note.sentences[0]}", MAX_STATEMENT)
    names = {one.speaker for one in window.messages if one.speaker} - {message.speaker}
    speaker = message.speaker or f"the {message.role.value}"
    return worded(note.sentences, speaker, _day(message.timestamp), sorted(names), named=message.speaker is not None)


def _day(at: int) -> date:
    """The day (UTC) of an instant (epoch ms), within the years 1–9999."""
    return (EPOCH + timedelta(days=min(max(at // DAY_MS, _FIRST_DAY), _LAST_DAY))).date()
