"""Contract 1.3 step 15, 17.6: every write leaves a row of who, what and which request, and never its content.

Administrative acts leave an entry of the audit chain, ordinary writes a row of the user's trail.
"""

from collections.abc import AsyncIterator
from typing import Any

import psycopg
import pytest
import pytest_asyncio

from memd.app import endpoints
from memd.context import Services
from memd.db.embedded.server import EmbeddedPostgres
from memd.domain.ids import encode
from memd.domain.types import KeyScope
from tests.support.dict_rows import dict_rows
from tests.support.jobs import done
from tests.support.service import MakeUser, TestUser

SECRET = "the-content-itself"
WRITES = {endpoint.name for endpoint in endpoints() if endpoint.scope is not KeyScope.READ}
LEAVES_NONE = {
    "POST /api/mcp/metric",  # a metric row is a trail itself
    "POST /api/mcp/supercede",  # aliases of endpoints below
    "POST /api/mcp/edit",
}


class Trail:
    """A user who writes, and what each write left behind."""

    def __init__(self, services: Services, user: TestUser) -> None:
        self.services = services
        self.user = user
        self.seen: set[str] = set()
        self.left_nothing: list[str] = []

    async def rows(self) -> list[dict[str, Any]]:
        await self.services.background_tasks.drain()
        params = {"user": self.user.id}
        async with self.services.database.system() as session:
            trail = await dict_rows(session, "SELECT * FROM audit_row WHERE user_id = %(user)s ORDER BY id", params)
            chain = await dict_rows(
                session,
                "SELECT * FROM audit_entry WHERE user_id = %(user)s AND request_id IS NOT NULL ORDER BY seq",
                params,
            )
        return trail + [row | {"request_id": encode("req", row["request_id"])} for row in chain if row["request_id"]]

    async def write(self, endpoint: str, body: dict[str, Any] | None = None, **path: str) -> dict[str, Any]:
        """Call an endpoint; remember whether its request left a row."""
        method, template = endpoint.split()
        url = template.format(**path) + path.get("query", "")
        reply = await self.user.http.request(method, url, json=body)
        assert reply.status_code in {200, 201, 202}, (endpoint, reply.text)
        request_id = reply.headers["X-Request-Id"]
        if not any(row["request_id"] == request_id for row in await self.rows()):
            self.left_nothing.append(endpoint)
        self.seen.add(endpoint)
        return reply.json()


@pytest_asyncio.fixture(loop_scope="session")
async def trail(services: Services, make_user: MakeUser) -> AsyncIterator[Trail]:
    yield Trail(services, await make_user(admin=True, scopes=tuple(KeyScope)))


async def write_memories(trail: Trail) -> None:
    memory = await trail.write("POST /api/mcp/capture", {"title": SECRET, "content": f"{SECRET} 1"})
    await trail.write("POST /api/mcp/update", {"memoryId": memory["id"], "content": f"{SECRET} 2"})
    newer = await trail.write(
        "POST /api/mcp/supersede", {"oldMemoryId": memory["id"], "title": SECRET, "content": f"{SECRET} 3"}
    )
    await trail.write("POST /api/mcp/forget", {"memoryId": newer["id"]})
    await trail.write("POST /api/mcp/capture", {"title": SECRET, "content": f"{SECRET} of a key", "key": "k"})
    await trail.write("DELETE /api/memories/by-key", query="?key=k")
    await trail.write("POST /api/memories/{id}/restore", {"reason": SECRET}, id=newer["id"])
    await trail.write("POST /api/undo", {})
    for text in ("Ann lives in Oslo.", "Ann moved to Rome."):
        await trail.write("POST /api/mcp/capture", {"title": SECRET, "content": text})
    await done(trail.services, trail.user)
    (row,) = (await trail.user.http.get("/api/conflicts")).json()["conflicts"]
    await trail.write("POST /api/conflicts/{id}", {"decision": "keep_both"}, id=row["id"])
    await trail.write(
        "POST /api/mcp/capture-batch", {"memories": [{"title": "batch", "content": f"{SECRET} of a batch"}]}
    )
    where = {"sessionKey": "s", "channel": "c"}
    logged = await trail.write("POST /api/mcp/log", {"role": "user", "content": SECRET, **where})
    await trail.write("DELETE /api/messages/{id}", id=logged["id"], query="?channel=c")
    await trail.write("DELETE /api/sessions/{session_key}", session_key="s", query="?channel=c")
    await trail.write("POST /api/mcp/turn", {"turnId": "t", "assistantMessage": SECRET, **where})
    await trail.write("POST /api/mcp/snapshot", {"messages": [{"role": "user", "content": SECRET}], **where})
    await trail.write("POST /api/mcp/checkpoint", {"label": SECRET})
    for number in range(3):  # as many as a reflection wants
        decided = {"title": SECRET, "content": f"We decided to keep {SECRET} {number}.", "store": "episodic"}
        await trail.write("POST /api/mcp/capture", decided)
    await trail.write("POST /api/mcp/reflect", {})


