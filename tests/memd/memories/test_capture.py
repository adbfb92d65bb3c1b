"""POST /api/mcp/capture (contract 6.1, 2.3, 2.1, 1.2): every field, every default, every refusal."""

import hashlib
import re
from typing import Any

import pytest

from memctl.wire.enums import Category, Store
from memd.context import Services
from tests.support.service import MakeUser, TestUser
from tests.support.wire import capture, memory, post, totals

ID = re.compile(r"mem_[0-7][0-9a-hjkmnp-tv-z]{25}")
MINIMAL = {"title": "Coffee", "content": "The machine is in the kitchen."}
AUTO = {"store": "sensory", "category": "conversation", "tags": ["auto-capture", "openclaw"]}


@pytest.mark.rule("6.1 reply: id, createdAt", "6.1 reply: embedding", "6.1 reply: ok, store, category, recallText")
async def test_the_reply_has_id_time_embedding_and_the_text_to_recall(user: TestUser) -> None:
    reply = await post(user, "capture", MINIMAL)
    assert reply.keys() == {"ok", "id", "createdAt", "embedding", "store", "category", "recallText"}
    assert reply["ok"] is True
    assert reply["recallText"] == (await memory(user, reply["id"]))["recallText"]
    assert len(reply["embedding"]) == 256
    assert ID.fullmatch(reply["id"])


@pytest.mark.rule("6.1 reply: embedding")
async def test_the_embedding_is_the_one_that_was_stored(user: TestUser) -> None:
    first = await post(user, "capture", MINIMAL | AUTO)
    replay = await post(user, "capture", MINIMAL | AUTO)
    assert replay["embedding"] == pytest.approx(first["embedding"], abs=1e-3)


@pytest.mark.rule("6.1 store", "6.1 category", "6.1 source", "6.1 channel", "6.1 reply: id, createdAt", "6.6 reply")
async def test_what_is_left_out_has_the_defaults(user: TestUser, services: Services) -> None:
    before = services.clock()
    row = await memory(user, await capture(user))
    assert row | {"createdAt": 0, "updatedAt": 0, "lastAccessedAt": 0, "id": "", "_id": "", "recallText": ""} == {
        "id": "",
        "_id": "",
        "title": row["title"],
        "content": row["content"],
        "recallText": "",
        "metadata": None,
        "store": "episodic",
        "category": "conversation",
        "tags": [],
        "createdAt": 0,
        "updatedAt": 0,
        "lastAccessedAt": 0,
        "accessCount": 1,
        "strength": 0.8,
        "confidence": 0.9,
        "valence": 0,
        "arousal": 0.3,
        "source": "external",
        "channel": None,
        "archived": False,
        "actionTriggers": None,
        "chunkKind": "content",
        "supersedesMemoryId": None,
        "supersededByMemoryId": None,
        "supersededAt": None,
        "graphEnriched": row["graphEnriched"],
        "graphEnrichedAt": row["graphEnrichedAt"],
        "validFrom": None,
        "validUntil": None,
        "versions": 1,
    }
    assert before <= row["createdAt"] <= services.clock()


@pytest.mark.rule("6.1 title, content")
@pytest.mark.parametrize("field", ["title", "content"])
@pytest.mark.parametrize("value", [None, "", " \n\t "], ids=["absent", "empty", "blank"])
async def test_title_and_content_are_required(user: TestUser, field: str, value: str | None) -> None:
    refusal = await post(user, "capture", MINIMAL | {field: value}, status=400)
    assert refusal == {"error": "Bad request", "details": f"Missing required field: {field}"}


@pytest.mark.rule("6.1 store")
@pytest.mark.parametrize("store", list(Store))
async def test_every_store_is_kept(user: TestUser, store: str) -> None:
    assert (await post(user, "capture", MINIMAL | {"store": store}))["store"] == store


@pytest.mark.rule("6.1 category")
@pytest.mark.parametrize("category", list(Category))
async def test_every_category_is_kept(user: TestUser, category: str) -> None:
    assert (await post(user, "capture", MINIMAL | {"category": category}))["category"] == category


