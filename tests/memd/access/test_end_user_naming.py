"""Contract 17.1: every way to name an end user, with and without the scope, and values that are not names."""

import itertools
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
import pytest_asyncio
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.types import ASGIApp

from memctl.wire.external_ids import MAX_LENGTH, MalformedExternalIdError, external_id
from memd.access.authentication.end_user import end_user_of_fields
from memd.context import Services
from memd.domain.types import KeyScope, Policy
from memd.errors import BadRequest
from tests.support.applications import HEADER, application
from tests.support.mcp import post as mcp_post
from tests.support.service import BASE, MakeUser, add_user

pytestmark = pytest.mark.rule("17.1 naming")
ABSENT: Any = object()
ACCOUNT, ANN = "account", "ann"
FORBIDDEN, REFUSED = 403, 400
HEADERS = (ABSENT, "ann", " ann\t", "bob", "", "\u00a0", "x" * (MAX_LENGTH + 1))
FIELDS = (ABSENT, None, "ann", "  ann ", "Ann", "", " ", "x" * (MAX_LENGTH + 1), 7, True, [], {"id": "ann"})


def expected(header: Any, field: Any, *, scope: bool) -> str | int:
    """The contract in other words: who the caller is, or the status of the refusal."""
    if not scope:
        return ACCOUNT if header is ABSENT else FORBIDDEN
    names: list[str] = []
    if header is not ABSENT:
        if not 1 <= len(header.strip()) <= MAX_LENGTH:
            return REFUSED
        names.append(header.strip())
    if field is not ABSENT and field is not None:
        if not isinstance(field, str) or not 1 <= len(field.strip()) <= MAX_LENGTH:
            return REFUSED
        names.append(field.strip())
    if len(set(names)) > 1:
        return REFUSED
    return names[0] if names else ACCOUNT


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def keys(services: Services, app: ASGIApp) -> AsyncIterator[dict[bool, httpx.AsyncClient]]:
    """A client with the scope and one without, of one account."""
    _, key = await add_user(services, policy=Policy.SELF_HOSTED_UNMETERED, scopes=(KeyScope.READ, KeyScope.WRITE))
    _, service = await add_user(
        services, policy=Policy.SELF_HOSTED_UNMETERED, scopes=(KeyScope.READ, KeyScope.WRITE, KeyScope.ACT_AS)
    )
    transport = httpx.ASGITransport(app)

    def opened(secret: str) -> httpx.AsyncClient:
        return httpx.AsyncClient(transport=transport, base_url=BASE, headers={"Authorization": f"Bearer {secret}"})

    async with opened(key) as plain, opened(service) as acting:
        yield {False: plain, True: acting}


async def asked(http: httpx.AsyncClient, header: Any, field: Any) -> str | int:
    """Who the request acted for, or its status."""
    headers = {} if header is ABSENT else {HEADER.encode(): header.encode()}
    body = {} if field is ABSENT else {"userId": field}
    reply = await http.post("/api/mcp/auth", json=body, headers=headers)
    return reply.json().get("externalId", ACCOUNT) if reply.status_code == 200 else reply.status_code


@pytest.mark.parametrize("scope", [True, False])
async def test_truth_table_of_names(keys: dict[bool, httpx.AsyncClient], scope: bool) -> None:
    for header, field in itertools.product(HEADERS, FIELDS):
        found = await asked(keys[scope], header, field)
        assert found == expected(header, field, scope=scope), (header, field)


@pytest.mark.parametrize(
    ("header", "field", "details"),
    [
        ("ann", "bob", "Field userId and the header X-Memd-User must name the same user"),
        (ABSENT, 7, "Field userId must be a string"),
        (ABSENT, "", "Field userId must have 1 to 128 characters"),
        ("", ABSENT, "Header X-Memd-User must have 1 to 128 characters"),
        (ABSENT, "a\u0007b", "Field userId must be text without control characters"),
        (ABSENT, "a\u0085b", "Field userId must be text without control characters"),
        (ABSENT, "a\u0000b", "Field userId must be text without NUL or lone surrogates"),
        (ABSENT, "\ud800", "Field userId must be text without NUL or lone surrogates"),
    ],
)
async def test_what_is_wrong_with_a_name_is_said(
    keys: dict[bool, httpx.AsyncClient], header: Any, field: Any, details: str
) -> None:
    headers = {} if header is ABSENT else {HEADER: header}
    body = b"{}" if field is ABSENT else json.dumps({"userId": field}).encode()
    reply = await keys[True].post("/api/mcp/auth", content=body, headers=headers)
    assert (reply.status_code, reply.json()) == (400, {"error": "Bad request", "details": details})


