"""A limit above the maximum is lowered, as over HTTP (contract 1.1), and the answer says so (17.4)."""

import pytest

from tests.support.mcp import call
from tests.support.service import TestUser
from tests.support.wire import capture, post

TOOLS = {"recall": "query", "what_do_i_know": "topic", "why_did_we": "decision", "preflight": "action"}


@pytest.mark.parametrize(("tool", "argument"), TOOLS.items())
async def test_a_limit_that_was_lowered_is_said(user: TestUser, tool: str, argument: str) -> None:
    await capture(user, content="We decided to close the harbour on Sundays.", category="decision")
    for limit, said in ((999, "limit 999 is more than the maximum: 20"), (20, None), (None, None)):
        arguments = {argument: "closing the harbour"} | ({} if limit is None else {"limit": limit})
        result = await call(user.http, tool, **arguments)
        assert result["structuredContent"].get("degraded") == said
        assert (f"degraded: {said}" in result["content"][0]["text"]) is (said is not None)


async def test_http_says_the_limit_that_it_used(user: TestUser) -> None:
    assert (await post(user, "recall", {"query": "x", "limit": 999}))["retrieval"]["requestedLimit"] == 20
