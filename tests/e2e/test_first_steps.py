"""The first steps of a new user: start, run the three commands that are printed, stop, start again."""

import os
import re
import shlex
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.daemon import Daemon, fast_daemon, run_memd

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def new(enterable_folder: Path) -> Iterator[Daemon]:
    """A memd that these tests share, on a data directory that was not there before."""
    with fast_daemon(enterable_folder / "d-first-steps") as served:
        served.forked = False
        yield served


@pytest.fixture
def first(new: Daemon) -> Daemon:
    """The shared memd, started unless it runs."""
    return new if new.runs else new.start()


def printed_commands(daemon: Daemon) -> list[list[str]]:
    lines = [line.strip() for line in daemon.said]
    return [shlex.split(line) for line in lines if re.match(r"\S*memctl ", line)]


def test_the_printed_commands_work_as_printed(first: Daemon) -> None:
    commands = printed_commands(first)
    assert [next(word for word in command if word in {"capture", "recall", "stats"}) for command in commands] == [
        "capture",
        "recall",
        "stats",
    ]
    environment = {name: value for name, value in os.environ.items() if name != "MEMD_DATA_DIR"}  # a new terminal
    outputs = [
        subprocess.run(
            [str(Path(sys.executable).parent / "memctl"), *command[1:]],
            capture_output=True,
            text=True,
            check=True,
            env=environment,
        ).stdout
        for command in commands
    ]
    assert "mem_" in outputs[0]
    assert "First memory" in outputs[1]
    assert re.search(r"memories\s+1", outputs[2])


def test_a_second_memd_on_the_folder_names_the_first(first: Daemon) -> None:
    assert first.process is not None
    second = run_memd("serve", "--port", "0", "--data-dir", first.data_dir)
    assert second.returncode == 1
    assert f"process id {first.process.pid}" in second.stderr
    assert "Traceback" not in second.stderr


def test_the_key_is_for_its_owner_only(first: Daemon) -> None:
    key_file = first.data_dir / "local.key"
    assert stat.S_IMODE(key_file.stat().st_mode) == 0o600
    assert re.fullmatch(r"[0-9a-f]{64}", first.key)


def test_reembed_beside_a_running_memd_then_only_the_new_model_serves_with_the_same_key(first: Daemon) -> None:
    key = first.key
    with first.http() as http:
        rows = 2 + http.get("/api/mcp/stats").raise_for_status().json()["total"]
        http.post("/api/mcp/capture", json={"title": "Pump", "content": "The pump in hall 3 leaks."}).raise_for_status()
        http.post("/api/mcp/log", json={"role": "user", "content": "Who repairs the pump?"}).raise_for_status()
    done = memd("reembed", first, "minilm")
    assert f"{rows} rows embedded" in done.stdout
    assert first.stop() == 0
    refused = memd("serve", first, "wordllama", "--port", "0")
    assert refused.returncode == 1
    assert "memd reembed" in refused.stderr
    first.arguments, first.environment, first.forked = ("--workers-off",), {"MEMD_EMBED_MODEL": "minilm"}, True
    first.start()
    assert first.key == key
    assert not any("(new)" in line for line in first.said)
    with first.http() as http:
        assert http.get("/api/version").json()["embeddingDimensions"] == 384
        found = http.post("/api/mcp/recall", json={"query": "leaking pump"}).json()
    assert found["memories"][0]["title"] == "Pump"
    assert found["memories"][0]["rankingSignals"]["vectorScore"] > 0.3


def memd(command: str, served: Daemon, embed_model: str, *options: str) -> subprocess.CompletedProcess[str]:
    """A command of memd on the folder of another one, with an embedding model of its own."""
    return run_memd(command, *options, "--data-dir", served.data_dir, MEMD_EMBED_MODEL=embed_model)
