"""A memd, and a Python that has the agent frameworks, which memd itself does not need: `make test-integrations`."""

import os
import subprocess
import sys
import venv
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.daemon import Daemon, fast_daemon

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
RunProgram = Callable[..., str]


@pytest.fixture(scope="session")
def frameworks(request: pytest.FixtureRequest, enterable_folder: Path) -> str:
    """The Python to run programs with."""
    given = request.config.getoption("--frameworks")
    if not given:
        pytest.skip("needs the frameworks, which memd does not install: make test-integrations")
    if given != "install":
        return str(given)
    folder = enterable_folder / "frameworks"
    venv.create(folder, with_pip=True)
    python = str(folder / "bin" / "python")
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"]
    subprocess.run([*install, str(HERE / "requirements.txt")], check=True)
    return python


@pytest.fixture(scope="session")
def memd(frameworks: str, enterable_folder: Path) -> Iterator[Daemon]:
    """A memd; it is not started for tests that are skipped."""
    assert frameworks
    with fast_daemon(enterable_folder / "d-frameworks") as served:
        yield served.start()


@pytest.fixture
def run_program(frameworks: str, memd: Daemon) -> RunProgram:
    """Run a program of `programs/` against the memd with a service key; what it prints."""
    with memd.http() as http:
        made = http.post("/api/keys", json={"label": "service", "scopes": ["read", "write", "act_as"]})
        key: str = made.raise_for_status().json()["apiKey"]

    def run(*command: str, python: str = frameworks) -> str:
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("MEMD_", "MEMCTL_"))}
        address = {"ADDRESS": memd.url, "KEY": key, "MEMCTL_URL": memd.url, "MEMCTL_API_KEY": key}
        environment = (
            clean | address | {"PYTHONPATH": str(ROOT), "PATH": f"{Path(sys.executable).parent}:{clean['PATH']}"}
        )
        done = subprocess.run(
            [python, *command], capture_output=True, text=True, check=False, env=environment, timeout=240
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run
