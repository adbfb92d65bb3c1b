"""GET /openapi.json: the document on record, for anybody who can reach memd."""

import json
from pathlib import Path

import httpx
from starlette.types import ASGIApp

from tests.support.service import BASE

RECORDED = Path(__file__).parents[3] / "docs" / "openapi.json"


async def test_the_document_is_served_without_a_key(app: ASGIApp) -> None:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=BASE) as http:
        reply = await http.get("/openapi.json")
        again = await http.get("/openapi.json")
    assert (reply.status_code, reply.headers["content-type"]) == (200, "application/json; charset=utf-8")
    assert reply.json() == json.loads(RECORDED.read_text())
    assert again.content == reply.content
