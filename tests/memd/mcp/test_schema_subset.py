"""The schemas of arguments within what clients of every model take: Gemini's subset of JSON Schema is the smallest."""

from collections.abc import Iterator
from typing import Any, Final, cast

import pytest

from memd.app import endpoints
from memd.mcp.tools import Tool, make_tools
from tests.support.mcp import call
from tests.support.service import TestUser

KEYWORDS: Final = {
    *("type", "description", "properties", "required", "additionalProperties", "items", "enum", "default"),
    *("minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems"),
}
TOOLS: Final = make_tools(endpoints())


def schemas(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A schema and those inside it."""
    yield schema
    inside = [*schema.get("properties", {}).values(), schema.get("items"), schema.get("additionalProperties")]
    for part in inside:
        if isinstance(part, dict):
            yield from schemas(cast("dict[str, Any]", part))


@pytest.mark.parametrize("tool", TOOLS.values(), ids=[*TOOLS])
def test_arguments_use_no_keyword_that_a_client_may_refuse(tool: Tool) -> None:
    for schema in schemas(tool.listing.input_schema):
        assert {*schema} <= KEYWORDS
        assert isinstance(schema["type"], str), "Gemini CLI warns the user of a list of types at each call"
        assert "enum" not in schema or schema["type"] == "string"
        assert schema.get("type") != "array" or "items" in schema


async def test_times_and_data_may_have_their_other_forms(user: TestUser) -> None:
    memory = {"title": "Tea", "content": "Our favourite tea is sencha.", "metadata": '{"source": "kitchen"}'}
    assert "id" in (await call(user.http, "capture", **memory))["structuredContent"]
    for moment in (1_700_000_000_000, "1700000000000", "2023-11-14", "2023-11-14T22:13:20Z"):
        answer = await call(user.http, "recall", query="favourite tea", fromMs=moment)
        assert not answer["isError"], moment
