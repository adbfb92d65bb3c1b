"""`memctl export` to a file: which rows a filter selects, and that nobody else reads or loses a file."""

import json
import os
import stat
from pathlib import Path

import pytest

from tests.memctl.conftest import Terminal
from tests.support.service import TestUser

DAY = 86_400_000
MARCH = 1_772_323_200_000


async def log(user: TestUser, text: str, at: int) -> None:
    message = {"role": "user", "content": text, "channel": "cli", "timestamp": at}
    assert (await user.http.post("/api/mcp/log", json=message)).is_success


@pytest.mark.parametrize(
    "options", [("--store", "semantic"), ("--category", "rule"), ("--valid-at", "7d"), ("--known-at", "7d")]
)
async def test_filters_that_messages_lack_are_refused(
    terminal: Terminal, user: TestUser, options: tuple[str, ...]
) -> None:
    done = await terminal(user, "export", "--messages", *options)
    assert (done.exit_code, done.stdout) == (2, "")
    assert f"{options[0]} cannot select messages" in done.stderr


async def test_messages_of_an_earlier_time(terminal: Terminal, user: TestUser) -> None:
    for days, text in enumerate(("first", "second", "third")):
        await log(user, text, MARCH + days * DAY)
    for option in ("--as-of", "--until"):
        done = await terminal(user, "export", "--messages", option, str(MARCH + DAY))
        assert done.exit_code == 0, done.output
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        assert sorted(row["content"] for row in rows) == ["first", "second"], option


async def test_an_export_of_all_memories_says_that_messages_are_left_out(terminal: Terminal, user: TestUser) -> None:
    left_out = "messages left out; --messages exports them too, as JSON lines\n"
    assert (await terminal(user, "export")).stderr == ""
    for text in ("first", "second"):
        await log(user, text, MARCH)
    done = await terminal(user, "export")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", f"2 {left_out}")
    for target in (("--to", "all.jsonl"), ("--format", "markdown", "--to", "all")):
        assert (await terminal(user, "export", *target)).stderr.endswith(f"to {target[-1]}\n2 {left_out}")
    for options in (("--messages",), ("--memories-only",), ("--store", "semantic"), ("--since", "7d")):
        assert "left out" not in (await terminal(user, "export", *options)).stderr


async def test_only_the_owner_reads_an_export(terminal: Terminal, user: TestUser, home: Path) -> None:
    await terminal(user, "capture", "Private", "Only for me.")
    done = await terminal(user, "export", "--to", "all.jsonl")
    assert (done.exit_code, stat.S_IMODE((home / "work" / "all.jsonl").stat().st_mode)) == (0, 0o600)
    done = await terminal(user, "export", "--format", "markdown", "--to", "all")
    folder = home / "work" / "all"
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert (done.exit_code, stat.S_IMODE(folder.stat().st_mode)) == (0, 0o700)
    assert [stat.S_IMODE(path.stat().st_mode) for path in files] == [0o600]


async def test_a_part_file_of_somebody_else_is_kept(terminal: Terminal, user: TestUser, home: Path) -> None:
    work = home / "work"
    (work / "all.jsonl.part").write_text("theirs")
    await terminal(user, "export", "--to", "all.jsonl")
    assert (work / "all.jsonl.part").read_text() == "theirs"
    assert sorted(path.name for path in work.iterdir()) == ["all.jsonl", "all.jsonl.part"]


async def test_a_failed_export_keeps_the_file_before(terminal: Terminal, user: TestUser, home: Path) -> None:
    before = home / "work" / "all.jsonl"
    before.write_text("before")
    done = await terminal("wrong", "export", "--to", "all.jsonl")
    assert (done.exit_code != 0, before.read_text(), len(list(before.parent.iterdir()))) == (True, "before", 1)


@pytest.mark.parametrize("command", [("export",), ("kb", "export", "Handbook")])
async def test_a_file_that_exists_is_not_replaced(
    terminal: Terminal, user: TestUser, home: Path, command: tuple[str, ...]
) -> None:
    await terminal(user, "kb", "create", "Handbook")
    before = home / "work" / "all.jsonl"
    before.write_text("before")
    done = await terminal(user, *command, "--to", "all.jsonl")
    assert (done.exit_code, before.read_text()) == (2, "before")
    assert done.stderr == "memctl: all.jsonl exists; choose a new one\n"


async def test_a_link_keeps_its_place(terminal: Terminal, user: TestUser, home: Path) -> None:
    work = home / "work"
    (work / "link.jsonl").symlink_to("all.jsonl")
    await terminal(user, "export", "--to", "link.jsonl")
    assert ((work / "link.jsonl").is_symlink(), (work / "all.jsonl").exists()) == (True, True)


async def test_a_pipe_is_written_to(terminal: Terminal, user: TestUser, home: Path) -> None:
    await terminal(user, "capture", "Private", "Only for me.")
    pipe = home / "work" / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        done = await terminal(user, "export", "--to", "pipe")
        written = json.loads(os.read(reader, 65_536))
    finally:
        os.close(reader)
    assert (done.exit_code, written["title"], pipe.is_fifo()) == (0, "Private", True)


async def test_a_knowledge_base_is_exported_as_it_is_listed(terminal: Terminal, user: TestUser) -> None:
    await terminal(user, "kb", "create", "Handbook")
    (base,) = (await user.http.get("/api/knowledge-bases")).json()["knowledgeBases"]
    assert json.loads((await terminal(user, "export")).stdout) == {"knowledgeBase": base}
    assert base["updatedAt"] >= base["createdAt"]
    past = json.loads((await terminal(user, "export", "--as-of", str(base["createdAt"]))).stdout)
    assert past == {"knowledgeBase": {name: value for name, value in base.items() if name != "updatedAt"}}