@pytest.mark.parametrize(
    ("field", "value", "details"),
    [
        pytest.param(
            "store",
            "attic",
            "Field store must be one of: sensory, episodic, semantic, procedural, prospective",
            marks=pytest.mark.rule("6.1 store"),
        ),
        pytest.param(
            "source",
            "conversation",
            "Field source must be one of: external, cron, observation, inference",
            marks=pytest.mark.rule("6.1 source"),
        ),
        pytest.param("title", 7, "Field title must be a string", marks=pytest.mark.rule("6.1 title, content")),
        pytest.param("content", ["a"], "Field content must be a string", marks=pytest.mark.rule("6.1 title, content")),
        pytest.param("channel", 7, "Field channel must be a string", marks=pytest.mark.rule("6.1 channel")),
        pytest.param("tags", "work", "Field tags must be an array", marks=pytest.mark.rule("6.1 tags, actionTriggers")),
        ("tags", [1], "Field tags[0] must be a string"),
        pytest.param(
            "actionTriggers",
            "bash",
            "Field actionTriggers must be an array",
            marks=pytest.mark.rule("6.1 tags, actionTriggers"),
        ),
        pytest.param(
            "metadata", 5, "Field metadata must be an object or a string", marks=pytest.mark.rule("6.1 metadata")
        ),
        ("confidence", "0.5", "Field confidence must be a number"),
        pytest.param(
            "confidence",
            1.01,
            "Field confidence must be between 0 and 1",
            marks=pytest.mark.rule("6.1 confidence, arousal, strength; valence"),
        ),
        pytest.param(
            "arousal",
            -0.1,
            "Field arousal must be between 0 and 1",
            marks=pytest.mark.rule("6.1 confidence, arousal, strength; valence"),
        ),
        pytest.param(
            "strength",
            2,
            "Field strength must be between 0 and 1",
            marks=pytest.mark.rule("6.1 confidence, arousal, strength; valence"),
        ),
        pytest.param(
            "valence",
            -1.5,
            "Field valence must be between -1 and 1",
            marks=pytest.mark.rule("6.1 confidence, arousal, strength; valence"),
        ),
        ("title", "t" * 501, "Field title exceeds maximum length of 500 characters"),
        ("content", "c" * 50_001, "Field content exceeds maximum length of 50000 characters"),
        ("channel", "c" * 501, "Field channel exceeds maximum length of 500 characters"),
        pytest.param(
            "projectId",
            "p" * 201,
            "Field projectId exceeds maximum length of 200 characters",
            marks=pytest.mark.rule("6.1 agentId, projectId, repoSlug, sourceSnapshotId, sessionKey"),
        ),
        ("tags", [f"t{n}" for n in range(33)], "Field tags exceeds maximum length of 32 items"),
        ("tags", ["t" * 65], "Field tags[0] exceeds maximum length of 64 characters"),
        ("actionTriggers", [f"t{n}" for n in range(26)], "Field actionTriggers exceeds maximum length of 25 items"),
        ("actionTriggers", ["t" * 129], "Field actionTriggers[0] exceeds maximum length of 128 characters"),
        pytest.param(
            "metadata",
            {"a": "x" * 16_000},
            "Field metadata exceeds maximum length of 16000 bytes",
            marks=pytest.mark.rule("6.1 metadata"),
        ),
        ("sourceSnapshotId", "snap_1", "Invalid identifier: sourceSnapshotId"),
    ],
)
async def test_a_wrong_value_is_refused_with_the_field(user: TestUser, field: str, value: Any, details: str) -> None:
    refusal = await post(user, "capture", MINIMAL | {field: value}, status=400)
    assert refusal == {"error": "Bad request", "details": details}
    assert await totals(user) == (0, 0)


@pytest.mark.rule("6.1 category")
async def test_an_unknown_category_lists_all_ten(user: TestUser) -> None:
    refusal = await post(user, "capture", MINIMAL | {"category": "gossip"}, status=400)
    assert refusal["details"] == f"Field category must be one of: {', '.join(Category)}"


@pytest.mark.parametrize(
    "fields",
    [
        {"title": "word " * 99 + "title"},
        {"content": "word " * 10_000},
        {"tags": [f"t{n}" for n in range(32)]},
        {"actionTriggers": [f"tool{n}" for n in range(25)]},
        {"channel": "c" * 500},
        {"title": "\U0001f600" * 500},
    ],
    ids=["title", "content", "tags", "triggers", "channel", "code points"],
)
async def test_the_longest_values_are_kept(user: TestUser, fields: dict[str, Any]) -> None:
    row = await memory(user, await capture(user, **fields))
    assert {name: row[name] for name in fields} == fields


@pytest.mark.rule("6.1 tags, actionTriggers")
async def test_tags_are_trimmed_lowered_and_told_once(user: TestUser) -> None:
    row = await memory(user, await capture(user, tags=[" Work ", "work", "", "  ", "Über"]))
    assert row["tags"] == ["work", "über"]


