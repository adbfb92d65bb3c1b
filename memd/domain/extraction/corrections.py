"""Notes corrected by what their speakers said afterwards, such as "No, I meant 16 July" (contract 11.6).

A correction belongs to the latest sentence of its speaker, a few sentences back at most, that states something of the
same kind. Where that sentence is part of a note, the note gets the right value, or, where it is not certain how the
sentence has to read, the correction in words. What belongs to nothing is left as it was.
"""

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import islice
from typing import Final

from memd.domain.distilling.correction import Correction
from memd.domain.distilling.corrections import corrections
from memd.domain.distilling.features import content_words
from memd.domain.distilling.pronouns import mentions_another, names_another
from memd.domain.distilling.replacing import replaceable, replaced
from memd.domain.distilling.tenses import is_past
from memd.domain.distilling.values import TIMES, Sort, Value, values_in
from memd.domain.distilling.wording import bare
from memd.domain.extraction.conversation_windows import ConversationWindow, SourceMessage
from memd.domain.extraction.earlier_messages import (
    EARLIER,
    MAX_CORRECTIONS,
    Utterance,
    earlier_texts,
    earlier_utterances,
    is_same_speaker,
    speakers,
)
from memd.domain.extraction.message_notes import Note
from memd.domain.extraction.spoken_corrections import may_correct, with_spoken_corrections
from memd.domain.extraction.stated_secrets import contains_secret
from memd.domain.extraction.user_requests import is_request
from memd.domain.text.sentences import is_question, sentences
from memd.domain.types import MessageRole

_LOOK_BACK: Final = 4
"""How many preceding sentences of the speaker are searched for the one to correct."""
_REMARK_WORDS: Final = 3
"""The most words of a sentence that a correction without clear words may skip: "Thanks a lot!"."""
_TENTATIVE_REMARK_WORDS: Final = 2
"""The same for a correction that could be about something else: "Thank you!", but not "She studied hard"."""
_MAX_JOINED: Final = 180
"""Characters of a statement with its correction in words, so that neither is cut."""
_MARK: Final = "Correction: "
_OFFER_WORDS: Final = frozenset({"anything", "else", "help"})
"""Content words of a question that asks about nothing: "Anything else I can help with?"."""
_INDIRECT_QUESTION: Final = re.compile(
    r"\b(?:tell me|let me know) (?:about|more about|when|where|who|what|which|how|your|the)\b", re.IGNORECASE
)


def with_corrections(window: ConversationWindow, read: range, notes: Sequence[Note]) -> list[Note]:
    """The notes with the corrections that the messages at the places `read` make to them."""
    corrected_notes = list(notes)
    corrected: dict[Utterance, Utterance] = {}
    for position in read:
        if not _is_person(window.messages[position]):
            continue
        message_sentences = sentences(window.messages[position].content)
        for order, correction in islice(corrections(message_sentences), MAX_CORRECTIONS):
            own = (position, message_sentences[order])
            target = _target(window, position, message_sentences[:order], correction)
            if target is None or target == own or contains_secret(own[1]):
                continue
            original = corrected.get(target, target)
            after = _corrected(corrected_notes, original, own, correction)
            if after is not None:
                corrected_notes, corrected[own] = after, original
    return with_spoken_corrections(window, read, corrected_notes)


def may_correct_earlier(window: ConversationWindow) -> bool:
    """Whether one of the first messages could correct something that was said shortly before the window."""
    return any(
        _is_person(message) and (any(corrections(sentences(message.content))) or may_correct(message.content))
        for message in window.messages[:EARLIER]
    )


def moved(notes: Sequence[Note], by: int) -> list[Note]:
    """The notes of a window as those of one with this many more messages before it."""
    return [
        replace(
            note,
            positions=tuple(position + by for position in note.positions),
            utterances=tuple((position + by, sentence) for position, sentence in note.utterances),
        )
        for note in notes
    ]


def _is_person(message: SourceMessage) -> bool:
    """Whether a user or somebody with a name says it: a program's corrections are not read."""
    return message.role is not MessageRole.SYSTEM and (message.role is MessageRole.USER or message.speaker is not None)


def _corrected(
    notes: Sequence[Note], utterance: Utterance, own: Utterance, correction: Correction
) -> list[Note] | None:
    """The notes with the one on `utterance` corrected, without what is said at `own`; None if there is no such note."""
    index = next((index for index, note in enumerate(notes) if utterance in note.utterances and note.english), None)
    note = None if index is None else _without(notes[index], own)
    corrected_note = note and _corrected_note(note, utterance, own, correction)
    if corrected_note is None:
        return None
    others = (corrected_note if other == index else _without(each, own) for other, each in enumerate(notes))
    return [each for each in others if each is not None]


def _without(note: Note, utterance: Utterance) -> Note | None:
    """The note without the sentence of this place; None when it has no other."""
    if utterance not in note.utterances:
        return note
    kept = [each for each in zip(note.sentences, note.utterances, strict=True) if each[1] != utterance]
    if not kept:
        return None
    return replace(
        note,
        sentences=tuple(sentence for sentence, _ in kept),
        utterances=tuple(each for _, each in kept),
        positions=tuple(dict.fromkeys(position for _, (position, _) in kept)),
    )


