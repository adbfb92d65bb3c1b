"""docs/python.md works as it is written, against a real memd."""

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memctl.client import MemdClient, errors
from memctl.client import models as client_models
from tests.support.daemon import Daemon, fast_daemon

pytestmark = pytest.mark.e2e
PAGE = (Path(__file__).parents[2] / "docs" / "python.md").read_text()
BLOCKS: list[str] = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture(scope="module")
def memd(enterable_folder: Path, started_once: Path) -> Iterator[Daemon]:
    with fast_daemon(enterable_folder / "d-python", started_once) as served:
        yield served.start()


def test_the_agent_loop_has_a_memory(memd: Daemon, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(BLOCKS[0].strip().splitlines()) <= 15
    monkeypatch.setenv("MEMCTL_URL", memd.url)
    monkeypatch.setenv("MEMCTL_API_KEY", memd.key)
    names: dict[str, Any] = {}
    exec(BLOCKS[0], names)  # noqa: S102 - the text of our own page
    prompts: list[str] = []

    def answer(briefing: str, context: str, question: str) -> str:
        prompts.append(f"{briefing}\n{context}")
        return f"I will remember: {question}"

    first = iter(["My ferry to Harwich leaves at 19:40 from pier 7.", ""])
    asyncio.run(names["agent"]("monday", lambda: next(first), answer))
    second = iter(["When does my ferry to Harwich leave?", ""])
    asyncio.run(names["agent"]("tuesday", lambda: next(second), answer))
    assert "19:40" in prompts[1]


def test_the_example_without_an_event_loop(memd: Daemon) -> None:
    environment = os.environ | {"MEMCTL_URL": memd.url, "MEMCTL_API_KEY": memd.key}
    done = subprocess.run(
        [sys.executable, "-c", BLOCKS[1]], capture_output=True, text=True, check=False, env=environment, timeout=120
    )
    assert done.stdout == "colour Ann likes blue\n", done.stderr


def test_the_page_names_every_error_and_every_method() -> None:
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.ClientError)]
    assert [kind.__name__ for kind in kinds if f"`{kind.__name__}`" not in PAGE and kind is not errors.ApiError] == []
    for room in ("memories", "messages", "sessions", "history", "standing", "graph"):
        methods = [name for name in dir(getattr(MemdClient("http://memd.test", None), room)) if name[0] != "_"]
        assert [name for name in methods if f"`{name}`" not in PAGE] == []


def test_every_model_is_named_once() -> None:
    assert len(client_models.__all__) == len(set(client_models.__all__))
    assert [name for name in client_models.__all__ if not hasattr(client_models, name)] == []
