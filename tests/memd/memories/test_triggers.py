"""POST or GET /api/mcp/triggers (contract 6.8): the memories that are tied to tools."""

from typing import Any

import pytest

from memd.context import Services
from memd.domain.ids import decode
from tests.support.service import TestUser
from tests.support.wire import capture, chunk, fill, make_base, memory, post, send


async def ids(user: TestUser, tools: Any, **fields: Any) -> list[str]:
    return [row["id"] for row in (await post(user, "triggers", {"tools": tools} | fields))["memories"]]


async def accessed(services: Services, user: TestUser, memory_id: str, at: int) -> None:
    async with services.database.write(user.id) as session:
        await session.execute(
            "UPDATE memory SET last_accessed_at = %(at)s WHERE id = %(id)s", {"at": at, "id": decode("mem", memory_id)}
        )


@pytest.mark.rule("6.8 reply")
async def test_a_row_has_every_field(user: TestUser) -> None:
    fields = {"title": "Deploys", "content": "Never on Fridays.", "store": "procedural", "category": "rule"}
    memory_id = await capture(user, **fields, tags=["ops"], actionTriggers=["Deploy", "Bash"])
    reply = await post(user, "triggers", {"tools": ["Deploy"]})
    row = reply["memories"][0]
    assert reply == {
        "memories": [
            fields
            | {
                "id": memory_id,
                "_id": memory_id,
                "memoryId": memory_id,
                "recallText": row["recallText"],
                "tags": ["ops"],
                "actionTriggers": ["Deploy", "Bash"],
                "createdAt": row["createdAt"],
                "score": 1,
            }
        ]
    }
    assert "Fridays" in row["recallText"]


@pytest.mark.rule("6.8 access")
async def test_no_access_is_counted(user: TestUser) -> None:
    memory_id = await capture(user, actionTriggers=["Bash"])
    await ids(user, ["Bash"])
    assert (await memory(user, memory_id))["accessCount"] == 1


@pytest.mark.rule("6.8 tools")
@pytest.mark.parametrize("tools", [["Bash", "Edit"], "Bash,Edit", " Bash , Edit ,"], ids=["list", "words", "padded"])
async def test_tools_are_a_list_or_words_with_commas(user: TestUser, tools: Any) -> None:
    wanted = {await capture(user, actionTriggers=[tool]) for tool in ("Bash", "Edit")}
    await capture(user, actionTriggers=["Read"])
    assert set(await ids(user, tools)) == wanted


@pytest.mark.rule("6.8 tools")
async def test_tools_of_the_url_are_merged(user: TestUser) -> None:
    wanted = {await capture(user, actionTriggers=[tool]) for tool in ("Bash", "Edit")}
    reply = await send(user, "POST", "/api/mcp/triggers", {"tools": ["Bash"]}, tools="Edit,Bash")
    assert {row["id"] for row in reply["memories"]} == wanted


@pytest.mark.rule("6.8 tools")
async def test_get_reads_the_url(user: TestUser) -> None:
    memory_id = await capture(user, actionTriggers=["Bash"])
    reply = await send(user, "GET", "/api/mcp/triggers", tools="Edit,Bash")
    assert [row["id"] for row in reply["memories"]] == [memory_id]


@pytest.mark.rule("6.8 tools")
@pytest.mark.parametrize("body", [None, {}, {"tools": []}, {"tools": ""}, {"tools": None}, {"tools": [" "]}])
async def test_without_tools_there_is_nothing(user: TestUser, body: dict[str, Any] | None) -> None:
    await capture(user, actionTriggers=["Bash"])
    assert await post(user, "triggers", body) == {"memories": []}
    assert await send(user, "GET", "/api/mcp/triggers") == {"memories": []}


@pytest.mark.rule("6.8 tools")
async def test_more_than_25_tools_are_refused(user: TestUser) -> None:
    assert (await post(user, "triggers", {"tools": [f"t{number}" for number in range(25)]})) == {"memories": []}
    refusal = await post(user, "triggers", {"tools": [f"t{number}" for number in range(26)]}, status=400)
    assert refusal["details"] == "Field tools exceeds maximum length of 25 items"
    body = {"tools": [f"t{number}" for number in range(25)]}
    assert await send(user, "POST", "/api/mcp/triggers", body, status=400, tools="one,more") == refusal


