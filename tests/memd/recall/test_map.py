"""The path of a recall as docs/architecture.md gives it is the one that a traced recall takes."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from memd.context import Services
from tests.support.service import TestUser
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
    told = set(re.findall(r"`([\w/]+\.py)`", MAP.read_text("utf-8")))
    assert [file for file in own if file not in told] == []
