"""X-Operation-Id (contract 17.5): an operation is of one key, whatever id other keys name."""

import time
from typing import Any
from uuid import UUID

import pytest

from memd.domain.ids import encode
from tests.support.service import TestUser
from tests.support.wire import capture, memory, post


async def other_key(user: TestUser) -> dict[str, str]:
    """The header of a second key of the user."""
    made = await post(user, "/api/keys", {"label": "other"}, status=201)
    return {"Authorization": f"Bearer {made['apiKey']}"}


async def sent(user: TestUser, path: str, body: dict[str, Any], **headers: str) -> tuple[dict[str, Any], str]:
    """The reply, and the id of its request."""
    reply = await user.http.post(
        path, json=body, headers={name.replace("_", "-"): text for name, text in headers.items()}
    )
    reply.raise_for_status()
    return reply.json(), reply.headers["X-Request-Id"]


async def undo(user: TestUser, **headers: str) -> tuple[list[str], list[str]]:
    """The actions taken back, and the errors of what was skipped."""
    reply, _ = await sent(user, "/api/undo", {}, **headers)
    return [row["action"] for row in reply["undone"]], [row["error"] for row in reply["skipped"]]


@pytest.mark.rule("17.5 undo")
async def test_an_edit_of_another_key_under_the_same_operation_id_is_not_lost(user: TestUser) -> None:
    other = await other_key(user)
    made, operation = await sent(user, "/api/mcp/capture", {"title": "Mine", "content": "The kiln is lit."})
    edit = {"memoryId": made["id"], "title": "By the other key"}
    await sent(user, "/api/mcp/update", edit, X_Operation_Id=operation, **other)
    listed, _ = await sent(user, "/api/undo", {"dryRun": True})
    assert [row["error"] for row in listed["skipped"]] == ["Memory changed since"]
    assert await undo(user) == ([], ["Memory changed since"])
    assert (await memory(user, made["id"]))["title"] == "By the other key"


@pytest.mark.rule("17.5 undo")
async def test_two_keys_take_back_the_same_operation_id_each_for_itself(user: TestUser) -> None:
    other = await other_key(user)
    made, operation = await sent(user, "/api/mcp/capture", {"title": "Mine", "content": "The kiln is lit."})
    edit = {"memoryId": made["id"], "title": "By the other key"}
    await sent(user, "/api/mcp/update", edit, X_Operation_Id=operation, **other)
    assert await undo(user, **other) == (["update"], [])
    assert (await memory(user, made["id"]))["title"] == "Mine"
    assert await undo(user) == (["capture"], [])
    assert (await memory(user, made["id"]))["archived"] is True


@pytest.mark.rule("17.5 undo")
async def test_what_an_operation_writes_after_it_was_undone_is_a_write_of_its_own(user: TestUser) -> None:
    one = await capture(user, title="First")
    await post(user, "update", {"memoryId": one, "title": "Second"})
    _, operation = await sent(user, "/api/mcp/update", {"memoryId": one, "title": "Third"})
    assert await undo(user) == (["update"], [])
    await sent(user, "/api/mcp/update", {"memoryId": one, "title": "Fourth"}, X_Operation_Id=operation)
    assert await undo(user) == (["update"], [])
    assert (await memory(user, one))["title"] == "Second"
    assert await undo(user) == (["update"], [])
    assert (await memory(user, one))["title"] == "First"


@pytest.mark.rule("17.5 undo")
async def test_an_operation_with_an_id_of_a_clock_that_is_ahead_is_the_last_one(user: TestUser) -> None:
    await capture(user, title="Before")
    ahead = encode("req", UUID(int=(int(time.time() * 1000) + 300_000) << 80))
    body = {"title": "Ahead", "content": "Written under an id of a clock that is ahead."}
    made, _ = await sent(user, "/api/mcp/capture", body, X_Operation_Id=ahead)
    assert await undo(user) == (["capture"], [])
    assert (await memory(user, made["id"]))["archived"] is True
