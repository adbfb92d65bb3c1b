"""Durable memories out of a window of conversation without a model (contract 11.6).

One statement becomes one memory of at most 240 characters: in the third person, with the speaker's name, and with dates
for relative times. What people say in English is chosen by `statements`. What a user says to a program, with or
without a name, and talk in other languages is read by cue words and patterns (`message_notes`); other languages keep the
words that were said, headed by the speaker and the day. Questions, code and secrets are left out.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Final

from memd.domain.dates.time_window import DAY_MS, EPOCH
from memd.domain.distilling.features import content_words, function_word_share
from memd.domain.distilling.habits import is_imperative
from memd.domain.distilling.wording import MAX_STATEMENT, worded
from memd.domain.extraction.acknowledgements import confirmed_words, is_acknowledgement
from memd.domain.extraction.answers import with_answer
from memd.domain.extraction.antecedents import with_antecedents
from memd.domain.extraction.conversation_windows import ConversationWindow, SourceMessage
from memd.domain.extraction.corrections import moved, with_corrections
from memd.domain.extraction.cues import KEEP, Reading
from memd.domain.extraction.extracted_memory import MAX_MEMORIES, ExtractedMemory, extracted
from memd.domain.extraction.message_notes import Note, addresses_program, hears_program, read_message
from memd.domain.extraction.object_pronouns import with_objects
from memd.domain.extraction.own_words.messages import in_own_words
from memd.domain.extraction.stated_secrets import contains_secret
from memd.domain.extraction.statements import NEAR, Statement, statements
from memd.domain.german.text import is_german
from memd.domain.romance.text import romance_language
from memd.domain.text.names import proper_names
from memd.domain.text.sentences import cut_words, is_question, sentences
from memd.domain.text.spoken import heading, without_day
from memd.domain.text_analysis.detection import detect
from memd.domain.text_analysis.language import Language
from memd.domain.text_analysis.tokens import tokens
from memd.domain.types import Category, MessageRole

_TITLE: Final = 80
_ASKS: Final = 2
"""Content words of a question that names what it asks for; "How are you?" does not."""
_ENGLISH_SHARE: Final = 0.1
_CONTRACTION: Final = re.compile(
    r"\b(?:i['’](?:m|ve|ll|d)|(?:we|they|you)['’](?:re|ve|ll)|(?:do|does|did|is|are|ca|wo)n['’]t)\b", re.IGNORECASE
)
"""What is English whatever the other words are: of "Hi, I'm a nurse", `hi`, `m` and `a` are Catalan, too."""
_FIRST_DAY, _LAST_DAY = -719_162, 2_932_896
_BASE_IMPORTANCE: Final = 0.6
_SCORE_IMPORTANCE, _FURTHER_IMPORTANCE = 0.06, 0.015


def extract(window: ConversationWindow) -> list[ExtractedMemory]:
    """The ≤ 6 best statements of a window in order of time; none when nothing durable was said."""
    window = in_own_words(window)
    return [_memory(window, note) for note in _best(_notes(window, range(len(window.messages))))]


def extract_after(earlier: Sequence[SourceMessage], window: ConversationWindow) -> list[ExtractedMemory]:
    """The same for a window that may correct, or refer to, the messages shortly before it, which were read already.

    Source indexes count from the first one of `earlier`.
    """
    first = len(earlier)
    extended = in_own_words(replace(window, messages=(*earlier, *window.messages)))
    earlier, window = extended.messages[:first], replace(window, messages=extended.messages[first:])
    own = _stated(window, range(len(window.messages)), earlier)
    before = _stated(extended, range(first))
    stated = [*before, *moved(own, first)]
    notes = with_corrections(extended, range(len(extended.messages)), stated)
    read = [*before, *with_corrections(extended, range(first), before)]
    made: list[ExtractedMemory] = []
    for note in _best([each for each in notes if max(each.positions) >= first]):
        if note.positions[0] < first:
            old = (_memory(extended, each).content for each in read if each.utterances[0] == note.utterances[0])
            made.append(replace(_memory(extended, note), corrects=tuple(dict.fromkeys(old))))
        else:
            memory = _memory(window, moved([note], -first)[0])
            made.append(replace(memory, source_indexes=tuple(position + first for position in memory.source_indexes)))
    return made


def _best(notes: Sequence[Note]) -> list[Note]:
    """The best notes that may become memories, in order of time."""
    return sorted(sorted(notes, key=lambda note: -note.score)[:MAX_MEMORIES], key=lambda note: note.positions)


def kept_sentences(window: ConversationWindow, position: int) -> list[str]:
    """The sentences of the window's statements that are based on the message at `position`, however many there are.

    Statements are looked for in it and in the few messages before it that it may add a detail to.
    """
    window = in_own_words(window)
    read = range(max(0, position - 2 * NEAR), position + 1)
    return [sentence for note in _notes(window, read) if position in note.positions for sentence in note.sentences]


def _notes(window: ConversationWindow, read: range) -> list[Note]:
    """The notes of the messages at the positions `read`, with the corrections that these messages make."""
    return with_corrections(window, read, _stated(window, read))


def _stated(window: ConversationWindow, read: range, earlier: Sequence[SourceMessage] = ()) -> list[Note]:
    """The notes of the messages at the positions `read`; the others are context, and `earlier` precede the window.

    What the only named speaker says to a program is read by the patterns for users, too, and worded as they word it.
    """
    alone = hears_program(window)
    english = {position: _is_english(window.messages[position], alone=alone) for position in read}
    chosen = statements(window, [english.get(at, False) for at in range(len(window.messages))])
    found = [one for one in chosen if not all(is_acknowledgement(said.sentence) for said in one)]
    extended = replace(window, messages=(*earlier, *window.messages))
    by_cues = [
        note
        for position, is_english in english.items()
        for note in _by_cues(extended, len(earlier), position, english=is_english, alone=alone)
    ]
    by_cues = [note for note in by_cues if not _only_confirms(note, by_cues, window)]
    if alone:
        known = {utterance for note in by_cues for utterance in note.utterances}
        found = [
            one
            for one in found
            if addresses_program(window.messages[one[0].position], one)
            and not known & {(said.position, said.sentence) for said in one}
        ]
    return [_note(one) for one in found] + by_cues


def _by_cues(window: ConversationWindow, first: int, position: int, *, english: bool, alone: bool) -> Iterator[Note]:
    """The notes that the patterns find in the message at `position` after the `first` ones, which are context.

    None of a system message, nor of what people say to each other in English: `statements` reads that.
    """
    message = window.messages[first + position]
    if message.role is MessageRole.SYSTEM or (english and message.speaker and not alone):
        return
    in_full = _in_full(window, first + position) if english else {}
    echoed = _echoed_words(window, first + position)
    for note in read_message(position, message, in_full, english=english, alone=alone):
        if echoed is None or not content_words(" ".join(note.sentences)) <= echoed:
            yield note


def _echoed_words(window: ConversationWindow, position: int) -> frozenset[str] | None:
    """The words of the user's message before that of a program, which only repeats them: `Fridays from now on.`.

    None where no user speaks before a program, or where the user asked something.
    """
    said = window.messages[position - 1] if position else None
    if said is None or (said.role, window.messages[position].role) != (MessageRole.USER, MessageRole.ASSISTANT):
        return None
    return None if any(map(is_question, sentences(said.content))) else content_words(said.content)


def _only_confirms(note: Note, notes: Sequence[Note], window: ConversationWindow) -> bool:
    """Whether a program only says again, as a confirmation, what the user's message before it states: `Noted: …`.

    At least half of its words are the user's then, and that message has a note of its own.
    """
    position = note.positions[0]
    said = confirmed_words(note.sentences[0])
    if said is None or window.messages[position].role is not MessageRole.ASSISTANT:
        return False
    words = content_words(said)
    stated = [one for one in notes if one.positions[0] == position - 1 and one.positions != note.positions]
    is_users = bool(stated) and window.messages[position - 1].role is MessageRole.USER
    return is_users and 2 * len(words & content_words(window.messages[position - 1].content)) >= len(words)


def _in_full(window: ConversationWindow, position: int) -> dict[str, str]:
    """Sentences of a message that depend on what was said before, each as a statement that stands alone."""
    return with_objects(window, position) | with_antecedents(window, position) | with_answer(window, position)


def _is_english(message: SourceMessage, *, alone: bool) -> bool:
    """Whether a message is in English; of a named speaker, whose words are not read by patterns, by its function words."""
    text = message.content
    if is_german(text) or romance_language(text):
        return False
    shown = alone or message.speaker is None or function_word_share(text) >= _ENGLISH_SHARE
    return shown and (
        _CONTRACTION.search(text) is not None or detect(tokens(text), Language.ENGLISH) is Language.ENGLISH
    )


def _note(statement: Statement) -> Note:
    first = statement[0]
    return Note(
        positions=tuple(dict.fromkeys(one.position for one in statement)),
        sentences=tuple(one.sentence for one in statement),
        category=_category(first.sentence, first.reading),
        score=max(one.score for one in statement),
        english=True,
        utterances=tuple((one.position, one.sentence) for one in statement),
    )


def _category(sentence: str, reading: Reading | None) -> Category:
    """The category that the cues give, where they are reliable in conversations of people; else `fact`."""
    if reading is None or reading.score < KEEP:
        return Category.FACT
    emphatic = reading.category is Category.RULE and sentence.rstrip().endswith("!")
    return Category.FACT if emphatic else reading.category


def _memory(window: ConversationWindow, note: Note) -> ExtractedMemory:
    speakers = [name for position in note.positions if (name := window.messages[position].speaker)]
    names = (
        []
        if note.language is Language.GERMAN
        else [name for sentence in note.sentences for name in proper_names(sentence)]
    )
    content = _content(window, note)
    question = _question(window, note)
    importance = _BASE_IMPORTANCE + _SCORE_IMPORTANCE * note.score + _FURTHER_IMPORTANCE * (len(note.sentences) - 1)
    return extracted(
        title=_title(content if question is None else f"{speakers[0]}, asked: {question}"),
        content=content,
        category=note.category,
        tags=[*speakers, *names],
        importance=importance,
        source_indexes=note.positions if question is None else (*note.positions, note.positions[0] - 1),
    )


def _title(text: str) -> str:
    """The text, cut to the length of a title; a long one loses the day at its end first."""
    return text if len(text) <= _TITLE else cut_words(without_day(text), _TITLE)


def _question(window: ConversationWindow, note: Note) -> str | None:
    """The question of the message before that this answers: it names what is talked about; None without one."""
    position = note.positions[0]
    answered, asker = window.messages[position], window.messages[position - 1] if position else None
    if (
        asker is None
        or answered.speaker is None
        or asker.speaker == answered.speaker
        or note.for_program
        or not note.english
    ):
        return None
    asked = [
        one
        for one in sentences(asker.content)
        if is_question(one) and len(content_words(one)) >= _ASKS and not contains_secret(one)
    ]
    return asked[-1] if asked else None


def _content(window: ConversationWindow, note: Note) -> str:
    message = window.messages[note.positions[0]]
    if not note.english:
        said = heading(message.speaker or message.role.value.capitalize(), message.timestamp)
        return cut_words(f"{said}{' '.join(note.sentences)}", MAX_STATEMENT)
    names = {one.speaker for one in window.messages if one.speaker} - {message.speaker}
    speaker = message.speaker or f"the {message.role.value}"
    named = message.speaker is not None and not hears_program(window)
    lasting = note.for_program and note.category is Category.RULE and is_imperative(note.sentences[0])
    return worded(note.sentences, speaker, _day(message.timestamp), sorted(names), named=named, lasting=lasting)


def _day(timestamp: int) -> date:
    """The day of a local time (epoch ms), within the years 1–9999."""
    return (EPOCH + timedelta(days=min(max(timestamp // DAY_MS, _FIRST_DAY), _LAST_DAY))).date()
