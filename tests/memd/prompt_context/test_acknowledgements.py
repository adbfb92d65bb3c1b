"""Acknowledgements take no lines of a context: they are found for what was said next to them."""

import pytest

from memd.context import Services
from tests.support.mcp import call
from tests.support.service import TestUser
from tests.support.talk import embed, talk
from tests.support.wire import post

CONVERSATION = (
    "Our plumber is Jonas Ek.",
    "Noted.",
    "The storage unit of the plumber is on the quay.",
    "OK, thanks!",
)


@pytest.mark.rule("17.3 text")
async def test_messages_that_only_acknowledge_are_left_out(user: TestUser, services: Services) -> None:
    await talk(user, *CONVERSATION)
    await embed(services, user)
    text = (await post(user, "context", {"query": "who is our plumber?"}))["text"]
    assert "Jonas Ek" in text
    assert "Noted." not in text
    assert "OK, thanks!" not in text


async def test_nor_do_they_take_places_in_an_answer_to_a_model(user: TestUser, services: Services) -> None:
    await talk(user, *CONVERSATION)
    await embed(services, user)
    answer = (await call(user.http, "recall", query="where is the storage unit of the plumber?"))["structuredContent"]
    texts = [message["text"] for message in answer["messages"]]
    assert CONVERSATION[2] in texts
    assert not {"Noted.", "OK, thanks!"}.intersection(texts)
