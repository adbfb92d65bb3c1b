"""Each integration against a memd, with its framework installed, compared with the framework's own implementation."""

import asyncio
import json
import logging
import re
from pathlib import Path

import pytest

from tests.integrations.conftest import HERE, ROOT, RunProgram
from tests.support.node import Node, count_tokens
from tests.support.tool_costs import over_budget

pytestmark = pytest.mark.e2e
PROGRAMS = HERE / "programs"
log = logging.getLogger(__name__)
PAGE = ROOT / "docs" / "integrations.md"


@pytest.mark.parametrize(
    "name", ["langgraph_store", "openai_agents_session", "pydantic_ai_toolset", "anthropic_memory_tool"]
)
def test_the_framework_works_with_memd(name: str, run_program: RunProgram) -> None:
    run_program(str(PROGRAMS / f"{name}.py"))


def test_the_quickstart_of_mem0_runs_with_its_import_changed(run_program: RunProgram) -> None:
    """The program of the README of mem0ai 2.2.1, which docs/integrations.md quotes."""
    blocks: list[str] = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    (quickstart,) = [block for block in blocks if "from mem0 import Memory" in block]
    run_program(str(PROGRAMS / "mem0_memory.py"), quickstart)


async def test_the_tools_of_memd_cost_little_in_pydantic_ai(
    run_program: RunProgram, node: Node, tmp_path: Path
) -> None:
    texts: dict[str, str] = json.loads(await asyncio.to_thread(run_program, str(PROGRAMS / "pydantic_ai_mcp.py")))
    tokens = dict(zip(texts, await count_tokens(node, [*texts.values()], tmp_path), strict=True))
    log.info("pydantic-ai: %s", tokens)
    assert over_budget(tokens) == {}


def test_the_page_names_the_versions() -> None:
    pinned = re.findall(r"^([\w-]+)(?:\[\w+\])?==([\d.]+)$", (HERE / "requirements.txt").read_text(), re.MULTILINE)
    frameworks = {name: version for name, version in pinned if not name.startswith("openapi")}
    assert len(frameworks) == 4
    text = PAGE.read_text()
    assert [name for name, version in frameworks.items() if f"{name} {version}" not in text] == []


def test_every_integration_is_on_the_page() -> None:
    text = PAGE.read_text()
    public = ("MemdStore", "MemdSession", "memory_toolset", "MemdMemoryTool", "Memory")
    assert [name for name in public if f"import {name}\n" not in text] == []
