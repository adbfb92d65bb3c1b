"""Well-formed requests as the service reads them (contract 1.1, 2.3 and the field tables)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.wire.enums import MessageRole, Store
from memctl.wire.export import ExportRequest
from memctl.wire.graph import ReflectRequest
from memctl.wire.imports import BulkInsertRequest
from memctl.wire.knowledge_bases import ListKnowledgeBasesRequest, PatchKnowledgeBaseRequest
from memctl.wire.memories import CaptureRequest, ForgetRequest, SupersedeRequest
from memctl.wire.messages import LogRequest, SearchMessagesRequest
from memctl.wire.recall import RecallRequest
from memctl.wire.sessions import CheckpointRequest, SessionRequest
from memctl.wire.triggers import TriggersRequest
from memctl.wire.updates import UpdateRequest

MEMORY = "mem_0" + "1" * 25
BASES = ["kb_0" + "1" * 25, "kb_0" + "2" * 25]
WRITTEN = {"title": "t", "content": "c"}


def test_null_of_an_optional_field_means_absent() -> None:
    body = CaptureRequest.from_body(WRITTEN | {"store": None, "tags": None})
    assert (body.store, body.tags) == (Store.EPISODIC, [])
    assert "store" not in body.model_fields_set


def test_null_in_a_patch_is_seen() -> None:
    body = PatchKnowledgeBaseRequest.from_body({"scope": None, "peerScopePolicy": None})
    assert body.model_fields_set == {"scope", "peer_scope_policy"}


def test_unknown_fields_and_python_names_are_ignored() -> None:
    body = RecallRequest.from_body({"query": "q", "agent_id": "a", "includeArchived": {}, "userId": 7})
    assert body.agent_id is None


@pytest.mark.parametrize("sent", ["", "  ", None])
def test_a_blank_scope_counts_as_absent(sent: str | None) -> None:
    assert CaptureRequest.from_body(WRITTEN | {"channel": sent}).channel is None


def test_text_is_stored_as_given() -> None:
    body = CaptureRequest.from_body({"title": " t ", "content": "c\n", "channel": " x "})
    assert (body.title, body.content, body.channel) == (" t ", "c\n", " x ")


def test_tags_are_trimmed_lower_case_and_unique_while_triggers_keep_their_case() -> None:
    body = CaptureRequest.from_body(WRITTEN | {"tags": [" A", "", "a", "b "], "actionTriggers": ["Bash ", "Bash", " "]})
    assert (body.tags, body.action_triggers) == (["a", "b"], ["Bash"])


@pytest.mark.parametrize("metadata", [{"a": [1, None, {"b": "c"}]}, '{"a": 1}', "plain", {}])
def test_metadata_keeps_the_form_given(metadata: Any) -> None:
    assert CaptureRequest.from_body(WRITTEN | {"metadata": metadata}).metadata == metadata


@given(st.integers(min_value=1, max_value=10**9))
def test_a_limit_above_the_maximum_is_cut(limit: int) -> None:
    assert RecallRequest.from_body({"query": "q", "limit": limit}).limit == min(limit, 20)


def test_a_whole_number_may_be_written_as_float() -> None:
    assert RecallRequest.from_body({"query": "q", "limit": 5.0}).limit == 5


def test_an_absent_recall_limit_is_left_to_the_deployment() -> None:
    assert RecallRequest.from_body({"query": "q"}).limit is None


@pytest.mark.parametrize(("text", "flag"), [("true", True), ("1", True), ("false", False), ("0", False)])
def test_booleans_of_a_url(text: str, flag: bool) -> None:
    assert ListKnowledgeBasesRequest.from_query({"includeInactive": text}).include_inactive is flag


def test_digits_count_as_integer_in_a_url() -> None:
    assert ExportRequest.from_query({"limit": "7"}).page_size == 7


@pytest.mark.parametrize(("sent", "permanent"), [(True, True), ("true", False), (1, False), (None, False)])
def test_only_a_literal_true_deletes(sent: Any, permanent: bool) -> None:
    assert ForgetRequest.from_body({"memoryId": MEMORY, "permanent": sent}).permanent is permanent


@pytest.mark.parametrize(
    ("sent", "role"),
    [
        ("user", MessageRole.USER),
        ("system", MessageRole.SYSTEM),
        ("assistant", MessageRole.ASSISTANT),
        ("tool", MessageRole.ASSISTANT),
        (["user"], MessageRole.ASSISTANT),
        (None, MessageRole.ASSISTANT),
    ],
)
def test_every_other_role_counts_as_assistant(sent: Any, role: MessageRole) -> None:
    assert LogRequest.from_body({"content": "c", "role": sent}).role is role


@pytest.mark.parametrize(("sent", "index"), [(1.9, 1), (-3, 0), (0, 0), (None, None)])
def test_turn_message_index_is_floored_and_never_negative(sent: Any, index: int | None) -> None:
    assert LogRequest.from_body({"content": "c", "turnMessageIndex": sent}).turn_message_index == index


@pytest.mark.parametrize(("sent", "hours"), [(0.1, 0.5), (100, 72), (6, 6), (None, 4)])
def test_reflection_window_is_cut(sent: Any, hours: float) -> None:
    assert ReflectRequest.from_body({"windowHours": sent}).window_hours == hours


@pytest.mark.parametrize("name", ["memoryId", "id"])
def test_memory_id_has_an_alias(name: str) -> None:
    assert UpdateRequest.from_body({name: MEMORY, "title": "t"}).memory_id == MEMORY


def test_aliases_of_other_rooms() -> None:
    assert SupersedeRequest.from_body(WRITTEN | {"memoryId": MEMORY}).old_memory_id == MEMORY
    assert SessionRequest.from_body({"sessionKey": "s", "recentLimit": 3}).limit == 3
    checkpoint = CheckpointRequest.from_body({"title": "l", "content": "d", "sessionId": "s"})
    assert (checkpoint.label, checkpoint.description, checkpoint.session_key) == ("l", "d", "s")


@pytest.mark.parametrize("sent", ["Bash, Edit,,Bash", ["Bash", " Edit", ""]])
def test_tools_come_as_list_or_with_commas(sent: Any) -> None:
    assert TriggersRequest.from_body({"tools": sent}).tools == ["Bash", "Edit"]


def test_single_and_plural_filters_are_merged() -> None:
    body = RecallRequest.from_body(
        {
            "query": "q",
            "knowledgeBaseId": BASES[0],
            "knowledgeBaseIds": BASES,
            "store": "semantic",
            "stores": ["episodic"],
            "category": "fact",
            "categories": ["fact", "rule"],
        }
    )
    assert body.named_knowledge_bases() == BASES
    assert body.wanted_stores() == ["semantic", "episodic"]
    assert body.wanted_categories() == ["fact", "rule"]


def test_time_bounds_stay_raw() -> None:
    sent = {"query": "q", "since": "2026-01-01", "from": 5, "fromMs": "7", "until": "2026-02-01"}
    body = SearchMessagesRequest.from_body(sent)
    assert body.bounds() == {"fromMs": "7", "from": 5, "since": "2026-01-01", "until": "2026-02-01"}


def test_flat_chunks_take_nested_metadata_where_the_flat_name_is_absent() -> None:
    chunk = {"content": "c", "title": None, "chunkIndex": 2, "metadata": {"title": "T", "chunkIndex": 9}}
    read = BulkInsertRequest.from_body({"chunks": [chunk]}).chunks[0]
    assert (read.title, read.chunk_index) == ("T", 2)


@pytest.mark.parametrize(
    "request_model",
    [
        RecallRequest(query="q", from_=3, stores=[Store.SEMANTIC], tags=["a"]),
        CaptureRequest(title="t", content="c", metadata={"snake_key": 1}),
        SupersedeRequest(old_memory_id=MEMORY, title="t", content="c"),
        CheckpointRequest(mode="list", limit=3),
    ],
)
def test_what_a_client_sends_is_what_the_service_reads(request_model: Any) -> None:
    assert type(request_model).from_body(request_model.to_request()) == request_model
