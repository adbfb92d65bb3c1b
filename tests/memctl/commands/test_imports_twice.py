"""`memctl import` of the same file twice: everything is stored once, and the second run says that it is known."""

import json
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


async def test_an_export_that_is_imported_where_it_was_made_changes_no_chunk(
    terminal: Terminal, user: TestUser, home: Path
) -> None:
    """Neither do the files of the knowledge base afterwards, which say less about a chunk than its export does."""
    (home / "work" / "guide.md").write_text("# Vacation\n\n30 days.\n\n# Sick leave\n\nCall us.\n")
    fill = ("kb", "import", "Handbook", "guide.md", "--json")
    await terminal(user, *fill, "--create")
    (before,) = (await user.http.get("/api/knowledge-bases")).json()["knowledgeBases"]
    await terminal(user, "export", "--to", "export.jsonl")
    report = await imported(terminal, user, "jsonl", "export.jsonl")
    assert report["chunks"] == {"new": 0, "known": 2}
    (after,) = (await user.http.get("/api/knowledge-bases")).json()["knowledgeBases"]
    assert after == before
    again = json.loads((await terminal(user, *fill)).stdout)
    assert (again["new"], again["updated"], again["unchanged"]) == (0, 0, 2)


async def test_an_export_brings_back_the_tags_that_a_chunk_has_lost(
    terminal: Terminal, user: TestUser, home: Path
) -> None:
    chunk = {"title": "Vacation", "content": "30 days.", "dedupeKey": "v", "tags": ["hr"], "chunkIndex": 0}
    write(home, "chunks.json", [chunk])
    await terminal(user, "kb", "import", "Handbook", "chunks.json", "--create")
    await terminal(user, "export", "--to", "export.jsonl")
    write(home, "chunks.json", [{**chunk, "tags": ["old"]}])
    await terminal(user, "kb", "import", "Handbook", "chunks.json")
    await imported(terminal, user, "jsonl", "export.jsonl")
    done = await terminal(user, "kb", "export", "Handbook")
    assert [json.loads(line)["tags"] for line in done.stdout.splitlines()] == [["hr"]]


async def test_rows_that_a_file_holds_twice_are_told_from_those_that_memd_had(
    terminal: Terminal, user: TestUser, home: Path
) -> None:
    await terminal(user, "capture", "Vacation", "30 days.")
    rows = [{"title": "a", "content": text} for text in ("30 days.", "Call us.", "Call us.", "Call us.")]
    (home / "work" / "rows.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    done = await terminal(user, "import", "jsonl", "rows.jsonl")
    assert done.stdout.startswith("memories: 1 new, 1 already there, 2 more than once in the import; 0 rejected")
    again = await imported(terminal, user, "jsonl", "rows.jsonl")
    assert (again["memories"], again["repeated"]) == ({"new": 0, "known": 4}, 0)
