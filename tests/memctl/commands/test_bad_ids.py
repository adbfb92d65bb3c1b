"""Every command reports a malformed id in the same words, whether memctl or memd notices it."""

import pytest

from memd.domain.types import KeyScope
from tests.memctl.conftest import Terminal
from tests.support.service import MakeUser, TestUser
from tests.support.wire import capture, memory

MEMORIES, CHECKPOINTS = "; see `memctl list`", "; see `memctl checkpoint list`"
COMMANDS = {
    "show ID": MEMORIES,
    "trace ID": MEMORIES,
    "forget ID": MEMORIES,
    "edit ID --title T": MEMORIES,
    "history ID": MEMORIES,
    "diff ID": MEMORIES,
    "supersede ID T C": MEMORIES,
    "restore ID": "; see `memctl list --archived`",
    "snapshot show ID": "; see `memctl snapshot list`",
    "checkpoint show ID": CHECKPOINTS,
    "checkpoint restore ID": CHECKPOINTS,
    "checkpoint delete ID": CHECKPOINTS,
    "conflicts resolve ID supersede": "; see `memctl conflicts list`",
    "messages delete ID --yes": "; see `memctl recent`",
    "erasure ID": "",
}
"""Commands, and where each says that such ids are listed."""


@pytest.mark.parametrize("value", ["mem_nope", "kb_0123456789012345678901234", "mem_81jc3v7q2m8x5t9zc4r6w0y1ab"])
@pytest.mark.parametrize("command", COMMANDS)
async def test_it_is_named_as_it_was_typed(terminal: Terminal, user: TestUser, command: str, value: str) -> None:
    done = await terminal(user, *command.replace("ID", value).split())
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == f"memctl: {value!r} is not a valid identifier{COMMANDS[command]}\n"


@pytest.mark.parametrize(
    ("command", "prefix", "kind"),
    [
        ("show ID", "msg", "a message"),
        ("forget ID", "kb", "a knowledge base"),
        ("edit ID --title T", "conf", "a conflict"),
        ("checkpoint show ID", "snap", "a snapshot"),
        ("messages delete ID --yes", "mem", "a memory"),
    ],
)
async def test_an_id_of_another_kind_says_what_it_belongs_to(
    terminal: Terminal, user: TestUser, command: str, prefix: str, kind: str
) -> None:
    typed = f"{prefix}_01jc3v7q2m8x5t9zc4r6w0y1ab"
    done = await terminal(user, *command.replace("ID", typed).split())
    assert done.exit_code == 2
    assert (
        done.stderr == f"memctl: {typed!r} is the id of {kind}: here it is not a valid identifier{COMMANDS[command]}\n"
    )


@pytest.mark.parametrize("command", ["show ID", "trace ID", "snapshot show ID", "checkpoint show ID"])
async def test_an_id_that_is_not_there_is_named_with_the_command_that_lists_ids(
    terminal: Terminal, user: TestUser, command: str
) -> None:
    prefix = {"snapshot": "snap", "checkpoint": "ckpt"}.get(command.split(maxsplit=1)[0], "mem")
    done = await terminal(user, *command.replace("ID", f"{prefix}_01jc3v7q2m8x5t9zc4r6w0y1ab").split())
    assert (done.exit_code, done.stdout) == (5, "")
    assert done.stderr.endswith(f": {prefix}_01jc3v7q2m8x5t9zc4r6w0y1ab{COMMANDS[command]}\n")


@pytest.mark.parametrize("command", ["forget", "edit --title T", "restore"])
async def test_with_one_of_several_nothing_is_done(terminal: Terminal, user: TestUser, command: str) -> None:
    memory_id = await capture(user)
    before = await memory(user, memory_id)
    done = await terminal(user, *command.split(), memory_id, "mem_nope")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("memctl: 'mem_nope' is not a valid identifier")
    after = await memory(user, memory_id)
    assert (after["archived"], after["title"]) == (False, before["title"])


async def test_a_user_that_is_not_there_is_named_with_the_command_that_lists_users(
    terminal: Terminal, make_user: MakeUser
) -> None:
    admin = await make_user(admin=True, scopes=tuple(KeyScope))
    done = await terminal(admin, "users", "set", "usr_01jc3v7q2m8x5t9zc4r6w0y1ab", "--name", "Ann")
    assert (done.exit_code, done.stdout) == (5, "")
    assert done.stderr == "memctl: Not found: usr_01jc3v7q2m8x5t9zc4r6w0y1ab; see `memctl users list`\n"


async def test_a_version_that_is_not_there_is_named_with_the_command_that_lists_versions(
    terminal: Terminal, user: TestUser
) -> None:
    memory_id = await capture(user)
    done = await terminal(user, "restore", memory_id, "--version", "9")
    assert (done.exit_code, done.stdout) == (5, "")
    assert done.stderr == f"memctl: {memory_id} has no version 9; see `memctl history {memory_id}`\n"
    unknown = "mem_01jc3v7q2m8x5t9zc4r6w0y1ab"
    done = await terminal(user, "restore", unknown, "--version", "9")
    assert done.stderr == f"memctl: Memory not found: {unknown}; see `memctl list --archived`\n"
