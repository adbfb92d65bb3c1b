"""Statements that begin with a pronoun, with the one whom they are about in its place (contract 11.6).

"He works at Acme" after "My brother Tom moved to Oslo" is about the user's brother Tom. Only what a user says to a program
is read so, and only where nobody else is mentioned whom the pronoun may mean.
"""

import re
from dataclasses import replace
from typing import Final

from memd.domain.conversation_windows import ConversationWindow
from memd.domain.distilling.pronouns import mention, names_another, people
from memd.domain.distilling.wording import bare
from memd.domain.message_notes import Note
from memd.domain.said_before import EARLIER, every_text, own_sentences, speakers
from memd.domain.sentences import sentences
from memd.domain.types import MessageRole

_LOOK_BACK: Final = 4
"""Sentences of the user before the pronoun among which is the one that it goes back to."""
_LED: Final = re.compile(
    r"(?P<pronoun>he|she|they)(?P<short>'s|'re|'ll|'ve)? (?=[a-z])|(?P<own>his|her|their) (?=[a-z])", re.IGNORECASE
)
_OWNER: Final = {"his": "he", "her": "she", "their": "they"}
_HAS: Final = re.compile(r"(?:just |already |recently |never |always )?(?:been|had|got)\b")
_FULL: Final = {"'s": " is", "'re": " are", "'ll": " will", "'ve": " have"}


def with_antecedent(window: ConversationWindow, note: Note) -> Note:
    """The note with the one whom its pronoun means; as it was where that is not clear, or it begins with none."""
    led = _LED.match(note.sentences[0]) if note.for_program and note.english else None
    whom = _antecedent(window, note, _pronoun(led)) if led else None
    if led is None or whom is None:
        return note
    rest = note.sentences[0][led.end() :]
    if led["own"]:
        whom += "'" if whom.endswith("s") and led["own"].lower() == "their" else "'s"
    elif led["short"]:
        whom += " has" if led["short"] == "'s" and _HAS.match(rest) else _FULL[led["short"].lower()]
    first = f"{whom[0].upper()}{whom[1:]} {rest}"
    return replace(note, sentences=(first, *note.sentences[1:]))


def may_mean_earlier(window: ConversationWindow) -> bool:
    """Whether a pronoun in one of the first messages could mean somebody who was mentioned shortly before the window."""
    return any(
        message.role is MessageRole.USER and any(_LED.match(bare(one)) for one in sentences(message.content))
        for message in window.messages[:EARLIER]
    )


def _pronoun(led: re.Match[str]) -> str:
    return _OWNER[led["own"].lower()] if led["own"] else led["pronoun"].lower()


def _antecedent(window: ConversationWindow, note: Note, pronoun: str) -> str | None:
    """The words for the only one whom the pronoun may mean: `my brother Tom`; None without one, or with several."""
    position, whole = note.places[0]
    said = sentences(window.messages[position].content)
    said = said[: said.index(whole)] if whole in said else []
    for count, (_, sentence) in enumerate(own_sentences(window, position, said)):
        words = bare(sentence)
        whom = mention(pronoun, words)
        if whom is not None:
            known = speakers(window)
            others = every_text(window, position, said)
            return None if any(names_another(pronoun, whom, text, known) for text in others) else whom
        if people(pronoun, words) or count + 1 == _LOOK_BACK:
            return None
    return None
