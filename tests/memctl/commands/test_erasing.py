"""Erasing from the terminal, against the real service: the question, the id, the receipt."""

import json

import pytest
import pytest_asyncio

from memd.domain.types import KeyScope
from tests.memctl.conftest import Terminal
from tests.support.service import MakeUser, TestUser
from tests.support.talk import log, talk
from tests.support.wire import post, send


@pytest_asyncio.fixture(loop_scope="session")
async def admin(make_user: MakeUser) -> TestUser:
    return await make_user(admin=True, scopes=tuple(KeyScope))


async def texts(user: TestUser) -> list[str]:
    rows = (await post(user, "recent-messages", {"allChannels": True}))["messages"]
    return [row["content"] for row in rows]


@pytest.mark.usefixtures("typing")
async def test_nothing_is_erased_without_a_yes(terminal: Terminal, user: TestUser) -> None:
    message_id = await log(user, "kept", sessionKey="s1")
    for command in (("messages", "delete", message_id), ("sessions", "delete", "s1")):
        done = await terminal(user, *command, stdin="n\n")
        assert done.exit_code == 2
        assert "cannot be undone" in done.stderr
    assert await texts(user) == ["kept"]


async def test_a_message_of_any_channel_is_erased_and_the_receipt_printed(terminal: Terminal, user: TestUser) -> None:
    message_id = await log(user, "gone", channel="peer-coach:7")
    done = await terminal(user, "messages", "delete", message_id, "--yes", "--wait", "--json")
    receipt = json.loads(done.stdout)
    assert (done.exit_code, receipt["kind"], receipt["state"], receipt["counts"]["message"]) == (
        0,
        "message",
        "done",
        1,
    )
    assert await texts(user) == []
    assert (await terminal(user, "messages", "delete", message_id, "--yes")).exit_code == 5


async def test_a_session_of_one_channel(terminal: Terminal, user: TestUser) -> None:
    for channel in ("slack", "discord"):
        await log(user, f"of {channel}", channel=channel, sessionKey="a/b c")
    done = await terminal(user, "sessions", "delete", "a/b c", "--channel", "slack", "--yes")
    erasure_id = done.stdout.strip()
    shown = await terminal(user, "erasure", erasure_id, "--wait")
    assert (shown.exit_code, "session: done" in shown.stdout) == (0, True)
    assert await texts(user) == ["of discord"]


async def test_a_user_by_name(terminal: Terminal, admin: TestUser) -> None:
    made = await send(admin, "POST", "/api/admin/users", {"name": "leaving"}, status=201)
    done = await terminal(admin, "users", "delete", "leaving", "--yes", "--wait", "--json")
    assert (done.exit_code, json.loads(done.stdout)["state"]) == (0, "done")
    assert (await terminal(made["apiKey"], "stats")).exit_code == 4
    assert (await terminal(admin, "users", "delete", "leaving", "--yes")).exit_code == 5


async def test_messages_that_a_search_finds_are_erased_together(terminal: Terminal, user: TestUser) -> None:
    wanted = [await log(user, f"the card number is {number}") for number in ("one", "two")]
    found = await terminal(user, "search", "card number", "-q")
    assert sorted(found.stdout.split()) == sorted(wanted)
    unknown = "msg_0" + "1" * 25
    done = await terminal(user, "messages", "delete", *wanted, unknown, "--wait", "--yes")
    assert (done.exit_code, unknown in done.stderr) == (7, True)
    assert await texts(user) == []


async def test_memctl_lists_sessions(terminal: Terminal, user: TestUser) -> None:
    await talk(user, "one", "two", channel="slack:a", sessionKey="s1")
    done = await terminal(user, "sessions", "list")
    assert done.stdout.rstrip().split("\t")[2:] == ["2", "slack:a", "s1"]


async def test_a_session_is_read_as_markdown_the_oldest_message_first(terminal: Terminal, user: TestUser) -> None:
    await talk(user, "one *star*", "two", channel="slack:a", sessionKey="s1")
    await talk(user, "elsewhere", channel="slack:b", sessionKey="s1")
    await talk(user, "another", channel="slack:a", sessionKey="s2")
    done = await terminal(user, "sessions", "show", "s1", "--channel", "slack:a")
    lines = [line for line in done.stdout.splitlines() if line]
    assert lines[0] == "# Session s1"
    assert lines[2::2] == ["one *star*", "two"]
    assert all(line.startswith("**user**, ") for line in lines[1::2])
    everywhere = await terminal(user, "sessions", "show", "s1", "--json")
    assert {row["content"] for row in json.loads(everywhere.stdout)["messages"]} == {"one *star*", "two", "elsewhere"}
    missing = await terminal(user, "sessions", "show", "s3")
    assert (missing.exit_code, "memctl sessions list" in missing.stderr) == (5, True)


async def test_a_session_that_is_not_there_is_named_as_such_at_the_end(terminal: Terminal, user: TestUser) -> None:
    done = await terminal(user, "sessions", "delete", "nosuch", "--yes", "--wait")
    assert (done.exit_code, done.stdout) == (0, "session: done\n")
    assert "nothing matched" in done.stderr
