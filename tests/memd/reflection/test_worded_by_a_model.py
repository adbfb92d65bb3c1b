"""Reflection worded by a chat model: asked once, what a failing one costs, and what changes while it answers."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator

import pytest
import pytest_asyncio

from memd.context import Services
from memd.domain.types import Policy
from memd.reflection import service
from memd.reflection.jobs import reflect_on_the_day
from tests.memd.reflection.test_reflection import inferred, say
from tests.support.chat_server import ChatServer, chat_server, fails, is_silent, says
from tests.support.chat_services import with_chat_model
from tests.support.jobs import context_of
from tests.support.service import MakeUser, TestUser
from tests.support.waiting import until
from tests.support.wire import capture, memory, post

TOLD = {
    "summary": "The team moved the release and wrote down how to migrate.",
    "decisions": [{"title": "Release on Thursday", "content": "The release moves to Thursday."}],
    "lessons": [],
    "openLoops": [],
}


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with chat_server(says(TOLD)) as running:
        yield running


@pytest_asyncio.fixture(loop_scope="session")
async def modelled(services: Services, server: ChatServer) -> AsyncIterator[Services]:
    async with with_chat_model(services, server) as found:
        yield found


@pytest.mark.rule("6.11 reply")
async def test_a_model_words_it_and_is_asked_once(user: TestUser, modelled: Services, server: ChatServer) -> None:
    await say(user)
    context = await context_of(modelled, user)
    first = await service.reflect(context, 4)
    assert (first.method, first.degraded, len(first.memory_ids)) == ("llm", False, 2)
    assert first.stats.summary == TOLD["summary"]
    assert "Decision: Release on Thursday" in await inferred(user)
    server.answers = [says(TOLD | {"decisions": [{"title": "Worded otherwise", "content": "x"}]})]
    assert (await service.reflect(context, 4)).memory_ids == []
    assert len(server.requests) == 1
    await capture(user, content="Bob fixed the door of the office.")
    await service.reflect(context, 4)
    assert [word in str(server.requests[-1]) for word in ("door", "release")] == [True, False]


@pytest.mark.rule("6.11 never 503")
@pytest.mark.parametrize("bad", [fails(500), says("no"), says({"decisions": []}), is_silent])
async def test_a_failing_model_leaves_it_to_the_extractive_way(
    make_user: MakeUser, modelled: Services, server: ChatServer, bad: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memd.reflection.service.MODEL_S", 0.3)
    user = await make_user(policy=Policy.SELF_HOSTED_UNMETERED)
    await say(user)
    server.answers = [bad]
    done = await service.reflect(await context_of(modelled, user), 4)
    assert (done.method, done.degraded, len(done.memory_ids)) == ("extractive", True, 4)


@pytest.mark.parametrize("change", ["forget", "update"])
async def test_what_changes_while_a_model_words_the_summary_is_read_again(
    user: TestUser, modelled: Services, server: ChatServer, change: str
) -> None:
    changed, *_ = await say(user)
    await capture(user, content="Bob fixed the door of the office.")
    server.answers = [is_silent, says(TOLD | {"decisions": []})]
    running = asyncio.ensure_future(reflect_on_the_day(await context_of(modelled, user)))
    await until(lambda: len(server.requests) == 1)
    fields = {"content": "We decided to cancel the release."} if change == "update" else {}
    await post(user, change, {"memoryId": changed, **fields})
    server.open.set()
    assert await running == 1
    (summary,) = (await inferred(user)).values()
    read = (await memory(user, summary["id"]))["metadata"]["reflectedMemoryIds"]
    assert (len(read), changed in read) == ((3, False) if change == "forget" else (4, True))
    assert (await post(user, "reflect", {}))["stats"]["skipped"] == "nothing_new"


async def test_a_model_that_always_says_the_same_is_not_asked_for_ever(
    make_user: MakeUser, modelled: Services, server: ChatServer
) -> None:
    """A summary that equals another memory is not written, so what it was made of stays unread."""
    user = await make_user(policy=Policy.SELF_HOSTED_UNMETERED)
    for number in range(61):
        await capture(user, content=f"Bob fixed door {number} of the office.")
    server.answers = [says(TOLD | {"decisions": [{"title": f"Door {n}", "content": f"Door {n}."}]}) for n in range(20)]
    await reflect_on_the_day(await context_of(modelled, user))
    assert len(server.requests) == 2
