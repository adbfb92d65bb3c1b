"""Notes in other languages than English, corrected by what their speakers said afterwards: `No, perdón, el martes` (contract 11.6)."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from memd.domain.extraction.conversation_windows import ConversationWindow
from memd.domain.extraction.earlier_messages import MAX_CORRECTIONS, Utterance, earlier_utterances
from memd.domain.extraction.message_notes import Note
from memd.domain.german.corrections import GERMAN_CORRECTIONS
from memd.domain.romance.corrections import ROMANCE_CORRECTIONS
from memd.domain.text.corrections import CorrectionForms, SpokenCorrection
from memd.domain.text.sentences import is_question, sentences
from memd.domain.text_analysis.language import Language
from memd.domain.types import MessageRole

_FORMS: Final = {Language.GERMAN: GERMAN_CORRECTIONS, **ROMANCE_CORRECTIONS}
_LOOK_BACK: Final = 4
"""How many preceding sentences of the speaker are searched for the one to correct."""


def with_spoken_corrections(window: ConversationWindow, read: range, notes: Sequence[Note]) -> list[Note]:
    """The notes with the corrections that the messages at the places `read` make to those in their language."""
    made = list(notes)
    for position in read:
        message = window.messages[position]
        if message.role is not MessageRole.USER:
            continue
        for language in _may_correct(message.content):
            said = sentences(message.content)
            for order, correction in islice(_FORMS[language].found_in(said), MAX_CORRECTIONS):
                if correction.clear or not _answers(window, position):
                    made = _with_correction(window, made, language, (position, said[order]), said[:order], correction)
    return made


def may_correct(text: str) -> bool:
    """Whether a message has a sentence that may correct another one."""
    return any(any(_FORMS[language].found_in(sentences(text))) for language in _may_correct(text))


def _may_correct(text: str) -> list[Language]:
    return [language for language, forms in _FORMS.items() if forms.may_correct(text)]


def _answers(window: ConversationWindow, position: int) -> bool:
    """Whether the message before asks something, so that `Nein, am Dienstag` may be the answer."""
    before = window.messages[position - 1] if position else None
    return before is not None and any(map(is_question, sentences(before.content)))


def _with_correction(
    window: ConversationWindow,
    notes: Sequence[Note],
    language: Language,
    own: Utterance,
    preceding: Sequence[str],
    correction: SpokenCorrection,
) -> list[Note]:
    """The notes with the latest one that holds such a value corrected; as they are where none does."""
    forms = _FORMS[language]
    for count, target in enumerate(earlier_utterances(window, own[0], preceding)):
        index = next(
            (at for at, note in enumerate(notes) if note.language is language and target in note.utterances), None
        )
        if count == _LOOK_BACK:
            break
        if index is None:
            continue
        if not correction.old and _names_another(window, forms, target, own, correction):
            break
        note = notes[index]
        place = note.utterances.index(target)
        text = forms.corrected(note.sentences[place], correction)
        if text is not None:
            stated = (*note.sentences[:place], text, *note.sentences[place + 1 :])
            positions = tuple(dict.fromkeys((*note.positions, own[0])))
            return [*notes[:index], replace(note, sentences=stated, positions=positions), *notes[index + 1 :]]
    return list(notes)


def _names_another(
    window: ConversationWindow, forms: CorrectionForms, target: Utterance, own: Utterance, correction: SpokenCorrection
) -> bool:
    """Whether somebody has named another such value since: `Ich erinnere dich am 2. Mai.` `Nein, am 1. Mai.`."""
    said = " ".join(one.content for one in window.messages[target[0] + 1 : own[0]] if one.role is not MessageRole.USER)
    known = forms.values_of(target[1], correction.sort) | {correction.new.casefold()}
    return not forms.values_of(said, correction.sort) <= known