async def write_standing(trail: Trail) -> None:
    await trail.write("POST /api/standing", {"name": "q", "query": SECRET})
    await trail.write("POST /api/standing/{name}/run", {}, name="q")
    await trail.write("DELETE /api/standing/{name}", name="q")


async def write_knowledge_bases(trail: Trail) -> None:
    base = (await trail.write("POST /api/knowledge-bases", {"name": SECRET}))["id"]
    chunks = [{"content": SECRET, "metadata": {"title": SECRET}}]
    await trail.write("POST /api/knowledge-bases/{id}/import", {"chunks": chunks}, id=base)
    await trail.write("POST /api/knowledge-bases/{id}/bulk-insert", {"chunks": [{"content": SECRET}]}, id=base)
    await trail.write("PATCH /api/knowledge-bases/{id}", {"description": SECRET}, id=base)
    await trail.write("POST /api/knowledge-bases/{id}/empty", {}, id=base)
    await trail.write("DELETE /api/knowledge-bases/{id}", id=base)
    await trail.write("POST /api/knowledge-bases/{id}/unarchive", {}, id=base)
    await trail.write("DELETE /api/knowledge-bases/{id}", id=base)
    await trail.write("DELETE /api/knowledge-bases/{id}", id=base, query="?permanent=true")


async def write_accounts(trail: Trail) -> None:
    key = (await trail.write("POST /api/keys", {"label": SECRET}))["id"]
    await trail.write("PATCH /api/keys/{id}", {"label": f"{SECRET} too"}, id=key)
    await trail.write("POST /api/keys/{id}/rotate", {}, id=key)
    await trail.write("DELETE /api/keys/{id}", id=key)
    user = (await trail.write("POST /api/admin/users", {"name": SECRET}))["id"]
    await trail.write("GET /api/admin/users")
    await trail.write("GET /api/admin/audit")
    await trail.user.http.get("/api/mcp/auth", headers={"X-Memd-User": SECRET})
    await trail.write("GET /api/account/users")
    await trail.write("DELETE /api/account/users/{external_id}", external_id=SECRET)
    await trail.write("PATCH /api/admin/users/{id}", {"tier": "pro"}, id=user)
    await trail.write("DELETE /api/admin/users/{id}", id=user)
    codes = (await trail.user.http.post("/api/device/start", json={})).json()
    await trail.write("POST /api/device/approve", {"user_code": codes["user_code"]})
    scheduled = (await trail.user.http.get("/api/jobs")).json()["scheduled"]
    await trail.write("POST /api/jobs/{name}/run", {}, name=scheduled[0]["name"])


async def test_every_write_leaves_a_row_without_its_content(trail: Trail) -> None:
    await write_memories(trail)
    await write_standing(trail)
    await write_knowledge_bases(trail)
    await write_accounts(trail)
    assert WRITES - LEAVES_NONE - trail.seen == set()
    assert trail.left_nothing == []
    rows = await trail.rows()
    own_key = (await trail.user.http.get("/api/mcp/auth")).json()["keyId"]
    assert SECRET not in str(rows)
    assert {row["key_id"] for row in rows} != {None}
    assert own_key.startswith("key_")


async def test_a_row_that_cannot_be_written_fails_nothing(embedded_postgres: EmbeddedPostgres, trail: Trail) -> None:
    with psycopg.connect(embedded_postgres.conninfo, autocommit=True) as owner:
        owner.execute("REVOKE INSERT ON audit_row FROM memd_app")
        try:
            reply = await trail.user.http.post("/api/mcp/log", json={"role": "user", "content": "Hello"})
        finally:
            owner.execute("GRANT INSERT ON audit_row TO memd_app")
    assert reply.status_code == 200
    assert await trail.rows() == []


@pytest.mark.parametrize("memories", [1, 5, 6, 40])
async def test_every_memory_of_a_batch_has_its_row(trail: Trail, memories: int) -> None:
    batch = {"memories": [{"title": f"note {number}", "content": f"{SECRET} {number}"} for number in range(memories)]}
    stored = await trail.write("POST /api/mcp/capture-batch", batch)
    rows = await trail.rows()
    assert [row["target_id"] for row in rows] == [result["id"] for result in stored["results"]]
    assert {(row["action"], row["target_type"], row["key_id"] is None, row["meta"] is None) for row in rows} == {
        ("capture", "memory", False, True)
    }
    assert len({row["id"] for row in rows}) == memories
    assert len({(row["request_id"], row["ts"]) for row in rows}) == 1
