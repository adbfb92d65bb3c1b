"""A memory is found by the messages that it was made from, too (contract 11.2, context: sourceScore)."""

import pytest

from memd.context import Services
from memd.extraction import service
from tests.support.jobs import context_of, done
from tests.support.service import TestUser
from tests.support.wire import Json, capture, post

TOLD = "We decided to deploy the payments service on Fridays only after the smoke tests are green."
ASKED = "What do you think about the new pipeline of the Kestrel team?"


async def recalled(user: TestUser, query: str) -> list[Json]:
    return (await post(user, "recall", {"query": query}))["memories"]


async def converse(user: TestUser, services: Services, **fields: str) -> None:
    """Two turns of a session, of which a memory is made of the second one."""
    session = {"sessionKey": "s1", "channel": "slack", **fields}
    await post(user, "log", {"role": "assistant", "content": ASKED, **session})
    await post(user, "turn", {"userMessage": TOLD, "assistantMessage": "Noted.", "turnId": "t1", **session})
    await done(services, user)
    await service.extract_turn(await context_of(services, user), "t1")
    await done(services, user)


@pytest.mark.rule("11.2 evidence")
async def test_a_memory_is_lifted_by_the_message_that_it_was_made_from(user: TestUser, services: Services) -> None:
    await capture(user, title="Tea", content="The tea is in the kitchen.")
    await converse(user, services)
    rows = await recalled(user, "when do we deploy the payments service?")
    signals = {row["source"] if "source" in row else row["title"]: row["rankingSignals"] for row in rows}
    (lifted,) = [each for each in signals.values() if "sourceScore" in each]
    (hit, *_) = (await post(user, "search-messages", {"query": "when do we deploy the payments service?"}))["messages"]
    assert lifted["sourceScore"] == pytest.approx(0.5 * hit["score"], abs=1e-6)
    own = 0.5 * lifted["vectorScore"] + 0.5 * lifted["wordScore"]
    own += 0.1 * lifted["pairScore"] + 0.1 * lifted["nameScore"]
    assert lifted["evidenceScore"] == pytest.approx(own + lifted["contextScore"], abs=1e-6)
    assert lifted["contextScore"] >= lifted["sourceScore"]


@pytest.mark.rule("11.2 evidence")
async def test_a_message_that_does_not_fit_lifts_nothing(user: TestUser, services: Services) -> None:
    await converse(user, services)
    rows = await recalled(user, "chromodynamics of lattice gluons")
    assert rows
    assert not [row for row in rows if "sourceScore" in row["rankingSignals"]]


@pytest.mark.rule("11.2 evidence")
async def test_a_message_that_the_caller_may_not_see_lifts_nothing(user: TestUser, services: Services) -> None:
    await converse(user, services, channel="peer-a:1")
    query = {"query": "when do we deploy the payments service?", "channel": "peer-b:1"}
    rows = (await post(user, "recall", query))["memories"]
    assert not [row for row in rows if "sourceScore" in row["rankingSignals"]]
