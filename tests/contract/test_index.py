"""Every row of the contract's index (6.0) is served, costs what it says and asks for the scope it says."""

import re
from collections.abc import Mapping
from typing import Any, Final

import httpx
import pytest
from starlette.types import ASGIApp

from memd.access.endpoint import Endpoint, OpenEndpoint
from memd.app import endpoints, open_endpoints
from memd.domain.types import KeyScope, Tier
from tests.contract.index import FORMS, INDEX, PROTOCOL, Entry
from tests.support.service import BASE, MakeUser, TestUser

SCOPES: Mapping[str, KeyScope] = {"R": KeyScope.READ, "W": KeyScope.WRITE, "A": KeyScope.ADMIN, "U": KeyScope.ACT_AS}
KEYED = [entry for entry in INDEX if entry.scope in SCOPES]
DECLARED = [entry for entry in KEYED if entry.name != PROTOCOL]
CREDITS = 500
"""What a user of tier pro has in a minute."""

ROWS: Final = [
    pytest.param("POST /api/mcp/capture", marks=pytest.mark.rule("6.0 POST /api/mcp/capture")),
    pytest.param("POST /api/mcp/recall", marks=pytest.mark.rule("6.0 POST /api/mcp/recall")),
    pytest.param("POST /api/mcp/capture-batch", marks=pytest.mark.rule("17.2 POST /api/mcp/capture-batch")),
    pytest.param("POST /api/mcp/context", marks=pytest.mark.rule("17.3 POST /api/mcp/context")),
    pytest.param("POST /api/mcp/(update|edit)", marks=pytest.mark.rule("6.0 POST /api/mcp/update, edit")),
    pytest.param("POST /api/mcp/super[sc]ede", marks=pytest.mark.rule("6.0 POST /api/mcp/supersede, supercede")),
    pytest.param("POST /api/mcp/forget", marks=pytest.mark.rule("6.0 POST /api/mcp/forget")),
    pytest.param("POST /api/mcp/memory", marks=pytest.mark.rule("6.0 POST /api/mcp/memory")),
    pytest.param("POST /api/mcp/trace", marks=pytest.mark.rule("6.0 POST /api/mcp/trace")),
    pytest.param("(POST|GET) /api/mcp/triggers", marks=pytest.mark.rule("6.0 POST, GET /api/mcp/triggers")),
    pytest.param("POST /api/mcp/checkpoint", marks=pytest.mark.rule("6.0 POST /api/mcp/checkpoint")),
    pytest.param("(POST|GET) /api/mcp/stats", marks=pytest.mark.rule("6.0 GET, POST /api/mcp/stats")),
    pytest.param("GET /api/activity", marks=pytest.mark.rule("6.10 GET /api/activity")),
    pytest.param("POST /api/mcp/reflect", marks=pytest.mark.rule("6.0 POST /api/mcp/reflect")),
    pytest.param("(POST|GET) /api/mcp/graph.*", marks=pytest.mark.rule("6.0 graph")),
    pytest.param("GET /api/memories", marks=pytest.mark.rule("6.0 GET /api/memories", "6.13 access")),
    pytest.param("GET /api/memories/by-key", marks=pytest.mark.rule("17.2 GET /api/memories/by-key")),
    pytest.param("DELETE /api/memories/by-key", marks=pytest.mark.rule("17.2 DELETE /api/memories/by-key")),
    pytest.param("POST /api/memories/search", marks=pytest.mark.rule("17.2 POST /api/memories/search")),
    pytest.param("GET /api/memories/list", marks=pytest.mark.rule("17.2 GET /api/memories/list")),
    pytest.param("GET /api/memories/{id}/history", marks=pytest.mark.rule("17.5 history")),
    pytest.param("POST /api/memories/{id}/restore", marks=pytest.mark.rule("17.5 restore")),
    pytest.param("GET /api/junk", marks=pytest.mark.rule("17.9 GET /api/junk")),
    pytest.param("GET /api/profile", marks=pytest.mark.rule("17.5 profile")),
    pytest.param(".* /api/standing.*", marks=pytest.mark.rule("17.8 standing")),
    pytest.param("GET /api/conflicts", marks=pytest.mark.rule("17.5 conflicts")),
    pytest.param("POST /api/conflicts/{id}", marks=pytest.mark.rule("17.5 decisions")),
    pytest.param("POST /api/undo", marks=pytest.mark.rule("17.5 undo")),
    pytest.param("(POST|GET) /api/mcp/wake", marks=pytest.mark.rule("6.0 POST, GET /api/mcp/wake")),
    pytest.param("POST /api/mcp/search-messages", marks=pytest.mark.rule("6.0 POST /api/mcp/search-messages")),
    pytest.param("POST /api/mcp/recent-messages", marks=pytest.mark.rule("6.0 POST /api/mcp/recent-messages")),
    pytest.param("POST /api/mcp/session", marks=pytest.mark.rule("6.0 POST /api/mcp/session")),
    pytest.param("POST /api/mcp/(log|turn|snapshot)", marks=pytest.mark.rule("6.0 POST /api/mcp/log, turn, snapshot")),
    pytest.param("GET /api/snapshots", marks=pytest.mark.rule("7.7 GET /api/snapshots")),
    pytest.param("GET /api/sessions", marks=pytest.mark.rule("7.4 GET /api/sessions")),
    pytest.param("GET /api/messages", marks=pytest.mark.rule("7.3 GET /api/messages")),
    pytest.param("GET /api/checkpoints/{id}", marks=pytest.mark.rule("6.9 GET /api/checkpoints/:id")),
    pytest.param("GET /api/snapshots/{id}", marks=pytest.mark.rule("7.7 GET /api/snapshots/:id")),
    pytest.param("(POST|GET) /api/knowledge-bases", marks=pytest.mark.rule("6.0 GET, POST /api/knowledge-bases")),
    pytest.param(
        "(GET|PATCH|DELETE) /api/knowledge-bases/{id}|POST .*/unarchive",
        marks=pytest.mark.rule("6.0 GET, PATCH, DELETE /api/knowledge-bases/:id, unarchive"),
    ),
    pytest.param(".*/(import|bulk-insert)", marks=pytest.mark.rule("6.0 import, bulk-insert")),
    pytest.param("GET .*/{id}/memories|POST .*/empty", marks=pytest.mark.rule("6.0 GET :id/memories, POST :id/empty")),
    pytest.param("POST .*/{id}/query", marks=pytest.mark.rule("6.0 POST :id/query")),
    pytest.param("(POST|GET) /api/mcp.auth|POST .*/metric", marks=pytest.mark.rule("6.0 auth, metric")),
    pytest.param("POST /api/mcp/rate-limit-check", marks=pytest.mark.rule("6.0 POST /api/mcp/rate-limit-check")),
    pytest.param("POST /api/organic/.*", marks=pytest.mark.rule("6.0 organic")),
    pytest.param(".* /api/keys.*", marks=pytest.mark.rule("6.0 keys")),
    pytest.param(".*/device.*", marks=pytest.mark.rule("6.0 device")),
    pytest.param(".* /api/admin/.*", marks=pytest.mark.rule("6.0 admin")),
    pytest.param("DELETE /api/messages/{id}", marks=pytest.mark.rule("17.6 DELETE /api/messages/:id")),
    pytest.param("DELETE /api/sessions/{session_key}", marks=pytest.mark.rule("17.6 DELETE /api/sessions/:sessionKey")),
    pytest.param("GET /api/account/users", marks=pytest.mark.rule("17.1 GET /api/account/users")),
    pytest.param(
        "DELETE /api/account/users/{external_id}",
        marks=pytest.mark.rule("17.6 DELETE /api/account/users/:externalId"),
    ),
    pytest.param("GET /api/erasures/{id}", marks=pytest.mark.rule("17.6 GET /api/erasures/:id")),
    pytest.param(".* /api/jobs.*", marks=pytest.mark.rule("6.0 jobs")),
    pytest.param(
        "GET (/api/version|/healthz|/readyz|/metrics)",
        marks=pytest.mark.rule("6.0 version, healthz, readyz, metrics"),
    ),
    pytest.param("POST /mcp", marks=pytest.mark.rule("6.0 POST /mcp")),
]
"""The rows of the contract's table: which endpoints of the index each one names."""


