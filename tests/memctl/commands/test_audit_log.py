"""The audit log from the terminal, against the real service."""

import json

import pytest_asyncio

from memctl.text import moment
from memd.domain.types import KeyScope
from tests.memctl.conftest import Terminal
from tests.support.service import MakeUser, TestUser
from tests.support.wire import send


@pytest_asyncio.fixture(loop_scope="session")
async def admin(make_user: MakeUser) -> TestUser:
    return await make_user(admin=True, scopes=tuple(KeyScope))


async def test_the_log_shows_who_did_what_and_the_change(terminal: Terminal, admin: TestUser) -> None:
    user = await send(admin, "POST", "/api/admin/users", {"name": "ann"}, status=201)
    await send(admin, "PATCH", f"/api/admin/users/{user['id']}", {"tier": "pro"})
    done = await terminal(admin, "audit-log", "--action", "user.update", "--limit", "1")
    assert done.exit_code == 0
    assert "user.update" in done.stdout
    assert "free → pro" in done.stdout
    assert "127.0.0.1" in done.stdout


async def test_pages_are_read_to_the_end_and_forms_are_those_of_the_wire(terminal: Terminal, admin: TestUser) -> None:
    own = (await send(admin, "GET", "/api/mcp/auth"))["userId"]
    for _ in range(3):
        await send(admin, "POST", "/api/keys", {}, status=201)
    lines = (await terminal(admin, "audit-log", "--actor", own, "--action", "key.", "--all", "--jsonl")).stdout
    rows = [json.loads(line) for line in lines.splitlines()]
    assert [row["action"] for row in rows] == ["key.create"] * 3
    result = await terminal(admin, "audit-log", "--actor", own, "--action", "key.", "--oldest-first", "--json")
    assert [row["seq"] for row in json.loads(result.stdout)["entries"]] == [row["seq"] for row in rows][::-1]
    text = await terminal(admin, "audit-log", "--actor", own, "--action", "key.", "--all")
    assert "['" not in text.stdout
    assert "None" not in text.stdout


async def test_a_log_without_entries_says_so(terminal: Terminal, admin: TestUser) -> None:
    done = await terminal(admin, "audit-log", "--action", "nothing.like.this")
    assert (done.exit_code, done.stdout) == (0, "")
    assert "no entries" in done.stderr


async def test_a_key_without_admin_is_turned_away(terminal: Terminal, user: TestUser) -> None:
    assert (await terminal(user, "audit-log")).exit_code == 4


async def test_the_end_of_a_key_is_a_date(terminal: Terminal, admin: TestUser) -> None:
    made = await terminal(admin, "keys", "create", "--days", "30", "--json")
    expires = json.loads(made.stdout)["expiresAt"]
    done = await terminal(admin, "audit-log", "--action", "key.create", "--limit", "1")
    assert f"expiresAt {moment(expires)}" in done.stdout
