"""Sentences that only agree become no memory (contract 11.6)."""

from uuid import UUID

import pytest

from memd.domain.extraction.acknowledgements import is_acknowledgement
from memd.domain.extraction.conversation_windows import ConversationWindow, SourceMessage
from memd.domain.extraction.extract import extract
from memd.domain.types import MessageRole

AGREED = [
    "Sure, I'll do that.",
    "Sure, I plan on doing it.",
    "Okay, I plan to do that this week.",
    "Yes, I'm going to do it.",
    "Yes please, I'd like to do that.",
    "Sounds good, I'll do that tomorrow.",
    "Ok, I need to think about that.",
    "I’m going to look into it.",
    "Alright, I'm working on it.",
    "Looking forward to it!",
    "I'd love to!",
    "I agreed to do that.",
    "We'll go with that.",
    "Let's do that then.",
    "Got it, makes sense.",
    "Got it, that explains it.",
    "Got it, will do.",
    "Got the point, thanks.",
    "Got it working now.",
    "I have no objections.",
    "We have no further questions.",
    "I have nothing to add.",
    "Okay, I'm on board.",
    "I'm in.",
]
STATED = [
    "I'll do the dishes tomorrow.",
    "I need to renew my passport before June.",
    "I need to call them about the invoice.",
    "I have to submit it by Friday.",
    "I want to learn Dutch by summer 2027.",
    "I'm working on a novel.",
    "I'm looking forward to the trip to Rome.",
    "We'll go with Postgres.",
    "We decided to keep it in Frankfurt.",
    "Let's use Redis for that queue.",
    "Yes, I want to run that marathon.",
    "Sure, I plan to visit my sister.",
    "I love that restaurant in Bonn.",
    "I'm allergic to it and to nuts.",
    "I got that job in Bonn.",
    "I have no preference between aisle seats, but no window in December.",
    "I have no siblings.",
    "I'm in Lisbon until 4 July.",
    "We're on board the Kap Arkona until Friday.",
]
NOON = 1_780_000_000_000


def window(*rows: tuple[MessageRole, str, str | None]) -> ConversationWindow:
    messages = [
        SourceMessage(UUID(int=index + 1), role, content, NOON + index, NOON + index, speaker)
        for index, (role, content, speaker) in enumerate(rows)
    ]
    return ConversationWindow(None, None, tuple(messages))


@pytest.mark.parametrize("sentence", AGREED)
def test_a_deed_without_a_name_is_an_acknowledgement(sentence: str) -> None:
    assert is_acknowledgement(sentence)


@pytest.mark.parametrize("sentence", STATED)
def test_a_deed_with_a_name_is_none(sentence: str) -> None:
    assert not is_acknowledgement(sentence)


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize("sentence", AGREED)
@pytest.mark.parametrize(
    ("asked", "agreed"),
    [
        ((MessageRole.ASSISTANT, None), (MessageRole.USER, None)),
        ((MessageRole.ASSISTANT, None), (MessageRole.USER, "Ben")),
        ((MessageRole.USER, None), (MessageRole.ASSISTANT, None)),
        ((MessageRole.USER, "Ana"), (MessageRole.USER, "Ben")),
    ],
    ids=["a user", "a named user", "a program", "a person"],
)
def test_nobody_s_acknowledgement_becomes_a_memory(
    sentence: str, asked: tuple[MessageRole, str | None], agreed: tuple[MessageRole, str | None]
) -> None:
    found = extract(window((asked[0], "Could you water the fern?", asked[1]), (agreed[0], sentence, agreed[1])))
    assert [one.content for one in found if "fern" not in one.content] == []


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize(
    "sentence",
    [
        "I need to renew my passport before June.",
        "I want to learn Dutch by summer 2027.",
        "I'm looking forward to the trip to Rome.",
        "We'll go with Postgres.",
        "We decided to keep it in Frankfurt.",
        "I'm allergic to it and to nuts.",
        "I have to submit the tax return by 31 July.",
        "We must ship the crates before Friday.",
    ],
)
def test_what_a_user_means_to_do_becomes_one(sentence: str) -> None:
    assert len(extract(window((MessageRole.USER, sentence, None), (MessageRole.ASSISTANT, "Noted.", None)))) == 1


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize("sentence", ["I have to say it is hot today.", "I must admit that this is good."])
def test_what_somebody_has_to_say_is_no_goal(sentence: str) -> None:
    assert extract(window((MessageRole.USER, sentence, None), (MessageRole.ASSISTANT, "Noted.", None))) == []
