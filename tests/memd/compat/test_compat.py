"""Contract 9.1: metrics are kept for 30 days; the organic endpoints answer and keep nothing."""

from typing import Any

import pytest

from memd.context import Services
from memd.domain.types import KeyScope
from tests.support.dict_rows import dict_row
from tests.support.service import MakeUser, TestUser

DAYS_30 = 30 * 86_400_000


@pytest.mark.rule("9.1 metric")
@pytest.mark.parametrize("payload", ["text", {"n": [1, 2.5, None]}, [1], 7, True, None])
async def test_a_metric_is_kept_for_thirty_days_as_sent(services: Services, user: TestUser, payload: Any) -> None:
    fields = {"kind": "turn_seen", "payload": payload, "sessionKey": "s" * 300, "channel": "c" * 300}
    reply = await user.http.post("/api/mcp/metric", json=fields)
    assert (reply.status_code, reply.json()["ok"], reply.json()["id"][:4]) == (200, True, "met_")
    async with services.database.read(user.id) as session:
        row = await dict_row(session, "SELECT * FROM metric_row WHERE user_id = %(user)s", {"user": user.id})
    assert row is not None
    assert (row["kind"], row["payload"]) == ("turn_seen", payload)
    assert (row["session_key"], row["channel"]) == ("s" * 256, "c" * 256)
    assert row["expires_at"] - row["created_at"] == DAYS_30


@pytest.mark.rule("9.1 metric")
@pytest.mark.parametrize("kind", [None, "", "A", "1a", "a-b", "a" * 65, 5])
async def test_a_bad_kind_is_refused(user: TestUser, kind: Any) -> None:
    reply = await user.http.post("/api/mcp/metric", json={"kind": kind})
    assert (reply.status_code, "kind" in reply.json()["details"]) == (400, True)


@pytest.mark.rule("9.1 metric")
@pytest.mark.parametrize(("length", "status"), [(31_998, 200), (31_999, 413)])
async def test_a_payload_is_at_most_32000_bytes_of_json(user: TestUser, length: int, status: int) -> None:
    reply = await user.http.post("/api/mcp/metric", json={"kind": "big", "payload": "x" * length})
    assert reply.status_code == status


@pytest.mark.rule("9.1 organic/ideas, ideas/pending")
@pytest.mark.parametrize("path", ["ideas", "ideas/pending"])
async def test_there_are_no_ideas(user: TestUser, path: str) -> None:
    assert (await user.http.post(f"/api/organic/{path}")).json() == {"ideas": [], "isDone": True}


@pytest.mark.rule("9.1 organic/ideas/update, recallLog, conversationPulse")
@pytest.mark.parametrize("path", ["ideas/update", "recallLog", "conversationPulse"])
async def test_the_rest_is_accepted(user: TestUser, path: str) -> None:
    assert (await user.http.post(f"/api/organic/{path}", json={"any": "thing"})).json() == {"ok": True}


@pytest.mark.rule("9.1 assets, upload-url, backfill, research, sse")
@pytest.mark.parametrize("path", ["/api/assets", "/api/mcp/upload-url", "/api/backfill", "/api/research", "/sse"])
async def test_what_is_not_in_this_release_is_not_found(user: TestUser, path: str) -> None:
    for reply in (await user.http.post(path, json={}), await user.http.get(path)):
        assert (reply.status_code, reply.json()) == (404, {"error": "Not found"})


async def test_a_metric_needs_write_and_ideas_need_read(make_user: MakeUser) -> None:
    reader, writer = await make_user(scopes=(KeyScope.READ,)), await make_user(scopes=(KeyScope.WRITE,))
    found = [
        (await who.http.post(path, json={"kind": "a"})).status_code
        for who in (reader, writer)
        for path in ("/api/mcp/metric", "/api/organic/ideas")
    ]
    assert found == [403, 200, 200, 403]
