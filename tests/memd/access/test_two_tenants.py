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
from tests.memd.access.tenant_calls import BAD_CURSOR, CONTENT, MARK, TITLE, TRIES, Try
from tests.support.dict_rows import dict_rows
from tests.support.jobs import done
from tests.support.service import BASE, TestUser, add_user

ROUTED = {endpoint.name for endpoint in endpoints()}
KINDS = {"knowledge-bases": "base", "keys": "key", "users": "user", "erasures": "erasure", "messages": "message"}
KINDS.update(memories="memory", snapshots="snapshot")
TABLES = (
    "memory", "memory_version", "memory_version_index", "message", "knowledge_base", "checkpoint", "snapshot", "turn", "import_run", "trigger",
)  # fmt: skip


@dataclass(frozen=True)
class Pair:
    """The caller, the other user, and the other's names."""

    caller: TestUser
    other: TestUser
    names: dict[str, str]
    kept: str = field(repr=False)
    """All that the other user keeps, before any test."""


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
        yield Pair(caller, other, names, await everything(services, other))


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
    return (
        path.replace("{id}", next((names[KINDS[part]] for part in path.split("/") if part in KINDS), ""))
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
            for table in TABLES
        ]
        of_user = "FROM api_key WHERE user_id = %(user)s ORDER BY id"
        columns = "id, key_hash, label, scopes, active, expires_at"
        keys = await dict_rows(session, f"SELECT {columns} {of_user}", {"user": user.id})
    return "\n".join([*pages, *map(str, rows), str(keys)])


@pytest.mark.rule("9.4 contents")
@pytest.mark.parametrize("attempt", TRIES, ids=lambda attempt: f"{attempt.endpoint} {attempt.url} {attempt.body}")
async def test_nothing_of_another_user_can_be_seen_or_touched(services: Services, pair: Pair, attempt: Try) -> None:
    before = pair.kept
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
