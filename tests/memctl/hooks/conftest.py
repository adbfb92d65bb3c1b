"""An agent with hooks, and its way to the service of this process."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from starlette.types import ASGIApp

from tests.support.agents import Agent, Gate, gate
from tests.support.served import served
from tests.support.service import TestUser


@pytest_asyncio.fixture
async def way(app: ASGIApp) -> AsyncIterator[Gate]:
    async with served(app) as url, gate(url) as this:
        yield this


@pytest.fixture
def agent(tmp_path: Path, way: Gate, user: TestUser) -> Agent:
    return Agent(tmp_path, {"MEMCTL_URL": way.url, "MEMCTL_API_KEY": user.key})
