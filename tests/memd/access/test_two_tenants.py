"""Isolation over HTTP: every endpoint is called with another user's ids, names and cursors (contract 1.2, 1.6.3).

What is refused must be the contract's refusal; what is answered must hold nothing of the other user; and what the other
user keeps must be byte-equal before and after. An endpoint that is not in the table fails the last test.
"""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest
import pytest_asyncio
from starlette.types import ASGIApp

from memctl.client import MemdClient
from memd.app import endpoints
from memd.context import Services
from memd.domain.ids import encode, new_id
from memd.domain.types import Policy
from tests.support.dict_rows import dict_rows
from tests.support.jobs import done
from tests.support.service import BASE, TestUser, add_user

MARK = "zanzibar-quartz"
TITLE, CONTENT = f"The {MARK} plan", f"Our {MARK} depot in Lisbon depends on Postgres and opens in May."
MEMORY_GONE = {"error": "Forbidden"}
BASE_GONE = {"error": "Knowledge base not found"}
NOT_FOUND = {"error": "Not found"}
BAD_CURSOR = {"error": "Bad request", "details": "Field cursor must be a cursor of this list"}


@dataclass(frozen=True)
class Try:
    """One call with names of the other user; the expected refusal, or None when an answer without them is expected."""

    endpoint: str
    body: dict[str, Any] = field(default_factory=dict[str, Any])
    url: str = ""
    refusal: tuple[int, dict[str, str]] | None = None


def refused(endpoint: str, status: int, answer: dict[str, str], url: str = "", **body: Any) -> Try:
    return Try(endpoint, body, url, (status, answer))


def silent(endpoint: str, url: str = "", **body: Any) -> Try:
    return Try(endpoint, body, url)


