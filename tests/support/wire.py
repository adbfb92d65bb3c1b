"""Speaking to the service as clients do: JSON in, JSON out, and the status that is expected."""

import itertools
from typing import Any

from tests.support.service import TestUser

Json = dict[str, Any]
_numbers = itertools.count(1)


async def send(
    user: TestUser, method: str, path: str, body: Json | None = None, *, status: int = 200, **query: Any
) -> Json:
    """The JSON object of the reply, which must have this status."""
    reply = await user.http.request(method, path, json=body, params=query)
    assert reply.status_code == status, f"{method} {path}: {reply.status_code} {reply.text}"
    return reply.json()


async def post(user: TestUser, path: str, body: Json | None = None, *, status: int = 200) -> Json:
    """POST to `/api/mcp/<path>`, or to an address that begins with a slash."""
    return await send(user, "POST", path if path.startswith("/") else f"/api/mcp/{path}", body, status=status)


async def capture(user: TestUser, **fields: Any) -> str:
    """Store a memory; its text is one of a kind unless given. Its id."""
    number = next(_numbers)
    reply = await post(
        user, "capture", {"title": f"Memory {number}", "content": f"Content of memory {number}"} | fields
    )
    return reply["id"]


async def memory(user: TestUser, memory_id: str) -> Json:
    """A memory in full."""
    return (await post(user, "memory", {"memoryId": memory_id}))["memory"]


async def make_base(user: TestUser, **fields: Any) -> str:
    """Make a knowledge base; its id."""
    return (await post(user, "/api/knowledge-bases", {"name": "Handbook"} | fields, status=201))["id"]


async def base_row(user: TestUser, base_id: str) -> Json:
    """The row of a knowledge base."""
    return (await send(user, "GET", f"/api/knowledge-bases/{base_id}"))["knowledgeBase"]


def chunk(content: str, **fields: Any) -> Json:
    """A chunk as `import` takes it."""
    return {"content": content, "metadata": {"title": f"On {content[:40]}"}} | fields


async def fill(user: TestUser, base_id: str, *chunks: Json, status: int = 201) -> Json:
    """Import chunks; the reply."""
    return await post(user, f"/api/knowledge-bases/{base_id}/import", {"chunks": list(chunks)}, status=status)


async def enumerate_chunks(user: TestUser, base_id: str, limit: int = 200) -> list[Json]:
    """Every active chunk of a knowledge base, page by page."""
    rows: list[Json] = []
    cursor = ""
    while True:
        query: Json = {"limit": limit} | ({"cursor": cursor} if cursor else {})
        page = await send(user, "GET", f"/api/knowledge-bases/{base_id}/memories", **query)
        rows += page["memories"]
        cursor = page["continueCursor"]
        if page["isDone"]:
            return rows


async def totals(user: TestUser) -> tuple[int, int]:
    """Active and archived ordinary memories, as stats counts them."""
    stats = await send(user, "GET", "/api/mcp/stats")
    return stats["total"], stats["archivedCount"]
