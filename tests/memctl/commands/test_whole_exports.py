"""Whole data exports of ChatGPT and Claude: everything in them is imported or listed, as the person saw it."""

import json
from pathlib import Path
from typing import Any

from tests.memctl.commands.test_imports import history, imported, memories, write
from tests.memctl.conftest import Terminal
from tests.support.foreign_exports import chatgpt_node, chatgpt_tree, claude_export
from tests.support.service import TestUser


async def test_marks_of_the_web_page_are_no_text(terminal: Terminal, user: TestUser, home: Path) -> None:
    cite, entity = "\ue200cite\ue202turn0search1\ue201", '\ue200entity\ue202["city","Lyon"]\ue201'
    link = "\ue200url\ue202the minutes\ue202turn1\ue201"
    parts = [f"It rains {cite}. We met in{entity}, see{link}.\ue203", "Old 【4†source】 mark."]
    content = {"content_type": "text", "parts": parts}
    shown = {"content_references": [{"matched_text": cite, "alt": "([news](https://n.example))"}]}
    plain = chatgpt_node("a", "assistant", "", 1_700_000_000, content=content)
    known = chatgpt_node("b", "assistant", "", 1_700_000_001, content=content, metadata=shown)
    tree = chatgpt_tree("T", [plain, known], "conv-1", 1_700_000_000)
    await imported(terminal, user, "chatgpt", write(home, "conversations.json", [tree]))
    rest = "We met in Lyon, see the minutes.\nOld mark."
    assert [row["content"] for row in await history(user)] == [
        f"It rains. {rest}",
        f"It rains ([news](https://n.example)). {rest}",
    ]


async def test_all_of_a_claude_export_is_imported_or_listed(terminal: Terminal, user: TestUser, home: Path) -> None:
    folder = home / "work" / "data"
    folder.mkdir()
    docs = [{"uuid": "d", "filename": "plan.md", "content": "# Goals\n\nShip in May."}]
    project = {"uuid": "p", "name": "Launch", "prompt_template": "Answer in one line.", "docs": docs}
    remembered = {
        "conversations_memory": "**Work**\n\nAda builds clocks.\n\n**Home**\n\nTwo cats.",
        "project_memories": {"p": "The launch is in May."},
    }
    files: dict[str, Any] = {
        "conversations.json": claude_export(1, 2),
        "projects.json": [project, {"uuid": "q", "name": "Empty", "docs": []}],
        "memories.json": [remembered],
        "users.json": [{"uuid": "u"}],
    }
    for name, value in files.items():
        (folder / name).write_text(json.dumps(value))
    report = await imported(terminal, user, "claude", "data")
    kinds = {name: report[name]["new"] for name in ("messages", "memories", "chunks")}
    assert (kinds, report["rejected"]) == ({"messages": 2, "memories": 4, "chunks": 1}, [])
    empty = "project without documents and instructions"
    assert report["leftOut"] == {"thinking block": 1, empty: 1, "file users.json": 1}
    stored = {row["title"]: row["content"] for row in await memories(user)}
    assert stored == {
        "Work": "Ada builds clocks.",
        "Home": "Two cats.",
        "The launch is in May.": "The launch is in May.",
        "Instructions of the project Launch": "Answer in one line.",
        "Goals": "Ship in May.",
    }
    again = await imported(terminal, user, "claude", "data")
    assert [again[name]["new"] for name in kinds] == [0, 0, 0]


async def test_json_lines_come_from_standard_input(terminal: Terminal, user: TestUser) -> None:
    line = json.dumps({"title": "From a pipe", "content": "Text."})
    done = await terminal(user, "import", "jsonl", "-", "--json", stdin=f"{line}\n")
    assert (done.exit_code, json.loads(done.stdout)["memories"]) == (0, {"new": 1, "known": 0})
    assert [row["title"] for row in await memories(user)] == ["From a pipe"]


async def test_pictures_and_files_of_chatgpt_are_named(terminal: Terminal, user: TestUser, home: Path) -> None:
    image = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://x"}
    content = {"content_type": "multimodal_text", "parts": [image, "What is this?"]}
    named = {"attachments": [{"id": "file-x", "name": "pump.png"}, {"id": "file-y", "name": "plan.pdf"}]}
    nodes = [
        chatgpt_node("a", "user", "", 1_700_000_000, content=content, metadata=named),
        chatgpt_node("b", "user", "", 1_700_000_001, content={**content, "parts": [image, "And this?"]}),
        chatgpt_node("c", "assistant", "User has a cat.", 1_700_000_002, recipient="bio"),
    ]
    tree = chatgpt_tree("T", nodes, "conv-1", 1_700_000_000)
    report = await imported(terminal, user, "chatgpt", write(home, "conversations.json", [tree]))
    assert report["leftOut"] == {
        "file without its contents (name kept)": 2,
        "image without a name": 1,
        "note of ChatGPT's own memory": 1,
    }
    first, second = await history(user)
    assert first["metadata"] == {"conversation": "T", "attachments": ["pump.png", "plan.pdf"]}
    assert second["metadata"] == {"conversation": "T"}


async def test_the_relations_of_mem0_are_counted(terminal: Terminal, user: TestUser, home: Path) -> None:
    relation = {"source": "alice", "relationship": "likes", "target": "cricket"}
    export = {"results": [{"id": "1", "memory": "Alice likes cricket"}], "relations": [relation, relation]}
    report = await imported(terminal, user, "mem0", write(home, "mem0.json", export))
    assert (report["memories"]["new"], report["leftOut"]) == (1, {"relation": 2})


async def test_a_vault_of_notes_keeps_the_days_of_its_notes_and_lists_other_files(
    terminal: Terminal, user: TestUser, home: Path
) -> None:
    vault = home / "work" / "vault"
    (vault / ".obsidian").mkdir(parents=True)
    (vault / ".obsidian" / "app.json").write_text("{}")
    (vault / "2024-05-01.md").write_text("Called Bob.")
    (vault / "2024-05-02 Standup.md").write_text("---\ncreated: 2024-05-03\n---\nCalled Ann.")
    (vault / "pump.PNG").write_bytes(b"x")
    (vault / "template.md").write_text("---\ntags: []\ncreated: {{date}}\n---\nText")
    report = await imported(terminal, user, "markdown", "vault", code=7)
    assert report["leftOut"] == {"file *.png": 1}
    (rejected,) = report["rejected"]
    assert rejected["reason"].startswith("the front matter is not YAML: line 3: ")
    stored = {row["content"]: row["createdAt"] for row in await memories(user)}
    assert stored == {"Called Bob.": 1_714_521_600_000, "Called Ann.": 1_714_694_400_000}
