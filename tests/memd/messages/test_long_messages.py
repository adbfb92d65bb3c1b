"""Long messages: pages of the list end early and miss none (contract 7.3), and replies hold a bounded number of bytes."""

import asyncio

import pytest

from memctl.wire.limits import MESSAGE_READ_MAX
from memd.access.rate_limits import body_bytes
from memd.db.page_bytes import PAGE_BYTES
from tests.support.service import TestUser
from tests.support.wire import post, send

MESSAGES, CHARACTERS = 12, 99_000
WHERE = {"channel": "c", "sessionKey": "s"}


async def talk(user: TestUser) -> None:
    """Messages that begin with their places."""
    for number in range(MESSAGES):
        content = f"{number:02} " + "\U0001f600" * CHARACTERS
        await post(user, "log", {"content": content, "role": "user", **WHERE})


@pytest.mark.rule("7.3 GET /api/messages")
async def test_a_page_of_long_messages_ends_early_and_none_is_missed(user: TestUser) -> None:
    await talk(user)
    seen, sizes, cursor = list[str](), list[int](), ""
    while True:
        reply = await send(
            user, "GET", "/api/messages", limit=200, channel="c", **({"cursor": cursor} if cursor else {})
        )
        sizes.append(sum(len(row["content"].encode()) for row in reply["messages"][:-1]))
        seen += [row["content"][:2] for row in reply["messages"]]
        cursor = reply["continueCursor"]
        if reply["isDone"]:
            break
    assert seen == [f"{number:02}" for number in reversed(range(MESSAGES))]
    assert len(sizes) > 1
    assert max(sizes) < PAGE_BYTES


async def test_replies_that_are_not_sent_yet_are_bounded(user: TestUser, monkeypatch: pytest.MonkeyPatch) -> None:
    await talk(user)
    recent = {"limit": 100, "channel": "c"}
    rows = (await post(user, "recent-messages", recent))["messages"]
    size = 4 * sum(len(row["content"]) for row in rows)
    monkeypatch.setattr(body_bytes, "MAX_BYTES_OF_CALLER", size - 1)
    assert (await post(user, "recent-messages", recent, status=503))["error"] == "Server busy"
    assert (await post(user, "recent-messages", {"limit": 1, "channel": "c"}))["messages"]
    monkeypatch.setattr(body_bytes, "MAX_BYTES_OF_CALLER", size)
    for _ in range(2):  # what is sent counts no longer
        await asyncio.sleep(0)
        await post(user, "recent-messages", recent)


HIDDEN = "\u200b" * MESSAGE_READ_MAX


@pytest.mark.rule("7.5 content")
@pytest.mark.parametrize("role", ["user", "assistant"])
async def test_invisible_characters_without_end_are_not_looked_through(user: TestUser, role: str) -> None:
    stored = await post(user, "log", {"content": f"first{HIDDEN}last", "role": role, **WHERE})
    assert stored["truncated"] is True
    (row,) = (await send(user, "GET", "/api/messages", channel="c"))["messages"]
    assert row["content"] == "first"


@pytest.mark.rule("7.5 content")
@pytest.mark.parametrize(("said", "stored"), [("It rains.", True), (f"{HIDDEN}It rains.", False)])
async def test_words_behind_a_long_recalled_context(user: TestUser, said: str, stored: bool) -> None:
    recalled = f"<recalled_context>{'It snows. ' * (MESSAGE_READ_MAX // 10)}</recalled_context>"
    reply = await post(user, "log", {"content": f"{recalled}\n{said}", "role": "user", **WHERE})
    assert reply.get("reason") == (None if stored else "synthetic_context_only")
    assert "truncated" not in reply
    rows = (await send(user, "GET", "/api/messages", channel="c"))["messages"]
    assert [row["content"] for row in rows] == ["It rains."] * stored
