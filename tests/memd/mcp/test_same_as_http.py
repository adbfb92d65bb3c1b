"""Each tool gives what its endpoint gives: two users with the same memories, one asked over HTTP and one over MCP."""

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from starlette.types import ASGIApp

from memd.context import Services
from memd.domain.types import Policy
from tests.support.jobs import done
from tests.support.mcp import official_client
from tests.support.mcp_cases import CASES, RECALL, Case, differences, furnish, over_http
from tests.support.service import MakeUser


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_every_tool_gives_what_its_endpoint_gives(
    services: Services, make_user: MakeUser, app: ASGIApp, mode: str
) -> None:
    http, mcp = [await furnish(await make_user(policy=Policy.SELF_HOSTED_UNMETERED)) for _ in range(2)]
    async with official_client(app, mcp.user.key, mode) as client:
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(listed) == {case.tool for case in CASES}
        for case in CASES:
            for world in (http, mcp):
                await services.afterwards.drain()
                await done(services, world.user)
            result = await client.call_tool(case.tool, case.arguments(mcp.ids))
            assert not result.is_error, (case.tool, result.content)
            given: Any = result.structured_content
            wanted = await over_http(http, case)
            assert differences(given, wanted) == [], case.tool
            Draft202012Validator(listed[case.tool].output_schema or {}).validate(given)
            assert json.loads(getattr(result.content[1], "text", "")) == shown(case, given)


def shown(case: Case, given: dict[str, Any]) -> dict[str, Any]:
    """What the JSON as text says: the same, with memories in their compact form where the tool recalls."""
    if case.path != RECALL or case.arguments({}).get("compact") is False:
        return given
    return given | {"memories": [row | {"content": row["recallText"]} for row in given["memories"]]}
