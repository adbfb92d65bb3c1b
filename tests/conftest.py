"""Fixtures of the whole suite."""

import asyncio
import gc
import sys
from collections.abc import Callable
from importlib.util import find_spec

import pytest
import structlog
import uvloop
from hypothesis import HealthCheck, settings

settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")
gc.disable()  # the tests stay: looking through them for garbage takes a tenth of the time in which they are collected
structlog.dev.ConsoleRenderer.get_active().exception_formatter = structlog.dev.plain_traceback  # rich takes seconds
if find_spec("sniffio") is None:
    sys.modules["sniffio"] = None  # pyrefly: ignore[unsupported-operation] - httpx would look for it at each request

pytest_plugins = [
    "tests.support.postgres",
    "tests.support.citus",
    "tests.support.service",
    "tests.support.daemon",
    "tests.support.embedding_provider",
    "tests.support.talk",
    "tests.support.node",
    "tests.support.rules",
    "tests.support.selection",
    "tests.support.workers",
    "tests.support.row_types",
    "tests.support.statement_rules",
]


def pytest_addoption(parser: pytest.Parser) -> None:
    """How long the tests run that have a short and a long form."""
    parser.addoption("--paged-searches", type=int, default=3, help="searches that are paged through beside writers")
    parser.addoption(
        "--budgets",
        type=int,
        default=30,
        help="random queries and budgets of tests/memd/prompt_context/test_budgets.py",
    )
    parser.addoption(
        "--long", action="store_true", help="the tests with the marker `long_form` at full length (make test-long)"
    )
    parser.addoption("--cancels", type=int, help="calls that tests/memd/access/test_cancelled_calls.py cancels")
    parser.addoption("--kill-rounds", type=int, default=4, help="how often tests/e2e/test_kills_in_turn.py kills")
    parser.addoption("--processes", type=int, default=2, help="processes of memd in tests/e2e/test_processes.py")
    parser.addoption("--postgres-url", help="an empty database of another server for the service under test")
    parser.addoption(
        "--citus", action="store_true", help="start a Citus cluster for the service under test, and for e2e/citus"
    )
    parser.addoption("--pool-url", help="with --postgres-url: its database through a proxy that pools transactions")
    parser.addoption("--idle-users", type=int, default=2000, help="users without work in tests/memd/schedule")
    parser.addoption("--outage-seconds", type=float, default=3, help="how long the outages of tests/e2e/outages last")
    parser.addoption(
        "--install-wheel",
        action="store_true",
        help="tests/packaging installs the wheels and all that they need from the package index",
    )
    parser.addoption(
        "--frameworks",
        metavar="PYTHON",
        help="the Python of an environment with tests/integrations/requirements.txt, or `install` to make one",
    )
    parser.addoption(
        "--agents", action="store_true", help="tests/e2e/test_coding_agents.py installs Claude Code and Codex from npm"
    )
    parser.addoption(
        "--every-migration",
        action="store_true",
        help="tests/e2e/test_upgrade_killed.py kills memd in each migration, not in the first and last alone",
    )


def pytest_collection_finish() -> None:
    """From here on garbage is looked for, among what the tests make."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)  # a twentieth of the time of tests that store or draw much
    gc.enable()


@pytest.fixture(scope="session")
def of_size(request: pytest.FixtureRequest) -> Callable[[int, int], int]:
    """`of_size(short, long)`: the size of a test in the suite, and with `--long`."""
    is_long = bool(request.config.getoption("--long"))
    return lambda short, long: long if is_long else short


@pytest.fixture(scope="session")
def _asyncio_loop_factory() -> Callable[[], asyncio.AbstractEventLoop]:
    """The loop that memd runs on, for the tests that are coroutines."""
    return uvloop.new_event_loop
