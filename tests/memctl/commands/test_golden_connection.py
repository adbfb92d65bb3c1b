"""The output of the commands of connection, background work and agents, pinned like that of `test_golden`.

The last test sees to it that every command has a pin.
"""

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import click
import httpx
import pytest
from click.testing import CliRunner
from starlette.types import ASGIApp

from memctl.main import cli
from memctl.wire.devices import DeviceApproveRequest
from memd.context import Services
from memd.domain.types import KeyScope
from tests.memctl.commands import pinned
from tests.memctl.commands.pinned import PINS, Session, compare
from tests.memctl.commands.test_golden import files
from tests.memctl.conftest import Beside, Terminal
from tests.memctl.test_docs import leaves
from tests.support import jobs
from tests.support.service import BASE, MakeUser, TestUser

__all__ = ["files"]
FURTHER = (
    (re.compile(r"\d{4}-\d\d-\d\d(?! DATE)"), "DAY"),
    (re.compile(r"\b(aud)_[0-7][0-9a-hjkmnp-tv-z]{25}\b"), r"\1_…"),
    (re.compile(r"/\S+?(?=/(?:config/config\.toml|\.claude|state|data))"), "HOME"),
    (re.compile(r"(?<=version   )\S+|(?<=\"version\": \")[^\"]+"), "VERSION"),
    (re.compile(r"eval:\S+"), "eval:CHANNEL"),
    (re.compile(r"\b[A-Z0-9]{4}-[A-Z0-9]{4}\b"), "CODE-CODE"),
    (re.compile(r"\bmodel     .*"), "model     MODEL"),
    (re.compile(r"[^\s\x22]+ -m memctl|[^\s\x22]*/memctl(?= hooks)"), "memctl"),
    (re.compile(r"\t\d+\.\d(?=\t|$)", re.MULTILINE), r"\tN"),
    (re.compile(r'"seq": \d+'), '"seq": N'),
    (re.compile(r"^memd \S+,", re.MULTILINE), "memd VERSION,"),
    (re.compile(r"^(\w+\t(?:manual|every .*?|daily at .*?))\t.*$", re.MULTILINE), r"\1\t…"),
)


class Finished(NamedTuple):
    """The end of a process, as `compare` reads it."""

    stdout: str
    stderr: str
    exit_code: int


ASKED = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}


@pytest.fixture(autouse=True)
def more_that_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Versions, codes and places that only these commands print."""
    monkeypatch.setattr(pinned, "CHANGING", (*pinned.CHANGING, *FURTHER))


async def test_the_connection(terminal: Terminal, user: TestUser) -> None:
    talk = Session(terminal, user, "connection")
    await talk.run("doctor")
    await talk.run("jobs", "list")
    await talk.run("wait", "--kind", "embed", "--timeout", "30")
    await talk.run("wait", "--timeout", "30", "--json")
    await talk.run("tui", "--web-port", "8000")
    await talk.run("audit-log")


async def test_the_audit_log(terminal: Terminal, make_user: MakeUser) -> None:
    admin = await make_user(admin=True, scopes=tuple(KeyScope))
    who = (await admin.client.accounts.whoami()).user_id
    talk = Session(terminal, admin, "audit-log")
    talk.keep("admin", who)
    await talk.run("users", "create", "Barbara of the golden audit", pin=False)
    await talk.run("audit-log", "--actor", "{admin}")
    await talk.run("audit-log", "--actor", "{admin}", "--action", "user.", "--json")
    await talk.run("audit-log", "--actor", "{admin}", "--until", "7d")


async def test_agents(terminal: Terminal, user: TestUser, services: Services, home: Path) -> None:
    talk = Session(terminal, user, "agents")
    await talk.run("capture", "The runbook lies in the wiki.", pin=False)
    await jobs.done(services, user)
    call = {**ASKED, "params": {"name": "recall", "arguments": {"query": "Where is the runbook?"}}}
    await talk.run("mcp", "stdio", stdin=json.dumps(call) + "\n", scores=False)


def test_hooks_are_shown_before_they_are_installed(home: Path) -> None:
    command = ("hooks", "install", "claude-code", "--dry-run")
    compare("hooks-01-install", " ".join(command), CliRunner().invoke(cli, command), scores=True)


def test_a_hook_that_gets_no_event_ends_well_and_writes_to_its_log(home: Path) -> None:
    """In a process of its own: a hook ends its process at once."""
    command = ["hooks", "run", "prompt", "--client", "claude-code"]
    ended = subprocess.run(
        [sys.executable, "-m", "memctl", *command], input="no event", capture_output=True, text=True, check=False
    )
    done = Finished(ended.stdout, ended.stderr, ended.returncode)
    compare("hooks-02-run", " ".join(command), done, scores=True)


def test_hooks_that_are_not_there_are_not_removed(home: Path) -> None:
    command = ("hooks", "uninstall", "claude-code")
    compare("hooks-03-uninstall", " ".join(command), CliRunner().invoke(cli, command), scores=True)


async def test_measuring(terminal: Terminal, user: TestUser, files: Path) -> None:
    talk = Session(terminal, user, "measuring")
    await talk.run("eval", "e.questions.jsonl", "e.messages.jsonl", "--k", "1", scores=False)
    await talk.run("eval", "missing.jsonl")


async def test_a_login_that_is_approved_elsewhere(app: ASGIApp, terminal: Terminal, user: TestUser, home: Path) -> None:
    class Approved(Beside):
        """The owner of the account approves as soon as there is a code."""

        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            answer = await super().handle_async_request(request)
            if request.url.path == "/api/device/start":
                code = json.loads(await answer.aread())["user_code"]
                approving = user.client.devices.decide(DeviceApproveRequest(user_code=code))
                await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(approving, loop))
            return answer

    loop = asyncio.get_running_loop()
    command = ["--url", BASE, "login", "--name", "laptop", "--no-browser"]
    login = partial(CliRunner().invoke, cli, command, obj=Approved(loop, app), catch_exceptions=False)
    done = await asyncio.to_thread(login)
    compare("login-01-login", "login --name laptop --no-browser", done, scores=True)
    assert "KEY" not in pinned.settled(done.output)
    assert (home / "config" / "config.toml").exists()
    revoked = await terminal(user, "keys", "revoke", "laptop")  # as the device named itself
    assert (revoked.exit_code, revoked.stderr.endswith("is revoked\n")) == (0, True)


def first_lines() -> Iterator[str]:
    """The commands that have a pin: the words before the first option."""
    for pin in PINS.glob("*.txt"):
        yield pin.read_text().splitlines()[0].removeprefix("$ memctl ")


def test_every_command_is_pinned() -> None:
    commands = {name for name, command in leaves() if not isinstance(command, click.Group)}
    begun = [*first_lines()]
    assert commands
    assert [name for name in sorted(commands) if not any(f"{each} ".startswith(f"{name} ") for each in begun)] == []
