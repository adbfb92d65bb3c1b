"""Tags that are added and removed by an edit (contract 6.3)."""

from typing import Any

import pytest

from tests.support.service import TestUser
from tests.support.wire import capture, memory, post


@pytest.mark.rule("6.3 addTags, removeTags")
@pytest.mark.parametrize(
    ("edit", "tags"),
    [
        ({"addTags": ["C", "a", " "]}, ["a", "b", "c"]),
        ({"removeTags": ["B", "z"]}, ["a"]),
        ({"addTags": ["c", "d"], "removeTags": ["a", "d"]}, ["b", "c"]),
        ({"addTags": []}, ["a", "b"]),
        ({"tags": ["x", "y"], "addTags": ["z"], "removeTags": ["x"]}, ["y", "z"]),
    ],
)
async def test_tags_are_added_and_removed(user: TestUser, edit: dict[str, Any], tags: list[str]) -> None:
    memory_id = await capture(user, tags=["a", "b"])
    await post(user, "update", {"memoryId": memory_id} | edit)
    assert (await memory(user, memory_id))["tags"] == tags


@pytest.mark.rule("6.3 addTags, removeTags")
@pytest.mark.parametrize(
    ("edit", "details"),
    [
        ({"addTags": [str(number) for number in range(32)]}, "Field tags exceeds maximum length of 32 items"),
        ({"addTags": [str(number) for number in range(33)]}, "Field addTags exceeds maximum length of 32 items"),
    ],
)
async def test_tags_are_added_within_their_limit(user: TestUser, edit: dict[str, Any], details: str) -> None:
    memory_id = await capture(user, tags=["a"])
    reply = await user.http.post("/api/mcp/update", json={"memoryId": memory_id} | edit)
    assert (reply.status_code, reply.json()["details"]) == (400, details)
    assert (await memory(user, memory_id))["tags"] == ["a"]
