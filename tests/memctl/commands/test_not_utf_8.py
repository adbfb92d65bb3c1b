"""Text that is not UTF-8, on the command line, on standard input or in a file: one sentence, exit code 2, nothing stored.

Of JSON lines only those are refused that are not UTF-8.
"""

from pathlib import Path

import pytest

from memctl.wire.export import ExportRequest
from tests.memctl.conftest import Terminal
from tests.support.service import TestUser

LATIN = "Grüße".encode("latin-1")
READ_IN_THE_C_LOCALE = LATIN.decode("utf-8", "surrogateescape")
"""What Python makes of these bytes in an argument, and in the locales C, POSIX and C.UTF-8 on standard input."""
SAID = "memctl: the text is not UTF-8, as its byte 0xfc shows; convert it first: iconv -f latin1 -t utf-8\n"


@pytest.mark.parametrize(
    "command",
    [
        ("capture", "Title", "-"),
        ("log", "user", "-"),
        ("snapshot", "save", "-", "--session", "s"),
        ("kb", "import", "notes", "-", "--title", "Notes", "--create"),
    ],
    ids=" ".join,
)
async def test_standard_input(terminal: Terminal, user: TestUser, command: tuple[str, ...]) -> None:
    done = await terminal(user, *command, stdin=LATIN)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.endswith(SAID)
    assert [row async for row in user.client.memories.export(ExportRequest())] == []


@pytest.mark.parametrize("command", [("capture", "Title"), ("recall",), ("search",), ("supersede", "mem_0" + "1" * 25)])
async def test_an_argument(terminal: Terminal, user: TestUser, command: tuple[str, ...]) -> None:
    done = await terminal(user, *command, READ_IN_THE_C_LOCALE)
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", SAID)


async def test_a_file(terminal: Terminal, user: TestUser, home: Path) -> None:
    (home / "work" / "session.json").write_bytes(b'[{"role": "user", "content": "' + LATIN + b'"}]')
    done = await terminal(user, "snapshot", "save", "session.json", "--session", "s")
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", SAID)


async def test_a_line_of_memories(terminal: Terminal, user: TestUser, home: Path) -> None:
    (home / "work" / "rows.jsonl").write_bytes(
        b'{"content": "one"}\n{"content": "' + LATIN + b'"}\n{"content": "three"}\n'
    )
    done = await terminal(user, "import", "jsonl", "rows.jsonl")
    assert (done.exit_code, "rejected rows.jsonl:2: not UTF-8 text" in done.output) == (7, True)
    assert {row.content async for row in user.client.memories.export(ExportRequest())} == {"one", "three"}


async def test_a_line_of_chunks(terminal: Terminal, user: TestUser, home: Path) -> None:
    chunk = b'{"content": "%b", "metadata": {"title": "Note"}}\n'
    (home / "work" / "chunks.jsonl").write_bytes(chunk % b"one" + chunk % LATIN)
    done = await terminal(user, "kb", "import", "notes", "chunks.jsonl", "--create")
    assert (done.exit_code, "rejected chunks.jsonl:2: not UTF-8 text" in done.output) == (7, True)
    assert "1 new" in done.output


async def test_half_of_a_character_in_json(terminal: Terminal, user: TestUser) -> None:
    half = r'{"title": "\ud83d", "content": "x"}'
    done = await terminal(user, "api", "POST", "/api/mcp/capture", "--input", "-", stdin=half)
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", "memctl: the text holds half of a character\n")
