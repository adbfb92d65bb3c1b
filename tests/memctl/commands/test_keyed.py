"""Keyed memories from the terminal, and errors that say what to type instead."""

import json
from pathlib import Path

import pytest

from memd.domain.types import KeyScope
from tests.memctl.conftest import Terminal
from tests.support.service import MakeUser, TestUser


async def test_the_same_key_again_replaces_the_memory(terminal: Terminal, user: TestUser) -> None:
    options = ("--namespace", "preferences", "--key", "colour")
    await terminal(user, "capture", "Favourite colour", "Green", *options)
    await terminal(user, "capture", "Favourite colour", "Blue", *options)
    await terminal(user, "capture", "Unrelated", "Without a key")
    listed = await terminal(user, "list", "--namespace", "preferences", "--json")
    (memory,) = json.loads(listed.stdout)["memories"]
    assert (memory["content"], memory["namespace"], memory["key"]) == ("Blue", "preferences", "colour")
    shown = await terminal(user, "show", memory["id"])
    assert "namespace    preferences" in shown.stdout
    columns = await terminal(user, "list", "--namespace", "preferences", "--columns", "namespace,key")
    assert columns.stdout == "preferences\tcolour\n"


@pytest.mark.parametrize("option", ["--since", "--until"])
async def test_an_unknown_time_names_the_known_forms(terminal: Terminal, user: TestUser, option: str) -> None:
    done = await terminal(user, "list", option, "tomorrow")
    assert done.exit_code == 2
    assert all(word in done.stderr for word in ("'tomorrow'", "7d", "yesterday", "2026-11-01"))


async def test_an_import_with_a_key_that_only_reads(terminal: Terminal, make_user: MakeUser, home: Path) -> None:
    (home / "work" / "a.md").write_text("# A\n\nText.\n")
    reader = await make_user(scopes=(KeyScope.READ,))
    done = await terminal(reader, "kb", "import", "handbook", "a.md", "--create")
    assert done.exit_code == 4
    assert "scope `write`" in done.stderr
    assert "memctl keys create" in done.stderr


async def test_a_keyed_memory_that_is_there_is_not_counted_as_new(terminal: Terminal, user: TestUser) -> None:
    await terminal(user, "capture", "Colour", "Green", "--key", "colour")
    exported = (await terminal(user, "export")).stdout
    done = await terminal(user, "import", "jsonl", "-", "--json", stdin=exported)
    assert json.loads(done.stdout)["memories"] == {"new": 0, "known": 1}
