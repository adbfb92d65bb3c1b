"""Every command in trouble: its exit code, one clear sentence on standard error, nothing else, no traceback."""

import json
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from memctl.main import cli
from memd.context import Services
from memd.domain.types import Tier
from memd.stats import service as stats
from tests.memctl.conftest import Terminal
from tests.support.foreign_exports import chatgpt_export, claude_export, mem0_export
from tests.support.loopback import free_port
from tests.support.service import MakeUser, TestUser

MEMORY = "mem_0" + "1" * 25
KB = "kb_0" + "1" * 25
USER = "usr_0" + "1" * 25
COMMANDS = {
    "capture": "capture Title Text",
    "recall": "recall query",
    "context": "context query",
    "search": "search query",
    "recent": "recent",
    "tail": "tail --once",
    "log": "log user Text",
    "wake": "wake",
    "show": f"show {MEMORY}",
    "trace": f"trace {MEMORY}",
    "triggers": "triggers deploy",
    "edit": f"edit {MEMORY} --title New",
    "supersede": f"supersede {MEMORY} New",
    "forget": f"forget {MEMORY}",
    "list": "list",
    "history": f"history {MEMORY}",
    "diff": f"diff {MEMORY}",
    "restore": f"restore {MEMORY}",
    "undo": "undo --yes",
    "conflicts list": "conflicts list",
    "profile": "profile Ana",
    "standing add": "standing add risks risks",
    "standing list": "standing list",
    "standing show": "standing show risks",
    "standing run": "standing run risks",
    "standing remove": "standing remove risks",
    "conflicts resolve": "conflicts resolve conf_0" + "1" * 25 + " keep_both",
    "stats": "stats",
    "export": "export",
    "import chatgpt": "import chatgpt chatgpt.json --wait 0",
    "import claude": "import claude claude.json --wait 0",
    "import mem0": "import mem0 mem0.json --wait 0",
    "import jsonl": "import jsonl lines.jsonl --wait 0",
    "import markdown": "import markdown note.md --wait 0",
    "import transcripts": "import transcripts rollout.jsonl --channel shop --wait 0",
    "kb list": "kb list",
    "kb create": "kb create handbook",
    "kb show": f"kb show {KB}",
    "kb import": f"kb import {KB} note.md --wait 0",
    "kb chunks": f"kb chunks {KB}",
    "kb query": f"kb query {KB} words",
    "kb set": f"kb set {KB} --name New",
    "kb export": f"kb export {KB}",
    "kb empty": f"kb empty {KB} --yes",
    "kb archive": f"kb archive {KB}",
    "kb unarchive": f"kb unarchive {KB}",
    "kb delete": f"kb delete {KB} --yes",
    "snapshot save": "snapshot talk.json --session s --channel c",
    "snapshot list": "snapshot list --session s",
    "snapshot show": "snapshot show snap_0" + "1" * 25,
    "checkpoint create": "checkpoint create label",
    "checkpoint list": "checkpoint list",
    "checkpoint delete": "checkpoint delete ckpt_0" + "1" * 25,
    "sessions list": "sessions list",
    "sessions show": "sessions show s-1",
    "checkpoint show": "checkpoint show ckpt_0" + "1" * 25,
    "checkpoint restore": "checkpoint restore ckpt_0" + "1" * 25,
    "graph owners": "graph owners billing",
    "graph connection": "graph connection Ada billing",
    "graph chain": "graph chain billing",
    "reflect": "reflect",
    "audit": "audit",
    "audit-log": "audit-log",
    "jobs list": "jobs list",
    "api": "api GET /api/mcp/stats",
    "wait": "wait --timeout 0",
    "jobs run": "jobs run reflection",
    "eval": f"eval questions.jsonl --kb {KB}",
    "keys list": "keys list",
    "keys create": "keys create",
    "keys update": "keys update key_0" + "1" * 25 + " --label New",
    "keys rotate": "keys rotate key_0" + "1" * 25,
    "keys revoke": "keys revoke key_0" + "1" * 25 + " --yes",
    "users list": "users list",
    "users create": "users create Ada",
    "users set": f"users set {USER} --tier pro",
    "users delete": f"users delete {USER} --yes",
    "account users list": "account users list",
    "account users erase": "account users erase ann --yes",
    "messages delete": "messages delete msg_0" + "1" * 25 + " --yes",
    "sessions delete": "sessions delete s-1 --yes",
    "erasure": "erasure era_0" + "1" * 25,
    "device approve": "device approve ABCD-EFGH",
    "device deny": "device deny ABCD-EFGH",
}
LOCAL = {
    *("mcp install", "mcp list", "mcp uninstall", "hooks install", "hooks uninstall", "hooks status", "hooks retry"),
    *("config list", "config set", "config use", "config delete", "logout", "completion", "tui"),
}
ELSEWHERE = {"doctor", "login", "mcp stdio", "hooks run"}
"""`doctor` reports failures on stdout, `login` needs no key, `mcp stdio` and `hooks run` answer their callers."""


