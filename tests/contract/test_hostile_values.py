"""No value in any field of any operation makes the service fail: what is not allowed is refused (contract 1.1, 1.5).

The suite sends a sixth of the values to each field, not the same sixth to every field; `make test-long` sends all.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from structlog.testing import capture_logs

from memd.domain.types import KeyScope, Policy
from tests.support.hostile import MESSAGES, PLAIN, Document, Request
from tests.support.service import MakeUser, TestUser
from tests.support.wire import capture, make_base, post, send

OPENAPI: dict[str, Any] = json.loads((Path(__file__).parents[2] / "docs" / "openapi.json").read_text("utf-8"))
TOOLS: list[dict[str, Any]] = json.loads((Path(__file__).parents[2] / "docs" / "mcp-tools.json").read_text("utf-8"))
OPERATIONS = [(method, path) for path, methods in OPENAPI["paths"].items() for method in methods]
VARIANTS = {
    "/api/mcp/checkpoint": (("label",),),
    "/api/mcp/update": (("title",),),
    "/api/mcp/edit": (("title",),),
    "/api/knowledge-bases/{id}/import": (("chunks",), ("text", "title", "dedupeKeyPrefix")),
}


@pytest_asyncio.fixture(loop_scope="session")
async def caller(make_user: MakeUser) -> TestUser:
    return await make_user(policy=Policy.SELF_HOSTED_UNMETERED, admin=True, scopes=tuple(KeyScope))


@pytest_asyncio.fixture(loop_scope="session")
async def document(caller: TestUser, of_size: Callable[[int, int], int]) -> Document:
    """The document, and something of every kind that it names."""
    memory_id, base = await capture(caller, content="Ann owns the mill"), await make_base(caller, name="Mills")
    messages = [{"role": "user", "content": "Where is the mill?"}]
    snapshot = await post(caller, "snapshot", {"sessionKey": "s", "channel": "c", "messages": messages, "reason": "r"})
    user = await send(caller, "POST", "/api/admin/users", {"name": "other"}, status=201)
    key = await send(caller, "POST", "/api/keys", {"label": "other"}, status=201)
    known = {
        "kind": "note",
        "name": "a-name",
        "memoryId": memory_id,
        "oldMemoryId": memory_id,
        "knowledgeBaseId": base,
        "sourceSnapshotId": snapshot["id"],
        "/api/knowledge-bases": base,
        "/api/keys": key["id"],
        "/api/admin/users": user["id"],
        "/api/jobs": "no-such-job",
    }
    return Document(OPENAPI, known, VARIANTS, of_size(10, 1))


async def failures(caller: TestUser, requests: list[Request]) -> list[str]:
    """Each request whose reply is a failure of the service, or no error in the contract's shape."""
    failed: list[str] = []
    for request in requests:
        reply = await caller.http.request(request.method, request.path, content=request.body)
        if request.about.endswith(PLAIN) and reply.status_code == 400:
            failed.append(f"{request.about} is refused: {reply.text}")
        if reply.status_code >= 500 or (reply.status_code >= 400 and not isinstance(reply.json().get("error"), str)):
            failed.append(f"{reply.status_code} {request.about}: {reply.text[:200]}")
    return failed


@pytest.mark.long_form
@pytest.mark.parametrize(("method", "path"), OPERATIONS, ids=[f"{method} {path}" for method, path in OPERATIONS])
async def test_no_value_in_any_field_is_a_failure(caller: TestUser, document: Document, method: str, path: str) -> None:
    with capture_logs() as logged:
        failed = await failures(caller, [*document.requests(method, path)])
    assert not failed, "\n".join(failed)
    assert [line for line in logged if line["event"].endswith("failed")] == []


async def post_message(caller: TestUser, raw: bytes) -> str | None:
    """What the service says of its failure to answer a POST to /mcp, if it fails."""
    reply = await caller.http.post("/mcp", content=raw)
    if reply.status_code >= 500:
        return reply.text[:200]
    result = reply.json().get("result", {}) if reply.content else {}
    answer = result.get("structuredContent") or {}
    return str(answer) if result.get("isError") and answer.get("status", 400) >= 500 else None


@pytest.mark.long_form
@pytest.mark.parametrize("tool", TOOLS, ids=[tool["name"] for tool in TOOLS])
async def test_no_value_in_any_argument_is_a_failure(
    caller: TestUser, document: Document, tool: dict[str, Any]
) -> None:
    failed: list[str] = []
    with capture_logs() as logged:
        for place, arguments in document.bodies(tool["name"], tool["inputSchema"]):
            params = f'{{"name": "{tool["name"]}", "arguments": {arguments}}}'
            raw = f'{{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {params}}}'
            if (failure := await post_message(caller, raw.encode())) is not None:
                failed.append(f"{place}: {failure}")
    assert not failed, "\n".join(failed)
    assert [line for line in logged if line["event"].endswith("failed")] == []


async def test_no_value_in_any_message_is_a_failure(caller: TestUser) -> None:
    with capture_logs() as logged:
        replies = [(about, await post_message(caller, raw)) for about, raw in MESSAGES]
    assert [(about, failure) for about, failure in replies if failure is not None] == []
    assert [line for line in logged if line["event"].endswith("failed")] == []
