"""Keys and devices."""

import re

import pytest

from memctl.client import MemdClient
from memctl.client.errors import Unauthorized
from memctl.wire.enums import DeviceStatus
from memd.domain.types import KeyScope
from tests.support.service import BASE, MakeUser, TestUser
from tests.support.terminal import OpenTerminal
from tui.widgets.row_table import RowTable


async def test_a_key_is_made_shown_once_rotated_and_ended(user: TestUser, terminal: OpenTerminal) -> None:
    async with terminal("accounts", "n") as tui:
        await tui.shows("A new key")
        await tui.type("laptop")
        await tui.press("enter")
        secret = re.search(r"[0-9a-f]{64}", await tui.shows("shown only once"))
        assert secret is not None
        client = MemdClient(BASE, secret[0], transport=user.http._transport)
        assert (await client.accounts.whoami()).scopes == ["read"]
        assert "Cancel" not in tui.text, "the key exists already"
        await tui.press("y")
        await tui.shows("key copied")
        assert tui.app.clipboard == secret[0]
        await tui.press("escape")
        await tui.shows("laptop", "this one", "read, write", "read ")
        keys = (await user.client.accounts.list_keys()).keys
        table = tui.app.screen.query_one("#table", RowTable)
        table.move_cursor(table.keys.index(next(key.id for key in keys if key.label == "laptop")))
        await tui.press("o")
        await tui.shows("Rotate “laptop”? Its old secret stops working at once.")
        await tui.press("y")
        await tui.shows("shown only once")
        await tui.press("escape")
        with pytest.raises(Unauthorized):
            await client.accounts.whoami()
        await tui.press("x")
        await tui.shows("Revoke “laptop”?")
        await tui.press("y")
        await tui.shows("ended")


async def test_a_waiting_device_is_let_in(user: TestUser, terminal: OpenTerminal) -> None:
    device = MemdClient(BASE, None, transport=user.http._transport)
    codes = await device.devices.start("laptop")
    async with terminal("accounts", "d", size=(80, 24)) as tui:
        await tui.shows("Code shown on the device")
        await tui.type(codes.user_code.lower())
        await tui.press("enter")
        await tui.shows("Approve the device")
        await tui.press("y")
        await tui.shows("device approved")
    assert (await device.devices.status(codes.device_code)).status is DeviceStatus.COMPLETE


async def test_a_wrong_code_is_reported(terminal: OpenTerminal) -> None:
    async with terminal("accounts", "d") as tui:
        await tui.shows("Code shown on the device")
        await tui.type("aaaa-bbbb")
        await tui.press("enter")
        await tui.shows("Approve the device")
        await tui.press("y")
        await tui.shows("no device waits with the code aaaa-bbbb")


async def test_the_scopes_of_a_key_are_whole_in_a_small_terminal(make_user: MakeUser, terminal: OpenTerminal) -> None:
    scopes = (KeyScope.READ, KeyScope.WRITE, KeyScope.ADMIN, KeyScope.KEYS)
    owner = await make_user(scopes=scopes, admin=True)
    async with terminal("accounts", client=owner.client, size=(80, 24)) as tui:
        row = next(line for line in (await tui.shows("this one")).splitlines() if "this one" in line)
        assert [scope for scope in scopes if scope.value not in row] == []
