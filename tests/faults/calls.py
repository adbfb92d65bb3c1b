"""Scenarios of the endpoints that write, and the endpoints that do not."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from memd.accounts import service as accounts
from memd.context import Services
from memd.devices.browser_sessions import form_token
from memd.domain.ids import decode
from memd.memories.conflicts.detection import read_facts, record_facts
from tests.faults.lives import Request
from tests.faults.scenario import Arrange, Facts, Scenario
from tests.memd.schedule.test_effects import a_days_work
from tests.support.service import TestUser
from tests.support.wire import capture, chunk, fill, make_base, post, send

READS: Final = frozenset({
    "POST /api/mcp/memory", "POST /api/mcp/trace", "POST /api/mcp/triggers", "POST /api/mcp/recall",
    "POST /api/mcp/context", "POST /api/memories/search", "POST /api/mcp/recent-messages", "POST /api/mcp/search-messages", "POST /api/mcp/wake",
    "POST /api/mcp/session", "POST /api/knowledge-bases/{id}/query", "POST /api/mcp/graph/who-owns",
    "POST /api/mcp/graph/explain-connection", "POST /api/mcp/graph/dependency-chain", "POST /api/mcp/stats",
    "POST /api/mcp/auth", "POST /api/mcp-auth", "POST /api/mcp/rate-limit-check", "POST /api/organic/ideas",
    "POST /api/organic/ideas/pending", "POST /api/organic/ideas/update", "POST /api/organic/recallLog",
    "POST /api/organic/conversationPulse",
})  # fmt: skip
"""POSTs that write nothing before their reply."""

TEXT: Final = "Ann owns the mill, and the mill depends on Postgres."
BODY: Final = {"title": "The mill", "content": TEXT, "tags": ["ops"], "actionTriggers": ["deploy"], "channel": "slack"}
SAID: Final = {"sessionKey": "s1", "channel": "slack"}
MESSAGES: Final = [{"role": "user", "content": "Where is the mill?"}, {"role": "assistant", "content": "In Lisbon."}]
TOKEN: Final = "t" * 43


async def _memory(_services: Services, user: TestUser) -> Facts:
    return {"memory": await capture(user, **BODY)}


async def _keyed(_services: Services, user: TestUser) -> Facts:
    return {"memory": await capture(user, **BODY, key="mill")}


async def _edited(services: Services, user: TestUser) -> Facts:
    facts = await _memory(services, user)
    await post(user, "update", {"memoryId": facts["memory"], "content": "The mill burned down."})
    return facts


async def _contradicted(services: Services, user: TestUser) -> Facts:
    texts = ("Ann lives in Oslo.", "Ann moved to Rome.")
    memories = {decode("mem", await capture(user, content=text)): text for text in texts}
    context = await accounts.job_context(services, user.id)
    assert context is not None
    facts = await read_facts(memories)
    async with context.database.write(user.id) as session:
        await record_facts(session, context, facts)
    return {"conflict": (await send(user, "GET", "/api/conflicts"))["conflicts"][0]["id"]}


async def _standing(services: Services, user: TestUser) -> Facts:
    facts = await _memory(services, user)
    made = await send(user, "POST", "/api/standing", {"name": "mill", "query": "mill"}, status=201)
    return facts | {"name": made["name"]}


async def _base(_services: Services, user: TestUser) -> Facts:
    base = await make_base(user)
    await fill(
        user, base, *(chunk(f"Valve {number} is opened by hand.", dedupeKey=f"v{number}") for number in range(5))
    )
    return {"base": base}


async def _archived_base(services: Services, user: TestUser) -> Facts:
    facts = await _base(services, user)
    await send(user, "DELETE", f"/api/knowledge-bases/{facts['base']}")
    return facts


async def _checkpoint(services: Services, user: TestUser) -> Facts:
    facts = await _memory(services, user)
    made = await post(user, "checkpoint", {"label": "before", "memoryIds": [facts["memory"]]})
    return facts | {"checkpoint": made["id"]}


async def _message(_services: Services, user: TestUser) -> Facts:
    for content in ("Where is the mill?", "We decided to sell the mill in May."):
        logged = await post(user, "log", SAID | {"role": "user", "content": content})
    return {"message": logged["id"]}


async def _key(_services: Services, user: TestUser) -> Facts:
    return {"key": (await send(user, "POST", "/api/keys", {"label": "other"}, status=201))["id"]}


async def _other(_services: Services, user: TestUser) -> Facts:
    made = await send(user, "POST", "/api/admin/users", {"name": "other"}, status=201)
    headers = {"Authorization": f"Bearer {made['apiKey']}"}
    reply = await user.http.post("/api/mcp/capture", json=BODY, headers=headers)
    assert reply.status_code == 200
    return {"user": made["id"]}


async def _end_user(_services: Services, user: TestUser) -> Facts:
    reply = await user.http.post("/api/mcp/capture", json=BODY, headers={"X-Memd-User": "ann"})
    assert reply.status_code == 200, reply.text
    return {"end_user": "ann"}


async def _device(_services: Services, user: TestUser) -> Facts:
    started = await send(user, "POST", "/api/device/start", {"clientName": "laptop"})
    return {"code": started["user_code"], "device": started["device_code"]}


async def _approved(services: Services, user: TestUser) -> Facts:
    facts = await _device(services, user)
    await send(user, "POST", "/api/device/approve", {"user_code": facts["code"], "decision": "approve"})
    return facts


async def _page(_services: Services, user: TestUser) -> Facts:
    return {"secret": user.key}


def _mcp(name: str, body: Any, arrange: Arrange = _memory, **options: Any) -> Scenario:
    """A POST to /api/mcp; `{memory}` and others in the body are the facts of that name."""
    return _post(f"/api/mcp/{name}", body, arrange, **options)


def _post(path: str, body: Any, arrange: Arrange = _memory, **options: Any) -> Scenario:
    return Scenario(f"POST {path}", arrange, partial(_request, "POST", path, body), **options)


def _at(method: str, path: str, fact: str, arrange: Arrange, body: Any = None, **options: Any) -> Scenario:
    """A call whose path names one thing; `url` is appended to it."""
    template = path.split("?", 1)[0]
    sent = path.replace("{id}", f"{{{fact}}}").replace("{session_key}", "s1")
    return Scenario(f"{method} {template}", arrange, partial(_request, method, sent, body), **options)


def _request(method: str, path: str, body: Any, facts: Facts) -> Request:
    return Request(method, _named(path, facts), _named(body, facts))


def _named(value: Any, facts: Facts) -> Any:
    """The value with the facts in the places of their names."""
    match value:
        case str():
            for name, fact in facts.items():
                value = value.replace(f"{{{name}}}", str(fact))
            return value
        case dict():
            return {name: _named(each, facts) for name, each in value.items()}
        case list():
            return [_named(each, facts) for each in value]
        case _:
            return value


def _form(fields: Callable[[Facts], str]) -> Callable[[Facts], Request]:
    """A form of the device page, sent by a browser with a cookie."""

    def make(facts: Facts) -> Request:
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Cookie": f"memd_device={TOKEN}"}
        return Request("POST", "/device", f"form_token={form_token(TOKEN)}&{fields(facts)}", headers)

    return make


_CHUNKS: Final = [chunk(f"Valve {number} has a gauge.", dedupeKey=f"v{number}") for number in range(3, 8)]
_KB: Final = "/api/knowledge-bases"
_TOOL: Final = {
    "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "capture", "arguments": {**BODY, "content": "M"}},
}  # fmt: skip

CALLS: Final = (
    _mcp("capture", BODY | {"content": "The mill was sold."}),
    Scenario("POST /api/mcp/capture", _memory, partial(_request, "POST", "/mcp", _TOOL), variant="over MCP"),
    _mcp("capture-batch", {"memories": [BODY | {"content": f"Part {number}"} for number in range(3)]}),
    _mcp("forget", {"memoryId": "{memory}"}),
    _mcp("forget", {"memoryId": "{memory}", "permanent": True}, variant="permanent"),
    _mcp("update", {"memoryId": "{memory}", "content": "The mill was sold."}),
    _at("POST", "/api/memories/{id}/restore", "memory", _edited, {"version": 1}, again=False),
    _post("/api/undo", {}, _edited, again=False),
    _at("POST", "/api/conflicts/{id}", "conflict", _contradicted, {"decision": "supersede"}, again=False),
    _post("/api/standing", {"name": "mill", "query": "mill"}, again=False),
    _at("POST", "/api/standing/{name}/run", "standing", _standing),
    _at("DELETE", "/api/standing/{name}", "standing", _standing),
    _mcp("edit", {"memoryId": "{memory}", "tags": ["sold"], "strength": 0.3}),
    _mcp("supersede", {"oldMemoryId": "{memory}", "title": "Sold", "content": "The mill was sold."}),
    _mcp("supercede", {"oldMemoryId": "{memory}", "title": "Sold", "content": "The mill was sold."}),
    _mcp("log", SAID | {"role": "user", "content": "We decided to sell the mill."}),
    _mcp("turn", SAID | {"turnId": "t1", "userMessage": "Where?", "assistantMessage": "In Lisbon."}),
    _mcp("snapshot", SAID | {"messages": MESSAGES, "reason": "full"}, again=False),
    _mcp("checkpoint", {"label": "now", "memoryIds": ["{memory}"]}, again=False),
    _mcp("checkpoint", {"mode": "delete", "checkpointId": "{checkpoint}"}, _checkpoint, variant="delete"),
    _mcp("reflect", {"windowHours": 24}, a_days_work, again=False),
    _mcp("metric", {"kind": "seen", "payload": {"a": 1}}, again=False),
    Scenario(
        "DELETE /api/memories/by-key", _keyed, partial(_request, "DELETE", "/api/memories/by-key?key=mill", None)
    ),
    _post(_KB, {"name": "Handbook"}, again=False),
    _at("POST", f"{_KB}/{{id}}/import", "base", _base, {"chunks": _CHUNKS}),
    _at("POST", f"{_KB}/{{id}}/bulk-insert", "base", _base, {"chunks": _CHUNKS}),
    _at("POST", f"{_KB}/{{id}}/empty", "base", _base),
    _at("PATCH", f"{_KB}/{{id}}", "base", _base, {"name": "Manual"}),
    _at("DELETE", f"{_KB}/{{id}}", "base", _base),
    _at("DELETE", f"{_KB}/{{id}}?permanent=true", "base", _archived_base, variant="permanent"),
    _at("POST", f"{_KB}/{{id}}/unarchive", "base", _archived_base),
    Scenario("POST /api/jobs/{name}/run", _memory, partial(_request, "POST", "/api/jobs/stats_cache/run", None)),
    _post("/api/admin/users", {"name": "another"}, again=False),
    _at("PATCH", "/api/admin/users/{id}", "user", _other, {"tier": "pro"}),
    _at("DELETE", "/api/admin/users/{id}", "user", _other),
    Scenario(
        "DELETE /api/account/users/{external_id}", _end_user,
        partial(_request, "DELETE", "/api/account/users/{end_user}", None),
    ),
    _post("/api/keys", {"label": "third"}, again=False),
    _at("PATCH", "/api/keys/{id}", "key", _key, {"label": "renamed"}),
    _at("POST", "/api/keys/{id}/rotate", "key", _key, {"graceSeconds": 60}, again=False),
    _at("DELETE", "/api/keys/{id}", "key", _key),
    _at("DELETE", "/api/messages/{id}", "message", _message),
    _at("DELETE", "/api/sessions/{session_key}", "session", _message),
    _post("/api/device/start", {"clientName": "laptop"}, again=False),
    _post("/api/device/approve", {"user_code": "{code}", "decision": "approve"}, _device),
    Scenario(
        "GET /api/device/status", _approved, partial(_request, "GET", "/api/device/status?device_code={device}", None)
    ),
    Scenario("POST /device", _page, _form(lambda facts: f"action=sign_in&api_key={facts['secret']}"), again=False),
)  # fmt: skip
"""Every endpoint that writes, some of them in several ways."""