def _corrected_note(note: Note, utterance: Utterance, own: Utterance, correction: Correction) -> Note | None:
    """The note with the right value, else with the correction in words; None when it fits in neither way."""
    index = note.utterances.index(utterance)
    stated = list(zip(note.sentences, note.utterances, strict=True))
    before, after = stated[: index + 1], stated[index + 1 :]
    sentence = note.sentences[index]
    text = replaced(sentence, correction)
    if text is not None:
        before[index] = (text, utterance)
    elif replaceable(sentence, correction):
        while after and after[0][0].startswith(_MARK):
            before.append(after.pop(0))
        before.append((_in_words(sentence, correction), own))
        if sum(len(each) for each, _ in before) > _MAX_JOINED:
            return None
        after = after if sum(len(each) for each, _ in (*before, *after)) <= _MAX_JOINED else []
    else:
        return None
    kept = [*before, *after]
    return replace(
        note,
        sentences=tuple(each for each, _ in kept),
        utterances=tuple(each for _, each in kept),
        positions=tuple(dict.fromkeys((*note.positions, own[0]))),
    )


def _in_words(sentence: str, correction: Correction) -> str:
    """The correction as a sentence of its own; a day gets a verb in the tense of `sentence`, so that the year fits."""
    if correction.new.sort is Sort.DAY and not (correction.subject or correction.old):
        hour = f" at {correction.hour.text}" if correction.hour else ""
        before = "on" if hour else correction.before or "on"
        return f"{_MARK}it {'was' if is_past(sentence) else 'is'} {before} {correction.new.text}{hour}"
    return f"{_MARK}{correction.text}"


def _target(
    window: ConversationWindow, position: int, preceding: Sequence[str], correction: Correction
) -> Utterance | None:
    """The sentence that a correction refers to, None when unclear; `preceding`: the sentences before it in its message."""
    bound = not (correction.old or correction.subject) and correction.new.sort not in TIMES
    remark = _TENTATIVE_REMARK_WORDS if correction.tentative or correction.pronoun else _REMARK_WORDS
    known = {value.key for value in correction.values}
    for count, (earlier_position, sentence) in enumerate(earlier_utterances(window, position, preceding)):
        if count == _LOOK_BACK or known <= {value.key for value in values_in(sentence)}:
            return None
        olds = replaceable(sentence, correction)
        if olds:
            messages = window.messages
            earlier = messages[earlier_position]
            between = [
                one for one in messages[earlier_position + 1 : position] if not is_same_speaker(one, messages[position])
            ]
            is_clear = correction.old or not (
                _may_be_about_another(correction, sentence, earlier, between)
                or _names_another(window, position, preceding, sentence, correction)
            )
            return (earlier_position, sentence) if is_clear and _is_meant(olds, correction, between) else None
        if (not correction.clear and len(sentence.split()) > remark) or (bound and _asks(sentence)):
            return None
    return None


def _may_be_about_another(
    correction: Correction, sentence: str, message: SourceMessage, between: Sequence[SourceMessage]
) -> bool:
    """Whether the message of a sentence asks something, or somebody else has been named since, who may be meant."""
    if correction.tentative and any(map(_asks, sentences(message.content))):
        return True
    return any(mentions_another(correction.pronoun, sentence, one.content) for one in between)


def _names_another(
    window: ConversationWindow, position: int, preceding: Sequence[str], sentence: str, correction: Correction
) -> bool:
    """Whether the pronoun of a longer correction may refer to somebody else in the preceding messages, whoever wrote them."""
    repeated = bare(sentence).lower().startswith(f"{correction.pronoun} ")
    if repeated or not (correction.pronoun and correction.clear):
        return False
    known = speakers(window)
    return any(
        names_another(correction.pronoun, sentence, text, known) for text in earlier_texts(window, position, preceding)
    )


def _asks(sentence: str) -> bool:
    """Whether a number or a name that follows may be for this: "Write a poem for her." "Sorry, make it 300."."""
    return is_question(sentence) or is_request(bare(sentence))


def _is_meant(olds: Sequence[Value], correction: Correction, between: Sequence[SourceMessage]) -> bool:
    """Whether a correction is about these values of its speaker, not about what somebody else has said in between.

    "Sorry, 16 July" after "And when is the exam?" is an answer, and so is "No, 10 euros" after "Is the other 12 euros, too?".
    """
    if correction.old or not between:
        return True
    known = {value.key for value in olds}
    named = [[value for part in sentences(one.content) for value in values_in(part)] for one in between]
    repeated = [any(value.key in known for value in values) for values in named]
    if _others_of_the_sort(correction, named, known) and not (correction.new.sort is Sort.NAME and any(repeated)):
        return False
    questions = [one for one in sentences(between[-1].content) if is_question(one) or _INDIRECT_QUESTION.search(one)]
    if correction.clear:
        return repeated[-1] or not (correction.verb and any(_asks_who(one, correction) for one in questions))
    may_answer = any(_may_answer(new, one) for new in correction.values for one in questions)
    return not questions or (repeated[-1] and not (correction.refuses or may_answer))


def _others_of_the_sort(correction: Correction, named: Sequence[Sequence[Value]], known: AbstractSet[str]) -> bool:
    """Whether one of the values `named` could be corrected as well: of the same sort, neither `known` nor the right one.

    A plain number may be a time of day: "No, 6." after "So you get up at 7.".
    """
    right = {value.sort: value.key for value in correction.values}
    sorts = right.keys() | ({Sort.CLOCK} if Sort.NUMBER in right else set())
    return bool({value.key for values in named for value in values if value.sort in sorts} - known - {*right.values()})


def _asks_who(question: str, correction: Correction) -> bool:
    """Whether "No, it's Lars who owns it" may answer a question: any that names something, else one about the same."""
    words = content_words(question) - _OFFER_WORDS
    return bool(words and len(correction.subject) == 1) or not correction.subject.isdisjoint(words)


def _may_answer(new: Value, question: str) -> bool:
    """Whether a question names a value that the new one may be an answer to."""
    return any(value.sort is new.sort or {value.sort, new.sort} <= TIMES for value in values_in(question))
