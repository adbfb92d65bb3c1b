"""`memctl import` of a file that is not what its command reads, or not in UTF-8, against the real service."""

import json
import shlex
import zipfile
from pathlib import Path
from typing import Any

import pytest

from memd.domain.types import KeyScope
from tests.memctl.commands.test_imports import history, imported, memories, write
from tests.memctl.conftest import Terminal
from tests.support.foreign_exports import chatgpt_export, claude_export
from tests.support.service import MakeUser, TestUser


@pytest.mark.parametrize(
    ("system", "export", "expected"),
    [
        ("chatgpt", claude_export(1, 2), "is not a ChatGPT export, but looks like one of Claude"),
        ("claude", chatgpt_export(1, 2), "is not a Claude export, but looks like one of ChatGPT"),
    ],
)
@pytest.mark.parametrize("place", ["my conversations.json", "export.zip", "unpacked"])
async def test_the_export_of_the_other_program_is_refused_with_the_command_that_reads_it(
    terminal: Terminal, user: TestUser, home: Path, system: str, export: list[Any], expected: str, place: str
) -> None:
    path = home / "work" / place
    if path.suffix == ".json":
        path.write_text(json.dumps(export))
    elif path.suffix == ".zip":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("conversations.json", json.dumps(export))
    else:
        path.mkdir()
        (path / "conversations.json").write_text(json.dumps(export))
    done = await terminal(user, "import", system, place)
    assert (done.exit_code, done.stdout) == (2, "")
    assert expected in done.stderr
    command = shlex.split(done.stderr.split("use: memctl ")[1])
    assert (await terminal(user, *command)).exit_code == 0
    assert len(await history(user)) == 2


@pytest.mark.parametrize("system", ["chatgpt", "claude"])
async def test_a_list_of_something_else_is_no_export_and_an_empty_one_is(
    terminal: Terminal, user: TestUser, home: Path, system: str
) -> None:
    other = await terminal(user, "import", system, write(home, "x.json", [{"name": "Ana"}]))
    assert (other.exit_code, "x.json is not a" in other.stderr) == (2, True)
    empty = await terminal(user, "import", system, write(home, "x.json", []))
    assert (empty.exit_code, "nothing to import" in empty.stdout) == (0, True)


async def test_notes_are_decoded_as_files_of_a_knowledge_base(terminal: Terminal, user: TestUser, home: Path) -> None:
    (home / "work" / "old.md").write_bytes("Das Büro öffnet um neun.".encode("cp1252"))
    (home / "work" / "wide.md").write_bytes("Das Büro schließt um fünf.".encode("utf-16"))
    done = await terminal(user, "import", "markdown", "old.md", "wide.md")
    assert done.exit_code == 0, done.output
    assert "old.md: not UTF-8; read as Windows-1252" in done.stderr
    assert "wide.md" not in done.stderr
    stored = {row["content"] for row in await memories(user)}
    assert stored == {"Das Büro öffnet um neun.", "Das Büro schließt um fünf."}


@pytest.mark.parametrize("text", ["", " \n", "---\ntitle: Only a title\n---\n"])
async def test_a_note_without_text_is_left_out(terminal: Terminal, user: TestUser, home: Path, text: str) -> None:
    report = await imported(terminal, user, "markdown", write(home, "blank.md", text), write(home, "note.md", "Text"))
    assert (report["memories"]["new"], report["rejected"]) == (1, [])
    assert report["leftOut"] == {"file without text: blank.md": 1}


@pytest.mark.parametrize("system", ["chatgpt", "claude", "mem0", "markdown", "transcripts"])
async def test_standard_input_is_refused_where_it_is_not_read(terminal: Terminal, user: TestUser, system: str) -> None:
    done = await terminal(user, "import", system, "-", stdin="[]")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "Invalid value for 'FILE...': Path '-' does not exist." in done.stderr


async def test_a_key_that_may_only_read_is_told_which_one_an_import_needs(
    terminal: Terminal, make_user: MakeUser, home: Path
) -> None:
    reader = await make_user(scopes=(KeyScope.READ,))
    row = write(home, "rows.jsonl", {"title": "Mill", "content": "The mill is open."})
    done = await terminal(reader, "import", "jsonl", row)
    assert (done.exit_code, done.stdout.partition(";")[0]) == (4, "nothing imported")
    assert "an import needs a key with the scope `write`" in done.stderr
    assert "run the same command again" not in done.stderr
