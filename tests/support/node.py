"""Programs of the npm registry for tests: installed once into a cache of the user, skipped when they cannot be had."""

import asyncio
import fcntl
import hashlib
import json
import os
import re
import shutil
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import platformdirs
import pytest

NODE: Final = "node@22.23.3"
PACKAGES: Final = (
    "@modelcontextprotocol/conformance@0.2.0-alpha.12",
    "@modelcontextprotocol/sdk@1.32.2",
    "@modelcontextprotocol/client@2.4.0",
    "@modelcontextprotocol/inspector@2.12.0",
    "gpt-tokenizer@4.0.0",
)
AGENTS: Final = (
    "@anthropic-ai/claude-code@2.1.197",
    "@openai/codex@0.169.0",
    "@google/gemini-cli@0.61.0",
    "@github/copilot@1.0.102",
    "opencode-ai@1.18.33",
)
OPENCLAW: Final = "openclaw@2026.9.6"
OPENCLAW_NODE: Final = "node@24.21.0"
COUNT: Final = Path(__file__).with_name("count_tokens.mjs")
MIN_MAJOR: Final = 22
INSTALL_S: Final = 240
RUN_S: Final = 90


@dataclass(frozen=True, slots=True)
class Node:
    """A node program and the folder that its packages are in."""

    program: str
    modules: Path

    async def run(self, *arguments: str, environment: dict[str, str] | None = None) -> tuple[int, str]:
        """Run a script; the exit code and everything that it said."""
        process = await asyncio.create_subprocess_exec(
            self.program,
            *arguments,
            cwd=self.modules.parent,
            env={**os.environ, **(environment or {})},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        try:
            output, _nothing = await asyncio.wait_for(process.communicate(), RUN_S)
        except TimeoutError:
            process.kill()
            await process.wait()
            raise
        assert process.returncode is not None
        return process.returncode, output.decode(errors="replace")


@pytest.fixture(scope="session")
def node() -> Node:
    """Node 22 or newer with the packages; a skip that says why when npm or its registry is not there."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed")
    return _installed(npm, PACKAGES)


@pytest.fixture(scope="session")
def coding_agents(request: pytest.FixtureRequest) -> Node:
    """Node with Claude Code, Codex, Gemini CLI, Copilot CLI and opencode; a skip without `--agents`, since they take most of a gigabyte."""
    node = _installed(_npm_for_agents(request), AGENTS)
    setup = node.modules / "@anthropic-ai" / "claude-code" / "install.cjs"  # newer versions of npm run no scripts
    subprocess.run([node.program, str(setup)], capture_output=True, timeout=INSTALL_S, check=True)
    return node


@pytest.fixture(scope="session")
def openclaw(request: pytest.FixtureRequest) -> Node:
    """OpenClaw with a node of its own; a skip without `--agents`.

    Its installation scripts would refuse the node that npm runs on.
    """
    npm = _npm_for_agents(request)
    node = _installed(npm, (OPENCLAW_NODE,), has_node=True)
    return Node(node.program, _installed(npm, ("--ignore-scripts", OPENCLAW), has_node=True).modules)


async def count_tokens(node: Node, texts: list[str], folder: Path) -> list[int]:
    """The tokens of each text by the o200k vocabulary; `node` has the package gpt-tokenizer."""
    (folder / "texts.json").write_text(json.dumps(texts), "utf-8")
    code, output = await node.run(str(COUNT), str(folder / "texts.json"), str(node.modules))
    assert code == 0, output
    return json.loads(output)


def _npm_for_agents(request: pytest.FixtureRequest) -> str:
    if not request.config.getoption("--agents"):
        pytest.skip("run make test-agents: the agents are a gigabyte of npm packages")
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed")
    return npm


def _installed(npm: str, packages: tuple[str, ...], *, has_node: bool = False) -> Node:
    """Node with the packages, installed once; `has_node`: one of them is node."""
    own = None if has_node else _system_node()
    wanted = packages if own or has_node else (NODE, *packages)
    mark = hashlib.sha256(" ".join(wanted).encode()).hexdigest()[:12]
    folder = platformdirs.user_cache_path("memd-tests") / f"npm-{mark}"
    folder.mkdir(parents=True, exist_ok=True)
    with _alone(folder / "lock"):
        if not (folder / "complete").exists():
            _install(npm, folder, wanted)
    modules = folder / "node_modules"
    return Node(own or str(modules / "node" / "bin" / "node"), modules)


def _system_node() -> str | None:
    """The node of this machine, when it is new enough."""
    program = shutil.which("node")
    if program is None:
        return None
    output = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
    version = re.match(r"v(\d+)\.", output)
    return program if version and int(version[1]) >= MIN_MAJOR else None


def _install(npm: str, folder: Path, wanted: tuple[str, ...]) -> None:
    (folder / "package.json").write_text('{"private": true}\n')
    options = ["--no-audit", "--no-fund", "--fetch-retries=1", "--fetch-timeout=30000", "--loglevel=error"]
    command = [npm, "install", *options, *wanted]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=INSTALL_S, check=False)
    except subprocess.TimeoutExpired:
        pytest.skip(f"npm did not bring {NODE} and the MCP packages within {INSTALL_S} seconds")
    if done.returncode:
        pytest.skip(f"npm cannot install {', '.join(wanted)}: {done.stderr.strip()[-300:]}")
    (folder / "complete").touch()


@contextmanager
def _alone(path: Path) -> Generator[None]:
    """One process at a time."""
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
