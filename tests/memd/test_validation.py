"""The details texts of contract 1.5, by the requests that cause them."""

from typing import Any

import pytest
from pydantic import ValidationError

from memctl.wire.base import PatchModel
from memctl.wire.compat import MetricRequest
from memctl.wire.export import ExportRequest
from memctl.wire.imports import BulkInsertRequest, ImportRequest
from memctl.wire.kb_query import QueryKnowledgeBaseRequest
from memctl.wire.knowledge_bases import ListKnowledgeBasesRequest, PatchKnowledgeBaseRequest
from memctl.wire.memories import CaptureRequest
from memctl.wire.messages import SearchMessagesRequest, TurnRequest
from memctl.wire.recall import RecallRequest
from memctl.wire.sessions import CheckpointRequest
from memctl.wire.snapshots import SnapshotRequest
from memctl.wire.updates import UpdateRequest
from memd.validation import details_of, invalid_chunk_of

MEMORY = "mem_0" + "1" * 25
STORES = "sensory, episodic, semantic, procedural, prospective"
WRITTEN = {"title": "t", "content": "c"}
SAID = {"sessionKey": "s", "channel": "c"}


def refusal(model: type[PatchModel], body: dict[str, Any]) -> ValidationError:
    with pytest.raises(ValidationError) as caught:
        model.from_body(body)
    return caught.value


@pytest.mark.parametrize(
    ("model", "body", "details"),
    [
        (CaptureRequest, {}, "Missing required field: title"),
        (CaptureRequest, {"title": " \t", "content": "c"}, "Missing required field: title"),
        (CaptureRequest, {"title": None, "content": "c"}, "Missing required field: title"),
        (CaptureRequest, {"title": "t"}, "Missing required field: content"),
        (CaptureRequest, {"title": 5, "content": "c"}, "Field title must be a string"),
        (CaptureRequest, {"title": "x" * 501, "content": "c"}, "Field title exceeds maximum length of 500 characters"),
        (
            CaptureRequest,
            {"title": "t", "content": "x" * 50_001},
            "Field content exceeds maximum length of 50000 characters",
        ),
        (CaptureRequest, WRITTEN | {"store": "dream"}, f"Field store must be one of: {STORES}"),
        (CaptureRequest, WRITTEN | {"store": []}, f"Field store must be one of: {STORES}"),
        (
            CaptureRequest,
            WRITTEN | {"source": "conversation"},
            "Field source must be one of: external, cron, observation, inference",
        ),
        (CaptureRequest, WRITTEN | {"tags": "a"}, "Field tags must be an array"),
        (CaptureRequest, WRITTEN | {"tags": ["a", 1]}, "Field tags[1] must be a string"),
        (CaptureRequest, WRITTEN | {"tags": ["x" * 65]}, "Field tags[0] exceeds maximum length of 64 characters"),
        (
            CaptureRequest,
            WRITTEN | {"tags": [str(n) for n in range(33)]},
            "Field tags exceeds maximum length of 32 items",
        ),
        (CaptureRequest, WRITTEN | {"confidence": 1.5}, "Field confidence must be between 0 and 1"),
        (CaptureRequest, WRITTEN | {"valence": -1.1}, "Field valence must be between -1 and 1"),
        (CaptureRequest, WRITTEN | {"strength": True}, "Field strength must be a number"),
        (CaptureRequest, WRITTEN | {"metadata": [1]}, "Field metadata must be an object or a string"),
        (CaptureRequest, WRITTEN | {"metadata": "x" * 16_000}, "Field metadata exceeds maximum length of 16000 bytes"),
        (CaptureRequest, WRITTEN | {"channel": "x" * 501}, "Field channel exceeds maximum length of 500 characters"),
        (RecallRequest, {}, "Missing required field: query"),
        (RecallRequest, {"query": "  "}, "Query must not be empty"),
        (RecallRequest, {"query": 3}, "Field query must be a string"),
        (RecallRequest, {"query": "q", "limit": 0}, "Field limit must be between 1 and 20"),
        (RecallRequest, {"query": "q", "limit": 2.5}, "Field limit must be an integer"),
        (RecallRequest, {"query": "q", "limit": "5"}, "Field limit must be an integer"),
        (RecallRequest, {"query": "q", "limit": True}, "Field limit must be an integer"),
        (RecallRequest, {"query": "q", "compact": 1}, "Field compact must be a boolean"),
        (RecallRequest, {"query": "q", "stores": ["x"]}, f"Field stores[0] must be one of: {STORES}"),
        (RecallRequest, {"query": "q", "knowledgeBaseId": MEMORY}, "Invalid identifier: knowledgeBaseId"),
        (QueryKnowledgeBaseRequest, {"query": "q", "threshold": 2}, "Field threshold must be between 0 and 1"),
        (SearchMessagesRequest, {"query": "q", "offset": 10_001}, "Field offset must be between 0 and 10000"),
        (UpdateRequest, {"content": "c"}, "Missing required field: memoryId"),
        (UpdateRequest, {"memoryId": MEMORY.upper(), "content": "c"}, "Invalid identifier: memoryId"),
        (UpdateRequest, {"memoryId": MEMORY}, "At least one editable field is required"),
        (UpdateRequest, {"memoryId": MEMORY, "content": None}, "At least one editable field is required"),
        (UpdateRequest, {"memoryId": MEMORY, "agentId": "a"}, "At least one editable field is required"),
        (TurnRequest, {"turnId": "t"}, "Missing required field: sessionKey"),
        (TurnRequest, {"sessionKey": "s", "turnId": "t"}, "Missing required field: channel"),
        (TurnRequest, SAID, "Missing required field: turnId"),
        (TurnRequest, SAID | {"turnId": "t"}, "Missing required field: assistantMessage"),
        (SnapshotRequest, SAID, "Missing required field: messages"),
        (SnapshotRequest, SAID | {"messages": []}, "Missing required field: messages"),
        (SnapshotRequest, SAID | {"messages": [{"content": 1}]}, "Field messages[0].content must be a string"),
        (CheckpointRequest, {}, "Missing required field: label"),
        (CheckpointRequest, {"mode": "delete"}, "Missing required field: checkpointId"),
        (CheckpointRequest, {"mode": "drop"}, "Field mode must be one of: create, list, delete"),
        (PatchKnowledgeBaseRequest, {"name": " "}, "Missing required field: name"),
        (PatchKnowledgeBaseRequest, {"name": None}, "Field name must be a string"),
        (PatchKnowledgeBaseRequest, {"metadata": "text"}, "Field metadata must be an object"),
        (ImportRequest, {}, "Missing required field: chunks"),
        (ImportRequest, {"chunks": {}}, "Field chunks must be an array"),
        (ImportRequest, {"text": "x"}, "Missing required field: title"),
        (
            ImportRequest,
            {"text": "x", "title": "t", "chunkSize": 300, "chunkOverlap": 151},
            "Field chunkOverlap must be between 0 and 150",
        ),
        (BulkInsertRequest, {"chunks": []}, "Missing required field: chunks"),
        (UpdateRequest, {"memoryId": " ", "title": "t"}, "Missing required field: memoryId"),
        (CheckpointRequest, {"mode": "delete", "checkpointId": ""}, "Missing required field: checkpointId"),
        (CheckpointRequest, {"label": "l", "memoryIds": [""]}, "Invalid identifier: memoryIds[0]"),
        (RecallRequest, {"query": "q", "knowledgeBaseId": ""}, "Invalid identifier: knowledgeBaseId"),
        (RecallRequest, {"query": "q", "knowledgeBaseIds": [" "]}, "Invalid identifier: knowledgeBaseIds[0]"),
        (CaptureRequest, WRITTEN | {"sourceSnapshotId": ""}, "Invalid identifier: sourceSnapshotId"),
        (MetricRequest, {"kind": "Bad-Kind"}, "Field kind must match [a-z][a-z0-9_]{0,63}"),
    ],
)
def test_details_name_the_first_field_in_order(model: type[PatchModel], body: dict[str, Any], details: str) -> None:
    assert details_of(refusal(model, body)) == details