CHUNKS = [{"content": "planted", "metadata": {"title": "planted"}}]
TRIES = [
    *(refused("POST /api/mcp/memory", 403, MEMORY_GONE, memoryId=one) for one in ("{memory}", "{chunk}")),
    *(refused("POST /api/mcp/trace", 403, MEMORY_GONE, memoryId=one) for one in ("{memory}", "{chunk}")),
    *(
        refused(f"POST /api/mcp/{verb}", 403, MEMORY_GONE, memoryId=one, content="planted", **more)
        for verb in ("update", "edit")
        for one in ("{memory}", "{chunk}")
        for more in ({}, {"channel": "{channel}", "requestChannel": "{channel}"})
    ),
    *(
        refused(f"POST /api/mcp/{verb}", 403, MEMORY_GONE, oldMemoryId="{memory}", title="planted", content="planted")
        for verb in ("supersede", "supercede")
    ),
    *(
        refused("POST /api/mcp/forget", 403, MEMORY_GONE, memoryId=one, permanent=permanent)
        for one in ("{memory}", "{chunk}")
        for permanent in (False, True)
    ),
    refused("GET /api/memories", 400, BAD_CURSOR, url="cursor={export_cursor}&pageSize=1"),
    refused("POST /api/mcp/checkpoint", 403, MEMORY_GONE, label="planted", memoryIds=["{memory}"]),
    refused("POST /api/mcp/checkpoint", 404, NOT_FOUND, mode="delete", checkpointId="{checkpoint}"),
    refused("GET /api/knowledge-bases/{id}", 404, BASE_GONE),
    refused("PATCH /api/knowledge-bases/{id}", 404, BASE_GONE, name="planted"),
    refused("DELETE /api/knowledge-bases/{id}", 404, BASE_GONE),
    refused("DELETE /api/knowledge-bases/{id}", 404, BASE_GONE, url="permanent=true"),
    refused("POST /api/knowledge-bases/{id}/unarchive", 404, BASE_GONE),
    refused("POST /api/knowledge-bases/{id}/import", 404, BASE_GONE, chunks=CHUNKS),
    refused("POST /api/knowledge-bases/{id}/bulk-insert", 404, BASE_GONE, chunks=CHUNKS),
    refused("POST /api/knowledge-bases/{id}/empty", 404, BASE_GONE),
    refused("POST /api/knowledge-bases/{id}/query", 404, BASE_GONE, query=MARK),
    refused("GET /api/knowledge-bases/{id}/memories", 404, BASE_GONE),
    refused("GET /api/knowledge-bases/{id}/memories", 400, BAD_CURSOR, url="cursor={chunk_cursor}"),
    refused("POST /api/mcp/recall", 404, BASE_GONE, query=MARK, knowledgeBaseId="{base}"),
    refused("POST /api/mcp/recall", 404, BASE_GONE, query=MARK, knowledgeBaseIds=["{base}"]),
    refused("POST /api/mcp/context", 404, BASE_GONE, query=MARK, knowledgeBaseIds=["{base}"]),
    silent("POST /api/mcp/context", query=MARK, channel="{channel}", userId="{user}"),
    refused("POST /api/keys/{id}/rotate", 404, NOT_FOUND),
    refused("DELETE /api/keys/{id}", 404, NOT_FOUND),
    refused("DELETE /api/keys/{id}", 404, NOT_FOUND, url="descendants=true"),
    refused("PATCH /api/keys/{id}", 404, NOT_FOUND, label="planted"),
    refused("GET /api/admin/audit", 403, MEMORY_GONE),
    refused("GET /api/admin/users", 403, MEMORY_GONE),
    refused("POST /api/admin/users", 403, MEMORY_GONE, name="planted"),
    refused("PATCH /api/admin/users/{id}", 403, MEMORY_GONE, name="planted"),
    refused("DELETE /api/admin/users/{id}", 403, MEMORY_GONE),
    *(refused(name, 403, MEMORY_GONE) for name in ("GET /api/account/users", "DELETE /api/account/users/{external_id}")),
    refused("GET /api/erasures/{id}", 404, NOT_FOUND),
    refused("DELETE /api/messages/{id}", 404, NOT_FOUND),
    silent("DELETE /api/sessions/{session_key}", url="channel={channel}"),
    refused("POST /api/jobs/{name}/run", 403, MEMORY_GONE),
    refused("POST /api/mcp/capture", 404, NOT_FOUND, title="mine", content="mine", sourceSnapshotId="{snapshot}"),
    silent("POST /api/mcp/capture", title="mine", content="mine alone", userId="{user}"),
    silent("POST /api/mcp/capture-batch", memories=[{"title": "mine", "content": "mine, one of a batch", "userId": "{user}"}, {"title": "mine", "content": "mine elsewhere", "channel": "{channel}"}, {"title": "mine", "content": "mine", "sourceSnapshotId": "{snapshot}"}]),
    refused("GET /api/memories/by-key", 404, {"error": "Memory not found"}, url=f"namespace={MARK}&key={MARK}"),
    refused("DELETE /api/memories/by-key", 404, {"error": "Memory not found"}, url=f"namespace={MARK}&key={MARK}"),
    silent("POST /api/mcp/capture", title="mine", content="mine under a key", namespace="mine", key="mine"),
    silent("POST /api/memories/search", namespace=MARK, channel="{channel}"),
    silent("POST /api/memories/search", namespace=MARK, query=MARK, where={"owner": {"exists": False}}),
    silent("GET /api/memories", url=f"namespace={MARK}"),
    silent("POST /api/mcp/recall", query=MARK, namespace=MARK),
    silent("POST /api/mcp/recall", query=MARK, userId="{user}"),
    silent("POST /api/mcp/recall", query=CONTENT, channel="{channel}", sessionKey="{session}", scopeToSession=True),
    silent("GET /api/mcp/triggers", url="tools=deploy&channel={channel}"),
    silent("POST /api/mcp/triggers", tools=["deploy"], userId="{user}"),
    silent("GET /api/memories", url="pageSize=200"),
    silent("POST /api/mcp/log", content="mine", channel="{channel}", sessionKey="{session}", turnId="{turn}"),
    silent("POST /api/mcp/turn", sessionKey="{session}", channel="{channel}", turnId="{turn}", assistantMessage="mine"),
    silent("POST /api/mcp/recent-messages", channel="{channel}", sessionKey="{session}", limit=100),
    silent("POST /api/mcp/search-messages", query=MARK, channel="{channel}", sessionKey="{session}", limit=100),
    silent("GET /api/mcp/wake", url="channel={channel}&sessionKey={session}&userId={user}"),
    silent("POST /api/mcp/wake", channel="{channel}", sessionKey="{session}", userId="{user}"),
    silent("POST /api/mcp/session", sessionKey="{session}"),
    silent("POST /api/mcp/snapshot", sessionKey="{session}", channel="{channel}", messages=[{"role": "user", "content": "x"}]),
    silent("POST /api/mcp/checkpoint", mode="list", channel="{channel}"),
    silent("GET /api/knowledge-bases", url="includeInactive=true&scope={channel}"),
    silent("POST /api/knowledge-bases", name="mine"),
    silent("GET /api/mcp/graph-status"),
    silent("POST /api/mcp/graph/who-owns", entity=MARK),
    silent("POST /api/mcp/graph/explain-connection", entityA="Lisbon", entityB="Postgres"),
    silent("POST /api/mcp/graph/dependency-chain", entity="Lisbon"),
    silent("POST /api/mcp/reflect", sessionId="{session}"),
    silent("GET /api/mcp/stats"),
    silent("POST /api/mcp/stats", userId="{user}"),
    *(silent(f"{method} {path}") for method in ("GET", "POST") for path in ("/api/mcp/auth", "/api/mcp-auth")),
    silent("GET /api/keys"),
    silent("POST /api/keys", label="mine"),
    silent("POST /api/mcp/metric", kind="seen", sessionKey="{session}"),
    silent("POST /api/mcp/rate-limit-check"),
    *(silent(f"POST /api/organic/{name}") for name in ("ideas", "ideas/pending", "ideas/update", "recallLog")),
    silent("POST /api/organic/conversationPulse"),
    refused("POST /api/device/approve", 404, NOT_FOUND, user_code="AAAA-AAAA"),
    silent("GET /api/jobs"),
    silent("GET /api/version"),
]  # fmt: skip
ROUTED = {endpoint.name for endpoint in endpoints()}


