"""The official conformance suite of MCP, against memd itself and against its fixtures behind memd's wiring."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import pytest
from starlette.applications import Starlette
from starlette.types import ASGIApp

from memd.access.http.envelope import EnvelopeMiddleware
from memd.context import Services
from memd.mcp.endpoint import McpEndpoint
from memd.mcp.protocol import transport
from memd.mcp.route import McpRoute
from tests.support.mcp import HANDSHAKE, MODERN, WithKey
from tests.support.mcp_fixtures import fixture_server
from tests.support.node import Node
from tests.support.served import served
from tests.support.service import TestUser

pytestmark = pytest.mark.e2e
SUITE: Final = Path("@modelcontextprotocol", "conformance", "dist", "index.js")
GENERIC: Final = {
    HANDSHAKE: ("server-initialize", "ping", "tools-list", "dns-rebinding-protection"),
    MODERN: (
        "tools-list",
        "dns-rebinding-protection",
        "http-header-validation",
        "server-stateless",
        "caching",
    ),
}
FOR_FIXTURES: Final = {
    # They call the suite's own tool test_missing_capability, which memd does not have: none of its tools needs anything
    # of the client that could be missing. The fixture application has it, and passes.
    "sep-2575-server-rejects-undeclared-capability",
    "sep-2575-missing-capability-http-400",
    # They want hints on lists that memd does not have: tools are its only content (contract 14.1). What it does list,
    # tools, passes; the fixture application has the others, and passes.
    "sep-2549-prompts-list-caching-hints",
    "sep-2549-resources-list-caching-hints",
    "sep-2549-resources-templates-list-caching-hints",
}
"""The checks of generic scenarios that cannot be made of memd itself."""
NO_WAY_BACK: Final = "a plain JSON answer has no way back to the client while the call runs (contract 14.1, 14.2)"
NO_SESSION: Final = "the scenario wants a session id, and memd is stateless (contract 14.1)"
EXPECTED_FAILURES: Final = {
    HANDSHAKE: {
        "tools-call-with-logging": NO_WAY_BACK,
        "tools-call-with-progress": NO_WAY_BACK,
        "tools-call-sampling": NO_WAY_BACK,
        "tools-call-elicitation": NO_WAY_BACK,
        "elicitation-sep1034-defaults": NO_WAY_BACK,
        "elicitation-sep1330-enums": NO_WAY_BACK,
        "server-sse-multiple-streams": NO_SESSION,
    },
    MODERN: {
        "tools-call-with-progress": NO_WAY_BACK,
    },
}


@asynccontextmanager
async def fixtures(services: Services, key: str) -> AsyncGenerator[str]:
    """The address of an application that has nothing but the suite's fixtures, wired as memd wires its tools."""
    async with transport(fixture_server(), services.settings) as manager:

        async def endpoint(services: Services) -> McpEndpoint:
            return McpEndpoint(services, manager)

        app = Starlette(routes=[McpRoute(endpoint)])
        app.state.services = services
        async with served(WithKey(EnvelopeMiddleware(app, services, frozenset()), key)) as url:
            yield url


def failing(folder: Path, scenario: str) -> set[str]:
    """The checks of a scenario that do not pass; there is at least one that does."""
    (file,) = folder.glob(f"server-{scenario}-2*/checks.json")
    checks = json.loads(file.read_bytes())
    assert "SUCCESS" in {check["status"] for check in checks}, scenario
    return {check["id"] for check in checks if check["status"] in {"FAILURE", "WARNING"}}


@pytest.mark.parametrize("version", [HANDSHAKE, MODERN])
async def test_memd_passes_what_every_server_must(
    app: ASGIApp, user: TestUser, node: Node, tmp_path: Path, version: str
) -> None:
    async with served(WithKey(app, user.key)) as url:
        arguments = ("server", "--url", f"{url}/mcp", "--requirements", version, "--output-dir", str(tmp_path))
        await node.run(str(node.modules / SUITE), *arguments)
    failed = {(name, check) for name in GENERIC[version] for check in failing(tmp_path, name)}
    assert {check for check in failed if check[1] not in FOR_FIXTURES} == set()


@pytest.mark.parametrize("version", [pytest.param(HANDSHAKE, marks=pytest.mark.long), MODERN])
async def test_the_fixtures_pass_behind_the_wiring_of_memd(
    services: Services, user: TestUser, node: Node, tmp_path: Path, version: str
) -> None:
    baseline = tmp_path / "expected-failures.yml"
    lines = [f"  - {name} # {reason}" for name, reason in EXPECTED_FAILURES[version].items()]
    await asyncio.to_thread(baseline.write_text, "\n".join(["server:", *lines]) + "\n")
    async with fixtures(services, user.key) as url:
        arguments = ("server", "--url", f"{url}/mcp", "--requirements", version, "--expected-failures", str(baseline))
        code, output = await node.run(str(node.modules / SUITE), *arguments, "--output-dir", str(tmp_path / "results"))
    assert code == 0, output
