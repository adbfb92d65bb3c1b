"""The cost of memd's tools in Claude Code and Codex: the tokens that the model is sent, against a scripted model.

The table is in the log: `make test-agents PYTEST_ARGS="-k tokens --log-cli-level INFO"`.
"""

import asyncio
import json
import logging
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.types import ASGIApp

from tests.support.model_endpoint import ToolCall, model_endpoint
from tests.support.node import Node, count_tokens
from tests.support.served import served
from tests.support.service import TestUser
from tests.support.tool_costs import CALLS, memories, over_budget, turns
from tests.support.wire import capture, post

pytestmark = pytest.mark.e2e
END_S = 120
Json = dict[str, Any]
Start = Callable[[Node, str, str, str, Path], tuple[list[str], dict[str, str]]]
log = logging.getLogger(__name__)


async def furnish(user: TestUser) -> None:
    for memory in memories():
        await capture(user, **memory)
    for turn in turns():
        await post(user, "turn", turn)


def claude(node: Node, model: str, url: str, key: str, home: Path) -> tuple[list[str], dict[str, str]]:
    header = {"Authorization": f"Bearer {key}"}
    servers = {"mcpServers": {"memd": {"type": "http", "url": f"{url}/mcp?tools=core", "headers": header}}}
    (home / "mcp.json").write_text(json.dumps(servers))
    tools = ",".join(f"mcp__memd__{name}" for name in CALLS)
    options = ["--mcp-config", str(home / "mcp.json"), "--strict-mcp-config", "--allowedTools", tools]
    variables = {
        "ANTHROPIC_BASE_URL": model,
        "ANTHROPIC_API_KEY": "sk-ant-scripted",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "MCP_CONNECTION_NONBLOCKING": "0",  # the first call of the model has the tools, however busy the machine is
        "MCP_CONNECT_TIMEOUT_MS": "60000",
    }
    return [str(node.modules / ".bin" / "claude"), "-p", "go", *options], variables


def codex(node: Node, model: str, url: str, key: str, home: Path) -> tuple[list[str], dict[str, str]]:
    del home
    provider = f'{{name="scripted", base_url="{model}/v1", wire_api="responses", env_key="OPENAI_API_KEY"}}'
    server = f'{{url="{url}/mcp?tools=core", http_headers={{Authorization="Bearer {key}"}}}}'
    settings = {
        "model": '"scripted"',
        "model_provider": '"scripted"',
        "model_providers.scripted": provider,
        "mcp_servers.memd": server,
    }
    options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
    script = str(node.modules / "@openai" / "codex" / "bin" / "codex.js")
    free = ["--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"]
    return [node.program, script, "exec", *free, *options, "go"], {"OPENAI_API_KEY": "scripted"}


def results(value: Any) -> Iterator[str]:
    """The texts of the tool results in a model call, in order."""
    if isinstance(value, list):
        for item in value:
            yield from results(item)
    elif isinstance(value, dict):
        fields: Json = value
        if fields.get("type") == "tool_result":
            yield text_of(fields["content"])
        elif fields.get("type") == "function_call_output":
            yield text_of(fields["output"])
        else:
            for inner in fields.values():
                yield from results(inner)


def text_of(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def definitions(request: Json) -> list[Json]:
    """The definitions of memd's tools in a model call."""
    return [tool for tool in request.get("tools", []) if "memd" in json.dumps(tool.get("name", ""))]


@pytest.mark.parametrize(("start", "namespace"), [(claude, ""), (codex, "mcp__memd")])
async def test_the_tokens_of_each_tool_are_within_their_budgets(
    app: ASGIApp, user: TestUser, tmp_path: Path, coding_agents: Node, node: Node, start: Start, namespace: str
) -> None:
    await furnish(user)
    before = "" if namespace else "mcp__memd__"
    script = [ToolCall(f"{before}{name}", arguments, namespace) for name, arguments in CALLS.items()]
    async with served(app) as url:
        with model_endpoint(*script, "Done.") as model:
            command, variables = start(coding_agents, model.address, url, user.key, tmp_path)
            done = await asyncio.to_thread(
                subprocess.run,
                command,
                cwd=tmp_path,
                env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), **variables},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=END_S,
                check=False,
            )
    assert (done.returncode, "Done." in done.stdout) == (0, True), done.stderr[-4000:]
    sent = model.requests[-1]
    answers = list(results(sent.get("messages") or sent.get("input")))
    texts = [*answers, json.dumps(definitions(sent), separators=(",", ":"))]
    tokens = dict(zip([*CALLS, "definitions"], await count_tokens(node, texts, tmp_path), strict=True))
    log.info("%s: %s", start.__name__, tokens)
    assert over_budget(tokens) == {}
    assert "stored information" in answers[1].lower()