@dataclass(frozen=True)
class Pair:
    """The caller, the other user, and the other's names."""

    caller: TestUser
    other: TestUser
    names: dict[str, str]


async def fill(other: TestUser) -> dict[str, str]:
    """Give a user one of everything."""
    channel, session, turn = "telegram:4711", f"session-{MARK}", f"turn-{MARK}"

    async def post(path: str, **body: Any) -> dict[str, Any]:
        reply = await other.http.post(path, json=body)
        assert reply.status_code in {200, 201}, reply.text
        return reply.json()

    where = {"channel": channel, "sessionKey": session}
    captured = await post(
        "/api/mcp/capture",
        title=TITLE,
        content=CONTENT,
        channel=channel,
        namespace=MARK,
        key=MARK,
        actionTriggers=["deploy"],
    )
    await post("/api/mcp/capture", title=f"Second {MARK}", content=f"Another {MARK} note", tags=["x"])
    base = await post("/api/knowledge-bases", name=f"{MARK} handbook", scope=channel)
    path = f"/api/knowledge-bases/{base['id']}"
    chunks = [{"content": f"{MARK} chunk {n}", "metadata": {"title": f"{MARK} {n}"}} for n in range(3)]
    imported = await post(f"{path}/import", chunks=chunks)
    logged = await post("/api/mcp/log", role="user", content=f"I said {MARK}", **where)
    await post("/api/mcp/turn", turnId=turn, userMessage=MARK, assistantMessage=f"{MARK} it is", **where)
    snapshot = await post("/api/mcp/snapshot", messages=[{"role": "user", "content": MARK}], **where)
    checkpoint = await post("/api/mcp/checkpoint", label=f"{MARK} point")
    export = (await other.http.get("/api/memories?pageSize=1")).json()
    page = (await other.http.get(f"{path}/memories?limit=1")).json()
    who = (await other.http.get("/api/mcp/auth")).json()
    erasure_id = encode("era", new_id())
    return {
        "memory": captured["id"],
        "chunk": imported["memoryIds"][0],
        "base": base["id"],
        "snapshot": snapshot["id"],
        "checkpoint": checkpoint["id"],
        "key": who["keyId"],
        "erasure": erasure_id,
        "message": logged["id"],
        "user": who["userId"],
        "channel": channel,
        "session": session,
        "turn": turn,
        "export_cursor": export["pagination"]["cursor"],
        "chunk_cursor": page["continueCursor"],
    }


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def pair(services: Services, app: ASGIApp) -> AsyncIterator[Pair]:
    """Two users; the other one has one of everything, the caller a knowledge base of the same name."""
    async with AsyncExitStack() as opened:
        caller, other = [await opened.enter_async_context(somebody(services, app)) for _ in range(2)]
        names = await fill(other)
        await caller.http.post("/api/knowledge-bases", json={"name": f"{MARK} handbook", "scope": names["channel"]})
        await done(services, other)
        yield Pair(caller, other, names)


