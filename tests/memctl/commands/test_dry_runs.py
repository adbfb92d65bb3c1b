"""`memctl kb import --dry-run` says what the import then does, and makes nothing."""

import json
from pathlib import Path
from typing import Any

import pytest

from memctl.importers.ledger import BaseState, Ledger
from tests.memctl.conftest import Terminal
from tests.support.service import TestUser

IMPORT = ("kb", "import", "valves", "valves.md", "--create", "--json")
COUNTS = ("new", "updated", "unchanged", "removed")
RED = "# Valve 1\n\nIt is red.\n\n# Valve 2\n\nIt is blue.\n"


def write(path: Path, text: str) -> None:
    path.write_text(text)


@pytest.fixture
def notes(home: Path) -> Path:
    path = home / "work" / "valves.md"
    write(path, RED)
    return path


async def counted(terminal: Terminal, user: TestUser, *options: str) -> dict[str, Any]:
    done = json.loads((await terminal(user, *IMPORT, *options)).stdout)
    return {name: done[name] for name in COUNTS}


async def assert_foretold(terminal: Terminal, user: TestUser, new: int, updated: int, unchanged: int) -> None:
    foretold = await counted(terminal, user, "--dry-run")
    assert foretold == dict(zip(COUNTS, (new, updated, unchanged, 0), strict=True))
    assert await counted(terminal, user) == foretold


async def test_after_the_undo_of_an_import_everything_is_new(terminal: Terminal, user: TestUser, notes: Path) -> None:
    await counted(terminal, user)
    await terminal(user, "undo", "--yes")
    await assert_foretold(terminal, user, 2, 0, 0)


@pytest.mark.parametrize("changed", [RED.replace("red", "red again"), RED.replace("red", "tan")])
async def test_after_the_undo_of_an_edit_it_is_an_update_again(
    terminal: Terminal, user: TestUser, notes: Path, changed: str
) -> None:
    await counted(terminal, user)
    write(notes, changed)
    await counted(terminal, user)
    await terminal(user, "undo", "--yes")
    await assert_foretold(terminal, user, 0, 1, 1)


async def test_what_another_machine_imported_is_updated(
    terminal: Terminal, user: TestUser, notes: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await counted(terminal, user)
    monkeypatch.setenv("MEMCTL_STATE_DIR", str(home / "another"))
    await assert_foretold(terminal, user, 0, 2, 0)


async def test_a_knowledge_base_that_would_be_made_is_not(terminal: Terminal, user: TestUser, notes: Path) -> None:
    done = await terminal(user, *IMPORT, "--prune", "--dry-run")
    shown = json.loads(done.stdout)
    assert (done.exit_code, shown["knowledgeBaseId"], shown["new"]) == (0, None, 2)
    assert "there is no knowledge base valves: the import would create it\n" in done.stderr
    assert json.loads((await terminal(user, "kb", "list", "--json")).stdout)["knowledgeBases"] == []
    assert (await terminal(user, "kb", "import", "valves", "valves.md", "--dry-run")).exit_code == 5


async def test_after_an_import_the_ledger_is_up_to_date(
    terminal: Terminal, user: TestUser, notes: Path, home: Path
) -> None:
    await counted(terminal, user)
    (row,) = (await user.client.knowledge_bases.list()).knowledge_bases
    with Ledger.of(home / "state", user.client.url, row.id) as ledger:
        assert ledger.state == BaseState(row.chunk_count, row.total_chars, row.updated_at)
