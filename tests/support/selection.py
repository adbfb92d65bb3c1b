"""`pytest --without-database` leaves out the tests that need Postgres or a memd process."""

import pytest

NEEDS_DATABASE = {"embedded_postgres", "services", "daemon"}
"""Every fixture of a database or a process asks for one of these; `services` chooses its database at run time."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--without-database", action="store_true", help="only the tests that need no database")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--without-database"):
        return
    chosen = [item for item in items if not NEEDS_DATABASE.intersection(getattr(item, "fixturenames", ()))]
    config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
    items[:] = chosen