@asynccontextmanager
async def somebody(services: Services, app: ASGIApp) -> AsyncGenerator[TestUser]:
    user_id, key = await add_user(services, policy=Policy.SELF_HOSTED_UNMETERED)
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(
        transport=transport, base_url=BASE, headers={"Authorization": f"Bearer {key}"}
    ) as http:
        yield TestUser(user_id, key, MemdClient(BASE, key, transport=transport), http)


def fitted(value: Any, names: dict[str, str]) -> Any:
    """A body or query with the other user's names in it."""
    if isinstance(value, str):
        return value.format(**names) if "{" in value else value
    if isinstance(value, list):
        return [fitted(each, names) for each in value]
    if isinstance(value, dict):
        return {name: fitted(each, names) for name, each in value.items()}
    return value


def path_of(endpoint: str, names: dict[str, str]) -> str:
    """The endpoint's path with the other user's id in it."""
    path = endpoint.split()[1]
    kind = {"knowledge-bases": "base", "keys": "key", "users": "user", "erasures": "erasure", "messages": "message"}
    return (
        path.replace("{id}", next((names[kind[part]] for part in path.split("/") if part in kind), ""))
        .replace("{name}", "cleanup")
        .replace("{session_key}", names["session"])
        .replace("{external_id}", names["user"])
    )


async def everything(services: Services, user: TestUser) -> str:
    """All that a user keeps, as the export shows it and as the tables hold it."""
    await services.background_tasks.drain()
    pages = [
        (await user.http.get(path)).text
        for path in ("/api/memories?pageSize=200", "/api/knowledge-bases?includeInactive=true")
    ]
    async with services.database.system() as session:
        rows = [
            await dict_rows(session, f"SELECT * FROM {table} WHERE user_id = %(user)s ORDER BY 1, 2", {"user": user.id})
            for table in (
                "memory",
                "message",
                "knowledge_base",
                "checkpoint",
                "snapshot",
                "turn",
                "import_run",
                "trigger",
            )
        ]
        of_user = "FROM api_key WHERE user_id = %(user)s ORDER BY id"
        columns = "id, key_hash, label, scopes, active, expires_at"
        keys = await dict_rows(session, f"SELECT {columns} {of_user}", {"user": user.id})
    return "\n".join([*pages, *map(str, rows), str(keys)])


@pytest.mark.rule("9.4 contents")
@pytest.mark.parametrize("attempt", TRIES, ids=lambda attempt: f"{attempt.endpoint} {attempt.url} {attempt.body}")
async def test_nothing_of_another_user_can_be_seen_or_touched(services: Services, pair: Pair, attempt: Try) -> None:
    before = await everything(services, pair.other)
    assert MARK in before
    url = path_of(attempt.endpoint, pair.names)
    if attempt.url:
        url += f"?{fitted(attempt.url, pair.names)}"
    method, body = attempt.endpoint.split()[0], fitted(attempt.body, pair.names)
    reply = await pair.caller.http.request(method, url, json=body if method != "GET" else None)
    if attempt.refusal is None:
        assert reply.status_code in {200, 201, 202}, reply.text
        shown = (
            reply.text.replace(pair.names["session"], "")
            .replace(pair.names["turn"], "")
            .replace(f"{MARK} handbook", "")
        )
        shown = shown.replace(str(body.get("query")), "").replace(str(body.get("entity")), "")
        for name in ("memory", "chunk", "base", "snapshot", "checkpoint", "key", "user"):
            assert pair.names[name] not in shown
        assert MARK not in shown
    else:
        assert (reply.status_code, reply.json()) == attempt.refusal
    assert await everything(services, pair.other) == before


async def test_a_cursor_of_another_list_is_refused(pair: Pair) -> None:
    own = (await pair.caller.http.get("/api/knowledge-bases")).json()["knowledgeBases"][0]["id"]
    reply = await pair.caller.http.get(
        f"/api/knowledge-bases/{own}/memories", params={"cursor": pair.names["chunk_cursor"]}
    )
    assert (reply.status_code, reply.json()) == (400, BAD_CURSOR)


def test_every_endpoint_is_in_the_table() -> None:
    assert ROUTED - {attempt.endpoint for attempt in TRIES} == set()