@pytest.mark.rule("6.1 tags, actionTriggers")
async def test_triggers_are_trimmed_and_told_once_in_their_own_case(user: TestUser) -> None:
    row = await memory(user, await capture(user, actionTriggers=[" Bash ", "Bash", "", "bash"]))
    assert row["actionTriggers"] == ["Bash", "bash"]


@pytest.mark.rule("11.8 content")
async def test_strings_are_stored_as_given(user: TestUser) -> None:
    row = await memory(user, await capture(user, title="  padded ", content=" line\r\n\tend  "))
    assert (row["title"], row["content"]) == ("  padded ", " line\r\n\tend  ")


@pytest.mark.rule("6.1 metadata")
@pytest.mark.parametrize(
    "metadata",
    [{"a": 1, "z": [None, 1.5, {"deep": "ü"}], "b": {}}, {}, "just a string", '{"looks": "like JSON"}', ""],
    ids=["object", "empty object", "string", "JSON in a string", "empty string"],
)
async def test_metadata_comes_back_in_the_form_given(user: TestUser, metadata: Any) -> None:
    row = await memory(user, await capture(user, metadata=metadata))
    assert row["metadata"] == metadata
    if isinstance(metadata, dict):
        assert list(row["metadata"]) == list(metadata)


@pytest.mark.rule("6.1 confidence, arousal, strength; valence")
async def test_the_numbers_are_stored(user: TestUser) -> None:
    numbers = {"confidence": 0, "arousal": 1, "strength": 0.25, "valence": -1}
    row = await memory(user, await capture(user, **numbers))
    assert {name: row[name] for name in numbers} == pytest.approx(numbers)


@pytest.mark.rule("6.1 source")
@pytest.mark.parametrize("source", ["external", "cron", "observation", "inference"])
async def test_every_source_but_conversation_is_kept(user: TestUser, source: str) -> None:
    assert (await memory(user, await capture(user, source=source)))["source"] == source


@pytest.mark.rule("6.1 sensoryCaptureMode, sessionId")
async def test_null_is_absent_and_unknown_fields_are_ignored(user: TestUser) -> None:
    fields = {"store": None, "channel": None, "tags": None, "metadata": None, "surprise": {"a": 1}}
    ignored = {"sensoryCaptureMode": "full", "sessionId": {"any": 1}, "userId": "usr_of_somebody_else"}
    row = await memory(user, await capture(user, **fields, **ignored))
    assert (row["store"], row["channel"], row["tags"], row["metadata"]) == ("episodic", None, [], None)


@pytest.mark.rule("6.1 channel")
@pytest.mark.parametrize("channel", ["", "   "])
async def test_a_blank_channel_is_absent(user: TestUser, channel: str) -> None:
    assert (await memory(user, await capture(user, channel=channel)))["channel"] is None


async def project_of(services: Services, user: TestUser, **fields: Any) -> str | None:
    """The stored project: only recall acts on it, nothing shows it but an export of the database."""
    await capture(user, **fields)
    async with services.database.read(user.id) as session:
        return await session.value("SELECT project_id FROM memory WHERE user_id = %(user)s", {"user": user.id})


@pytest.mark.rule("6.1 agentId, projectId, repoSlug, sourceSnapshotId, sessionKey")
async def test_a_repo_slug_names_a_project(services: Services, user: TestUser) -> None:
    digest = hashlib.sha256(b"repo:acme/rockets").hexdigest()[:24]
    assert await project_of(services, user, repoSlug="Acme/Rockets") == f"proj_{digest}"


@pytest.mark.rule("6.1 agentId, projectId, repoSlug, sourceSnapshotId, sessionKey")
async def test_the_project_id_wins_over_the_slug(services: Services, user: TestUser) -> None:
    assert await project_of(services, user, repoSlug="acme/rockets", projectId="Anything at all") == "Anything at all"


@pytest.mark.rule("6.1 agentId, projectId, repoSlug, sourceSnapshotId, sessionKey")
async def test_the_named_snapshot_must_be_the_users_own(user: TestUser, make_user: MakeUser) -> None:
    snapshot = {"sessionKey": "s", "channel": "c", "messages": [{"role": "user", "content": "hello"}]}
    other = await make_user()
    foreign = (await post(other, "snapshot", snapshot))["id"]
    own = (await post(user, "snapshot", snapshot))["id"]
    assert await post(user, "capture", MINIMAL | {"sourceSnapshotId": foreign}, status=404) == {"error": "Not found"}
    assert (await post(user, "capture", MINIMAL | {"sourceSnapshotId": own}))["ok"] is True
