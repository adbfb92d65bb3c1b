"""Notes on a message: what it states by cue words and by the patterns of users who talk to a program (contract 11.6).

For English conversations between people, `statements` chooses instead.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, NamedTuple

from memd.domain.distilling.choices import as_decision, with_decision
from memd.domain.distilling.habits import is_lasting, is_standing_instruction
from memd.domain.distilling.restating import in_plain_order
from memd.domain.distilling.wording import bare
from memd.domain.extraction.acknowledgements import is_acknowledgement
from memd.domain.extraction.conversation_windows import ConversationWindow, SourceMessage
from memd.domain.extraction.cues import KEEP, Voice, read_sentence
from memd.domain.extraction.german_statements import adds_german_detail, before_german_question, german_statement
from memd.domain.extraction.object_pronouns import has_open_object
from memd.domain.extraction.remarks import is_remark
from memd.domain.extraction.romance_statements import adds_romance_detail, before_romance_question, romance_statement
from memd.domain.extraction.stated_secrets import contains_secret
from memd.domain.extraction.statements import Statement
from memd.domain.extraction.trouble import reports_error
from memd.domain.extraction.user_requests import before_question, is_request
from memd.domain.extraction.user_statements import UserStatement, adds_detail, stated_in_correction, user_statement
from memd.domain.german.text import is_german
from memd.domain.romance.text import romance_language
from memd.domain.text.sentences import capitalised, is_question, sentences, sentences_or_number
from memd.domain.text_analysis.language import Language
from memd.domain.types import Category, MessageRole

_GOOD_SCORE: Final = 1.0
"""The score, by cues, of a statement that is as important as one that the model gives even odds."""
_OF_INSTRUCTIONS: Final = frozenset({Category.GOAL, Category.RULE})
_OPINION: Final = re.compile(r"(?:my )?\w+(?: \w+)? (?:thinks|says|said|believes|feels|found)\b", re.IGNORECASE)
"""Somebody else's opinion, which is not a lesson."""
_REPORTED: Final = re.compile(
    r"(?!(?:\w+ ){0,3}(?:polic(?:y|ies)|rules?|conventions?|guide(?:lines?)?|handbook|contract|readme|docs|documentation)\b)"
    r"(?:(?!(?:i|we)\b)[\w'’.-]+ ){1,6}?(?:says?|said|(?:told|tells|warns|warned|taught) (?:me|us)|writes|wrote|thinks|believes)\b",
    re.IGNORECASE,
)
"""Reported speech, which is not a rule of the user's: `My friend says: never trust a lawyer`."""
_PAST: Final = re.compile(r"\b(?:yesterday|last|ago|was|were|had|went|came|\w{2,}ed)\b", re.IGNORECASE)
"""Words of what has happened: `Call with Ann went well today` is no request."""
_NO_REASON: Final = re.compile(
    r",? (?:because(?: of (?:this|that|it|these|those|them))?|and|but|or)(?P<mark>[\s.!…]*)\Z", re.IGNORECASE
)
"""An end that says nothing on its own: `We moved the retro because of this.`, `I switched to Helix because`."""
_OWN_SUBJECT: Final = re.compile(r"(?:i|we|my|our)\b", re.IGNORECASE)
_APPOSITION: Final = re.compile(r"(?:an?|the|from|in|\d+)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Note:
    """A candidate for a memory: sentences of one speaker, their score, and the messages that they come from.

    `utterances`: for each sentence the position of its message, and the sentence as it was said. `for_program`: a user says it to
    a program, and the patterns for that found it. `language`: the one by whose patterns a user is read, if it is not English.
    """

    positions: tuple[int, ...]
    sentences: tuple[str, ...]
    category: Category
    score: float
    english: bool
    utterances: tuple[tuple[int, str], ...]
    for_program: bool = False
    language: Language | None = None


@dataclass(frozen=True, slots=True)
class _Kept:
    """The words of a sentence that are kept, what they are, and their worth by cues."""

    text: str
    category: Category
    score: float


class _Tongue(NamedTuple):
    """How what users say is read in a language other than English."""

    language: Language
    statement: Callable[[str, str], UserStatement | None]
    """The statement in a sentence of a message."""
    stated_in: Callable[[str], str]
    """The part of a sentence before its question."""
    continues: Callable[[Sequence[str], str], bool]


def _german(sentence: str, message: str) -> UserStatement | None:
    return german_statement(sentence, message=message)


_GERMAN: Final = _Tongue(Language.GERMAN, _german, before_german_question, adds_german_detail)


def _tongue(text: str) -> _Tongue | None:
    """How a text that is not in English is read; None for a language whose statements are read by cues only."""
    if is_german(text):
        return _GERMAN
    language = romance_language(text)
    if language is None:
        return None
    return _Tongue(
        language,
        partial(romance_statement, language),
        partial(before_romance_question, language),
        partial(adds_romance_detail, language),
    )


def hears_program(window: ConversationWindow) -> bool:
    """Whether a user with a name talks to a program without one: nobody else in the window has a name."""
    speakers = {one.speaker for one in window.messages if one.role is not MessageRole.SYSTEM and one.speaker}
    named = {one.role for one in window.messages if one.speaker}
    answers = [one for one in window.messages if one.role is MessageRole.ASSISTANT]
    return bool(answers) and len(speakers) == 1 and named == {MessageRole.USER}


def addresses_program(message: SourceMessage, statement: Statement) -> bool:
    """Whether a statement that was chosen for a person is worth keeping where a program listens."""
    sentence = bare(statement[0].sentence)
    is_ignored = is_remark(sentence) or has_open_object(sentence) or is_request(sentence)
    is_ignored = is_ignored or user_words(sentence, message.speaker) == ""
    return not (is_ignored or before_question(statement[0].sentence) == "")


def read_message(
    position: int, message: SourceMessage, in_full: Mapping[str, str], *, english: bool, alone: bool
) -> Iterator[Note]:
    """The notes of a message; `alone`: its author is the only one with a name and talks to a program.

    `in_full`: for sentences of a user that depend on earlier ones, the statements to read instead.
    """
    tongue = None if english else _tongue(message.content)
    voice = _voice(message, for_program=alone and (english or tongue is not None))
    for_program = voice is Voice.USER and english
    own = tongue if voice is Voice.USER else None
    stated_in, continues = (own.stated_in, own.continues) if own else (before_question, adds_detail)
    note: Note | None = None
    for original in sentences_or_number(message.content):
        utterance = (position, original)
        sentence = stated_in(original) if for_program or own else original
        left_out = is_question(sentence) or contains_secret(original)
        if note and voice is Voice.USER and not left_out and continues(note.sentences, sentence):
            note = replace(note, sentences=(*note.sentences, sentence), utterances=(*note.utterances, utterance))
            continue
        stated = in_full.get(original, sentence) if for_program else sentence
        kept = None if left_out else _read(message, stated, voice, own, english=english)
        if note:
            yield note
        note = (
            None
            if kept is None
            else Note(
                positions=(position,),
                sentences=(kept.text,),
                category=kept.category,
                score=kept.score - _GOOD_SCORE,
                english=english,
                utterances=(utterance,),
                for_program=for_program,
                language=own.language if own else None,
            )
        )
    if note:
        yield note


def _voice(message: SourceMessage, *, for_program: bool) -> Voice:
    if message.speaker and not for_program:
        return Voice.PERSON
    return Voice.USER if message.role is MessageRole.USER else Voice.PROGRAM


def _read(
    message: SourceMessage, sentence: str, voice: Voice, tongue: _Tongue | None, *, english: bool
) -> _Kept | None:
    """The words to keep of a sentence, of a user's other than English as `tongue` reads it; None when it is not worth it."""
    if tongue:
        found = tongue.statement(sentence, message.content)
        return _Kept(found.text, found.category, found.worth) if found else None
    if is_acknowledgement(sentence):
        return None
    if voice is Voice.USER and english:
        words = user_words(bare(with_decision(sentence)), message.speaker)
        return _read_user(message, as_decision(in_plain_order(words)))
    reading = read_sentence(sentence, voice)
    return _Kept(sentence, reading.category, reading.score) if reading and reading.score >= KEEP else None


def _read_user(message: SourceMessage, sentence: str) -> _Kept | None:
    sentence = _NO_REASON.sub(r"\g<mark>", stated_in_correction(sentence))
    if (is_remark(sentence) and not is_standing_instruction(sentence)) or has_open_object(sentence):
        return None
    stated = user_statement(sentence, message_characters=len(message.content))
    if stated and stated.category is Category.RULE and _is_of_request(message, sentence):
        stated = None
    text = stated.text if stated else sentence
    reading = read_sentence(text, Voice.USER)
    if stated is None and reading and _is_of_the_moment(sentence, reading.category):
        return None
    if reading and reading.score >= KEEP:
        category = stated.category if stated and stated.category in _OF_INSTRUCTIONS else reading.category
        if category is Category.LESSON and _OPINION.match(text):
            category = Category.FACT
        if category is Category.RULE and _REPORTED.match(text):
            category = Category.FACT
        return _Kept(text, category, max(reading.score, stated.worth if stated else 0))
    return _Kept(text, stated.category, stated.worth) if stated else None


def _is_of_the_moment(sentence: str, category: Category) -> bool:
    """Whether a sentence in which cues find an event or a fact reports trouble or asks for something."""
    if category is Category.EVENT:
        return reports_error(sentence) or (is_request(sentence) and not _PAST.search(sentence))
    return category is Category.FACT and is_request(sentence)


def _is_of_request(message: SourceMessage, instruction: str) -> bool:
    """Whether an instruction is about what the rest of its message asks for: `Write a poem. No emojis!`."""
    others = [one for one in map(bare, sentences(message.content)) if not is_standing_instruction(one)]
    return not is_lasting(instruction) and any(is_question(one) or is_request(one) for one in others)


def user_words(sentence: str, name: str | None) -> str:
    """The sentence of a user whose name is known without the words that say it; blank when it says nothing else.

    `First time here, I'm Lena, I live in Hamburg` of Lena gives `I live in Hamburg`, `I'm Lena from Hamburg` gives
    `I'm from Hamburg`.
    """
    if not name:
        return sentence
    introduction = re.match(
        rf"(?:[\w' ]{{1,40}}[,:!] )?(?:i'm|i am|my name is|my name's|this is|it's) {re.escape(name)}(?:\s+here)?"
        r"(?:\Z|\s*[,;:.–—-]+\s+(?:and )?|\s+and\s+|\s+(?=from\b))",
        sentence,
        re.IGNORECASE,
    )
    if introduction is None:
        return sentence
    rest = sentence[introduction.end() :]
    if _APPOSITION.match(rest):
        return f"I'm {rest}"
    return capitalised(rest) if _OWN_SUBJECT.match(rest) or not rest else sentence