def of(row: str) -> list[Entry]:
    """The endpoints of a row."""
    return [entry for entry in INDEX if re.fullmatch(row, entry.name)]


def keyed(row: str) -> list[Entry]:
    """Those of them that take a key."""
    return [entry for entry in of(row) if entry.scope in SCOPES]


def declared(endpoint: Endpoint | OpenEndpoint) -> str:
    return f"{endpoint.method} {re.sub('{[a-z_]+}', '{}', endpoint.template)}"


def indexed(entry: Entry) -> str:
    return re.sub("{[a-z_]+}", "{}", entry.name)


def address(entry: Entry) -> str:
    """The path with an identifier that nobody has."""
    kind = {
        "knowledge-bases": "kb",
        "keys": "key",
        "users": "usr",
        "erasures": "era",
        "messages": "msg",
        "memories": "mem",
        "snapshots": "snap",
        "conflicts": "conf",
    }.get(entry.path.split("/{")[0].rsplit("/", 1)[-1], "x")
    return entry.path.replace("{id}", f"{kind}_{'0' * 26}").replace("{name}", "no_such_job")


async def call(user: TestUser, entry: Entry) -> httpx.Response:
    """The endpoint with nothing in it: step 4 (scope) and step 7 (credits) come before the fields are looked at."""
    return await user.http.request(entry.method, address(entry), json=None if entry.method == "GET" else {})


