"""Bash divides words at colons and inserts values as they are: what memctl offers fits what is on the command line."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from starlette.types import ASGIApp

from memctl import bash_completion
from memctl.commands import parameter_types
from memctl.main import cli
from tests.memctl.conftest import Beside
from tests.support.service import BASE, TestUser
from tests.support.wire import post

LISTED = "list --channel "


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("kb show Te", [r"Team\ notes"]),
        (r"kb show Team\ n", [r"Team\ notes"]),
        ("kb show 'Team n", ["Team notes"]),
        ("kb show ", [r"\[b\]\ \$x", "Überblick 👩‍👧".replace(" ", r"\ "), r"Team\ notes"]),
        (f"{LISTED}sl", ["slack:ops", "slack:anna"]),
        (f"{LISTED}slack:", ["ops", "anna"]),
        (f"{LISTED}slack:o", ["ops"]),
        ("list --channel=slack:o", ["ops"]),
        ("list --channel=sl", ["slack:ops", "slack:anna"]),
        (f"{LISTED}slack:ops --sto", ["--store"]),
    ],
)
async def test_values_fit_the_word_at_the_cursor(
    app: ASGIApp, user: TestUser, monkeypatch: pytest.MonkeyPatch, typed: str, offered: list[str]
) -> None:
    monkeypatch.setattr(parameter_types, "COMPLETION_SECONDS", 60.0)
    for name in ("Team notes", "Überblick 👩‍👧", "[b] $x"):
        await user.http.post("/api/knowledge-bases", json={"name": name})
    for at, channel in enumerate(("slack:anna", "slack:ops")):
        await post(user, "log", {"content": f"line {at}", "channel": channel, "timestamp": at + 1})
    monkeypatch.setenv("COMP_LINE", f"memctl --url {BASE} --api-key {user.key} {typed}")
    monkeypatch.setenv("_MEMCTL_COMPLETE_BREAKS", " \t\n\"'><=;|&(:")
    shell = bash_completion.Bash(cli, {"obj": Beside(asyncio.get_running_loop(), app)}, "memctl", "_MEMCTL_COMPLETE")
    found = (await asyncio.to_thread(shell.complete)).splitlines()
    assert sorted(found) == sorted(f"plain,{value}" for value in offered)


@pytest.mark.parametrize("started_by", ["sh", "bash"])
def test_the_script_completes_in_bash(memctl: Callable[..., Result], home: Path, started_by: str) -> None:
    program = home / "memctl"
    program.write_text(f'#!/usr/bin/env {started_by}\nexec {sys.executable} -m memctl "$@"\n')
    program.chmod(0o755)
    (home / "[b]").touch()
    typing = "COMP_LINE='memctl kb arch --da' COMP_POINT=14"
    script = f'{memctl("completion", "bash").stdout}\n{typing}\n_memctl_completion memctl\necho "${{COMPREPLY[@]}}"'
    done = subprocess.run(
        ["bash", "-c", script],
        capture_output=True,
        text=True,
        check=False,
        env={
            **os.environ,
            "PATH": f"{home}:{os.environ['PATH']}",
            "PYTHONPATH": str(Path(bash_completion.__file__).parents[1]),
        },
    )
    assert (done.stdout, done.stderr) == ("archive\n", "")
