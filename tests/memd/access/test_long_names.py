"""Names of fields that are as long as a body: a refusal quotes their ends only (contract 1.5)."""

import pytest

from memd.errors import DETAILS_MAX
from tests.support.mcp import call
from tests.support.service import TestUser

LONG = "a" * 1_000_000


@pytest.mark.parametrize(
    ("path", "body", "begin", "end"),
    [
        ("mcp/recall", {"query": "x", LONG: "\0"}, "Field aaa", "aaa must be text without NUL or lone surrogates"),
        ("mcp/recall", {"query": "x", "where": {"a": {LONG[:15_000]: 1}}}, "Field where.a.aaa", ""),
        ("mcp/capture", {"title": "x", "content": "x", "metadata": {LONG: "\0"}}, "Field metadata.aaa", "surrogates"),
    ],
)
async def test_a_refusal_does_not_repeat_a_long_name(
    user: TestUser, path: str, body: dict[str, object], begin: str, end: str
) -> None:
    reply = await user.http.post(f"/api/{path}", json=body)
    assert reply.status_code == 400
    details = reply.json()["details"]
    assert details.startswith(begin)
    assert details.endswith(end)
    assert len(details) <= DETAILS_MAX


@pytest.mark.parametrize(("tool", "arguments"), [("recall", {LONG: 1}), ("t" * 50_000, {})])
async def test_a_refused_call_does_not_repeat_a_long_name(user: TestUser, tool: str, arguments: dict[str, int]) -> None:
    """16 MiB of body came back as 32 MiB, in the text and in the structured content."""
    result = await call(user.http, tool, **arguments)
    assert result["isError"] is True
    assert len(str(result)) <= 3 * DETAILS_MAX
