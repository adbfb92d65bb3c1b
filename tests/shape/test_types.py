"""Code that `make check` has to refuse: reads without scopes, a forgotten `await`, wrong fields of wire types."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from tests.types import errors

PROJECT = Path(__file__).parents[2] / "pyproject.toml"
READ: Final = """from uuid import UUID
from memd.db.session import OwnerSession, ReadSession, SystemSession
from memd.knowledge_bases import store
"""
WIRE: Final = "from memctl.wire.jobs import ScheduledJob\n"
MISTAKES: Final[Mapping[str, tuple[str, str]]] = {
    "unscoped": (
        "bad-argument-type",
        f"{READ}async def read(session: ReadSession, base: UUID) -> object:\n    return await store.find(session, base)",
    ),
    "of_all_users": (
        "bad-argument-type",
        f"{READ}async def read(session: SystemSession, base: UUID) -> object:\n    return await store.find(session, base)",
    ),
    "always_true": (
        "implicit-bool",
        f"{READ}async def read(session: OwnerSession, base: UUID) -> int:\n    return 1 if store.find(session, base) else 2",
    ),
    "never_run": (
        "unused-coroutine",
        f"{READ}async def read(session: OwnerSession, base: UUID) -> None:\n    store.find(session, base)",
    ),
    "misspelt_field": ("unexpected-keyword", f'{WIRE}ScheduledJob(name="a", lats_ok=True)'),
    "missing_field": ("missing-argument", f"{WIRE}ScheduledJob()"),
    "converted_field": ("bad-argument-type", f"{WIRE}ScheduledJob(name=b'a')"),
    "unknown": ("implicit-any-parameter", "def read(value) -> None: ..."),
}
GOOD: Final = "def sign(number: int, text: str | None) -> int:\n    return 1 if number and not text else 2"


def test_each_mistake_is_reported_and_nothing_else(tmp_path: Path) -> None:
    sources = {name: source for name, (_, source) in MISTAKES.items()} | {"good": GOOD}
    for name, source in sources.items():
        (tmp_path / f"{name}.py").write_text(f"{source}\n")
    found = errors(["--config", str(PROJECT), *(str(tmp_path / f"{name}.py") for name in sources)])
    assert sorted(line.rpartition("/")[2].partition(".py:")[0] + " " + line.split()[-1] for line in found) == sorted(
        f"{name} [{rule}]" for name, (rule, _) in MISTAKES.items()
    )


def test_a_run_that_sees_nothing_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="does not exist"):
        errors([str(tmp_path / "nothing.py")])
