"""`memctl undo`: every page of a long undo, and what one command wrote as one write."""

import json
import re
from pathlib import Path

import pytest

from memd.memories.history import undo
from tests.memctl.conftest import Terminal
from tests.support.service import TestUser
from tests.support.wire import capture, memory, totals


async def test_an_undo_of_many_requests_goes_on_until_it_is_done(
    terminal: Terminal, user: TestUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(undo, "REQUESTS", 2)
    made = [await capture(user) for _ in range(5)]
    planned = json.loads((await terminal(user, "undo", "--since", "1h", "--dry-run", "--json")).stdout)
    assert [row["id"] for row in planned["undone"]] == made[::-1]
    done = await terminal(user, "undo", "--since", "1h", "--yes", "--json")
    assert (done.exit_code, [row["id"] for row in json.loads(done.stdout)["undone"]]) == (0, made[::-1])
    assert await totals(user) == (0, 5)


async def test_an_import_of_several_requests_is_taken_back_as_one_write(
    terminal: Terminal, user: TestUser, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(undo, "MEMORIES", 3)
    kept = await capture(user)
    (home / "work" / "valves.md").write_text("\n\n".join(f"# Valve {n}\n\nValve {n} is red." for n in range(12)))
    imported = await terminal(user, "kb", "import", "valves", "valves.md", "--create", "--batch", "5")
    assert imported.exit_code == 0
    done = await terminal(user, "undo", "--yes", "--json")
    assert len(json.loads(done.stdout)["undone"]) == 12
    assert (await memory(user, kept))["archived"] is False
    assert [base["chunkCount"] for base in (await user.http.get("/api/knowledge-bases")).json()["knowledgeBases"]] == [
        0
    ]


async def exported(terminal: Terminal, user: TestUser) -> str:
    """An export without the times of the last changes, of which an undo is one."""
    return re.sub(r',"updatedAt":\d+', "", (await terminal(user, "export")).stdout)


async def test_an_export_after_the_undo_of_an_edited_import_is_equal_except_for_the_last_change(
    terminal: Terminal, user: TestUser, home: Path
) -> None:
    notes = home / "work" / "valves.md"
    notes.write_text("# Valve 1\n\nIt is red.\n\n# Valve 2\n\nIt is blue.\n")
    for base in ("valves", "pumps"):
        assert (await terminal(user, "kb", "import", base, "valves.md", "--create")).exit_code == 0
    await capture(user)
    before = await exported(terminal, user)
    notes.write_text("# Valve 1\n\nIt is green now.\n\n# Valve 3\n\nIt is new.\n")
    assert (await terminal(user, "kb", "import", "valves", "valves.md")).exit_code == 0
    assert await exported(terminal, user) != before
    assert (await terminal(user, "undo", "--yes")).exit_code == 0
    assert await exported(terminal, user) == before


async def test_an_edit_of_several_memories_is_taken_back_as_one_write(terminal: Terminal, user: TestUser) -> None:
    made = [await capture(user) for _ in range(3)]
    assert (await terminal(user, "edit", *made, "--add-tag", "ops")).exit_code == 0
    done = await terminal(user, "undo", "--yes", "--json")
    assert sorted(row["id"] for row in json.loads(done.stdout)["undone"]) == sorted(made)
    assert [(await memory(user, each))["tags"] for each in made] == [[], [], []]


async def test_undo_says_that_it_does_not_reach_back_further_than_a_day(terminal: Terminal, user: TestUser) -> None:
    for since, said in (
        ("2026-01-01", "undo goes back 24 hours at most; older writes stay\n"),
        ("3d", "undo goes back 24 hours at most; older writes stay\n"),
        ("24h", ""),
        ("1h", ""),
    ):
        done = await terminal(user, "undo", "--since", since, "--dry-run")
        assert done.stderr.replace("nothing to undo\n", "") == said


async def test_an_undo_of_many_writes_is_summed_up(terminal: Terminal, user: TestUser) -> None:
    for _ in range(12):
        await capture(user)
    changed = await capture(user)
    await terminal(user, "edit", changed, "--title", "New")
    short = (await terminal(user, "undo", "--since", "1h", "--dry-run")).stdout.splitlines()
    assert short[0] == "would undo 14 writes: 13 capture, 1 update"
    assert [line.startswith("would undo ") for line in short[1:]] == [True] * 10 + [False]
    assert short[-1] == "… and 4 more; --verbose lists them all"
    whole = (await terminal(user, "undo", "--since", "1h", "--dry-run", "--verbose")).stdout.splitlines()
    assert (len(whole), whole[:11]) == (15, short[:11])


async def test_n_still_means_a_dry_run(terminal: Terminal, user: TestUser) -> None:
    made = await capture(user)
    assert (await terminal(user, "undo", "-n")).stdout.startswith("would undo capture")
    assert (await memory(user, made))["archived"] is False


async def test_an_undo_says_which_knowledge_base_it_has_left_empty(
    terminal: Terminal, user: TestUser, home: Path
) -> None:
    (home / "work" / "valves.md").write_text("# Valve 1\n\nIt is red.\n")
    for base in ("kept", "valves"):
        await terminal(user, "kb", "import", base, "valves.md", "--create")
    await terminal(user, "kb", "create", "never filled")
    await terminal(user, "kb", "set", "never filled", "--description", "Still empty.")
    done = await terminal(user, "undo", "--yes")
    bases = json.loads((await terminal(user, "kb", "list", "--json")).stdout)["knowledgeBases"]
    (emptied,) = [row["id"] for row in bases if row["name"] == "valves"]
    assert done.stderr == f"the knowledge base valves is empty now; memctl kb delete --archive {emptied} deletes it\n"
    assert (await terminal(user, "kb", "delete", "--archive", emptied, "--yes")).exit_code == 0


@pytest.mark.parametrize("piped", ["", "y\n", "the next line of a list\n"])
async def test_an_undo_without_a_terminal_names_the_option(terminal: Terminal, user: TestUser, piped: str) -> None:
    made = await capture(user)
    done = await terminal(user, "undo", stdin=piped)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.endswith("memctl: cannot ask 'Undo 1 write?' without a terminal; pass --yes to go ahead\n")
    assert "[y/N]" not in done.stderr
    assert (await memory(user, made))["archived"] is False


@pytest.mark.usefixtures("typing")
async def test_an_undo_at_a_terminal_needs_a_yes(terminal: Terminal, user: TestUser) -> None:
    made = await capture(user)
    assert (await terminal(user, "undo", stdin="n\n")).exit_code == 2
    assert (await memory(user, made))["archived"] is False
    assert (await terminal(user, "undo", stdin="y\n")).exit_code == 0
    assert (await memory(user, made))["archived"] is True


@pytest.mark.usefixtures("typing")
async def test_of_an_undo_in_json_standard_output_is_json_or_empty(terminal: Terminal, user: TestUser) -> None:
    nothing = await terminal(user, "undo", "--json")
    assert (nothing.exit_code, json.loads(nothing.stdout)["undone"]) == (0, [])
    memory_id = await capture(user)
    asked = await terminal(user, "undo", "--json", stdin="n\n")
    assert (asked.exit_code, asked.stdout) == (2, "")
    assert memory_id in asked.stderr
    agreed = await terminal(user, "undo", "--json", stdin="y\n")
    assert [row["id"] for row in json.loads(agreed.stdout)["undone"]] == [memory_id]
