"""Addresses are percent-encoded UTF-8; what is not UTF-8 is refused, never replaced (contract 1.1.1, 1.1.3)."""

import httpx
import pytest
from starlette.types import ASGIApp, Receive, Scope, Send

from tests.support.service import BASE, TestUser
from tests.support.wire import make_base

NOT_UTF8 = ("%FF%FE", "%C3", "%ED%A0%80", "a%80b")


@pytest.mark.parametrize("text", NOT_UTF8)
@pytest.mark.parametrize(
    ("method", "address"),
    [
        ("GET", "/api/knowledge-bases?scope={}"),
        ("GET", "/api/mcp/wake?channel={}"),
        ("GET", "/api/mcp/stats?{}=1"),
        ("DELETE", "/api/memories/by-key?namespace=a&key={}"),
        ("POST", "/api/mcp/triggers?tools={}"),
        ("DELETE", "/api/sessions/{}"),
        ("GET", "/api/memories/{}/history"),
        ("GET", "/api/standing/{}"),
        ("GET", "/api/device/status?device_code={}"),
    ],
)
async def test_an_address_that_is_not_utf8_is_refused(user: TestUser, method: str, address: str, text: str) -> None:
    reply = await user.http.request(method, address.format(text))
    assert (reply.status_code, reply.json()["error"]) == (400, "Bad request")
    assert "UTF-8" in reply.json()["details"]


@pytest.mark.parametrize("text", NOT_UTF8)
async def test_the_sign_in_page_and_mcp_refuse_it_too(user: TestUser, text: str) -> None:
    assert (await user.http.get(f"/device?user_code={text}")).status_code == 400
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    assert (await user.http.post(f"/mcp?tools={text}", json=call)).status_code == 400
    assert (await user.http.post(f"/mcp?other={text}", json=call)).status_code == 400


async def test_utf8_is_read_as_it_was_sent(user: TestUser) -> None:
    base = await make_base(user, scope="Zürich: 東京")
    for scope in ("Zürich: 東京", "Z%C3%BCrich%3A+%E6%9D%B1%E4%BA%AC"):
        reply = await user.http.get(f"/api/knowledge-bases?scope={scope}")
        assert [row["id"] for row in reply.json()["knowledgeBases"]] == [base]


async def test_bytes_that_are_not_percent_encoded_are_utf8_too(app: ASGIApp, user: TestUser) -> None:
    base = await make_base(user, scope="Zürich")
    reply = await bases(app, user, "scope=Zürich".encode())
    assert [row["id"] for row in reply.json()["knowledgeBases"]] == [base]
    assert (await bases(app, user, b"scope=\xff")).status_code == 400


async def bases(app: ASGIApp, user: TestUser, query: bytes) -> httpx.Response:
    """The list of knowledge bases, asked for with these bytes as the query part."""

    async def asked(scope: Scope, receive: Receive, send: Send) -> None:
        await app({**scope, "query_string": query}, receive, send)

    transport = httpx.ASGITransport(asked)
    async with httpx.AsyncClient(transport=transport, base_url=BASE, headers=user.http.headers) as client:
        return await client.get("/api/knowledge-bases")
