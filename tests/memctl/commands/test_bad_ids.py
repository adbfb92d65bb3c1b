"""What is not an id is reported in the same words by every command, whether memctl or memd notices it."""

import pytest

from tests.memctl.conftest import Terminal
from tests.support.service import TestUser

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
