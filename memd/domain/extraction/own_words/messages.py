"""The messages of a conversation, each reduced to the words of its author that may be kept."""

import re
from dataclasses import replace
from typing import Final

from memd.domain.extraction.conversation_windows import ConversationWindow, SourceMessage
from memd.domain.extraction.own_words.chats import without_chat
from memd.domain.extraction.own_words.introductions import MAX_LINE, without_fiction, without_introduced
from memd.domain.extraction.own_words.letters import without_letter
from memd.domain.extraction.own_words.off_the_record import is_off_the_record
from memd.domain.extraction.own_words.quotations import without_quotations, without_reports
from memd.domain.text.alternatives import any_of
from memd.domain.types import MessageRole

_SCENE: Final = re.compile(
    r"(?:(?:\A|[.!?\n])[ \t]{0,4}|\b(?:please|now|let's|let us|can you|could you) )"
    r"(?:(?:pretend|imagine)(?: that)? (?:you(?:'?re| are| were|r)?\b|u(?:r|'?re| are| r)?\b|to be\b|as if\b|we(?:'re| are)\b)"
    r"|play a (?:\w+ )?game: (?:you|u|i)\b|be my (?:\w+ )?(?:dm|gm|dungeon master|game master|dnd master)\b"
    r"|act (?:as if|like) (?:you|we)\b|role-?play\b|play\s?:)"
    r"|\b(?:stell dir vor|tu so als|spiel(?:e|st)? (?:du )?(?:einen?|meinen?|die rolle))\b",
    re.IGNORECASE,
)
_DRAFT: Final = any_of("""
    draft email e-mail letter message reply response post tweet story poem song essay speech translation
    translated version rewrite article dialogue bio entwurf nachricht brief antwort übersetzung geschichte
    gedicht traduction traducción traduzione tradução lettre carta lettera
""")
_DRAFTED: Final = re.compile(rf"\b{_DRAFT}\b[^:\n]{{0,60}}[:：]\W*\Z", re.IGNORECASE)
"""A line before what a program drafts or translates: `Here is the email:`."""


def in_own_words(window: ConversationWindow) -> ConversationWindow:
    """The window with each message reduced to its author's own words."""
    return replace(window, messages=tuple(_reduced(message) for message in window.messages))


def _reduced(message: SourceMessage) -> SourceMessage:
    if message.role is MessageRole.SYSTEM:
        return message
    reduce = without_drafts if message.role is MessageRole.ASSISTANT else own_words
    return replace(message, content=reduce(message.content))


def own_words(text: str) -> str:
    """A message without what its author pasted or quoted; blank when it sets a scene to play, or is off the record."""
    if _SCENE.search(text) or is_off_the_record(text):
        return ""
    lines = without_introduced(without_letter(without_chat(text.splitlines())))
    return without_quotations(without_reports(without_fiction("\n".join(lines))))


def without_drafts(text: str) -> str:
    """The message of a program without letters, quotations, and what it drafts or translates for the user."""
    lines = without_letter(text.splitlines())
    first = next((index for index, line in enumerate(lines) if _DRAFTED.search(line[:MAX_LINE])), len(lines))
    return without_quotations("\n".join(lines[:first]))
