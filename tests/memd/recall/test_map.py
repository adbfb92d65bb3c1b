"""The path of a recall as docs/architecture.md gives it is the one that a traced recall takes, and it stays short."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from memd.context import Services
from tests.support.service import MakeUser, TestUser
from tests.walk.__main__ import walk
from tests.walk.trace import Tracer

MAP = Path(__file__).parents[3] / "docs" / "architecture.md"
SHARED = ("memd/domain/", "memctl/wire/", "memd/app.py")
"""Pure functions, wire types and the clock: the map names those that decide something."""


@pytest.fixture
def tracer() -> Iterator[Tracer]:
    with Tracer().installed() as installed:
        yield installed


async def test_the_map_names_every_file_of_a_recall(services: Services, user: TestUser, tracer: Tracer) -> None:
    found = await walk(tracer, services, user, "recall")
    own = [file for file in found.files if not file.startswith(SHARED)]
    assert "memd/recall/service.py" in own
    named = set(re.findall(r"`([\w/]+\.py)`", MAP.read_text("utf-8")))
    assert [file for file in own if file not in named] == []


async def test_the_path_stays_short(services: Services, make_user: MakeUser, tracer: Tracer) -> None:
    """The functions of a recall that a reader opens, and how many more of them the same recall through MCP has."""
    recall = (await walk(tracer, services, await make_user(), "recall")).opened
    assert len(recall) <= 40
    assert len({step.file for step in recall}) <= 22
    call = (await walk(tracer, services, await make_user(), "tools/call")).opened
    assert len(call) <= len(recall) + 10
