"""Contract 9.5: version, liveness, readiness and metrics."""

import re
from dataclasses import replace
from typing import Any

import httpx
import psycopg
import pytest
from starlette.types import ASGIApp

from memd.app import build
from memd.context import Services
from memd.db.engine import Pools, open_pools
from memd.db.schema.logins import embedded_logins
from memd.db.schema.migrate import migrate
from memd.db.session import Database
from memd.domain.ids import encode, new_id
from memd.domain.types import KeyScope
from memd.version import VERSION
from tests.support.limits import another, client, numbers
from tests.support.service import MakeUser, TestUser
from tests.support.wire import Json

METRICS = "/metrics"


@pytest.mark.rule("9.5 GET /api/version")
async def test_the_version_tells_release_embedder_and_features(user: TestUser) -> None:
    reply = (await user.http.get("/api/version")).json()
    assert reply | {"features": []} == {
        "version": "0.8.20",
        "service": "memd",
        "apiVersion": "0.8.20",
        "embeddingModel": "wordllama-l2-supercat-256",
        "embeddingDimensions": 256,
        "features": [],
    }
    assert reply["features"]


@pytest.mark.rule("9.5 GET /healthz, /readyz")
@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
async def test_a_service_that_runs_says_so(app: ASGIApp, path: str) -> None:
    async with client(app, None) as visitor:
        reply = await visitor.get(path)
    assert (reply.status_code, without_details(reply)) == (200, {"ok": True})


def without_details(reply: httpx.Response) -> Json:
    """The reply without how far behind background work is: rows of other tests may wait."""
    return {name: value for name, value in reply.json().items() if name != "details"}


async def ready(services: Services, pools: Pools) -> tuple[int, Any]:
    """The answer of /readyz on other pools."""

    async def nothing_deferred(*_: object) -> None:
        raise AssertionError

    other = replace(services, database=Database(pools, nothing_deferred))
    async with client(build(other), None) as visitor:
        reply = await visitor.get("/readyz")
    return reply.status_code, without_details(reply)


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
async def test_a_load_balancer_may_send_head(app: ASGIApp, path: str) -> None:
    async with client(app, None) as visitor:
        assert (await visitor.head(path)).status_code == 200
        refused = await visitor.post(path)
        assert (refused.status_code, refused.json()) == (405, {"error": "Method not allowed"})


@pytest.mark.rule("9.5 GET /healthz, /readyz")
async def test_a_database_that_lacks_migrations_is_not_ready(services: Services, new_database: str) -> None:
    migrate(new_database)
    async with open_pools(embedded_logins(new_database)) as pools:
        assert await ready(services, pools) == (200, {"ok": True})
        async with await psycopg.AsyncConnection.connect(new_database, autocommit=True) as owner:
            await owner.execute("UPDATE alembic_version SET version_num = 'older'")
        not_migrated = {"ok": False, "checks": {"migrations": "not at the newest revision"}}
        assert await ready(services, pools) == (503, not_migrated)


async def test_metrics_count_the_jobs_of_all_users(services: Services, new_database: str) -> None:
    migrate(new_database)
    async with await psycopg.AsyncConnection.connect(new_database, autocommit=True) as owner:
        for status in ("todo", "todo", "doing", "failed", "succeeded"):
            await owner.execute(
                "INSERT INTO procrastinate_jobs (queue_name, task_name, status) VALUES ('q', 'k', %s)", [status]
            )
    async with open_pools(embedded_logins(new_database)) as pools:
        other = replace(services, database=Database(pools, lambda *_: []))
        async with client(build(other), None, "127.0.0.1") as visitor:
            text = (await visitor.get(METRICS)).text
        await pools.system.close()
        async with client(build(other), None, "127.0.0.1") as visitor:
            without = (await visitor.get(METRICS)).text
    for state, number in {"queued": 2, "running": 1, "failed": 1}.items():
        assert f'memd_jobs{{state="{state}"}} {number}.0' in text
    assert "memd_jobs{state=" not in without


@pytest.mark.parametrize("which", ["app", "system"])
async def test_a_service_without_one_of_its_logins_is_not_ready(
    services: Services, new_database: str, which: str
) -> None:
    migrate(new_database)
    async with open_pools(embedded_logins(new_database)) as pools:
        await getattr(pools, which).close()
        assert await ready(services, pools) == (503, {"ok": False, "checks": {"database": "not reachable"}})


@pytest.mark.rule("9.5 GET /metrics")
async def test_metrics_are_text_for_loopback_addresses(app: ASGIApp) -> None:
    for address in ("127.0.0.1", "127.0.0.9", "::1"):
        async with client(app, None, address) as visitor:
            reply = await visitor.get(METRICS)
        assert (reply.status_code, reply.headers["Content-Type"].split(";")[0]) == (200, "text/plain")
        assert f'memd_build_info{{version="{VERSION}"}} 1.0' in reply.text


async def test_metrics_time_requests_by_method_route_and_status(services: Services, user: TestUser) -> None:
    async with another(services) as (app, _), client(app, user.key, "127.0.0.1") as http:
        for method, path in (
            ("GET", "/api/version"),
            ("GET", "/api/version"),
            ("GET", f"/api/checkpoints/{encode('ckpt', new_id())}"),
            ("GET", f"/secret/{new_id()}"),
            ("MADEUP1", "/api/version"),
            ("MADEUP2", "/api/version"),
        ):
            await http.request(method, path)
        text = (await http.get(METRICS)).text
    name = "memd_http_request_duration_seconds"
    counted = {
        tuple(labels): float(number)
        for *labels, number in re.findall(
            rf'^{name}_count{{method="(\w+)",route="([^"]+)",status="(\d+)"}} (\S+)$', text, re.MULTILINE
        )
    }
    assert counted == {
        ("GET", "/api/version", "200"): 2,
        ("GET", "/api/checkpoints/{id}", "404"): 1,
        ("GET", "other", "404"): 1,
        ("other", "/api/version", "405"): 2,
    }
    assert f'{name}_bucket{{le="+Inf",method="GET",route="/api/version",status="200"}} 2.0' in text
    assert f'{name}_sum{{method="GET",route="/api/version",status="200"}}' in text


async def test_from_elsewhere_metrics_take_an_admin_key(services: Services, make_user: MakeUser) -> None:
    admin = await make_user(admin=True, scopes=tuple(KeyScope))
    plain = await make_user(admin=False, scopes=tuple(KeyScope))
    reader = await make_user(admin=True, scopes=(KeyScope.READ,))
    async with another(services) as (app, _):
        seen: list[int] = []
        for key in (admin.key, plain.key, reader.key, None):
            async with client(app, key) as visitor:
                seen.append((await visitor.get(METRICS)).status_code)
        assert seen == [200, 403, 403, 401]


async def test_guessing_keys_of_metrics_empties_the_bucket_of_the_address(services: Services) -> None:
    async with another(services) as (app, _), client(app, "f" * 64) as guesser:
        assert numbers(await guesser.get(METRICS)) == (100, 99)


@pytest.mark.parametrize(("origins", "allowed"), [([], None), (["https://a.example"], "https://a.example")])
async def test_cors_headers_only_for_listed_origins(
    services: Services, user: TestUser, origins: list[str], allowed: str | None
) -> None:
    async with another(services, cors_origins=origins) as (app, _), client(app, user.key) as http:
        for origin, header in (("https://a.example", allowed), ("https://b.example", None)):
            reply = await http.get("/api/version", headers={"Origin": origin})
            assert reply.headers.get("Access-Control-Allow-Origin") == header
            assert reply.headers["X-Request-Id"]
