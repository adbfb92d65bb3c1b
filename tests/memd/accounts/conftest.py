"""Two applications whose end users the tests compare."""

from collections.abc import AsyncIterator

import pytest_asyncio
from starlette.types import ASGIApp

from memd.domain.types import Policy
from tests.support.applications import Application, application
from tests.support.service import MakeUser


@pytest_asyncio.fixture(loop_scope="session")
async def shop(app: ASGIApp, make_user: MakeUser) -> AsyncIterator[Application]:
    async with application(app, make_user, policy=Policy.SELF_HOSTED_UNMETERED) as one:
        yield one


@pytest_asyncio.fixture(loop_scope="session")
async def rival(app: ASGIApp, make_user: MakeUser) -> AsyncIterator[Application]:
    async with application(app, make_user, policy=Policy.SELF_HOSTED_UNMETERED) as one:
        yield one
