"""The paths and queries of requests: what a caller names stays within its place."""

from collections.abc import Awaitable
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from memctl.client import MemdClient, errors
from memctl.wire.accounts import PatchKeyRequest, PatchUserRequest
from memctl.wire.conflicts import ConflictDecision, DecideRequest
from memctl.wire.erasure import EraseMessagesRequest
from memctl.wire.history import HistoryRequest, RestoreRequest
from memctl.wire.imports import BulkInsertRequest, ImportRequest
from memctl.wire.kb_query import QueryKnowledgeBaseRequest
from memctl.wire.knowledge_bases import ListChunksRequest, PatchKnowledgeBaseRequest
from tests.memctl.client.answering import client_of

BULK = {"chunks": [{"content": "c"}]}


def calls_with_a_name(client: MemdClient, name: str) -> dict[str, Awaitable[Any]]:
    """Every call that puts an id or name of the caller's into its path, by the path."""
    bases, accounts, standing = client.knowledge_bases, client.accounts, client.standing
    chunk = ImportRequest.model_validate({"text": "t", "title": "t"})
    return {
        "/api/knowledge-bases/*?limit=50": bases.show(name),
        "PATCH /api/knowledge-bases/*": bases.change(name, PatchKnowledgeBaseRequest(name="n")),
        "/api/knowledge-bases/*/import": bases.import_chunks(name, chunk),
        "/api/knowledge-bases/*/bulk-insert": bases.bulk_insert(name, BulkInsertRequest.model_validate(BULK)),
        "/api/knowledge-bases/*/memories": bases.chunk_page(name, ListChunksRequest()),
        "/api/knowledge-bases/*/query": bases.query(name, QueryKnowledgeBaseRequest(query="q")),
        "/api/knowledge-bases/*/empty": anext(bases.empty(name)),
        "DELETE /api/knowledge-bases/*": anext(bases.archive(name)),
        "/api/knowledge-bases/*/unarchive": anext(bases.unarchive(name)),
        "DELETE /api/knowledge-bases/*?permanent=true": anext(bases.delete(name)),
        "/api/memories/*/history": client.history.versions(name, HistoryRequest()),
        "/api/memories/*/restore": client.history.restore(name, RestoreRequest()),
        "/api/erasures/*": client.erasure.receipt(name),
        "DELETE /api/admin/users/*": client.erasure.user(name),
        "DELETE /api/messages/*": client.erasure.message(name, EraseMessagesRequest()),
        "DELETE /api/sessions/*": client.erasure.session(name, EraseMessagesRequest()),
        "/api/conflicts/*": client.conflicts.decide(name, DecideRequest(decision=ConflictDecision.KEEP_BOTH)),
        "DELETE /api/account/users/*": client.end_users.erase(name),
        "PATCH /api/keys/*": accounts.change_key(name, PatchKeyRequest(label="l")),
        "/api/keys/*/rotate": accounts.rotate_key(name),
        "DELETE /api/keys/*": accounts.revoke_key(name),
        "PATCH /api/admin/users/*": accounts.change_user(name, PatchUserRequest(name="n")),
        "/api/snapshots/*": client.sessions.find_snapshot(name),
        "/api/checkpoints/*": client.sessions.find_checkpoint(name),
        "/api/jobs/*/run": client.jobs.run(name),
        "/api/standing/*": standing.show(name),
        "/api/standing/*/run": standing.run(name),
        "DELETE /api/standing/*": standing.remove(name),
    }


@pytest.mark.parametrize(
    ("name", "sent"),
    [
        ("../x?a#b", "%2E%2E%2Fx%3Fa%23b"),
        ("..", "%2E%2E"),
        (".", "%2E"),
        ("a/b", "a%2Fb"),
        ("a?b", "a%3Fb"),
        ("ä b", "%C3%A4%20b"),
        ("%2E%2e", "%252E%252e"),
        ("\ud800", "%ED%A0%80"),
    ],
)
async def test_an_id_stays_within_its_segment_of_the_path(name: str, sent: str) -> None:
    seen: list[str] = []

    async def answer(request: Request) -> Response:
        method = f"{request.method} " if request.method in {"PATCH", "DELETE"} else ""
        query = f"?{request.url.query}" if request.url.query else ""
        seen.append(f"{method}{request.scope['raw_path'].decode()}{query}")
        return JSONResponse({"error": "Not found"}, 404)

    async with client_of(answer) as client:
        calls = calls_with_a_name(client, name)
        for call in calls.values():
            with pytest.raises(errors.NotFound):
                await call
    assert seen == [path.replace("*", sent) for path in calls]


async def test_the_toolset_is_one_parameter_of_the_url() -> None:
    seen: list[str] = []

    async def answer(request: Request) -> Response:
        seen.append(request.url.query)
        return JSONResponse({"jsonrpc": "2.0", "id": 1, "result": {}})

    async with client_of(answer) as client:
        await client.mcp.exchange({"jsonrpc": "2.0", "id": 1, "method": "ping"})
        await client.mcp.exchange({"jsonrpc": "2.0", "id": 1, "method": "ping"}, "core&names=crystal")
    assert seen == ["", "tools=core%26names%3Dcrystal"]


async def test_a_flag_of_an_erasure_that_is_off_is_sent_as_such() -> None:
    seen: list[str] = []

    async def answer(request: Request) -> Response:
        seen.append(request.url.query)
        return JSONResponse({"erasureId": "job_1"}, 202)

    async with client_of(answer) as client:
        await client.erasure.session("s", EraseMessagesRequest(all_channels=False))
        await client.erasure.session("s", EraseMessagesRequest(all_channels=True, channel="slack"))
    assert seen == ["allChannels=false", "channel=slack&allChannels=true"]
