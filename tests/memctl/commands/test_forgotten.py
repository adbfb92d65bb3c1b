"""What the user has forgotten stays so when the same file is imported again, unless asked for."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.memctl.commands.test_imports import imported, write
from tests.memctl.conftest import Terminal
from tests.support.foreign_exports import mem0_export
from tests.support.service import MakeUser, TestUser

ROWS = [
    {"title": "A", "content": "The alpha server is in Oslo."},
    {"title": "Beta", "content": "The beta server is in Rome.", "channel": "ops"},
    {"title": "Gamma", "content": "The gamma server is in Bern.", "namespace": "servers", "key": "gamma"},
]


async def active(user: TestUser) -> dict[str, str]:
    """The ids of the active memories by title."""
    reply = await user.http.get("/api/memories/list")
    return {row["title"]: row["id"] for row in reply.json()["memories"]}


async def with_rows(terminal: Terminal, user: TestUser, home: Path, rows: list[dict[str, Any]]) -> str:
    name = write(home, "servers.jsonl", "\n".join(map(json.dumps, rows)))
    assert (await imported(terminal, user, "jsonl", name))["memories"]["new"] == len(rows)
    return name


@pytest.mark.parametrize("title", ["A", "Beta", "Gamma"])
async def test_a_forgotten_memory_comes_back_only_when_asked_for(
    terminal: Terminal, user: TestUser, home: Path, title: str
) -> None:
    name = await with_rows(terminal, user, home, ROWS)
    await terminal(user, "forget", (await active(user))[title])
    report = await imported(terminal, user, "jsonl", name)
    assert (report["memories"], report["forgotten"]) == ({"new": 0, "known": 2}, 1)
    assert title not in await active(user)
    said = await terminal(user, "import", "jsonl", name)
    assert "1 memory forgotten earlier, not imported; --again imports it" in said.stderr
    report = await imported(terminal, user, "jsonl", name, "--again")
    assert (report["memories"], report["forgotten"]) == ({"new": 1, "known": 2}, 0)
    report = await imported(terminal, user, "jsonl", name)
    assert (report["memories"], report["forgotten"]) == ({"new": 0, "known": 3}, 0)


async def test_what_an_undo_took_back_was_not_forgotten(terminal: Terminal, user: TestUser, home: Path) -> None:
    name = await with_rows(terminal, user, home, ROWS)
    await terminal(user, "undo", "--yes")
    assert await active(user) == {}
    report = await imported(terminal, user, "jsonl", name)
    assert (report["memories"]["new"], report["forgotten"]) == (3, 0)


async def test_an_export_does_not_bring_back_what_was_forgotten_after_it(
    terminal: Terminal, user: TestUser, make_user: MakeUser, home: Path
) -> None:
    await with_rows(terminal, user, home, ROWS)
    await terminal(user, "export", "--to", "all.jsonl")
    await terminal(user, "edit", (await active(user))["Beta"], "--title", "Beta server")
    await terminal(user, "forget", *(await active(user)).values())
    report = await imported(terminal, user, "jsonl", "all.jsonl")
    assert (report["memories"]["new"], report["forgotten"]) == (0, 3)
    elsewhere = await make_user()
    assert (await imported(terminal, elsewhere, "jsonl", "all.jsonl"))["memories"]["new"] == 3


async def test_the_same_text_on_another_channel_was_not_forgotten(
    terminal: Terminal, user: TestUser, home: Path
) -> None:
    name = await with_rows(terminal, user, home, ROWS[:1])
    await terminal(user, "forget", *(await active(user)).values())
    report = await imported(terminal, user, "jsonl", name, "--channel", "team")
    assert (report["memories"]["new"], report["forgotten"]) == (1, 0)


async def test_memories_of_mem0_stay_forgotten(terminal: Terminal, user: TestUser, home: Path) -> None:
    name = write(home, "mem0.json", mem0_export(3))
    await imported(terminal, user, "mem0", name)
    await terminal(user, "forget", *list((await active(user)).values())[:2])
    report = await imported(terminal, user, "mem0", name)
    assert (report["memories"], report["forgotten"]) == ({"new": 0, "known": 1}, 2)
