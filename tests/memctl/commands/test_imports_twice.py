"""`memctl import` of the same file twice: everything is stored once, and the second run says that it is known."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.memctl.commands.test_imports import imported, write
from tests.memctl.conftest import Terminal
from tests.support.foreign_exports import chatgpt_export, claude_export, mem0_export
from tests.support.service import TestUser


@pytest.mark.long_form
@pytest.mark.parametrize(("system", "export"), [("chatgpt", chatgpt_export), ("claude", claude_export)])
async def test_messages_that_are_imported_twice_are_stored_once(
    terminal: Terminal,
    user: TestUser,
    home: Path,
    of_size: Callable[[int, int], int],
    system: str,
    export: Callable[[int, int], Any],
) -> None:
    conversations, length = of_size(2, 10), of_size(60, 100)
    count = conversations * length
    name = write(home, "conversations.json", export(conversations, length))
    first = await imported(terminal, user, system, name)
    assert (first["messages"], first["rejected"]) == ({"new": count, "known": 0}, [])
    again = await imported(terminal, user, system, name)
    assert again["messages"] == {"new": 0, "known": count}
    assert (await user.http.get("/api/mcp/stats")).json()["ttlStatus"]["messages_stored"] == count


@pytest.mark.long_form
async def test_memories_of_mem0_that_are_imported_twice_are_stored_once(
    terminal: Terminal, user: TestUser, home: Path, of_size: Callable[[int, int], int]
) -> None:
    count = of_size(120, 1000)
    name = write(home, "mem0.json", mem0_export(count))
    assert (await imported(terminal, user, "mem0", name))["memories"] == {"new": count, "known": 0}
    assert (await imported(terminal, user, "mem0", name))["memories"] == {"new": 0, "known": count}
    assert (await user.http.get("/api/mcp/stats")).json()["total"] == count
