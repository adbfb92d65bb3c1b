"""Equal memories of one store and channel: by a move (contract 6.3), restore and undo (17.5)."""

import pytest

from tests.support.service import TestUser
from tests.support.wire import capture, memory, post, send

TEXT = "The kiln is lit at six."


@pytest.mark.rule("6.3 case: equal content")
@pytest.mark.parametrize(
    ("here", "there"),
    [({"channel": "slack:a"}, {"channel": "slack:b"}), ({"store": "semantic"}, {"store": "procedural"})],
)
async def test_a_memory_may_move_to_where_an_equal_one_is(
    user: TestUser, here: dict[str, str], there: dict[str, str]
) -> None:
    first = await capture(user, content=TEXT, **here)
    second = await capture(user, content=TEXT, **there)
    await post(user, "update", {"memoryId": second, **here})
    assert (await memory(user, second)).items() >= here.items()
    refusal = await post(user, "capture", {"title": "Kiln", "content": TEXT, **here}, status=409)
    assert refusal["existingMemoryId"] in {first, second}


@pytest.mark.rule("17.5 restore")
async def test_restoring_an_earlier_channel_is_refused_where_an_equal_memory_is(user: TestUser) -> None:
    moved = await capture(user, content=TEXT, channel="slack:a")
    await post(user, "update", {"memoryId": moved, "channel": "slack:b"})
    there = await capture(user, content=TEXT, channel="slack:a")
    refusal = await send(user, "POST", f"/api/memories/{moved}/restore", {"version": 1}, status=409)
    assert refusal["existingMemoryId"] == there


@pytest.mark.rule("17.5 undo")
async def test_two_memories_that_took_each_others_channel_are_taken_back_together(user: TestUser) -> None:
    one = await capture(user, content=TEXT, channel="slack:a")
    two = await capture(user, content=TEXT, channel="slack:b")
    first = await user.http.post("/api/mcp/update", json={"memoryId": one, "channel": "slack:c"})
    operation = {"X-Operation-Id": first.headers["X-Request-Id"]}
    for memory_id, channel in ((two, "slack:a"), (one, "slack:b")):
        body = {"memoryId": memory_id, "channel": channel}
        (await user.http.post("/api/mcp/update", json=body, headers=operation)).raise_for_status()
    assert (await post(user, "/api/undo"))["skipped"] == []
    assert [(await memory(user, each))["channel"] for each in (one, two)] == ["slack:a", "slack:b"]
