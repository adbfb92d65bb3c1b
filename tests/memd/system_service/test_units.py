"""The files that make memd a service are ones that systemd and launchd accept."""

import os
import plistlib
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from memd.system_service.control import hidden_path
from memd.system_service.units import STATE_DIR, Service, launchd_plist, systemd_unit

PYTHON = Path("/usr/bin/true")
ODD = Path('/srv/a folder/50% "new" $HOME')


def service(*, system: bool = True, data_dir: Path = STATE_DIR, python: Path = PYTHON) -> Service:
    return Service(python, data_dir, ("--port", "7400"), Path("/etc/memd/environment"), system)


def entries(unit: str, name: str) -> list[str]:
    return [line.partition("=")[2] for line in unit.splitlines() if line.startswith(f"{name}=")]


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
@pytest.mark.parametrize("system", [True, False])
@pytest.mark.parametrize("data_dir", [STATE_DIR, ODD])
def test_systemd_accepts_the_unit(tmp_path: Path, system: bool, data_dir: Path) -> None:
    unit = tmp_path / "memd.service"
    unit.write_text(systemd_unit(service(system=system, data_dir=data_dir)))
    command = ["systemd-analyze", *(() if system else ("--user",)), "verify", str(unit)]
    environment = os.environ | {"XDG_RUNTIME_DIR": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_the_sandbox_of_the_system_leaves_little_exposed(tmp_path: Path) -> None:
    unit = tmp_path / "memd.service"
    unit.write_text(systemd_unit(service()))
    command = ["systemd-analyze", "security", "--offline=true", "--threshold=20", str(unit)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_system_service_runs_as_its_own_user_and_writes_to_its_data_alone() -> None:
    unit = systemd_unit(service())
    assert [entries(unit, name) for name in ("User", "StateDirectory", "ProtectSystem", "ReadWritePaths")] == [
        ["memd"],
        ["memd"],
        ["strict"],
        [],
    ]
    assert entries(systemd_unit(service(data_dir=Path("/srv/memd"))), "ReadWritePaths") == ["/srv/memd"]
    assert entries(systemd_unit(service(data_dir=Path("/home/ann/memd"))), "ProtectHome") == ["read-only"]


@pytest.mark.parametrize("system", [True, False])
def test_settings_that_are_not_valid_are_not_tried_again_and_again(system: bool) -> None:
    unit = systemd_unit(service(system=system))
    assert [entries(unit, name) for name in ("Restart", "RestartPreventExitStatus")] == [["on-failure"], ["2"]]


@pytest.mark.parametrize("system", [True, False])
def test_a_start_is_over_when_memd_says_that_it_is_ready(system: bool) -> None:
    unit = systemd_unit(service(system=system))
    assert [entries(unit, name) for name in ("Type", "TimeoutStartSec")] == [["notify"], ["infinity"]]


def test_the_service_of_a_user_names_no_user_and_starts_with_the_session() -> None:
    unit = systemd_unit(service(system=False))
    assert entries(unit, "User") == []
    assert entries(unit, "WantedBy") == ["default.target"]


def test_a_path_with_characters_that_systemd_expands_stays_as_it_is() -> None:
    (start,) = entries(systemd_unit(service(data_dir=ODD)), "ExecStart")
    assert '--data-dir "/srv/a folder/50%% \\"new\\" $$HOME" --port 7400' in start


def test_launchd_gets_the_same_command() -> None:
    read = plistlib.loads(launchd_plist(service(system=False, data_dir=ODD)).encode())
    assert read["ProgramArguments"] == [
        str(PYTHON),
        *["-P", "-m", "memd", "serve", "--data-dir"],
        str(ODD),
        "--port",
        "7400",
    ]
    assert (read["RunAtLoad"], read["KeepAlive"]) == (True, {"SuccessfulExit": False})


def test_the_command_starts_memd_wherever_it_stands(tmp_path: Path) -> None:
    (tmp_path / "memd").mkdir()
    (tmp_path / "memd" / "__init__.py").write_text("raise AssertionError('a stranger of the working directory')")
    command = service(python=Path(sys.executable)).command
    done = subprocess.run([*command[:5], "--help"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(sys.platform == "darwin", reason="launchd has no private /tmp")
def test_a_path_that_the_sandbox_hides_is_named() -> None:
    hidden = Path("/tmp/data")  # noqa: S108 - nothing is written there
    assert hidden_path(service(data_dir=hidden)) == hidden
    assert hidden_path(service()) is None