@pytest.mark.parametrize(
    ("model", "query", "details"),
    [
        (ExportRequest, {"pageSize": "0"}, "Field pageSize must be between 1 and 200"),
        (ExportRequest, {"pageSize": "2.5"}, "Field pageSize must be an integer"),
        (ExportRequest, {"store": "x"}, f"Field store must be one of: {STORES}"),
        (ListKnowledgeBasesRequest, {"includeInactive": "yes"}, "Field includeInactive must be a boolean"),
    ],
)
def test_details_of_the_query_part_of_a_url(model: type[PatchModel], query: dict[str, str], details: str) -> None:
    with pytest.raises(ValidationError) as caught:
        model.from_query(query)
    assert details_of(caught.value) == details


@pytest.mark.parametrize(
    ("bad", "details"),
    [
        ({"content": "c"}, "Missing required field: metadata.title"),
        ({"content": "c", "metadata": {"title": " "}}, "Missing required field: metadata.title"),
        ({"content": "c", "metadata": {"title": 4}}, "Field metadata.title must be a string"),
        ({"content": "c", "metadata": []}, "Field metadata must be an object"),
        ({"metadata": {"title": "t"}}, "Missing required field: content"),
        ({"content": " ", "metadata": {"title": "t"}}, "Missing required field: content"),
        (
            {"content": "c", "metadata": {"title": "t", "totalChunks": 0}},
            "Field metadata.totalChunks must be between 1 and 2147483647",
        ),
        (
            {"content": "c", "metadata": {"title": "t"}, "chunkKind": "x"},
            "Field chunkKind must be one of: content, config",
        ),
        ("text", "Field chunk must be an object"),
    ],
)
def test_an_invalid_chunk_is_reported_by_index_and_details(bad: Any, details: str) -> None:
    good = {"content": "c", "metadata": {"title": "t"}}
    assert invalid_chunk_of(refusal(ImportRequest, {"chunks": [good, bad]})) == (1, details)


def test_a_finding_outside_the_chunks_is_no_invalid_chunk() -> None:
    assert invalid_chunk_of(refusal(ImportRequest, {"chunks": 5})) is None


def test_a_chunk_without_title_passes_when_the_setting_allows_it() -> None:
    body = ImportRequest.from_body({"chunks": [{"content": "c"}]}, {"require_chunk_title": False})
    assert body.chunks[0].metadata.title is None
