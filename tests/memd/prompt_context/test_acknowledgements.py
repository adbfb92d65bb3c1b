"""Messages that add nothing take no lines of a context: acknowledgements, what was only said next to an answer, repetitions."""

import pytest

from memd.context import Services
from tests.support.mcp import call
from tests.support.service import TestUser
from tests.support.talk import embed, talk
from tests.support.wire import capture, post

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


REFUNDS = ("I prefer tests without loops.", "Bogdan owns the refunds.", "Wei moved to Lisbon.")


@pytest.mark.rule("17.3 text")
async def test_what_was_only_said_next_to_an_answer_is_left_out(user: TestUser, services: Services) -> None:
    await talk(user, *REFUNDS)
    await embed(services, user)
    text = (await post(user, "context", {"query": "who owns the refunds?"}))["text"]
    answer = (await call(user.http, "recall", query="who owns the refunds?"))["structuredContent"]
    told = (await call(user.http, "search_messages", query="who owns the refunds?"))["structuredContent"]
    for found in (text, str(answer), str(told)):
        assert REFUNDS[1] in found
        assert REFUNDS[0] not in found
        assert REFUNDS[2] not in found


@pytest.mark.rule("17.3 text")
async def test_a_message_that_a_memory_repeats_is_left_out(user: TestUser, services: Services) -> None:
    await talk(user, REFUNDS[1], "The refunds of Bogdan take three days.", sessionKey=None)
    await capture(user, title="Refunds", content="Bogdan owns the refunds (18 June 2025).")
    await embed(services, user)
    text = (await post(user, "context", {"query": "Bogdan's refunds"}))["text"]
    answer = (await call(user.http, "recall", query="Bogdan's refunds"))["structuredContent"]
    assert text.count("Bogdan owns the refunds") == 1
    assert "three days" in text
    assert [row["text"] for row in answer["messages"]] == ["The refunds of Bogdan take three days."]
