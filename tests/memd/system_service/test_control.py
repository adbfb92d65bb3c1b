"""`memd service`, with service managers that note what they were asked to do."""

import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from memd.main import main
from memd.system_service import control
from memd.system_service.control import Manager, ServiceError
from memd.system_service.units import Service, systemd_unit


class Site(NamedTuple):
    """A place for a unit, a service manager of its own, and what that was asked to do."""

    manager: Manager
    asked: Path

    def service(self, folder: Path) -> Service:
        return Service(Path(sys.executable), folder / "data", (), folder / "environment", system=False)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    """A service manager that fails where a file `broken` is."""
    asked = tmp_path / "asked"
    program = tmp_path / "manage"
    program.write_text(
        f'#!/bin/sh\necho "$@" >> {asked}\n[ ! -e {tmp_path}/broken ] || {{ echo no bus >&2; exit 1; }}\n'
    )
    program.chmod(0o755)
    own = str(program)
    return Site(
        Manager(
            file=tmp_path / "units" / "memd.service",
            start=((own, "reload"), (own, "start")),
            stop=((own, "stop"),),
            status=(own, "status"),
            logs=(own, "logs"),
            follow=("--follow",),
        ),
        asked,
    )


def test_install_writes_the_unit_and_starts_it_uninstall_takes_it_away(site: Site, tmp_path: Path) -> None:
    service = site.service(tmp_path)
    control.install(site.manager, service)
    assert site.manager.file.read_text() == systemd_unit(service)
    with pytest.raises(ServiceError, match="already there: memd service uninstall"):
        control.install(site.manager, service)
    control.uninstall(site.manager)
    assert not site.manager.file.exists()
    assert site.asked.read_text().split() == ["reload", "start", "stop", "reload"]
    with pytest.raises(ServiceError, match="not installed as a service"):
        control.uninstall(site.manager)


def test_a_service_that_does_not_start_leaves_no_unit(site: Site, tmp_path: Path) -> None:
    (tmp_path / "broken").touch()
    with pytest.raises(ServiceError, match="reload: no bus"):
        control.install(site.manager, site.service(tmp_path))
    assert not site.manager.file.exists()


def test_a_python_that_the_system_user_cannot_reach_is_refused(site: Site, tmp_path: Path) -> None:
    home = tmp_path / "closed"
    home.mkdir(mode=0o700)
    service = Service(home / "python", tmp_path / "data", (), tmp_path / "environment", system=True)
    with pytest.raises(ServiceError, match=r"who cannot enter .*: install memd where every user can read"):
        control.install(site.manager, service)
    assert not site.manager.file.exists()


def test_without_a_service_manager_the_command_shows_the_way(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    done = CliRunner().invoke(main, ["service", "install", "--user"])
    assert done.exit_code == 1
    assert "neither systemd nor launchd; `memd service install --print`" in done.output
    assert list(tmp_path.iterdir()) == []
    for command in ("status", "logs"):
        done = CliRunner().invoke(main, ["service", command, "--user"])
        assert (done.exit_code, "journalctl" in done.output or "systemctl" in done.output) == (1, True)


def test_print_shows_the_unit_for_the_given_options(tmp_path: Path) -> None:
    command = ["service", "install", "--user", "--print", "--port", "7400", "--data-dir", str(tmp_path)]
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 0
    assert f"-m memd serve --data-dir {tmp_path} --port 7400" in done.output


def test_no_service_module_is_loaded_by_the_help() -> None:
    code = "import sys, memd.main; print([m for m in sys.modules if m.startswith('memd.system_service')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['memd.system_service', 'memd.system_service.commands']"
