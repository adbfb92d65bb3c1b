"""POST /api/mcp/checkpoint (contract 6.9, 2.1, 2.3): create, list, delete, and the allowance."""

import asyncio
from typing import Any

import pytest

from memd.context import Services
from memd.domain.types import Policy, Tier
from tests.support.service import MakeUser, TestUser
from tests.support.wire import Json, capture, chunk, fill, make_base, post, send


async def checkpoint(user: TestUser, status: int = 200, **fields: Any) -> Json:
    return await post(user, "checkpoint", {"label": "Before the move"} | fields, status=status)


async def listed(user: TestUser, **fields: Any) -> Json:
    return await post(user, "checkpoint", {"mode": "list"} | fields)


async def shown(user: TestUser, checkpoint_id: str, status: int = 200) -> Json:
    reply = await send(user, "GET", f"/api/checkpoints/{checkpoint_id}", status=status)
    return reply["checkpoint"] if status == 200 else reply


@pytest.mark.rule("6.9 reply: create", "6.9 mode")
async def test_the_reply_has_id_time_and_the_allowance(user: TestUser) -> None:
    await capture(user)
    reply = await checkpoint(user)
    assert reply == {
        "ok": True,
        "id": reply["id"],
        "checkpointId": reply["id"],
        "timestamp": reply["timestamp"],
        "memoryCount": 1,
        "retainedCount": 1,
        "allowance": 999_999,
        "tier": "unlimited",
    }
    assert reply["id"].startswith("ckpt_")


@pytest.mark.rule("6.9 label")
@pytest.mark.parametrize("name", ["label", "title"])
async def test_the_label_is_required_and_has_an_alias(user: TestUser, name: str) -> None:
    assert (await post(user, "checkpoint", {name: "Named"}))["ok"] is True
    assert (await listed(user))["checkpoints"][0]["label"] == "Named"
    assert (await post(user, "checkpoint", {name: " "}, status=400))["details"] == f"Missing required field: {name}"
    assert (await post(user, "checkpoint", None, status=400))["details"] == "Missing required field: label"


@pytest.mark.parametrize(
    ("fields", "details"),
    [
        pytest.param(
            {"label": "l" * 201},
            "Field label exceeds maximum length of 200 characters",
            marks=pytest.mark.rule("6.9 label"),
        ),
        pytest.param(
            {"description": "d" * 5001},
            "Field description exceeds maximum length of 5000 characters",
            marks=pytest.mark.rule("6.9 description"),
        ),
        pytest.param(
            {"mode": "restore"}, "Field mode must be one of: create, list, delete", marks=pytest.mark.rule("6.9 mode")
        ),
        ({"memoryIds": ["mem_1"]}, "Invalid identifier: memoryIds[0]"),
        pytest.param(
            {"mode": "list", "limit": 0}, "Field limit must be between 1 and 100", marks=pytest.mark.rule("6.9 limit")
        ),
        pytest.param(
            {"mode": "delete"}, "Missing required field: checkpointId", marks=pytest.mark.rule("6.9 case: delete")
        ),
        ({"mode": "delete", "checkpointId": "mem_" + "0" * 26}, "Invalid identifier: checkpointId"),
    ],
    ids=lambda value: str(value)[:40],
)
async def test_a_wrong_value_is_refused_with_the_field(user: TestUser, fields: Json, details: str) -> None:
    assert await checkpoint(user, 400, **fields) == {"error": "Bad request", "details": details}


@pytest.mark.rule("6.9 description", "6.9 tags, memoryIds, channel, sessionKey, semanticSummary", "6.9 reply: list")
@pytest.mark.parametrize("names", [("description", "sessionKey"), ("content", "sessionId")])
async def test_a_row_of_the_list_has_every_field(user: TestUser, names: tuple[str, str]) -> None:
    memory_id = await capture(user, channel="slack")
    fields: Json = {"tags": [" A ", "b"], "memoryIds": [memory_id, memory_id], "semanticSummary": "All about it"}
    made = await checkpoint(user, channel="slack", **dict(zip(names, ("Why", "s1"), strict=True)), **fields)
    reply = await listed(user)
    assert reply == {
        "checkpoints": [
            {
                "id": made["id"],
                "checkpointId": made["id"],
                "label": "Before the move",
                "description": "Why",
                "timestamp": made["timestamp"],
                "createdAt": made["timestamp"],
                "createdBy": "test",
                "channel": "slack",
                "sessionKey": "s1",
                "semanticSummary": "All about it",
                "tags": ["a", "b"],
                "memoryCount": 1,
            }
        ],
        "allowance": 999_999,
        "retainedCount": 1,
        "tier": "unlimited",
    }


