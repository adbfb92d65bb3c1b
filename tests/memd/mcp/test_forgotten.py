"""`forget` on a message, which is erased (contract 17.6), and on a knowledge base, which is archived (8.3)."""

from typing import Any

import pytest

from memd.context import Services
from memd.domain.types import KeyScope
from tests.support.jobs import done
from tests.support.mcp import call
from tests.support.service import MakeUser, TestUser

UNKNOWN = "msg_01j00000000000000000000000"
SAID = "The door code of the office is 4711."


async def logged(user: TestUser, channel: str = "desk") -> str:
    """The id of a message, as the model finds it."""
    turn = {"sessionKey": "s", "channel": channel, "turnId": "t", "userMessage": SAID, "assistantMessage": "Noted."}
    await call(user.http, "log_turn", **turn)
    found = await call(user.http, "search_messages", query="door code", channel=channel)
    return next(row["id"] for row in found["structuredContent"]["messages"] if row["text"] == SAID)


async def forget(user: TestUser, message_id: str, **arguments: Any) -> dict[str, Any]:
    return await call(user.http, "forget", memoryId=message_id, **arguments)


async def test_a_message_that_was_found_can_be_erased(user: TestUser, services: Services) -> None:
    message_id = await logged(user)
    answer = await forget(user, message_id, permanent=True, reason="the user asked", channel="desk")
    assert answer["structuredContent"] == {"id": message_id, "action": "erasing"}
    await done(services, user)
    recent = await call(user.http, "recent_messages", channel="desk")
    assert [row["text"] for row in recent["structuredContent"]["messages"]] == ["Noted."]


async def test_a_message_is_not_archived(user: TestUser) -> None:
    answer = await forget(user, await logged(user), channel="desk")
    assert answer["isError"]
    assert "Field permanent must be true for a message" in answer["content"][0]["text"]


async def test_a_message_of_another_channel_or_user_is_refused(user: TestUser, make_user: MakeUser) -> None:
    message_id = await logged(user)
    hidden = await forget(user, message_id, permanent=True, channel="other")
    assert hidden["structuredContent"] == {"error": "Forbidden", "status": 403}
    foreign = await forget(await make_user(), message_id, permanent=True)
    assert foreign["structuredContent"] == {"error": "Not found", "status": 404}


async def test_a_key_that_only_reads_erases_nothing(make_user: MakeUser) -> None:
    reader = await make_user(scopes=(KeyScope.READ,))
    refused = await forget(reader, UNKNOWN, permanent=True)
    assert refused["structuredContent"] == {"error": "Forbidden", "status": 403}


@pytest.mark.parametrize("message_id", ["msg_x", UNKNOWN.replace("j", "J"), "nothing"])
async def test_something_else_than_an_id_is_refused(user: TestUser, message_id: str) -> None:
    refused = await forget(user, message_id, permanent=True)
    assert refused["structuredContent"]["details"] == "Invalid identifier: memoryId"


async def knowledge_bases(user: TestUser, **arguments: Any) -> list[str]:
    rows = await call(user.http, "list_knowledge_bases", **arguments)
    return [row["id"] for row in rows["structuredContent"]["knowledgeBases"]]


async def test_a_knowledge_base_is_archived_with_its_chunks(user: TestUser) -> None:
    made = {"knowledgeBaseName": "Handbook", "text": "Holidays are thirty days.", "title": "Holidays"}
    base_id = (await call(user.http, "import_knowledge", **made))["structuredContent"]["id"]
    answer = await forget(user, base_id, reason="out of date")
    assert answer["structuredContent"] == {"id": base_id, "action": "archived"}
    assert await knowledge_bases(user) == []
    assert await knowledge_bases(user, includeInactive=True) == [base_id]
    found = await call(user.http, "recall", query="holidays")
    assert found["structuredContent"]["memories"] == []


async def test_a_knowledge_base_is_not_deleted_at_once(user: TestUser, make_user: MakeUser) -> None:
    base_id = (await call(user.http, "create_knowledge_base", name="Handbook"))["structuredContent"]["id"]
    refused = await forget(user, base_id, permanent=True)
    assert "empty_knowledge_base" in refused["content"][0]["text"]
    foreign = await forget(await make_user(), base_id)
    assert foreign["structuredContent"] == {"error": "Knowledge base not found", "status": 404}
    assert await knowledge_bases(user) == [base_id]