def leaves(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[str]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from leaves(command, (*path, name))
        else:
            yield " ".join((*path, name))


def test_the_table_holds_every_command() -> None:
    assert set(COMMANDS) | LOCAL | ELSEWHERE == set(leaves(cli))


@pytest.fixture
def files(home: Path) -> Path:
    work = home / "work"
    contents = {
        "chatgpt.json": chatgpt_export(1, 2),
        "claude.json": claude_export(1, 2),
        "mem0.json": mem0_export(2),
        "lines.jsonl": {"title": "T", "content": "C"},
        "talk.json": [{"role": "user", "content": "x"}],
        "questions.jsonl": {"question": "q", "evidence": ["a"]},
        "note.md": "text",
        "rollout.jsonl": {
            "type": "user",
            "sessionId": "s",
            "cwd": "/shop",
            "message": {"role": "user", "content": "x"},
            "timestamp": "2026-11-22T21:54:57Z",
        },
    }
    for name, content in contents.items():
        (work / name).write_text(json.dumps(content))
    return work


def assert_one_sentence(error: str) -> None:
    assert error.startswith("memctl: ")
    assert error.count("\n") == 1
    assert "Traceback" not in error


@pytest.mark.parametrize("name", COMMANDS)
def test_a_stopped_server(files: Path, name: str) -> None:
    address = f"127.0.0.1:{free_port()}"
    arguments = ["--url", f"http://{address}", "--api-key", "k", *COMMANDS[name].split()]
    done = CliRunner().invoke(cli, arguments)
    assert (done.exit_code, done.stdout) == (3, "")
    assert_one_sentence(done.stderr)
    assert address in done.stderr
    assert "memd serve" in done.stderr


@pytest.mark.parametrize("name", COMMANDS)
async def test_a_wrong_key(terminal: Terminal, files: Path, name: str) -> None:
    done = await terminal("0" * 64, *COMMANDS[name].split())
    assert (done.exit_code, done.stdout) == (4, "")
    assert_one_sentence(done.stderr)
    assert "the key is missing or not valid here" in done.stderr


BASES = [name for name, line in COMMANDS.items() if KB in line]


@pytest.mark.parametrize("base", [KB, "nowhere"])
@pytest.mark.parametrize("name", [*BASES, "recall"])
async def test_a_knowledge_base_that_is_not_there(
    terminal: Terminal, user: TestUser, files: Path, name: str, base: str
) -> None:
    line = f"recall query --kb {KB}" if name == "recall" else COMMANDS[name]
    done = await terminal(user, *line.replace(KB, base).split())
    assert (done.exit_code, done.stdout) == (5, "")
    assert_one_sentence(done.stderr)
    assert "nowledge base" in done.stderr


FULL = {
    "capture": "500 memories",
    "log": "500 messages",
    "snapshot save": "500 messages",
    "checkpoint create": "1 checkpoints",
    "import chatgpt": "500 messages",
    "import claude": "500 messages",
    "import mem0": "500 memories",
    "import jsonl": "500 memories",
    "import markdown": "500 memories",
    "import transcripts": "500 messages",
}
"""What a user without space left may not do, and the limit that is named; everything else works as before."""


@pytest.mark.parametrize("name", COMMANDS)
async def test_a_full_quota(
    terminal: Terminal, make_user: MakeUser, services: Services, files: Path, name: str
) -> None:
    user = await make_user(tier=Tier.FREE)
    async with services.database.write(user.id) as session:
        await stats.move(session, services.clock(), messages=500, active=500)
    if name == "checkpoint create":
        assert (await terminal(user, "checkpoint", "create", "first")).exit_code == 0
    done = await terminal(user, *COMMANDS[name].split())
    if name not in FULL:
        assert done.exit_code in {0, 4, 5}
        assert "limit" not in done.stderr
        return
    assert done.exit_code == 6
    first, *rest = done.stderr.splitlines()
    assert first == f"memctl: Storage limit reached: the plan allows {FULL[name]}; see `memctl stats`"
    assert all("run the same command again" in line for line in rest)


@pytest.mark.parametrize("name", ["show", "trace", "edit", "supersede", "forget"])
async def test_a_memory_that_is_not_there(terminal: Terminal, user: TestUser, files: Path, name: str) -> None:
    done = await terminal(user, *COMMANDS[name].split())
    assert (done.exit_code, done.stdout, done.stderr) == (
        5,
        "",
        f"memctl: Memory not found: {MEMORY}; see `memctl list`\n",
    )


async def test_a_name_that_a_standing_question_has_already_leads_to_the_list(
    terminal: Terminal, user: TestUser
) -> None:
    await terminal(user, "standing", "add", "risks", "open risks of the launch")
    again = await terminal(user, "standing", "add", "risks", "open risks of the team")
    assert (again.exit_code, again.stdout) == (1, "")
    assert again.stderr == "memctl: Standing question already exists; see `memctl standing list`\n"
