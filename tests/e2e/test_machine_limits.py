"""A machine that gives memd too little: the start and `memd doctor` name what is missing and the command that mends it."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from memd.local_socket import state_file
from memd.main import main
from memd.settings import EmbedModel

pytestmark = pytest.mark.e2e
FILES = ("ulimit -n 24", "allow more open files: ulimit -n 4096")
MEMORY = ("ulimit -v 1000000; export MEMD_DATABASE_CACHE_MB=4000", "MEMD_DATABASE_CACHE_MB=128")

FAILING_START = """
import sys, time
from contextlib import contextmanager
from memd import start
from memd.db.errors import PostgresFailedError
from memd.settings import Settings

@contextmanager
def no_database(settings, meanwhile, patience_s):
    meanwhile()
    raise PostgresFailedError("Postgres exited")
    yield

def slow_model(settings, **options):
    time.sleep(0.5)
    print("loaded", flush=True)

start.make_embedder, start.served_database = slow_model, no_database
sys.exit(start.run_worker(Settings()))
"""


def memd(limit: str, words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run `memd words` on the folder from a shell that has set a limit."""
    command = f'{limit}; exec "$0" -m memd {words} --data-dir "$1"'
    environment = {**os.environ, "MEMD_EMBED_MODEL": EmbedModel.WORDLLAMA}
    arguments = ["bash", "-c", command, sys.executable, str(folder)]
    return subprocess.run(arguments, capture_output=True, text=True, check=False, env=environment, timeout=120)


@pytest.fixture(params=[FILES, MEMORY], ids=["files", "memory"])
def limited(request: pytest.FixtureRequest, migrated: Path) -> tuple[str, str, Path]:
    """A limit, what mends it, and a data directory with a database."""
    limit, told = request.param
    return limit, told, migrated


def test_a_start_that_a_limit_rules_out_says_how_to_raise_it(limited: tuple[str, str, Path]) -> None:
    limit, told, folder = limited
    done = memd(limit, "serve --port 0", folder)
    assert done.returncode == 1
    assert "memd cannot start: Postgres exited or was not ready in time" in done.stderr
    assert told in done.stderr.splitlines()[-1]


def test_doctor_says_how_to_raise_a_limit(limited: tuple[str, str, Path]) -> None:
    limit, told, folder = limited
    done = memd(limit, "doctor --json", folder)
    (found,) = [check for check in json.loads(done.stdout)["checks"] if check["check"] == "database"]
    assert (done.returncode, found["state"], told in found["fix"]) == (1, "failed", True)


def test_doctor_notices_a_folder_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: (path, mode) != (tmp_path, os.W_OK))
    result = CliRunner().invoke(main, ["doctor", "--json", "--data-dir", str(tmp_path)])
    found = {check["check"]: check for check in json.loads(result.output)["checks"]}
    assert (result.exit_code, found["disk"]["state"]) == (1, "failed")
    assert found["disk"]["found"] == f"{tmp_path} is not writable"


def _address(folder: Path, port: int, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """What doctor says of the address of a memd on this folder: the state, and what mends it."""
    monkeypatch.setenv("MEMD_PORT", str(port))
    result = CliRunner().invoke(main, ["doctor", "--json", "--data-dir", str(folder)])
    (found,) = [check for check in json.loads(result.output)["checks"] if check["check"] == "address"]
    return found["state"], found["fix"]


def test_doctor_notices_a_port_that_another_program_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert _address(tmp_path, port, monkeypatch) == (
            "warning",
            "stop what listens there, or: memd serve --port PORT",
        )
        with state_file(tmp_path, "127.0.0.1", port, taken):
            assert _address(tmp_path, port, monkeypatch) == ("ok", "")
    assert _address(tmp_path, port, monkeypatch) == ("ok", "")


def test_a_start_that_fails_waits_for_the_model_that_is_loading() -> None:
    """Python cannot end while another thread is in the library that loads a model: the process would be aborted."""
    done = subprocess.run(
        [sys.executable, "-c", FAILING_START], capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stdout, done.stderr) == (1, "loaded\n", "memd cannot start: Postgres exited\n")
