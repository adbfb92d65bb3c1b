"""Contract 1.3, 1.7 and 2.3: a place before the body, how large a body may be, and how long a request may take."""

from typing import Any

import httpx
import pytest

from memd.context import Services
from memd.domain.types import Tier
from tests.support.limits import another, client, principal_of
from tests.support.service import MakeUser, TestUser
from tests.support.wire import chunk, make_base

CAPTURE = "/api/mcp/capture"


def refusal(reply: httpx.Response) -> tuple[int, Any]:
    return reply.status_code, reply.json()


async def test_a_place_is_taken_before_the_body_is_read(services: Services, make_user: MakeUser) -> None:
    user = await make_user(tier=Tier.FREE)
    async with another(services, limits_queue_wait_s=0) as (app, other), client(app, user.key) as http:
        principal = await principal_of(services, user)
        async with other.rate_limiter.slot(principal), other.rate_limiter.slot(principal):
            assert (await http.post(CAPTURE, content=b"{")).status_code == 429
        assert (await http.post(CAPTURE, content=b"{")).status_code == 400


async def test_the_scope_is_looked_at_before_a_place_is_taken(services: Services, make_user: MakeUser) -> None:
    user = await make_user(tier=Tier.FREE, scopes=("read",))
    async with another(services, limits_queue_wait_s=0) as (app, other), client(app, user.key) as http:
        principal = await principal_of(services, user)
        async with other.rate_limiter.slot(principal), other.rate_limiter.slot(principal):
            assert (await http.post(CAPTURE, content=b"{")).status_code == 403


@pytest.mark.parametrize("declared", [True, False], ids=["declared", "streamed"])
async def test_a_body_over_the_limit_is_too_large_and_costs_one(
    services: Services, make_user: MakeUser, declared: bool
) -> None:
    user = await make_user(tier=Tier.FREE)

    async def parts() -> Any:
        for _ in range(2):
            yield b" " * 600

    async with another(services, http_max_body_bytes=1024) as (app, _), client(app, user.key) as http:
        reply = await http.post(CAPTURE, content=b" " * 1200 if declared else parts())
    status, body = refusal(reply)
    assert (status, body["error"]) == (413, "Request body too large")
    assert "1024" in body["details"].replace(",", "")
    assert reply.headers["X-RateLimit-Remaining"] == "99"


async def test_import_has_a_limit_of_its_own(services: Services, user: TestUser) -> None:
    base = await make_base(user)
    body = {"chunks": [chunk("words " * 400)]}
    async with another(services, http_max_body_bytes=1024) as (app, _), client(app, user.key) as http:
        assert (await http.post(f"/api/knowledge-bases/{base}/import", json=body)).status_code == 201
    async with another(services, http_max_import_bytes=1024) as (app, _), client(app, user.key) as http:
        assert (await http.post(f"/api/knowledge-bases/{base}/import", json=body)).status_code == 413


async def test_a_request_that_takes_too_long_is_server_busy(services: Services, user: TestUser) -> None:
    async with another(services, http_request_timeout_s=1e-9) as (app, _), client(app, user.key) as http:
        reply = await http.get("/api/mcp/stats")
    status, body = refusal(reply)
    assert (status, body["error"]) == (503, "Server busy")
    assert body["retryAfterMs"] >= 1
    assert int(reply.headers["Retry-After"]) >= 1


@pytest.mark.parametrize("way", ["import", "bulk-insert"])
async def test_what_an_import_cannot_embed_in_its_time_is_stored_without_a_vector(
    services: Services, user: TestUser, way: str
) -> None:
    base = await make_base(user)
    body = {"chunks": [chunk("one"), chunk("two")]}
    async with (
        another(services, http_request_timeout_s=1e-9, http_import_timeout_s=1e-9) as (app, _),
        client(app, user.key) as http,
    ):
        reply = await http.post(f"/api/knowledge-bases/{base}/{way}", json=body)
    status, outcome = refusal(reply)
    assert (status, outcome["importedCount"]) == (201, 2)
    assert (outcome["embeddingsCreated"], outcome["pendingEmbeddings"]) == (0, 2)
