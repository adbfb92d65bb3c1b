"""JSON lines of which some cannot be read, from a file and from standard input, against the real service."""

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from starlette.types import ASGIApp

from tests.memctl.conftest import Terminal
from tests.support.served import served
from tests.support.service import TestUser

ROWS = [f'{{"title": "Row {number}", "content": "Valve {number} is opened by hand."}}' for number in range(2_000)]
LATIN = '{"title": "Café", "content": "The café opens at nine."}'.encode("latin-1")
LINES = b"\r\n".join([*(row.encode() for row in ROWS[:1_500]), LATIN, *(row.encode() for row in ROWS[1_500:])])
COMMANDS = [("import", "jsonl"), ("kb", "import", "valves", "--create")]


def outcome(done: str) -> tuple[int, list[dict[str, Any]]]:
    """How many rows are new, and which were rejected."""
    report = json.loads(done)
    return report["memories"]["new"] if "memories" in report else report["new"], report["rejected"]


@pytest.mark.parametrize("command", COMMANDS, ids=["import", "kb import"])
async def test_one_line_that_is_not_utf_8_is_named_and_the_others_are_imported(
    terminal: Terminal, user: TestUser, home: Path, command: tuple[str, ...]
) -> None:
    (home / "work" / "rows.jsonl").write_bytes(LINES)
    done = await terminal(user, *command, "rows.jsonl", "--json")
    assert done.exit_code == 7, done.output
    assert outcome(done.stdout) == (2_000, [{"origin": "rows.jsonl:1501", "reason": "not UTF-8 text"}])


@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
@pytest.mark.parametrize("command", COMMANDS, ids=["import", "kb import"])
async def test_the_same_from_standard_input_after_a_byte_order_mark(
    app: ASGIApp, user: TestUser, home: Path, command: tuple[str, ...], locale: str
) -> None:
    mark = "\ufeff".encode()
    done = await piped(app, user, [*command, "-", "--json"], mark + ROWS[0].encode() + b"\n" + LATIN, locale)
    new, rejected = outcome(done)
    assert (new, [each["reason"] for each in rejected]) == (1, ["not UTF-8 text"])


async def test_a_byte_order_mark_before_a_document(app: ASGIApp, user: TestUser, home: Path) -> None:
    text = '\ufeff[{"role": "user", "content": "The café opens at nine."}]'.encode()
    done = await piped(app, user, ["snapshot", "save", "-", "--session", "s", "--json"], text, "C.UTF-8")
    assert json.loads(done)["messageCount"] == 1


async def piped(app: ASGIApp, user: TestUser, arguments: list[str], stdin: bytes, locale: str) -> str:
    """What memctl prints in a process of its own; standard input is read in the encoding of the locale at first."""
    async with served(app) as url:
        root = Path(__file__).parents[3]
        variables = {"MEMCTL_URL": url, "MEMCTL_API_KEY": user.key, "LC_ALL": locale, "PYTHONUTF8": "0"}
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "memctl", *arguments, stdin=-1, stdout=-1, env={**os.environ, **variables}, cwd=root
        )
        printed, _ = await process.communicate(stdin)
    return printed.decode()
