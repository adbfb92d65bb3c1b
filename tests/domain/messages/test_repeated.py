"""Messages that a memory next to them repeats: the same words, denied or not, recorded when it was said or later."""

import pytest

from memd.domain.messages.repeated import SAME_TIME_MS, memory_words, says_more

SAID_AT = 1_000_000_000
MEMORIES = [
    "The user prefers tea to coffee (15 November 2026).",
    "Bogdan owns the refund module, ask him before changing it (15 November 2026).",
    "The user doesn't use Redis (15 November 2026).",
    "User (27 November 2026): Ich wohne in Graz.",
]


def says_more_than_the_memories(message: str, recorded_at: int = SAID_AT) -> bool:
    return says_more(message, SAID_AT, [memory_words(text, recorded_at) for text in MEMORIES])


@pytest.mark.parametrize(
    "message",
    [
        "I prefer tea to coffee.",
        "Noted: Bogdan owns the refund module.",
        "We don’t use Redis.",
        "Ich wohne in Graz.",
    ],
)
def test_what_a_memory_says_is_repeated(message: str) -> None:
    assert not says_more_than_the_memories(message)


@pytest.mark.parametrize(
    "message",
    [
        "I prefer tea to coffee in the morning.",
        "Bogdan owns the billing module.",
        "We use Redis.",
        "I don't prefer tea to coffee.",
        "Bogdan prefers tea.",
        "Yes, please.",
        "",
        "I prefer tea. " * 200,
    ],
)
def test_other_messages_say_more(message: str) -> None:
    assert says_more_than_the_memories(message)


def test_a_memory_does_not_repeat_what_was_said_long_after_it() -> None:
    assert not says_more_than_the_memories("I prefer tea.", SAID_AT - SAME_TIME_MS)
    assert says_more_than_the_memories("I prefer tea.", SAID_AT - SAME_TIME_MS - 1)
