"""The shape of replies: twin names, names left out, nulls kept."""

from memctl.wire.devices import DeviceStartReply, DeviceStatusReply
from memctl.wire.enums import Category, ChunkKind, MemorySource, MessageRole, Policy, Store, Tier
from memctl.wire.errors import ErrorBody
from memctl.wire.knowledge_bases import KnowledgeBaseRow
from memctl.wire.memories import CaptureReply, MemoryDetail
from memctl.wire.messages import MessageHit, MessageRow, TurnGroup
from memctl.wire.recall import RankingSignals, RecalledMemory
from memctl.wire.stats import Usage

SIGNALS = RankingSignals(
    vector_score=0.1, strength_score=0.2, freshness_score=0.3, access_score=0.4, text_match_score=0.5
)
RECALLED = RecalledMemory(
    id="mem_1",
    title="t",
    content="c",
    store=Store.SEMANTIC,
    category=Category.FACT,
    relevance=0.5,
    created_at=1,
    tags=[],
    strength=0.8,
    confidence=0.9,
    recall_text="c",
    last_accessed_at=2,
    ranking_signals=SIGNALS,
)
SAID = MessageRow(id="msg_1", role=MessageRole.USER, content="hi", timestamp=5)


def test_recalled_memory_carries_every_name_of_its_id_and_score() -> None:
    row = RECALLED.to_wire()
    assert (row["id"], row["_id"], row["memoryId"]) == ("mem_1", "mem_1", "mem_1")
    assert row["score"] == row["relevance"] == 0.5


def test_fields_that_may_be_absent_are_left_out() -> None:
    row = RECALLED.to_wire()
    assert {"knowledgeBaseId", "dedupeKey", "preview", "channel", "metadata", "compact"}.isdisjoint(row)
    assert {"sourceRoleScore", "knowledgeBaseScore", "continuityScore"}.isdisjoint(row["rankingSignals"])


def test_values_of_a_memory_detail_are_null_when_absent() -> None:
    detail = MemoryDetail(
        id="mem_1",
        title="t",
        content="c",
        store=Store.EPISODIC,
        category=Category.EVENT,
        tags=[],
        created_at=1,
        updated_at=1,
        last_accessed_at=1,
        access_count=0,
        strength=0.8,
        confidence=0.9,
        valence=0,
        arousal=0.3,
        source=MemorySource.EXTERNAL,
        archived=False,
        chunk_kind=ChunkKind.CONTENT,
        graph_enriched=False,
    ).to_wire()
    assert detail["_id"] == "mem_1"
    assert (detail["channel"], detail["supersededAt"], detail["metadata"]) == (None, None, None)
    assert "knowledgeBaseId" not in detail


def test_messages_carry_every_name_and_their_channel_even_when_null() -> None:
    row = SAID.to_wire()
    assert row == {
        "id": "msg_1",
        "_id": "msg_1",
        "messageId": "msg_1",
        "role": "user",
        "content": "hi",
        "text": "hi",
        "timestamp": 5,
        "createdAt": 5,
        "channel": None,
        "sessionKey": None,
        "turnId": None,
        "turnMessageIndex": None,
    }


def test_turn_begins_at_its_timestamp() -> None:
    turn = TurnGroup(turn_id="t", started_at=5, ended_at=9, messages=[SAID]).to_wire()
    assert turn["timestamp"] == turn["startedAt"] == 5


def test_knowledge_base_row_with_missing_values() -> None:
    row = KnowledgeBaseRow(id="kb_1", name="n", created_at=1, updated_at=2).to_wire()
    assert (row["_id"], row["knowledgeBaseId"]) == ("kb_1", "kb_1")
    assert (row["chunkCount"], row["memoryCount"], row["totalChars"], row["description"]) == (0, 0, 0, "")
    assert (row["peerScopePolicy"], row["archived"], row["isActive"]) == ("strict", False, True)


def test_capture_reply_names_a_duplicate_only_when_there_is_one() -> None:
    assert CaptureReply(id="mem_1", created_at=1, embedding=[]).to_wire() == {
        "ok": True,
        "id": "mem_1",
        "createdAt": 1,
        "embedding": [],
    }


def test_device_replies_speak_snake_case() -> None:
    start = DeviceStartReply(device_code="d", user_code="u", verification_uri="v", verification_uri_complete="w")
    assert start.to_wire()["verification_url"] == "w"
    assert DeviceStatusReply.model_validate({"status": "complete", "apiKey": "k"}).api_key == "k"


def test_usage_speaks_snake_case() -> None:
    usage = Usage(
        tier=Tier.FREE,
        policy=Policy.MANAGED_FREE,
        memory_limit=500,
        memories_used=1,
        percent_used=0.2,
        messages_limit=500,
        embeddings_used_today=0,
        embeddings_limit=50,
    )
    assert usage.to_wire()["memory_limit"] == 500


def test_a_reply_survives_the_wire() -> None:
    hit = MessageHit(**SAID.model_dump(exclude={"id_twin", "message_id", "text", "created_at"}), score=0.25)
    assert MessageHit.model_validate(hit.to_wire()) == hit
    assert RecalledMemory.model_validate(RECALLED.to_wire()) == RECALLED


def test_error_body_reads_any_named_error() -> None:
    body = ErrorBody.model_validate({"error": "Invalid chunk", "index": 3, "details": "d", "new": 1})
    assert (body.index, body.to_wire()) == (3, {"error": "Invalid chunk", "details": "d", "index": 3})
