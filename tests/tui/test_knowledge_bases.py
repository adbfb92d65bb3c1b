"""Knowledge bases: list, new, chunks by cursor, query, import, archive, unarchive, delete."""

from pathlib import Path

import pytest
from textual.widgets import Input

from memctl.importers import ledger
from memctl.importers.ledger import Ledger
from memctl.wire.imports import ChunkMetadata, ImportChunk, ImportRequest
from memctl.wire.knowledge_bases import CreateKnowledgeBaseRequest, ListKnowledgeBasesRequest
from tests.support.service import TestUser
from tests.support.terminal import OpenTerminal
from tui.screens import knowledge_base
from tui.widgets.row_table import RowTable


async def make_base(user: TestUser, chunks: int, name: str = "Handbook") -> str:
    base = await user.client.knowledge_bases.create(CreateKnowledgeBaseRequest(name=name))
    if chunks:
        batch = [
            ImportChunk(
                content=f"Rule {at}: test before you ship {at}",
                metadata=ChunkMetadata(title=f"Rule {at}"),
                dedupe_key=f"rules.md#{at}",
            )
            for at in range(chunks)
        ]
        await user.client.knowledge_bases.import_chunks(base.id, ImportRequest(chunks=batch))
    return base.id


async def names(user: TestUser, *, archived: bool = False) -> list[str]:
    request = ListKnowledgeBasesRequest(include_inactive=archived)
    return [base.name for base in (await user.client.knowledge_bases.list(request)).knowledge_bases]


async def test_a_new_one_is_made_and_listed(user: TestUser, terminal: OpenTerminal) -> None:
    async with terminal("knowledge_bases", size=(80, 24)) as tui:
        assert "No knowledge bases yet" in tui.text
        await tui.press("n")
        await tui.shows("A new knowledge base")
        await tui.type("Hand[b]book")
        await tui.press("enter")
        await tui.shows("created Hand[b]book", "every agent")
    assert await names(user) == ["Hand[b]book"]


