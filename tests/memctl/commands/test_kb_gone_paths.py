"""`memctl kb import` after a whole path of an earlier import is gone: its chunks are named, and can be archived."""

import json
from pathlib import Path

import pytest

from tests.memctl.conftest import Terminal
from tests.support.service import TestUser


@pytest.fixture
async def work(terminal: Terminal, user: TestUser, home: Path) -> Path:
    """A folder `notes` and a file `todo.md` that are imported."""
    work = home / "work"
    (work / "notes").mkdir()
    (work / "notes" / "a.md").write_text("# Pump\n\nIt is red.\n")
    (work / "todo.md").write_text("# Todo\n\nCall Ann.\n")
    assert (await terminal(user, "kb", "import", "eng", "notes", "todo.md", "--create")).exit_code == 0
    return work


async def keys(terminal: Terminal, user: TestUser) -> list[str]:
    lines = (await terminal(user, "kb", "export", "eng")).stdout.splitlines()
    return sorted(json.loads(line)["dedupeKey"] for line in lines)


@pytest.mark.parametrize("options", [(), ("--prune",)])
async def test_the_chunks_of_a_folder_that_was_renamed_are_named(
    terminal: Terminal, user: TestUser, work: Path, options: tuple[str, ...]
) -> None:
    (work / "notes").rename(work / "docs")
    done = await terminal(user, "kb", "import", "eng", "docs", "todo.md", *options)
    assert done.exit_code == 0
    assert f"{work / 'notes'} was imported earlier and is gone; 1 chunk of it can still be found" in done.stderr
    assert await keys(terminal, user) == ["docs/a.md#Pump", "notes/a.md#Pump", "todo.md#Todo"]
    done = await terminal(user, "kb", "import", "eng", "notes", "--prune")
    assert (done.exit_code, done.stdout.split(" in ")[0]) == (0, "0 new, 0 updated, 0 unchanged, 1 removed, 0 rejected")
    assert await keys(terminal, user) == ["docs/a.md#Pump", "todo.md#Todo"]
    assert "is gone" not in (await terminal(user, "kb", "import", "eng", "docs")).stderr


async def test_a_file_that_was_deleted_is_pruned_by_its_name(terminal: Terminal, user: TestUser, work: Path) -> None:
    (work / "todo.md").unlink()
    assert (await terminal(user, "kb", "import", "eng", "todo.md")).exit_code == 2
    assert (await terminal(user, "kb", "import", "eng", "todo.md", "--prune", "--dry-run")).exit_code == 0
    assert len(await keys(terminal, user)) == 2
    assert (await terminal(user, "kb", "import", "eng", "todo.md", "notes", "--prune")).exit_code == 0
    assert await keys(terminal, user) == ["notes/a.md#Pump"]


async def test_a_path_that_was_never_imported_is_a_mistake(terminal: Terminal, user: TestUser, work: Path) -> None:
    done = await terminal(user, "kb", "import", "eng", "noets", "--prune")
    assert done.exit_code == 2
    assert "noets: no such file or folder, and not imported earlier" in done.stderr
    assert len(await keys(terminal, user)) == 2
