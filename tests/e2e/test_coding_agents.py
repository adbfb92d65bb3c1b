"""Coding agents with the hooks of memd, against a scripted model: what one session says, the next one knows."""

import asyncio
import hashlib
import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.types import ASGIApp

from tests.support.agents import Agent
from tests.support.model_endpoint import model_endpoint
from tests.support.node import Node
from tests.support.served import served
from tests.support.service import TestUser

pytestmark = pytest.mark.e2e
FACT = "The launch code word is marmalade-42."
QUESTION = "What is the launch code word?"
END_S = 180
Command = Callable[[Node, str, str], tuple[list[str], dict[str, str]]]


def claude(node: Node, model: str, prompt: str) -> tuple[list[str], dict[str, str]]:
    variables = {
        "ANTHROPIC_BASE_URL": model,
        "ANTHROPIC_API_KEY": "sk-ant-scripted",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    }
    return [str(node.modules / ".bin" / "claude"), "-p", prompt], variables


def codex(node: Node, model: str, prompt: str) -> tuple[list[str], dict[str, str]]:
    provider = f'{{name="scripted", base_url="{model}/v1", wire_api="responses", env_key="OPENAI_API_KEY"}}'
    settings = {"model": '"scripted"', "model_provider": '"scripted"', "model_providers.scripted": provider}
    options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
    script = str(node.modules / "@openai" / "codex" / "bin" / "codex.js")
    trust = ["--skip-git-repo-check", "--dangerously-bypass-hook-trust"]
    return [node.program, script, "exec", *trust, *options, prompt], {"OPENAI_API_KEY": "scripted"}


def opencode(node: Node, model: str, prompt: str) -> tuple[list[str], dict[str, str]]:
    provider = {
        "npm": "@ai-sdk/anthropic",
        "options": {"baseURL": f"{model}/v1", "apiKey": "scripted"},
        "models": {"m": {"name": "m"}},
    }
    settings = {"model": "scripted/m", "small_model": "scripted/m", "provider": {"scripted": provider}}
    variables = {
        "OPENCODE_CONFIG_CONTENT": json.dumps(settings),
        "OPENCODE_DISABLE_MODELS_FETCH": "1",
        "OPENCODE_DISABLE_AUTOUPDATE": "1",
    }
    program = next(node.modules.glob("opencode-linux-*/bin/opencode"), node.modules / ".bin" / "opencode")
    return [str(program), "run", prompt], variables


def gemini(node: Node, model: str, prompt: str) -> tuple[list[str], dict[str, str]]:
    variables = {"GEMINI_API_KEY": "scripted", "GOOGLE_GEMINI_BASE_URL": model}
    return [str(node.modules / ".bin" / "gemini"), "--skip-trust", "-p", prompt], variables


def copilot(node: Node, model: str, prompt: str) -> tuple[list[str], dict[str, str]]:
    variables = {
        "COPILOT_OFFLINE": "true",
        "COPILOT_PROVIDER_BASE_URL": model,
        "COPILOT_PROVIDER_TYPE": "anthropic",
        "COPILOT_PROVIDER_API_KEY": "scripted",
        "COPILOT_MODEL": "claude-sonnet-4.6",
    }
    return [str(node.modules / ".bin" / "copilot"), "--allow-all-tools", "-p", prompt], variables


def claw(node: Node, model: str, prompt: str) -> tuple[list[str], dict[str, str]]:
    session = hashlib.sha256(prompt.encode()).hexdigest()[:8]
    script = str(node.modules / "openclaw" / "openclaw.mjs")
    return [node.program, script, "agent", "--local", "--session-id", session, "--message", prompt], {
        "MODEL_URL": model
    }


async def session(agent: Agent, node: Node, command: Command, prompt: str) -> list[dict[str, Any]]:
    """One session with one prompt; what the model was sent."""
    with model_endpoint("Noted.") as model:
        arguments, variables = command(node, model.address, prompt)
        done = await asyncio.to_thread(
            subprocess.run,
            arguments,
            cwd=agent.project,
            env={"PATH": os.environ["PATH"], **agent.variables, **variables},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=END_S,
            check=False,
        )
    assert (done.returncode, "Noted." in done.stdout) == (0, True), done.stderr[-4000:]
    assert model.requests
    return model.requests


@pytest.mark.parametrize(
    ("client", "command"),
    [
        ("claude-code", claude),
        ("codex", codex),
        ("copilot", copilot),
        ("opencode", opencode),
    ],
)
async def test_a_fact_of_session_one_is_in_the_prompt_of_session_two(
    app: ASGIApp, user: TestUser, tmp_path: Path, coding_agents: Node, client: str, command: Command
) -> None:
    await prove(app, user, tmp_path, coding_agents, client, command)


async def test_a_fact_of_session_one_of_gemini_is_in_the_prompt_of_session_two(
    app: ASGIApp, user: TestUser, tmp_path: Path, coding_agents: Node
) -> None:
    path = tmp_path / ".gemini" / "settings.json"
    path.parent.mkdir()
    path.write_text(json.dumps({"security": {"auth": {"selectedType": "gemini-api-key"}}}))
    await prove(app, user, tmp_path, coding_agents, "gemini-cli", gemini)


async def test_a_fact_of_session_one_of_openclaw_is_in_the_prompt_of_session_two(
    app: ASGIApp, user: TestUser, tmp_path: Path, openclaw: Node
) -> None:
    model = {"id": "m", "name": "m", "contextWindow": 200_000, "maxTokens": 4_096}
    provider = {"baseUrl": "${MODEL_URL}", "apiKey": "scripted", "api": "anthropic-messages", "models": [model]}
    settings = {
        "agents": {"defaults": {"model": {"primary": "scripted/m"}}},
        "models": {"mode": "merge", "providers": {"scripted": provider}},
    }
    path = tmp_path / ".openclaw" / "openclaw.json"
    path.parent.mkdir()
    path.write_text(json.dumps(settings))
    await prove(app, user, tmp_path, openclaw, "openclaw", claw)


async def prove(app: ASGIApp, user: TestUser, home: Path, node: Node, client: str, command: Command) -> None:
    """Two sessions of an agent with installed hooks: the second has what the first said; each turn is stored once."""
    async with served(app) as url:
        places = {"HOME": str(home), "MEMCTL_STATE_DIR": str(home / "state"), "MEMCTL_CONFIG": "none.toml"}
        connection = {"MEMCTL_URL": url, "MEMCTL_API_KEY": user.key, "MEMCTL_HOOKS_TIMEOUT_MS": "5000"}
        agent = Agent(home, {**places, **connection}, client)
        Path(agent.project).mkdir()  # noqa: ASYNC240 - before anything runs
        await agent.memctl("hooks", "install", client, "--yes")
        first = await session(agent, node, command, FACT)
        assert "stored information" not in json.dumps(first)
        await agent.delivered()
        second = await session(agent, node, command, QUESTION)
        assert json.dumps(second).count(FACT) >= 2, "in the briefing and in the context"
        await agent.delivered()
    assert [line for line in agent.log if " error " in line] == []
    assert len((await user.http.get("/api/snapshots")).json()["snapshots"]) <= 2, "one for each session at most"
    reply = await user.http.post("/api/mcp/recent-messages", json={"limit": 100, "allChannels": True})
    messages = [
        (row["role"], row["content"].strip('"')) for row in reply.json()["messages"]
    ]  # opencode quotes its argument
    assert messages == [("user", FACT), ("assistant", "Noted."), ("user", QUESTION), ("assistant", "Noted.")]
