"""Browsers reach /mcp only from origins that the operator listed, and under names that cannot be rebound (14.4)."""

from typing import Any

import pytest

from memd.access.http.host_policy import HostPolicy
from memd.context import Services
from memd.settings import Settings
from tests.support.limits import another, client
from tests.support.service import TestUser

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
LISTED = "https://chat.example.org"


EVERYWHERE = {"host": "::"}


def accepts(name: str | None, origin: str | None, /, **settings: Any) -> bool:
    return HostPolicy(Settings(**settings)).allows(name, origin)


@pytest.mark.parametrize("host", ["127.0.0.1:7377", "localhost", "localhost:7377", "[::1]:7377", "LOCALHOST:1"])
def test_loopback_names_are_known(host: str) -> None:
    assert accepts(host, None)


@pytest.mark.parametrize("host", ["evil.example.com", "127.0.0.1.evil.example.com", "", None, "[::1"])
def test_other_names_are_not_while_memd_listens_on_loopback(host: str | None) -> None:
    assert not accepts(host, None)


def test_names_of_the_settings_are_known() -> None:
    assert accepts("memory.example.org:443", None, base_url="https://memory.example.org")
    assert accepts("memd.internal", None, allowed_hosts=["MEMD.internal"])
    assert accepts("whatever.example.org", None, allowed_hosts=["*"])


def test_an_open_address_takes_any_name_unless_some_are_listed() -> None:
    assert accepts("memory.example.org", None, **EVERYWHERE)
    assert not accepts("evil.example.com", None, **EVERYWHERE, allowed_hosts=["memory.example.org"])


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        (LISTED, True),
        (LISTED.upper(), True),
        ("https://evil.example.com", False),
        ("null", False),
        ("http://localhost:7377", True),
        ("http://localhost:5173", False),
    ],
)
def test_an_origin_is_listed_or_memds_own(origin: str, allowed: bool) -> None:
    assert accepts("localhost:7377", origin, cors_origins=[LISTED]) is allowed


def test_a_rebound_name_is_no_origin_of_its_own() -> None:
    assert not accepts("evil.example.com", "http://evil.example.com", **EVERYWHERE)


async def test_an_unlisted_origin_gets_403(user: TestUser) -> None:
    reply = await user.http.post("/mcp", json=PING, headers={"Origin": "https://evil.example.com"})
    assert (reply.status_code, reply.json()) == (403, {"error": "Forbidden"})


@pytest.mark.parametrize(
    ("method", "path"),
    [("POST", "/mcp"), ("GET", "/metrics"), ("POST", "/api/mcp/recall"), ("GET", "/device"), ("GET", "/nowhere")],
)
async def test_an_unknown_host_gets_403(user: TestUser, method: str, path: str) -> None:
    """A website that rebinds its name to a loopback address reaches nothing."""
    reply = await user.http.request(method, path, headers={"Host": "evil.example.com"})
    assert (reply.status_code, reply.json()) == (403, {"error": "Forbidden"})
    assert reply.headers["X-Request-Id"].startswith("req_")


@pytest.mark.parametrize("path", ["/api/mcp/stats", "/mcp", "/healthz", "/device"])
async def test_two_hosts_are_refused_even_if_the_first_is_known(user: TestUser, path: str) -> None:
    headers = [("Host", "localhost:7377"), ("Host", "evil.example.com")]
    reply = await user.http.post(path, headers=headers)
    assert (reply.status_code, reply.json()["details"]) == (400, "Header Host must be sent once")
    assert reply.headers["X-Request-Id"].startswith("req_")


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
async def test_probes_may_use_any_name(user: TestUser, path: str) -> None:
    assert (await user.http.get(path, headers={"Host": "10.1.2.3:7377"})).status_code == 200


async def test_a_listed_origin_is_served_with_cors_headers(services: Services, user: TestUser) -> None:
    async with another(services, cors_origins=[LISTED]) as (app, _other), client(app, user.key) as http:
        reply = await http.post("/mcp", json=PING, headers={"Origin": LISTED})
    assert (reply.status_code, reply.headers["access-control-allow-origin"]) == (200, LISTED)
