"""Who sees which messages (contract 10.4), over HTTP: in search, in recent and in the message lane of recall."""

from typing import Any

import pytest

from tests.domain.visibility.visibility_tables import MESSAGES
from tests.support.service import TestUser
from tests.support.talk import found, log
from tests.support.wire import post

IDS = [str(row[0]) for row in MESSAGES]
ROWS = [row[1:] for row in MESSAGES]
BARE = {"peer-coach"}


async def recent(user: TestUser, **fields: Any) -> list[str]:
    return [row["content"] for row in (await post(user, "recent-messages", fields))["messages"]]


async def matched(user: TestUser, **fields: Any) -> list[str]:
    reply = await post(user, "recall", {"query": "walrus"} | fields)
    return [row["content"] for row in reply["messageMatches"]]


@pytest.mark.rule("7.2 channel, sessionKey", "7.3 channel, time window, sessionKey")
@pytest.mark.parametrize(("channel", "session", "stored", "stored_session", "seen"), ROWS, ids=IDS)
async def test_truth_table_of_messages(
    user: TestUser, channel: str | None, session: str | None, stored: str | None, stored_session: str | None, seen: bool
) -> None:
    await log(user, "the walrus", channel=stored, sessionKey=stored_session)
    expected = ["the walrus"] if seen else []
    request = {"channel": channel, "sessionKey": session}
    assert await found(user, "walrus", **request) == expected
    assert await recent(user, **request) == expected
    assert await matched(user, **request) == ([] if channel in BARE else expected)


async def test_the_owner_sees_all_channels_when_asking_for_them(user: TestUser) -> None:
    channels = [None, "slack", "peer-coach:7", "discord:group:1"]
    for channel in channels:
        await log(user, f"walrus of {channel}", channel=channel)
    expected = {f"walrus of {channel}" for channel in channels}
    assert set(await found(user, "walrus", allChannels=True)) == expected
    assert set(await recent(user, allChannels=True)) == expected
    assert set(await matched(user, allChannels=True)) == expected
    assert set(await found(user, "walrus")) == {"walrus of None", "walrus of slack"}


@pytest.mark.rule("7.2 agentId, includeEmbeddings")
async def test_a_peer_capable_agent_without_a_channel_sees_nothing(user: TestUser) -> None:
    await log(user, "the walrus")
    for fields in ({"agentId": "peer-coach"}, {"agentId": "peer-coach", "allChannels": True}):
        assert await found(user, "walrus", **fields) == []
        assert await recent(user, **fields) == []
        assert await matched(user, **fields) == []


async def test_neighbours_of_another_channel_stay_unseen(user: TestUser) -> None:
    for channel, content in (("slack", "one"), ("peer-coach:7", "secret"), ("slack", "the walrus")):
        await log(user, content, channel=channel, sessionKey="s1")
    assert set(await found(user, "walrus", channel="slack")) == {"the walrus", "one"}
    assert set(await found(user, "walrus")) == {"the walrus", "one"}


async def test_nothing_of_another_user_is_found(user: TestUser, make_user: Any) -> None:
    other = await make_user()
    await log(other, "the walrus", channel="slack")
    assert await found(user, "walrus", channel="slack") == []
    assert await found(user, "walrus", allChannels=True) == []
