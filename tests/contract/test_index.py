"""Every endpoint of the contract's index (6.0) is there, costs what it says and asks for the scope it says."""

import re
from collections.abc import Mapping
from typing import Any

import httpx
import pytest
from starlette.types import ASGIApp

from memd.access.endpoint import Endpoint, OpenEndpoint
from memd.app import endpoints, open_endpoints
from memd.domain.types import KeyScope, Tier
from tests.contract.index import FORMS, INDEX, PROTOCOL, Entry
from tests.support.service import BASE, MakeUser, TestUser

SCOPES: Mapping[str, KeyScope] = {"R": KeyScope.READ, "W": KeyScope.WRITE, "A": KeyScope.ADMIN}
KEYED = [entry for entry in INDEX if entry.scope in SCOPES]
DECLARED = [entry for entry in KEYED if entry.name != PROTOCOL]
OPEN = [entry for entry in INDEX if entry.scope not in SCOPES]
CREDITS = 500
"""What a user of tier pro has in a minute."""


def declared(endpoint: Endpoint | OpenEndpoint) -> str:
    return f"{endpoint.method} {re.sub('{[a-z_]+}', '{}', endpoint.path)}"


def indexed(entry: Entry) -> str:
    return re.sub("{[a-z]+}", "{}", entry.name)


def address(entry: Entry) -> str:
    """The path with an identifier that nobody has."""
    kind = {"knowledge-bases": "kb", "keys": "key", "users": "usr"}.get(
        entry.path.split("/{")[0].rsplit("/", 1)[-1], "x"
    )
    return entry.path.replace("{id}", f"{kind}_{'0' * 26}").replace("{name}", "no_such_job")


async def call(user: TestUser, entry: Entry) -> httpx.Response:
    """The endpoint with nothing in it: step 4 (scope) and step 7 (credits) come before the fields are looked at."""
    return await user.http.request(entry.method, address(entry), json=None if entry.method == "GET" else {})


def test_the_index_names_each_endpoint_once() -> None:
    names = [entry.name for entry in INDEX]
    assert len(names) == len(set(names))


def test_no_endpoint_is_outside_the_index() -> None:
    known = {indexed(entry) for entry in INDEX}
    assert {declared(endpoint) for endpoint in [*endpoints(), *open_endpoints()]} - known == set()


def test_no_route_of_the_application_is_outside_the_index(app: ASGIApp) -> None:
    inner: Any = getattr(app, "_app", app)
    routes = {f"{method} {route.path}" for route in inner.routes for method in route.methods - {"HEAD"}}
    known = {indexed(entry) for entry in INDEX} | FORMS
    assert {re.sub("{[a-z_]+}", "{}", route) for route in routes} - known == set()


@pytest.mark.parametrize("entry", DECLARED, ids=lambda entry: entry.name)
async def test_an_endpoint_is_declared_with_its_credits_and_scope(entry: Entry) -> None:
    endpoint = next(endpoint for endpoint in endpoints() if declared(endpoint) == indexed(entry))
    assert (endpoint.credits, endpoint.scope) == (entry.credits, SCOPES[entry.scope])


@pytest.mark.parametrize("entry", KEYED, ids=lambda entry: entry.name)
async def test_a_call_debits_its_credits(make_user: MakeUser, entry: Entry) -> None:
    user = await make_user(tier=Tier.PRO, admin=True, scopes=tuple(KeyScope))
    reply = await call(user, entry)
    assert reply.status_code != 405
    assert int(reply.headers["X-RateLimit-Remaining"]) == CREDITS - entry.credits


@pytest.mark.parametrize("entry", KEYED, ids=lambda entry: entry.name)
async def test_a_key_without_the_scope_is_refused_and_pays_nothing(make_user: MakeUser, entry: Entry) -> None:
    others = tuple(scope for scope in KeyScope if scope is not SCOPES[entry.scope])
    user = await make_user(tier=Tier.PRO, admin=True, scopes=others)
    reply = await call(user, entry)
    assert (reply.status_code, reply.json()) == (403, {"error": "Forbidden"})
    assert int(reply.headers["X-RateLimit-Remaining"]) == CREDITS


@pytest.mark.parametrize("entry", KEYED, ids=lambda entry: entry.name)
async def test_without_a_key_there_is_no_answer(app: ASGIApp, entry: Entry) -> None:
    transport = httpx.ASGITransport(app, client=(f"198.51.100.{INDEX.index(entry)}", 1))
    async with httpx.AsyncClient(transport=transport, base_url=BASE) as http:
        reply = await http.request(entry.method, address(entry))
    assert (reply.status_code, reply.json()) == (401, {"error": "Unauthorized"})


@pytest.mark.parametrize("entry", OPEN, ids=lambda entry: entry.name)
async def test_an_open_endpoint_answers_without_a_key(app: ASGIApp, entry: Entry) -> None:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=BASE) as http:
        reply = await http.request(entry.method, entry.path)
    assert reply.status_code in ({200} if entry.path != "/api/device/status" else {400})


async def test_the_admin_scope_also_needs_the_users_flag(make_user: MakeUser) -> None:
    user = await make_user(admin=False, scopes=tuple(KeyScope))
    for entry in KEYED:
        if entry.scope == "A":
            assert (await call(user, entry)).status_code == 403
