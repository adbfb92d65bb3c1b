"""From the wheel to a first recall in three commands, without the checkout: `make test-wheel`."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.packaging.conftest import Wheels
from tests.support.daemon import Daemon

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(900)]
QUESTION = "when do we ship?"


class Installer(NamedTuple):
    """A way to install a wheel: the program, what follows it, and where the commands are then."""

    program: str
    arguments: tuple[str, ...]
    bin: str


INSTALLERS = {
    "pip": Installer("pip", ("install", "--quiet"), "venv/bin"),
    "pipx": Installer("pipx", ("install", "--quiet"), "bin"),
    "uv": Installer("uv", ("tool", "install", "--quiet"), "bin"),
}


@pytest.fixture
def away(request: pytest.FixtureRequest, enterable_folder: Path) -> Iterator[Path]:
    """A folder away from the checkout, that of a new user."""
    if not request.config.getoption("--install-wheel"):
        pytest.skip("installs every dependency from the package index: make test-wheel")
    folder = enterable_folder / f"away-{request.node.callspec.params['name']}"
    folder.mkdir()
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def environment(folder: Path) -> dict[str, str]:
    """Nothing of this checkout and of the user who runs the tests but the way to the package index."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("MEMD_", "MEMCTL_", "PYTHON"))}
    own = {"PIPX_HOME": "pipx", "PIPX_BIN_DIR": "bin", "UV_TOOL_DIR": "uv", "UV_TOOL_BIN_DIR": "bin"}
    return clean | {name: str(folder / place) for name, place in own.items()}


def install(name: str, folder: Path, wheel: Path) -> Path:
    """Install the wheel; the folder of the commands."""
    installer = INSTALLERS[name]
    program = shutil.which(installer.program)
    if name == "pip":
        subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)
        program = str(folder / "venv/bin/pip")
    if program is None:
        pytest.skip(f"{installer.program} is not installed")
    command = [program, *installer.arguments, str(wheel)]
    done = subprocess.run(command, cwd=folder, env=environment(folder), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder / installer.bin


@pytest.mark.parametrize("name", INSTALLERS)
def test_install_serve_recall(name: str, away: Path, wheels: Wheels) -> None:
    commands = install(name, away, wheels.server)
    daemon = Daemon(away / "data", command=(str(commands / "memd"),), start_s=600)
    try:
        daemon.start()
        assert any("Fetching the embedding model" in line for line in daemon.said)

        def memctl(*arguments: str) -> str:
            command = [str(commands / "memctl"), "--data-dir", str(away / "data"), *arguments]
            done = subprocess.run(command, cwd=away, env=environment(away), capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr
            return done.stdout

        memctl("capture", "Release day", "We ship on Thursdays.")
        assert "Release day" in memctl("recall", QUESTION)
    finally:
        if daemon.runs:
            daemon.stop()


@pytest.mark.parametrize("name", ["client"])
def test_the_client_alone_is_small(name: str, away: Path, wheels: Wheels) -> None:
    target = away / name
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-compile", "--target", str(target)]
    subprocess.run([*command, str(wheels.client)], env=environment(away), check=True)
    size = sum(path.stat().st_size for path in target.rglob("*") if path.is_file())
    assert size <= 15_000_000, f"{size:,} bytes"
    code = "from memctl.client import MemdClient; print(MemdClient('http://127.0.0.1:1', 'x'))"
    environ = environment(away) | {"PYTHONPATH": str(target)}
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], cwd=away, env=environ, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