@pytest.mark.rule("6.8 tools")
@pytest.mark.parametrize("tools", [1, True, {}], ids=str)
async def test_other_types_are_refused_with_both_that_are_taken(user: TestUser, tools: Any) -> None:
    refusal = await post(user, "triggers", {"tools": tools}, status=400)
    assert refusal["details"] == "Field tools must be an array or a string"


@pytest.mark.rule("6.8 name match")
@pytest.mark.parametrize("tool", ["bash", "BASH", "Bas", "Bash2"])
async def test_names_match_exactly(user: TestUser, tool: str) -> None:
    await capture(user, actionTriggers=["Bash"])
    assert await ids(user, [tool]) == []


async def test_a_memory_of_two_tools_comes_once(user: TestUser) -> None:
    memory_id = await capture(user, actionTriggers=["Bash", "Edit"])
    assert await ids(user, ["Bash", "Edit"]) == [memory_id]


@pytest.mark.rule("6.8 order and number")
async def test_the_last_accessed_comes_first_and_fifty_are_the_most(services: Services, user: TestUser) -> None:
    made = [await capture(user, actionTriggers=["Bash"]) for _ in range(52)]
    await accessed(services, user, made[0], services.clock() + 60_000)
    found = await ids(user, ["Bash", "Edit"])
    assert found == [made[0], *reversed(made[3:])]


@pytest.mark.rule("6.8 which rows")
async def test_superseded_and_archived_rows_are_left_out(user: TestUser) -> None:
    old, gone = [await capture(user, actionTriggers=["Bash"]) for _ in range(2)]
    new = (await post(user, "supersede", {"oldMemoryId": old, "title": "t", "content": "new"}))["id"]
    await post(user, "forget", {"memoryId": gone})
    assert await ids(user, ["Bash"]) == [new]


@pytest.mark.rule("6.8 channel, agentId", "6.8 which rows")
@pytest.mark.parametrize(
    ("channel", "seen"),
    [
        (None, {None, "slack", "slack:alice"}),
        ("slack:alice", {None, "slack", "slack:alice"}),
        ("slack", {None, "slack"}),
        ("discord:group:1", {"discord:group:1"}),
        ("peer-coach:7", {"peer-coach:7"}),
        ("peer-coach:", set[str]()),
    ],
)
async def test_what_a_channel_sees(user: TestUser, channel: str | None, seen: set[str | None]) -> None:
    channels = (None, "slack", "slack:alice", "discord:group:1", "peer-coach:7")
    made = {await capture(user, channel=name, actionTriggers=["Bash"]): name for name in channels}
    assert {made[row] for row in await ids(user, ["Bash"], channel=channel)} == seen


@pytest.mark.rule("6.8 channel, agentId")
async def test_a_peer_agent_without_a_channel_sees_nothing(user: TestUser) -> None:
    await capture(user, actionTriggers=["Bash"])
    assert await ids(user, ["Bash"], agentId="peer-coach") == []


@pytest.mark.rule("6.8 channel, agentId")
async def test_get_reads_channel_and_agent_from_the_url(user: TestUser) -> None:
    path = "/api/mcp/triggers"
    made = {await capture(user, channel=name, actionTriggers=["Bash"]): name for name in ("slack", "discord")}
    (row,) = (await send(user, "GET", path, tools="Bash", channel="slack"))["memories"]
    assert made[row["id"]] == "slack"
    assert await send(user, "GET", path, tools="Bash", agentId="peer-coach") == {"memories": []}


@pytest.mark.rule("6.8 channel, agentId")
async def test_a_chunk_is_seen_through_its_knowledge_base(user: TestUser) -> None:
    base = await make_base(user, agentIds=["writer"])
    chunk_id = (await fill(user, base, chunk("words")))["memoryIds"][0]
    await post(user, "update", {"memoryId": chunk_id, "actionTriggers": ["Bash"]})
    assert await ids(user, ["Bash"], agentId="writer") == [chunk_id]
    assert await ids(user, ["Bash"], agentId="editor") == []