async def test_chunks_are_enumerated_page_by_page(
    user: TestUser, terminal: OpenTerminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(knowledge_base, "PAGE", 10)
    await make_base(user, 25)
    async with terminal("knowledge_bases", "enter") as tui:
        table = tui.app.screen.query_one("#chunk-table", RowTable)
        text = await tui.shows("Rule 0: test before you ship 0", "25 chunks", "page 1: 10 chunks", "rules.md#0")
        assert "Rule 10" not in text
        assert "] Next page" in text
        await tui.press("right_square_bracket", "right_square_bracket")
        text = await tui.shows("page 3: 5 chunks", "last page", "Rule 24")
        assert "] Next page" not in text
        await tui.press("right_square_bracket", "g", "k")
        await tui.shows("page 2: 10 chunks")
        assert table.cursor_row == 9
        await tui.press("enter")
        await tui.shows("Rule 19", "Recall text")


async def test_the_query_bench_ranks_and_explains(user: TestUser, terminal: OpenTerminal) -> None:
    await make_base(user, 12)
    async with terminal("knowledge_bases", "enter", "slash") as tui:
        await tui.type("ship 7")
        await tui.press("enter")
        text = await tui.shows("hits:", "by meaning", "relevance", "similarity", "Rule 7: test before you ship 7")
        assert text.index("Rule 7") < text.index("Rule 1")
        await tui.press("c")
        await tui.shows("page 1: 12 chunks")


async def test_an_unfinished_number_in_the_query_bench_is_refused_by_its_name(
    user: TestUser, terminal: OpenTerminal
) -> None:
    await make_base(user, 3)
    async with terminal("knowledge_bases", "enter", "slash") as tui:
        await tui.type("ship")
        for field, typed, said in (("limit", "-", "an integer"), ("threshold", ".", "a number")):
            tui.app.screen.query_one(f"#{field}", Input).value = typed
            await tui.press("enter")
            await tui.shows(f"{field}: must be {said} · change it and try again")
            tui.app.screen.query_one(f"#{field}", Input).value = ""
        await tui.press("enter")
        await tui.shows("Rule 0: test before you ship 0", "Ranked chunks")


async def test_the_keys_of_the_queries_lead_back_to_the_chunks(
    user: TestUser, terminal: OpenTerminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(knowledge_base, "PAGE", 10)
    await make_base(user, 12)
    async with terminal("knowledge_bases", "enter") as tui:
        text = await tui.shows("] Next page")
        assert "c Chunks" not in text
        await tui.press("slash")
        await tui.type("ship 7")
        await tui.press("enter")
        text = await tui.shows("hits:", "c Chunks")
        assert "] Next page" not in text
        await tui.press("escape")
        await tui.shows("page 1: 10 chunks", "] Next page")
        await tui.press("escape")
        await tui.shows("─ Knowledge bases ─")


async def test_files_are_imported_with_progress_and_a_second_time_changes_nothing(
    user: TestUser, terminal: OpenTerminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCTL_STATE_DIR", str(tmp_path / "state"))
    folder = tmp_path / "docs"
    folder.mkdir()
    for at in range(3):
        (folder / f"page{at}.md").write_text(f"# Page {at}\n\nText of page {at}.\n")
    await make_base(user, 0)
    async with terminal("knowledge_bases") as tui:
        for expected in ("3 new, 0 updated, 0 unchanged", "0 new, 0 updated, 3 unchanged"):
            await tui.press("i")
            await tui.shows("Import into Handbook")
            tui.app.screen.query_one("#path", Input).value = str(folder)
            await tui.press("enter")
            await tui.shows("done: 3 of 3 files:", expected)
            await tui.press("escape")
        await tui.press("i")
        tui.app.screen.query_one("#path", Input).value = str(folder / "absent")
        await tui.press("enter")
        await tui.shows("no such file or folder")


async def test_an_import_waits_for_another_program_that_imports_into_the_same_knowledge_base(
    user: TestUser, terminal: OpenTerminal, tmp_path: Path, state_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Chunks without a key of their own would be there twice if both sent what neither finds in the ledger."""
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"title": "Pump", "content": "It is red."}')
    base = await make_base(user, 0)
    other = await Ledger.of(state_dir, user.client.url, base).lock()
    said: list[str] = []

    def ends_when_waited_for(text: str) -> None:
        said.append(text)
        other.close()

    monkeypatch.setattr(ledger, "note", ends_when_waited_for)
    async with terminal("knowledge_bases") as tui:
        await tui.press("i")
        await tui.shows("Import into Handbook")
        tui.app.screen.query_one("#path", Input).value = str(rows)
        await tui.press("enter")
        await tui.shows("done: 1 of 1 files: 1 new")
    assert said == ["waiting for another import into the same knowledge base"]


async def test_an_import_names_the_files_that_surprise(
    user: TestUser, terminal: OpenTerminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCTL_STATE_DIR", str(tmp_path / "state"))
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "blank.md").write_text("\n")
    (tmp_path / "docs" / "latin.md").write_bytes("\N{LATIN SMALL LETTER E WITH ACUTE}".encode("latin-1"))
    await make_base(user, 0)
    async with terminal("knowledge_bases", "i") as tui:
        tui.app.screen.query_one("#path", Input).value = str(tmp_path / "docs")
        await tui.press("enter")
        await tui.shows("done: 2 of 2 files: 1 new", "docs/blank.md: no text to import", "docs/latin.md: not UTF-8")
        await tui.press("escape")
        await tui.shows("1 chunk, 1 character ·")


async def test_archive_undo_unarchive_and_delete(user: TestUser, terminal: OpenTerminal) -> None:
    await make_base(user, 3)
    async with terminal("knowledge_bases", "d") as tui:
        await tui.shows("archive it first")
        await tui.press("a")
        await tui.shows("Archive “Handbook” with its 3 chunks?")
        await tui.press("y")
        await tui.shows("archived Handbook – u undoes")
        assert await names(user) == []
        await tui.press("u")
        await tui.shows("undone: archived Handbook")
        assert await names(user) == ["Handbook"]
        await tui.press("a")
        await tui.shows("Archive “Handbook”")
        await tui.press("y")
        await tui.shows("No knowledge bases yet")
        await tui.press("A")
        await tui.shows("Handbook (archived)")
        await tui.press("d")
        await tui.shows("Type its name")
        await tui.type("Handbuch")
        await tui.press("enter")
        await tui.shows("nothing was deleted")
        await tui.press("d")
        await tui.shows("Type its name")
        await tui.type("Handbook")
        await tui.press("enter")
        await tui.until(lambda text: "Handbook (archived)" not in text)
    assert await names(user, archived=True) == []
