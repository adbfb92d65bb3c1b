"""Fixtures of the whole suite."""

pytest_plugins = [
    "tests.support.postgres",
    "tests.support.service",
    "tests.support.daemon",
    "tests.support.talk",
    "tests.support.node",
    "tests.support.rules",
]
