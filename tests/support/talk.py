"""Messages of a test: logged over HTTP, embedded at once, and searched."""

from typing import Any

import pytest_asyncio

from memd.context import Services
from memd.domain.types import Tier
from tests.support.jobs import done
from tests.support.limits import spend_embeddings
from tests.support.service import MakeUser, TestUser
from tests.support.wire import Json, post

NOON = 1_750_000_000_000
"""2025-06-15, a Sunday, 15:06:40 UTC."""
MINUTE = 60_000
DAY = 86_400_000


@pytest_asyncio.fixture(loop_scope="session")
async def wordy(services: Services, make_user: MakeUser) -> TestUser:
    """A user whose embedding calls are used up: nothing has a vector, only words find."""
    user = await make_user(tier=Tier.ULTRA)
    await spend_embeddings(services, user)
    return user


async def log(user: TestUser, content: str, **fields: Any) -> str:
    """Log a message; its id."""
    return (await post(user, "log", {"content": content, "role": "user"} | fields))["id"]


async def talk(user: TestUser, *contents: str, start: int = NOON, **fields: Any) -> list[str]:
    """Log messages a minute apart, in one session unless told otherwise; their ids."""
    fields = {"sessionKey": "s1"} | fields
    return [
        await log(user, content, timestamp=start + index * MINUTE, **fields) for index, content in enumerate(contents)
    ]


async def embed(services: Services, user: TestUser) -> None:
    """Wait until every stored row of the user has its vector."""
    await done(services, user)


async def search(user: TestUser, query: str, **fields: Any) -> Json:
    """The reply of a message search."""
    return await post(user, "search-messages", {"query": query} | fields)


async def found(user: TestUser, query: str, **fields: Any) -> list[str]:
    """The contents that a message search finds, best first."""
    return [row["content"] for row in (await search(user, query, **fields))["messages"]]
