"""Lists that come in pages, and work that a service does a piece at a time."""

import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from memctl.client import MemdClient
from memctl.wire.audit import AuditRequest
from memctl.wire.export import ExportRequest
from memctl.wire.keyed_memories import MemorySearchRequest
from memctl.wire.memory_listing import MemoryListRequest
from memctl.wire.messages import ListMessagesRequest, SearchMessagesRequest
from tests.memctl.client.answering import client_of

KB = "kb_0" + "1" * 25


async def test_export_follows_the_cursor_to_the_end() -> None:
    async def answer(request: Request) -> Response:
        at = int(request.query_params.get("cursor", "0"))
        row = {"id": f"mem_{at}", "title": "t", "content": "c", "chunkKind": "content", "store": "semantic"}
        row |= {"category": "fact", "tags": [], "source": "external", "strength": 1, "confidence": 1, "archived": False}
        times = {"createdAt": 1, "lastAccessedAt": 1}
        page = {"pageSize": 1, "cursor": str(at + 1) if at < 2 else None, "isDone": at == 2}
        return JSONResponse({"memories": [row | times], "pagination": page})

    async with client_of(answer) as client:
        ids = [memory.id async for memory in client.memories.export(ExportRequest(page_size=1))]
    assert ids == ["mem_0", "mem_1", "mem_2"]


async def test_chunks_are_paged_until_done() -> None:
    async def answer(request: Request) -> Response:
        at = int(request.query_params.get("cursor", "0"))
        row = {"id": f"mem_{at}", "title": "t", "content": "c", "createdAt": 1, "chunkKind": "content", "metadata": {}}
        done = at == 1
        page = {"memories": [row], "isDone": done, "continueCursor": "" if done else "1"}
        return JSONResponse({"knowledgeBaseId": KB, **page})

    async with client_of(answer) as client:
        ids = [chunk.id async for chunk in client.knowledge_bases.chunks(KB)]
    assert ids == ["mem_0", "mem_1"]


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("users", lambda client: client.accounts.users(7)),
        ("users", lambda client: client.end_users.list(7)),
        ("entries", lambda client: client.audit.entries(AuditRequest(limit=7))),
        ("memories", lambda client: client.memories.list_all(MemoryListRequest(limit=7))),
        ("messages", lambda client: client.messages.history(ListMessagesRequest(limit=7))),
    ],
)
async def test_each_page_of_a_list_is_asked_for_at_the_cursor_of_the_one_before(
    name: str, rows: Callable[[MemdClient], AsyncIterator[Any]]
) -> None:
    asked: list[tuple[str | None, ...]] = []

    async def answer(request: Request) -> Response:
        asked.append((request.query_params["limit"], request.query_params.get("cursor")))
        is_last = len(asked) == 3
        return JSONResponse({name: [], "isDone": is_last, "continueCursor": "" if is_last else f"after {len(asked)}"})

    async with client_of(answer) as client:
        assert [row async for row in rows(client)] == []
    assert asked == [("7", None), ("7", "after 1"), ("7", "after 2")]


async def test_search_pages_while_there_is_more() -> None:
    async def answer(request: Request) -> Response:
        at = json.loads(await request.body()).get("offset", 0)
        hit = {"id": f"msg_{at}", "role": "user", "content": "c", "timestamp": 1, "score": 0.5}
        more = at < 2
        page = {"limit": 1, "offset": at, "returned": 1, "hasMore": more, "nextOffset": at + 1 if more else None}
        return JSONResponse({"messages": [hit], "turns": [], "pagination": page, "window": {}})

    async with client_of(answer) as client:
        request = SearchMessagesRequest(query="q", limit=1)
        ids = [hit.id async for hit in client.messages.search_all(request)]
    assert ids == ["msg_0", "msg_1", "msg_2"]


async def test_resumable_work_is_repeated_until_done() -> None:
    left = [3]

    async def answer(_request: Request) -> Response:
        left[0] -= 1
        counts = {"deletedMemories": 1, "activeDeletedMemories": 1}
        return JSONResponse({"knowledgeBaseId": KB, "kept": True, "isDone": left[0] == 0, **counts})

    async with client_of(answer) as client:
        deleted = [page.deleted_memories async for page in client.knowledge_bases.empty(KB)]
    assert deleted == [1, 1, 1]


def found(number: int) -> dict[str, Any]:
    row = {"title": "t", "content": "c", "tags": [], "store": "semantic", "category": "fact"}
    return {"id": f"mem_{number}", "createdAt": 1, "updatedAt": 1, **row}


async def test_a_namespace_is_listed_to_its_end_by_cursor() -> None:
    async def answer(request: Request) -> Response:
        at = int(json.loads(await request.body()).get("cursor", "0"))
        rows = [found(number) for number in range(at, at + 100)]
        rest = {"hasMore": True, "continueCursor": str(at + 100)} if at < 10_200 else {"hasMore": False}
        return JSONResponse({"memories": rows, **rest})

    async with client_of(answer) as client:
        ids = [row.id async for row in client.memories.search_all(MemorySearchRequest(namespace="n"))]
    assert ids == [f"mem_{number}" for number in range(10_300)]


async def test_what_a_query_finds_is_listed_as_far_as_memd_ranks() -> None:
    async def answer(request: Request) -> Response:
        at = json.loads(await request.body()).get("offset", 0)
        status = 400 if at > 10_000 else 200
        return JSONResponse({"memories": [found(at)], "hasMore": True, "error": "Bad request"}, status)

    async with client_of(answer) as client:
        ids = [row.id async for row in client.memories.search_all(MemorySearchRequest(namespace="n", query="q"))]
    assert len(ids) == 101
