"""GET /openapi.json: the document on record, for anybody who can reach memd."""

import json
from pathlib import Path

import httpx
import pytest
from starlette.types import ASGIApp

from tests.support.service import BASE, TestUser

RECORDED = Path(__file__).parents[3] / "docs" / "openapi.json"


async def test_the_document_is_served_without_a_key(app: ASGIApp) -> None:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=BASE) as http:
        reply = await http.get("/openapi.json")
        again = await http.get("/openapi.json")
    assert (reply.status_code, reply.headers["content-type"]) == (200, "application/json; charset=utf-8")
    assert reply.json() == json.loads(RECORDED.read_text())
    assert again.content == reply.content


@pytest.mark.parametrize(
    ("path", "sometimes"),
    [
        ("/api/memories/list", {"total"}),
        ("/api/messages", set()),
        ("/api/sessions", set()),
        ("/api/knowledge-bases", set()),
        ("/api/keys", set()),
        ("/api/mcp/wake", set()),
    ],
)
async def test_it_says_of_each_field_of_a_reply_whether_it_is_always_there(
    user: TestUser, path: str, sometimes: set[str]
) -> None:
    document = json.loads(RECORDED.read_text())
    content = document["paths"][path]["get"]["responses"]["200"]["content"]
    model = document["components"]["schemas"][content["application/json"]["schema"]["$ref"].rsplit("/", 1)[-1]]
    sent = (await user.http.get(path)).json()
    assert set(model["required"]) == set(sent) - sometimes
    assert sometimes <= set(model["properties"])
