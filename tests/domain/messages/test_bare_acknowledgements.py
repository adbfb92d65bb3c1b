"""Messages that only say that another one was read."""

import pytest

from memd.domain.messages.bare_acknowledgements import MAX_READ, is_bare_acknowledgement


@pytest.mark.parametrize(
    "text",
    [
        "OK.",
        "Noted!",
        "Got it, thanks.",
        "I’ll remember that.",
        "ok cool",
        "Thank you so much!",
        "Alles klar, danke!",
        "C'est noté.",
        "De acuerdo, gracias",
        "Perfetto, grazie mille!",
        "Понял, спасибо.",
        "好的，谢谢",
    ],
)
def test_a_message_that_only_acknowledges(text: str) -> None:
    assert is_bare_acknowledgement(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Yes.",
        "No.",
        "Sure.",
        "Done.",
        "OK, Wednesdays.",
        "Noted: the port is 8020.",
        "Great book.",
        "Okayama",
        "👍",
    ],
)
def test_a_message_that_says_more_or_answers(text: str) -> None:
    assert not is_bare_acknowledgement(text)


def test_a_long_message_is_not_read() -> None:
    assert not is_bare_acknowledgement("ok " * MAX_READ)
