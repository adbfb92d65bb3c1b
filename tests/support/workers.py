"""How pytest-xdist's workers share the tests with `--dist loadfile`: file by file, so that what a file sets up is set up once.

pytest-xdist 3.8 has marks for groups, which have no effect under pytest 9.2: they are lost with the old kind of node id.
"""

import gc
from collections.abc import Iterator
from functools import cache
from pathlib import PurePosixPath
from typing import Final

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling, Scheduling

TOGETHER: Final = {
    "tests/e2e/test_agent_tokens.py": "node",
    "tests/e2e/test_coding_agents.py": "node",
    "tests/e2e/test_mcp_clients.py": "node",
    "tests/e2e/test_mcp_conformance.py": "node",
    "tests/dependencies": "tools",
    "tests/integrations": "frameworks",
    "tests/packaging": "wheels",
}
"""Files and folders that install or build the same thing: one worker runs each group."""
LATE_AND_LONG: Final = (
    "tests/migrations/test_separate_logins.py",
    "tests/tui/test_snapshots.py",
    "tests/tui/test_dialog_snapshots.py",
)
"""Files of many seconds that would come last: a worker would run one while the others have nothing left."""
WAITING: Final = ("tests/e2e/", "tests/tui/")
"""Tests that wait, for processes and a quiet screen: alongside tests that compute, they leave no processor idle."""
ENDS_AT: Final = 0.9
"""Where the last waiting file stands among the others: the short files after it fill all workers to the end."""


class InFiles(LoadFileScheduling):
    """Each unit of work is a file, or one of the groups of TOGETHER."""

    def _split_scope(self, nodeid: str) -> str:
        return unit_of(nodeid)


def unit_of(nodeid: str) -> str:
    """The unit of work that a test belongs to."""
    return _unit_of_file(nodeid.split("::", 1)[0])


@cache
def _unit_of_file(name: str) -> str:
    file = PurePosixPath(name)
    return next((TOGETHER[str(each)] for each in (file, *file.parents) if str(each) in TOGETHER), str(file))


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Scheduling | None:
    """`InFiles` for `--dist loadfile`, in the order of the files: by default xdist puts those of few tests last."""
    if config.getvalue("dist") != "loadfile":
        return None
    config.option.loadscopereorder = False
    return InFiles(config, log)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """The process that hands out the tests holds their reports only: pytest need not look through them for garbage."""
    if session.config.pluginmanager.has_plugin("dsession"):
        gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    place = dict(places(list(dict.fromkeys(unit_of(item.nodeid) for item in items))))
    items.sort(key=lambda item: place[unit_of(item.nodeid)])


def places(units: list[str]) -> Iterator[tuple[str, float]]:
    """The place of each unit of work: the long ones come first, the waiting ones evenly among the others."""
    waiting = [unit for unit in units if unit.startswith(WAITING) and unit not in LATE_AND_LONG]
    others = [unit for unit in units if not unit.startswith(WAITING) and unit not in LATE_AND_LONG]
    yield from ((unit, -1.0) for unit in units if unit in LATE_AND_LONG)
    yield from ((unit, number / len(others)) for number, unit in enumerate(others))
    yield from ((unit, ENDS_AT * number / len(waiting)) for number, unit in enumerate(waiting))
