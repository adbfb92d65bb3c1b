"""Every command reports a malformed id in the same words, whether memctl or memd notices it."""

import pytest

from tests.memctl.conftest import Terminal
from tests.support.service import TestUser
from tests.support.wire import capture, memory

COMMANDS = (
    *("show ID", "trace ID", "forget ID", "edit ID --title T", "history ID", "diff ID", "restore ID"),
    *("supersede ID T C", "snapshot show ID", "checkpoint show ID", "checkpoint restore ID", "checkpoint delete ID"),
    *("erasure ID", "messages delete ID --yes"),
)


@pytest.mark.parametrize("value", ["mem_nope", "kb_01234567890123456789012345"])
@pytest.mark.parametrize("command", COMMANDS)
async def test_it_is_named_as_it_was_typed(terminal: Terminal, user: TestUser, command: str, value: str) -> None:
    done = await terminal(user, *command.replace("ID", value).split())
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == f"memctl: {value!r} is not a valid identifier\n"


@pytest.mark.parametrize("command", ["forget", "edit --title T", "restore"])
async def test_with_one_of_several_nothing_is_done(terminal: Terminal, user: TestUser, command: str) -> None:
    memory_id = await capture(user)
    before = await memory(user, memory_id)
    done = await terminal(user, *command.split(), memory_id, "mem_nope")
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", "memctl: 'mem_nope' is not a valid identifier\n")
    after = await memory(user, memory_id)
    assert (after["archived"], after["title"]) == (False, before["title"])
