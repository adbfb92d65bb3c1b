"""Fixtures of the whole suite."""

import gc

gc.disable()  # the tests stay: looking through them for garbage takes a tenth of the time in which they are collected

pytest_plugins = [
    "tests.support.postgres",
    "tests.support.service",
    "tests.support.daemon",
    "tests.support.talk",
    "tests.support.node",
    "tests.support.rules",
]


def pytest_collection_finish() -> None:
    """From here on garbage is looked for, among what the tests make."""
    gc.freeze()
    gc.enable()
