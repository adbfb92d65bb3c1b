"""Each tool answers from what its endpoint replies: two users with the same memories, one over HTTP and one over MCP."""

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from starlette.types import ASGIApp

from memd.app import endpoints
from memd.context import Services
from memd.domain.types import Policy
from memd.mcp.tools import make_tools
from tests.support.jobs import done
from tests.support.mcp import official_client
from tests.support.mcp_cases import CASES, Case, differences, furnish, over_http
from tests.support.service import MakeUser

TOOLS = make_tools(endpoints())


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
                await services.background_tasks.drain()
                await done(services, world.user)
            result = await client.call_tool(case.tool, case.arguments(mcp.ids))
            assert not result.is_error, (case.tool, result.content)
            given: Any = result.structured_content
            wanted = await over_http(http, case)
            assert differences(given, lean(case, wanted, case.arguments(mcp.ids))) == [], case.tool
            Draft202012Validator(listed[case.tool].output_schema or {}).validate(given)
            assert len(result.content) == 1


def lean(case: Case, reply: Any, arguments: dict[str, Any]) -> Any:
    """The endpoint's JSON as the tool shows it."""
    tool = TOOLS[case.tool]
    assert tool.endpoint.reply is not None
    content = tool.declaration.content(tool.endpoint.reply.model_validate(reply), arguments)
    return json.loads(content.rendered()[1])
