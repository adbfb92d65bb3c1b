"""A blank argument, such as a variable that a script has not set, names nothing: no command does anything with it."""

import pytest

from tests.memctl.conftest import Terminal
from tests.support.service import TestUser
from tests.support.wire import memory, post

COMMANDS = {
    "show _": "ID",
    "forget _": "ID",
    "restore _": "ID",
    "triggers _": "TOOL",
    "kb show _": "KB",
    "kb query _ words": "KB",
    "kb delete _ --yes": "KB",
    "snapshot show _": "ID",
    "checkpoint show _": "ID",
    "sessions show _": "KEY",
    "sessions delete _ --yes": "KEY",
    "standing show _": "NAME",
    "standing remove _": "NAME",
    "keys revoke _ --yes": "KEY",
    "keys rotate _": "KEY",
    "users delete _ --yes": "USER",
    "account users erase _ --yes": "USER",
    "messages delete _ --yes": "ID",
    "jobs run _": "NAME",
    "erasure _": "ID",
    "device approve _": "CODE",
    "graph connection Ana _": "OTHER",
}


@pytest.mark.parametrize("blank", ["", " "])
@pytest.mark.parametrize("command", COMMANDS)
async def test_it_is_a_usage_error(terminal: Terminal, user: TestUser, command: str, blank: str) -> None:
    typed = [blank if word == "_" else word for word in command.split()]
    done = await terminal(user, *typed)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == f"memctl: {COMMANDS[command]} must not be empty\n"


async def test_no_key_without_a_label_is_revoked_or_rotated(terminal: Terminal, user: TestUser) -> None:
    made = await post(user, "/api/keys", {}, status=201)
    await terminal(user, "keys", "revoke", "", "--yes")
    await terminal(user, "keys", "rotate", "")
    keys = (await user.client.accounts.list_keys()).keys
    assert next(key for key in keys if key.id == made["id"]).active
    assert (await user.http.get("/api/keys", headers={"Authorization": f"Bearer {made['apiKey']}"})).status_code == 200


async def test_one_of_several_stops_the_command(terminal: Terminal, user: TestUser) -> None:
    kept = (await post(user, "capture", {"title": "Kept", "content": "Kept"}))["id"]
    done = await terminal(user, "forget", kept, "")
    assert done.exit_code == 2
    assert not (await memory(user, kept))["archived"]
