"""No value in any field of any operation makes the service fail: what is not allowed is refused (contract 1.1, 1.5).

The suite sends a thirtieth of the values to each field, not the same to every field; `make test-long` sends all.
"""

import itertools
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from starlette.types import ASGIApp
from structlog.testing import capture_logs

from memd.context import Services
from memd.domain.types import KeyScope, Policy
from tests.support.hostile import MESSAGES, PLAIN, Document, Request
from tests.support.service import TestUser, making_users, reset_address_limits
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
_mills = itertools.count()


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def owner(services: Services, app: ASGIApp) -> AsyncIterator[TestUser]:
    async with making_users(services, app) as make_user:
        yield await make_user(policy=Policy.SELF_HOSTED_UNMETERED, admin=True, scopes=tuple(KeyScope))


@pytest.fixture
def caller(owner: TestUser, services: Services) -> TestUser:
    """Who sends all requests; no test is refused for what earlier ones have sent."""
    reset_address_limits(services)
    return owner


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def lasting(owner: TestUser) -> dict[str, str]:
    """Something of every kind that no operation takes away."""
    base, messages = await make_base(owner, name="Mills"), [{"role": "user", "content": "Where is the mill?"}]
    snapshot = await post(owner, "snapshot", {"sessionKey": "s", "channel": "c", "messages": messages, "reason": "r"})
    user = await send(owner, "POST", "/api/admin/users", {"name": "other"}, status=201)
    key = await send(owner, "POST", "/api/keys", {"label": "other"}, status=201)
    return {
        "knowledgeBaseId": base,
        "sourceSnapshotId": snapshot["id"],
        "/api/knowledge-bases": base,
        "/api/keys": key["id"],
        "/api/admin/users": user["id"],
        "/api/jobs": "no-such-job",
    }


@pytest_asyncio.fixture(loop_scope="session")
async def document(caller: TestUser, lasting: dict[str, str], of_size: Callable[[int, int], int]) -> Document:
    """The document, and something of every kind that it names."""
    memory_id = await capture(caller, content=f"Ann owns mill {next(_mills)}")
    known = lasting | {"kind": "note", "name": "a-name", "memoryId": memory_id, "oldMemoryId": memory_id}
    return Document(OPENAPI, known, VARIANTS, of_size(30, 1))


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
    """The service's own words about its failure to answer a POST to /mcp, if it fails."""
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


@pytest.mark.long_form
async def test_no_value_in_any_message_is_a_failure(caller: TestUser, of_size: Callable[[int, int], int]) -> None:
    with capture_logs() as logged:
        replies = [(about, await post_message(caller, raw)) for about, raw in MESSAGES[:: of_size(4, 1)]]
    assert [(about, failure) for about, failure in replies if failure is not None] == []
    assert [line for line in logged if line["event"].endswith("failed")] == []