async def test_without_a_summary_the_titles_tell(user: TestUser) -> None:
    await capture(user, title="Older")
    await capture(user, title="Newer")
    await checkpoint(user)
    assert (await listed(user))["checkpoints"][0]["semanticSummary"] == "Newer; Older"


@pytest.mark.rule("6.9 tags, memoryIds, channel, sessionKey, semanticSummary")
async def test_without_ids_the_twelve_last_accessed_are_kept(user: TestUser) -> None:
    ids = [await capture(user) for _ in range(14)]
    await post(user, "memory", {"memoryId": ids[0]})
    await post(user, "forget", {"memoryId": ids[13]})
    kept = await checkpoint(user)
    assert kept["memoryCount"] == 12
    assert {entry["memoryId"] for entry in (await shown(user, kept["id"]))["memories"]} == {ids[0], *ids[2:13]}


@pytest.mark.rule("6.9 tags, memoryIds, channel, sessionKey, semanticSummary")
@pytest.mark.parametrize(
    ("channel", "seen"),
    [
        (None, {None, "slack"}),
        ("slack", {None, "slack"}),
        ("peer-coach:7", {"peer-coach:7"}),
        ("peer-coach", set[str]()),
        ("peer-coach:", set[str]()),
    ],
)
async def test_without_ids_only_what_the_channel_sees_is_kept(
    user: TestUser, channel: str | None, seen: set[str | None]
) -> None:
    made = {await capture(user, channel=name): name for name in (None, "slack", "peer-coach:7")}
    await fill(user, await make_base(user), chunk("a chunk"))
    kept = await checkpoint(user, channel=channel)
    assert {made[entry["memoryId"]] for entry in (await shown(user, kept["id"]))["memories"]} == seen


@pytest.mark.rule("6.9 GET /api/checkpoints/:id")
async def test_one_checkpoint_is_its_row_with_its_memories(user: TestUser, make_user: MakeUser) -> None:
    memory_id = await capture(user, title="Tea")
    kept = await checkpoint(user, tags=["move"])
    one = await shown(user, kept["id"])
    assert [entry["memoryId"] for entry in one.pop("memories")] == [memory_id]
    assert one == (await listed(user))["checkpoints"][0]
    for status, checkpoint_id in ((404, "ckpt_" + "0" * 26), (400, "nonsense")):
        assert "error" in await shown(user, checkpoint_id, status)
    assert await shown(await make_user(), kept["id"], 404) == {"error": "Not found"}


@pytest.mark.rule("6.9 snapshot entry")
async def test_an_entry_is_cut(user: TestUser) -> None:
    fields = {"title": "title " * 60, "content": "content " * 400, "tags": [f"t{n}" for n in range(20)]}
    memory_id = await capture(user, **fields, strength=0.5, store="semantic")
    kept = await checkpoint(user)
    assert (await shown(user, kept["id"]))["memories"] == [
        {
            "memoryId": memory_id,
            "strength": 0.5,
            "title": fields["title"][:160],
            "content": fields["content"][:1200],
            "store": "semantic",
            "tags": fields["tags"][:12],
        }
    ]


async def test_named_memories_must_be_the_users_own_and_visible(user: TestUser, make_user: MakeUser) -> None:
    own, foreign = await capture(user, channel="slack"), await capture(await make_user())
    assert await checkpoint(user, 403, memoryIds=[own, foreign]) == {"error": "Forbidden"}
    assert await checkpoint(user, 404, memoryIds=["mem_" + "0" * 26]) == {"error": "Memory not found"}
    assert await checkpoint(user, 403, memoryIds=[own], channel="discord") == {"error": "Forbidden"}
    assert (await checkpoint(user, memoryIds=[own]))["memoryCount"] == 1
    assert (await listed(user))["retainedCount"] == 1


