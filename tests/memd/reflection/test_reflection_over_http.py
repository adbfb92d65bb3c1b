"""Reflection as its clients see it (contract 6.11): never 503 for want of a model, and inside the session asked for."""

import pytest

from memd.app import build
from memd.context import Services
from memd.extraction.service import extract_turn
from memd.reflection import service
from tests.support.chat_server import chat_server, fails
from tests.support.chat_services import with_chat_model
from tests.support.jobs import context_of
from tests.support.limits import client
from tests.support.service import TestUser
from tests.support.wire import capture, post


@pytest.mark.rule("6.11 never 503")
async def test_a_reflection_without_its_model_is_reported_as_degraded(services: Services, user: TestUser) -> None:
    for number in range(3):
        await capture(user, content=f"We decided on plan {number}.")
    with chat_server(fails(500)) as server:
        async with with_chat_model(services, server) as modelled, client(build(modelled), user.key) as http:
            reply = await http.post("/api/mcp/reflect", json={})
    body = reply.json()
    assert (reply.status_code, body["ok"], body["method"], body["degraded"]) == (200, True, "extractive", True)
    assert body["stats"]["memoriesRead"] == 3


@pytest.mark.rule("6.11 never 503")
def test_a_model_has_twenty_seconds() -> None:
    assert service.MODEL_S == 20


@pytest.mark.rule("6.11 sessionId")
async def test_a_session_is_that_of_its_messages_too(services: Services, user: TestUser) -> None:
    for number, session_key in enumerate(["s1"] * 3 + ["s2"] * 3):
        turn = {"turnId": f"t{number}", "sessionKey": session_key, "channel": "slack", "assistantMessage": "Noted."}
        decision = f"We decided to deploy the payments service of region {number} on Fridays only."
        await post(user, "turn", turn | {"userMessage": decision})
        await extract_turn(await context_of(services, user), f"t{number}")
    for session_key, read in (("s1", 3), ("s2", 3), ("s3", 0), (None, 6)):
        assert (await post(user, "reflect", {"sessionId": session_key}))["stats"]["memoriesRead"] == read