async def test_a_header_that_is_sent_twice_or_is_no_utf8_is_refused(keys: dict[bool, httpx.AsyncClient]) -> None:
    name = HEADER.encode()
    for headers in ([(name, b"ann"), (name, b"ann")], [(name, b"ann"), (name, b"bob")], [(name, b"ann\xff")]):
        reply = await keys[True].get("/api/mcp/auth", headers=headers)
        assert (reply.status_code, reply.json()["error"]) == (400, "Bad request"), headers


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_the_fields_of_a_url_name_as_those_of_a_body(keys: dict[bool, httpx.AsyncClient], method: str) -> None:
    where = {"params": {"userId": "ann"}} if method == "GET" else {"json": {"userId": "ann"}}
    who = (await keys[True].request(method, "/api/mcp/auth", **where)).json()
    assert who["externalId"] == "ann"
    ignored = (await keys[False].request(method, "/api/mcp/auth", **where)).json()
    assert "externalId" not in ignored


async def test_a_url_that_names_two_end_users_is_refused(keys: dict[bool, httpx.AsyncClient]) -> None:
    for path, acts_for in (("?userId=ann&userId=bob", None), ("?userId=ann&userId=ann", "ann")):
        replies = [await keys[True].post(f"/api/mcp/auth{path}"), await keys[True].get(f"/api/mcp/auth{path}")]
        assert [reply.json().get("externalId") for reply in replies] == [acts_for] * 2
        assert {reply.status_code for reply in replies} == {200 if acts_for else 400}
        assert (await keys[False].get(f"/api/mcp/auth{path}")).status_code == 200
    refused = await mcp_post(keys[True], "tools/list", path="/mcp?userId=ann&userId=bob")
    assert refused.status_code == 400


async def test_a_deletion_is_of_the_end_user_that_the_url_names(keys: dict[bool, httpx.AsyncClient]) -> None:
    place = {"namespace": "n", "key": "k"}
    for name in ({}, {"userId": "ann"}):
        body = {"title": "T", "content": "Kept", **place, **name}
        (await keys[True].post("/api/mcp/capture", json=body)).raise_for_status()
    (await keys[True].delete("/api/memories/by-key", params={**place, "userId": "ann"})).raise_for_status()
    left = [await keys[True].get("/api/memories/by-key", params={**place, **name}) for name in ({}, {"userId": "ann"})]
    assert [reply.status_code for reply in left] == [200, 404]
    refused = await keys[True].post("/api/mcp/auth", params={"userId": "ann"}, json={"userId": "bob"})
    assert (refused.status_code, "the same user" in refused.json()["details"]) == (400, True)


@given(st.text(max_size=200))
def test_a_name_is_trimmed_and_otherwise_kept_byte_for_byte(text: str) -> None:
    bare = text.strip()
    unwritable = any(ord(c) < 32 or 0x7F <= ord(c) < 0xA0 or 0xD800 <= ord(c) < 0xE000 for c in bare)
    if not bare or len(bare) > MAX_LENGTH or unwritable:
        with pytest.raises(MalformedExternalIdError):
            external_id(text)
    else:
        assert external_id(text).encode() == bare.encode()
        assert external_id(external_id(text)) == external_id(text)


@given(st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.lists(st.text()), st.text()))
def test_a_field_is_a_name_or_absent_or_refused(value: object) -> None:
    try:
        name = end_user_of_fields({"userId": value})
    except BadRequest:
        assert value is not None
    else:
        assert name is None if value is None else isinstance(value, str) and name == value.strip()


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(first=st.text(min_size=1, max_size=MAX_LENGTH), second=st.text(min_size=1, max_size=MAX_LENGTH))
def test_two_names_are_the_same_user_only_when_their_bytes_are(first: str, second: str) -> None:
    try:
        one, other = external_id(first), external_id(second)
    except MalformedExternalIdError:
        return
    assert (one == other) is (first.strip().encode() == second.strip().encode())


async def test_a_user_is_made_only_by_a_request_that_may_be_served(app: ASGIApp, make_user: MakeUser) -> None:
    async with application(app, make_user, policy=Policy.MANAGED_FREE) as one:
        service = await one.service()
        while int((await service.http.post("/api/mcp/wake")).headers["X-RateLimit-Remaining"]):
            pass
        refused = await service.http.post("/api/mcp/wake", headers={HEADER: "new"})
        assert (refused.status_code, refused.json()["error"]) == (429, "Rate limit exceeded")
        assert refused.json()["retryAfterMs"] >= 1
        listed = await one.owner.http.get("/api/account/users")
        assert listed.status_code == 429


async def test_the_url_of_the_mcp_endpoint_names_the_end_user(keys: dict[bool, httpx.AsyncClient]) -> None:
    arguments = {"title": "T", "content": "Told over MCP by Zoe."}
    call = {"name": "capture", "arguments": arguments}
    stored = (await mcp_post(keys[True], "tools/call", call, path="/mcp?userId=zoe")).json()["result"]
    shown = {"memoryId": stored["structuredContent"]["id"]}
    found = [await keys[True].post("/api/mcp/memory", json={**shown, **name}) for name in ({"userId": "zoe"}, {})]
    assert [reply.status_code for reply in found] == [200, 403]
    refused = await mcp_post(keys[True], "tools/list", path="/mcp?userId=")
    assert refused.status_code == 400
