"""The tools are those of contract 14: names, arguments, marks, annotations, schemas; and the list is pinned."""

import json
import os
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from jsonschema import Draft202012Validator

from memd.app import endpoints
from memd.errors import (
    AlreadySuperseded,
    BadRequest,
    BodyTooLarge,
    ContentBlocked,
    DuplicateMemory,
    EmbeddingCapExceeded,
    EmbeddingTimeout,
    Forbidden,
    ImportTooLarge,
    InternalError,
    InvalidChunk,
    KnowledgeBaseArchived,
    KnowledgeBaseNotFound,
    MemdError,
    RateLimitExceeded,
    ServerBusy,
    StorageLimitReached,
)
from memd.mcp.tools import Tool, make_tools
from tests.support.mcp import post, post_modern
from tests.support.service import TestUser

DOCS: Final = Path(__file__).parents[3] / "docs"
SNAPSHOT: Final = DOCS / "mcp-tools.json"
WINDOW: Final = "fromMs toMs"
WHERE: Final = "channel agentId"
DETAILS: Final = "store category tags actionTriggers metadata confidence valence arousal"


class Row(NamedTuple):
    """One line of the table: arguments with `!` are required."""

    tool: str
    arguments: str
    endpoint: str
    hints: str


TABLE: Final = (
    Row(
        "recall",
        f"query! limit mode stores categories tags knowledgeBaseIds compact projectId  asOf {WINDOW} {WHERE}",
        "POST /api/mcp/recall",
        "R",
    ),
    Row("capture", f"title! content! {DETAILS} validFrom validUntil projectId {WHERE}", "POST /api/mcp/capture", ""),
    Row("search_messages", f"query! limit offset sessionKey {WINDOW} {WHERE}", "POST /api/mcp/search-messages", "RI"),
    Row("recent_messages", f"limit order sessionKey {WINDOW} {WHERE}", "POST /api/mcp/recent-messages", "RI"),
    Row("wake", f"{WHERE} sessionKey", "POST /api/mcp/wake", "R"),
    Row(
        "checkpoint",
        "mode label description memoryIds tags sessionKey semanticSummary limit channel",
        "POST /api/mcp/checkpoint",
        "",
    ),
    Row("trace", "memoryId! channel", "POST /api/mcp/trace", "RI"),
    Row("forget", "memoryId! permanent reason channel", "POST /api/mcp/forget", "DI"),
    Row(
        "update",
        f"memoryId! title content {DETAILS} strength channel agentId requestChannel",
        "POST /api/mcp/update",
        "DI",
    ),
    Row(
        "supersede",
        f"oldMemoryId! title! content! {DETAILS} strength channel reason",
        "POST /api/mcp/supersede",
        "D",
    ),
    Row("stats", "", "GET /api/mcp/stats", "RI"),
    Row("reflect", "windowHours sessionId", "POST /api/mcp/reflect", "I"),
    Row("triggers", f"tools! {WHERE}", "POST /api/mcp/triggers", "RI"),
    Row("get_memory", f"memoryId! full {WHERE}", "POST /api/mcp/memory", "R"),
    Row("list_knowledge_bases", "agentId scope includeInactive", "GET /api/knowledge-bases", "RI"),
    Row(
        "create_knowledge_base",
        "name! description agentIds scope peerScopePolicy sourceRole",
        "POST /api/knowledge-bases",
        "",
    ),
    Row(
        "import_knowledge",
        "knowledgeBaseId knowledgeBaseName description agentIds scope chunks text title sourceUrl sourceType "
        "dedupeKeyPrefix delimiter chunkSize chunkOverlap",
        "POST /api/knowledge-bases/{id}/import",
        "D",
    ),
    Row(
        "query_knowledge_base",
        f"knowledgeBaseId knowledgeBaseName query! limit threshold {WHERE}",
        "POST /api/knowledge-bases/{id}/query",
        "R",
    ),
    Row(
        "list_knowledge_base_memories",
        "knowledgeBaseId! limit cursor",
        "GET /api/knowledge-bases/{id}/memories",
        "RI",
    ),
    Row("empty_knowledge_base", "knowledgeBaseId! confirm!", "POST /api/knowledge-bases/{id}/empty", "DI"),
    Row("what_do_i_know", f"topic! stores tags limit compact {WHERE}", "POST /api/mcp/recall", "R"),
    Row("why_did_we", f"decision! limit compact {WHERE}", "POST /api/mcp/recall", "R"),
    Row("preflight", f"action! limit compact {WHERE}", "POST /api/mcp/recall", "R"),
    Row("who_owns", f"entity! limit {WHERE}", "POST /api/mcp/graph/who-owns", "RI"),
    Row("explain_connection", f"entityA! entityB! {WHERE}", "POST /api/mcp/graph/explain-connection", "RI"),
    Row("dependency_chain", f"entity! maxDepth {WHERE}", "POST /api/mcp/graph/dependency-chain", "RI"),
    Row(
        "log_turn",
        "sessionKey! channel! turnId! assistantMessage! userMessage agentId metadata",
        "POST /api/mcp/turn",
        "I",
    ),
    Row(
        "context",
        f"query! tokenBudget asOf {WHERE}",
        "POST /api/mcp/context",
        "RI",
    ),
)
TOOLS: Final = make_tools(endpoints())


def listing(tool: Tool) -> dict[str, Any]:
    return tool.listing.model_dump(mode="json", by_alias=True, exclude_none=True)


