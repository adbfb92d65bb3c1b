"""The requests that are walked: each is prepared by the same request with other values, so that caches are warm."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from memd.context import Services
from memd.reflection.jobs import reflect_on_the_day
from tests.support import mcp
from tests.support.jobs import context_of
from tests.support.service import TestUser
from tests.support.wire import capture, chunk, fill, make_base, post

FIRST, SECOND = "When does the API freeze?", "Which release is blocked by the freeze?"
Request = Callable[[], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class Walked:
    """The warm request, and the function (`file:name`) at which the room's own part begins."""

    prepare: Callable[[Services, TestUser], Awaitable[Request]]
    handler: str


async def _fill(user: TestUser) -> str:
    """A few memories, messages and chunks, so that every part of a search finds something; the knowledge base."""
    for title in ("API freeze", "Release plan", "Owner of billing"):
        await capture(user, title=title, content=f"{title}: the API freezes on the first of every month.")
    await post(user, "log", {"role": "user", "content": "The API freeze moved to Monday.", "sessionKey": "s"})
    base = await make_base(user, name="Handbook")
    await fill(user, base, chunk("The API freeze blocks every release."), chunk("Ask Ana before a freeze."))
    return base


async def _recall(_services: Services, user: TestUser) -> Request:
    await _fill(user)
    await post(user, "recall", {"query": FIRST})
    return lambda: post(user, "recall", {"query": SECOND})


async def _search(_services: Services, user: TestUser) -> Request:
    await _fill(user)
    await post(user, "search-messages", {"query": FIRST})
    return lambda: post(user, "search-messages", {"query": SECOND})


async def _import(_services: Services, user: TestUser) -> Request:
    base = await _fill(user)
    await fill(user, base, chunk(FIRST, dedupeKey=FIRST), chunk(f"{FIRST} Again."))
    return lambda: fill(user, base, chunk(SECOND, dedupeKey=SECOND), chunk(f"{SECOND} Again."))


async def _log(_services: Services, user: TestUser) -> Request:
    await post(user, "log", {"role": "user", "content": FIRST, "sessionKey": "s"})
    return lambda: post(user, "log", {"role": "user", "content": SECOND, "sessionKey": "s"})


async def _tools_call(_services: Services, user: TestUser) -> Request:
    await _fill(user)
    await mcp.call(user.http, "recall", query=FIRST)
    return lambda: mcp.call(user.http, "recall", query=SECOND)


async def _reflection(services: Services, user: TestUser) -> Request:
    context = await context_of(services, user)
    await _decide(user, FIRST)
    await reflect_on_the_day(context)
    await _decide(user, SECOND)
    return lambda: reflect_on_the_day(context)


async def _decide(user: TestUser, text: str) -> None:
    """Something to reflect on."""
    for number in (1, 2):
        content = f"We decided on day {number}: {text} We release on Monday, since the freeze ends then."
        await capture(user, title=f"{text} {number}", content=content, store="episodic", category="decision")


REQUESTS = {
    "recall": Walked(_recall, "memd/recall/routes.py:recall"),
    "search": Walked(_search, "memd/messages/routes.py:search"),
    "import": Walked(_import, "memd/knowledge_bases/routes.py:import_chunks"),
    "log": Walked(_log, "memd/messages/routes.py:log"),
    "tools/call": Walked(_tools_call, "memd/mcp/calls.py:call_tool"),
    "reflection": Walked(_reflection, "memd/reflection/jobs.py:reflect_on_the_day"),
}
