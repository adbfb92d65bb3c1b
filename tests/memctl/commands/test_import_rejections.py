"""What imports say about rows that memd or memctl refused, when there are many, and about imports that are short."""

import json
from pathlib import Path

from tests.memctl.conftest import Terminal
from tests.support.service import TestUser

NO_CONTENT = '{"title": "Empty"}'


def write(home: Path, *lines: str) -> str:
    path = home / "work" / "rows.jsonl"
    path.write_text("\n".join(lines))
    return path.name


async def test_rejections_of_one_reason_are_one_line(terminal: Terminal, user: TestUser, home: Path) -> None:
    lines = [NO_CONTENT] * 300 + ["[1]", '{"title": "Good", "content": "Read."}']
    done = await terminal(user, "kb", "import", "handbook", write(home, *lines), "--create")
    assert done.exit_code == 7
    assert done.stdout.splitlines()[1:] == [
        "  rejected 300 × Missing required field: content (rows.jsonl:1, rows.jsonl:2, rows.jsonl:3, …)",
        "  rejected rows.jsonl:301: not a JSON object",
    ]
    told = await terminal(user, "kb", "import", "handbook", write(home, *lines), "--json")
    assert len(json.loads(told.stdout)["rejected"]) == 301


async def test_memctl_import_says_it_in_the_same_way(terminal: Terminal, user: TestUser, home: Path) -> None:
    done = await terminal(user, "import", "jsonl", write(home, NO_CONTENT, "[1]", NO_CONTENT))
    assert done.exit_code == 7
    assert done.stdout.splitlines()[1:] == [
        "  rejected 2 × Missing required field: content (rows.jsonl:1, rows.jsonl:3)",
        "  rejected rows.jsonl:2: not a JSON object",
    ]


async def test_of_many_reasons_the_first_are_shown(terminal: Terminal, user: TestUser, home: Path) -> None:
    broken = ["{" + " " * number for number in range(20)]
    lines = [f"{each}x" for each in broken] + ["[1]", NO_CONTENT, NO_CONTENT]
    done = await terminal(user, "kb", "import", "handbook", write(home, *lines), "--create")
    assert done.stdout.splitlines()[-1] == "  … and 3 more; --json lists them all"


async def test_a_rate_is_given_only_where_it_means_something(terminal: Terminal, user: TestUser, home: Path) -> None:
    path = write(home, '{"title": "Good", "content": "Read."}')
    await terminal(user, "kb", "import", "handbook", path, "--create")
    again = await terminal(user, "kb", "import", "handbook", path)
    assert again.stdout.startswith("0 new, 0 updated, 1 unchanged, 0 rejected in ")
    assert "chunks/s" not in again.stdout


async def test_files_with_one_remark_are_one_warning(terminal: Terminal, user: TestUser, home: Path) -> None:
    old = home / "work" / "old"
    old.mkdir()
    for number in range(5):
        (old / f"{number}.txt").write_bytes(f"Café {number}".encode("latin-1"))
    done = await terminal(user, "kb", "import", "handbook", "old", "--create")
    warnings = [line for line in done.stderr.splitlines() if line.startswith("warning: ")]
    assert warnings == ["warning: 5 × not UTF-8; read as Windows-1252 (old/0.txt, old/1.txt, old/2.txt, …)"]
    told = json.loads((await terminal(user, "kb", "import", "handbook", "old", "--json")).stdout)
    assert told["warnings"] == [f"old/{number}.txt: not UTF-8; read as Windows-1252" for number in range(5)]