def test_the_tools_are_those_of_the_table_in_its_order() -> None:
    assert [*TOOLS] == [row.tool for row in TABLE]
    assert len(TABLE) == 28


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.tool)
def test_a_tool_takes_the_arguments_of_the_table(row: Row) -> None:
    schema = listing(TOOLS[row.tool])["inputSchema"]
    wanted = row.arguments.split()
    assert set(schema["properties"]) == {name.removesuffix("!") for name in wanted}
    assert schema.get("required", []) == [name.removesuffix("!") for name in wanted if name.endswith("!")]
    assert (schema["type"], schema["additionalProperties"]) == ("object", False)


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.tool)
def test_a_tool_has_the_hints_of_the_table_and_all_four_are_set(row: Row) -> None:
    assert listing(TOOLS[row.tool])["annotations"] == {
        "readOnlyHint": "R" in row.hints,
        "destructiveHint": "D" in row.hints,
        "idempotentHint": "I" in row.hints,
        "openWorldHint": False,
    }


@pytest.mark.rule("6.0 POST /mcp")
@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.tool)
def test_a_tool_costs_what_its_endpoint_costs_and_needs_its_scope(row: Row) -> None:
    endpoint = next(endpoint for endpoint in endpoints() if endpoint.name == row.endpoint)
    tool = TOOLS[row.tool].endpoint
    assert (tool.credits, tool.scope, tool.price, tool.bulk) == (
        endpoint.credits,
        endpoint.scope,
        endpoint.price,
        endpoint.bulk,
    )


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.tool)
def test_a_tool_is_described_for_a_model(row: Row) -> None:
    tool = listing(TOOLS[row.tool])
    assert 60 < len(tool["description"]) < 350
    assert tool["title"]
    for name, schema in tool["inputSchema"]["properties"].items():
        assert schema["description"], name
        assert {"type", "enum", "anyOf"} & schema.keys(), name


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.tool)
def test_schemas_are_valid_and_the_output_is_an_object(row: Row) -> None:
    tool = listing(TOOLS[row.tool])
    Draft202012Validator.check_schema(tool["inputSchema"])
    Draft202012Validator.check_schema(tool["outputSchema"])
    assert tool["outputSchema"]["type"] == "object"
    assert "$ref" not in json.dumps(tool["inputSchema"])
    assert set(tool["outputSchema"]["properties"]) == set(
        TOOLS[row.tool].declaration.shape.model_json_schema()["properties"]
    )


@pytest.mark.parametrize(
    "error",
    [
        BadRequest("no"),
        InvalidChunk(2, "no"),
        ContentBlocked("no", "T1"),
        Forbidden(),
        StorageLimitReached(5, "messages", ok=False, required=2, available=1),
        KnowledgeBaseNotFound(),
        DuplicateMemory("mem_"),
        AlreadySuperseded("mem_"),
        KnowledgeBaseArchived(),
        BodyTooLarge(5),
        ImportTooLarge(10_001),
        RateLimitExceeded(5),
        EmbeddingCapExceeded(5, 6),
        EmbeddingTimeout(),
        ServerBusy(),
        InternalError("req_"),
    ],
)
def test_failures_fit_the_schema_of_every_tool(error: MemdError) -> None:
    body = error.body() | {"status": error.status}
    for tool in TOOLS.values():
        output = Draft202012Validator(listing(tool)["outputSchema"])
        output.validate(body)


def test_no_argument_is_bound_to_a_header() -> None:
    assert "x-mcp-header" not in json.dumps([listing(tool)["inputSchema"] for tool in TOOLS.values()])


def test_the_names_that_must_have_three_characters_say_so() -> None:
    for tool, name in (("what_do_i_know", "topic"), ("why_did_we", "decision"), ("preflight", "action")):
        assert listing(TOOLS[tool])["inputSchema"]["properties"][name]["minLength"] == 3


def test_presets_show_as_defaults() -> None:
    properties = {tool: listing(TOOLS[tool])["inputSchema"]["properties"] for tool in ("why_did_we", "preflight")}
    assert properties["why_did_we"]["limit"]["default"] == 8
    assert properties["preflight"]["limit"]["default"] == 10


async def test_both_eras_list_the_same_tools(user: TestUser) -> None:
    bare = (await post(user.http, "tools/list")).json()["result"]
    modern = (await post_modern(user.http, "tools/list")).json()["result"]
    assert bare["tools"] == modern["tools"] == [listing(tool) for tool in TOOLS.values()]
    assert (modern["resultType"], modern["ttlMs"] > 0) == ("complete", True)


def test_the_tool_list_is_the_one_on_record() -> None:
    listed = json.dumps([listing(tool) for tool in TOOLS.values()], indent=1, ensure_ascii=False) + "\n"
    if os.environ.get("MEMD_PIN"):
        SNAPSHOT.write_text(listed, encoding="utf-8")
    assert SNAPSHOT.read_text(encoding="utf-8") == listed, "run MEMD_PIN=1 pytest on this file after a wanted change"


def test_the_documentation_names_every_tool_and_argument() -> None:
    text = (DOCS / "mcp.md").read_text(encoding="utf-8")
    assert [row.tool for row in TABLE if f"`{row.tool}`" not in text] == []
    names = {name.removesuffix("!") for row in TABLE for name in row.arguments.split()}
    assert sorted(name for name in names if f"`{name}`" not in text) == []