@pytest.mark.rule("6.9 case: over the allowance", "6.9 reply: create")
@pytest.mark.parametrize(
    ("tier", "policy", "allowance"),
    [
        (Tier.FREE, None, 1),
        (Tier.STARTER, None, 5),
        (Tier.PRO, None, 5),
        (Tier.ULTRA, None, 10),
        (Tier.UNLIMITED, None, 20),
        (Tier.FREE, Policy.SELF_HOSTED_UNMETERED, 999_999),
    ],
)
async def test_the_allowance_of_each_tier(
    make_user: MakeUser, tier: Tier, policy: Policy | None, allowance: int
) -> None:
    user = await make_user(tier=tier, policy=policy)
    replies = [await checkpoint(user) for _ in range(min(allowance, 20))]
    assert {(reply["allowance"], reply["tier"]) for reply in replies} == {(allowance, tier)}
    assert replies[-1]["retainedCount"] == len(replies)
    if allowance < 999_999:
        refusal = await checkpoint(user, 403)
        assert refusal == {"error": "Storage limit reached", "limit": allowance, "resource": "checkpoints"}
        assert (await listed(user))["retainedCount"] == allowance


@pytest.mark.rule("6.9 case: over the allowance")
async def test_the_last_free_place_is_given_once(make_user: MakeUser) -> None:
    user = await make_user(tier=Tier.STARTER)
    for _ in range(4):
        await checkpoint(user)
    bodies = [{"label": f"Number {number}"} for number in range(4)]
    replies = await asyncio.gather(*(user.http.post("/api/mcp/checkpoint", json=body) for body in bodies))
    assert sorted(reply.status_code for reply in replies) == [200, 403, 403, 403]


@pytest.mark.rule("6.9 case: over the allowance")
async def test_more_memories_than_a_checkpoint_holds_are_refused(make_user: MakeUser) -> None:
    user = await make_user(tier=Tier.FREE)
    ids = [f"mem_{number:026d}" for number in range(51)]
    refusal = await checkpoint(user, 403, memoryIds=ids)
    assert refusal == {"error": "Storage limit reached", "limit": 50, "resource": "checkpoints"}


@pytest.mark.rule("6.9 limit", "6.9 reply: list")
async def test_the_list_is_newest_first_and_20_unless_asked(user: TestUser) -> None:
    ids = [(await checkpoint(user, label=f"Number {number}"))["id"] for number in range(22)]
    assert [row["id"] for row in (await listed(user))["checkpoints"]] == ids[:1:-1]
    assert [row["id"] for row in (await listed(user, limit=2))["checkpoints"]] == [ids[21], ids[20]]
    assert len((await listed(user, limit=500))["checkpoints"]) == 22


@pytest.mark.parametrize(
    ("channel", "seen"),
    [
        (None, {None, "slack", "peer-coach:7"}),
        ("slack", {None, "slack"}),
        ("peer-coach:7", {"peer-coach:7"}),
        ("peer-coach:8", set[str]()),
    ],
)
async def test_a_list_for_a_channel_shows_what_it_would_see(
    user: TestUser, channel: str | None, seen: set[str | None]
) -> None:
    for name in (None, "slack", "peer-coach:7"):
        await checkpoint(user, channel=name)
    reply = await listed(user, channel=channel)
    assert {row["channel"] for row in reply["checkpoints"]} == seen
    assert reply["retainedCount"] == 3


@pytest.mark.rule("6.9 case: delete", "6.9 mode")
async def test_one_can_be_deleted_once(user: TestUser, make_user: MakeUser) -> None:
    kept, gone = [(await checkpoint(user))["id"] for _ in range(2)]
    foreign = (await checkpoint(await make_user()))["id"]
    body = {"mode": "delete", "checkpointId": gone}
    assert await post(user, "checkpoint", body) == {"ok": True, "deleted": True, "checkpointId": gone}
    assert await post(user, "checkpoint", body, status=404) == {"error": "Not found"}
    await post(user, "checkpoint", {"mode": "delete", "checkpointId": foreign}, status=404)
    assert [row["id"] for row in (await listed(user))["checkpoints"]] == [kept]


@pytest.mark.rule("6.9 limit")
async def test_a_list_has_a_hundred_rows_at_most(services: Services, user: TestUser) -> None:
    await checkpoint(user)
    async with services.database.write(user.id) as session:
        await session.execute(
            """
            INSERT INTO checkpoint (user_id, id, label, created_at, created_by, tags, memory_snapshot)
            SELECT user_id, uuidv7(), label, created_at + n, created_by, tags, memory_snapshot
            FROM checkpoint, generate_series(1, 104) n
            """
        )
    assert len((await listed(user, limit=100))["checkpoints"]) == 100
    assert len((await listed(user, limit=101))["checkpoints"]) == 100
    assert (await listed(user))["retainedCount"] == 105