def visitor(app: ASGIApp, host: str) -> httpx.AsyncClient:
    """Somebody without a key."""
    return httpx.AsyncClient(transport=httpx.ASGITransport(app, client=(host, 1)), base_url=BASE)


def test_the_index_names_each_endpoint_once() -> None:
    names = [entry.name for entry in INDEX]
    assert len(names) == len(set(names))


def test_every_endpoint_of_the_index_is_in_one_row() -> None:
    assert sorted(entry.name for row in ROWS for entry in of(str(row.values[0]))) == sorted(e.name for e in INDEX)


def test_no_endpoint_is_outside_the_index() -> None:
    known = {indexed(entry) for entry in INDEX}
    assert {declared(endpoint) for endpoint in [*endpoints(), *open_endpoints()]} - known == set()


def test_no_route_of_the_application_is_outside_the_index(app: ASGIApp) -> None:
    inner: Any = app
    while not hasattr(inner, "routes"):
        inner = inner._app
    routes = {f"{method} {route.path}" for route in inner.routes for method in route.methods - {"HEAD"}}
    known = {indexed(entry) for entry in INDEX} | FORMS
    assert {re.sub("{[a-z_]+(?::path)?}", "{}", route) for route in routes} - known == set()


@pytest.mark.parametrize("entry", DECLARED, ids=lambda entry: entry.name)
def test_an_endpoint_is_declared_with_its_credits_and_scope(entry: Entry) -> None:
    endpoint = next(endpoint for endpoint in endpoints() if declared(endpoint) == indexed(entry))
    assert (endpoint.credits, endpoint.scope) == (entry.credits, SCOPES[entry.scope])


@pytest.mark.rule("6 status")
def test_creations_answer_201_erasures_202_and_all_else_200() -> None:
    makes = {f"POST {path}" for path in ("/api/knowledge-bases", "/api/keys", "/api/admin/users", "/api/standing")}
    makes |= {f"POST /api/knowledge-bases/{{}}/{way}" for way in ("import", "bulk-insert")}
    assert {declared(endpoint) for endpoint in endpoints() if endpoint.status == 201} == makes
    erase = {f"DELETE /api/{what}/{{}}" for what in ("account/users", "admin/users", "messages", "sessions")}
    assert {declared(endpoint) for endpoint in endpoints() if endpoint.status == 202} == erase
    assert {endpoint.status for endpoint in endpoints()} == {200, 201, 202}


@pytest.mark.parametrize("row", ROWS)
async def test_calls_debit_their_credits(make_user: MakeUser, row: str) -> None:
    user = await make_user(tier=Tier.PRO, admin=True, scopes=tuple(KeyScope))
    left = CREDITS
    for entry in keyed(row):
        reply = await call(user, entry)
        left -= entry.credits
        assert (reply.status_code == 405, reply.headers["X-RateLimit-Remaining"]) == (False, str(left)), entry.name


@pytest.mark.parametrize("row", ROWS)
async def test_a_key_without_the_scope_is_refused_and_pays_nothing(make_user: MakeUser, row: str) -> None:
    alternatives = {
        endpoint.alternative_scope for endpoint in endpoints() if declared(endpoint) in map(indexed, of(row))
    }
    for needed in sorted({entry.scope for entry in keyed(row)}):
        others = tuple(scope for scope in KeyScope if scope not in {SCOPES[needed], *alternatives})
        user = await make_user(tier=Tier.PRO, admin=True, scopes=others)
        for entry in keyed(row):
            if entry.scope == needed:
                reply = await call(user, entry)
                assert (reply.status_code, reply.json()) == (403, {"error": "Forbidden"}), entry.name
                assert reply.headers["X-RateLimit-Remaining"] == str(CREDITS)


@pytest.mark.parametrize("row", ROWS)
async def test_without_a_key_only_open_endpoints_answer(app: ASGIApp, row: str) -> None:
    for entry in of(row):
        open_to_all = entry.scope not in SCOPES
        async with visitor(app, f"127.9.0.{INDEX.index(entry)}") as http:
            reply = await http.request(entry.method, address(entry))
        if open_to_all:
            assert reply.status_code == (400 if entry.path == "/api/device/status" else 200), entry.name
            assert reply.headers["X-RateLimit-Remaining"] == "100", entry.name
        else:
            assert (reply.status_code, reply.json()) == (401, {"error": "Unauthorized"}), entry.name


async def test_the_admin_scope_also_needs_the_users_flag(make_user: MakeUser) -> None:
    user = await make_user(admin=False, scopes=tuple(KeyScope))
    for entry in KEYED:
        if entry.scope == "A":
            assert (await call(user, entry)).status_code == 403
