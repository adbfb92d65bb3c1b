"""Installing, removing and asking about the service, by systemctl or launchctl of this machine."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NoReturn

from memd.system_service.units import LABEL, STATE_DIR, SYSTEM_ENVIRONMENT, Service, launchd_plist, systemd_unit

UNIT: Final = "memd.service"
MACOS: Final = "darwin"


class ServiceError(Exception):
    """Why the service cannot be installed, removed or asked; says what to do."""


@dataclass(frozen=True, slots=True)
class Manager:
    """The service manager of this machine: its file for memd, and the command lines that it understands."""

    file: Path
    start: tuple[tuple[str, ...], ...]
    stop: tuple[tuple[str, ...], ...]
    status: tuple[str, ...]
    logs: tuple[str, ...]
    follow: tuple[str, ...]


def text_of(service: Service) -> str:
    """The content of the file that this system's service manager reads."""
    return launchd_plist(service) if sys.platform == MACOS else systemd_unit(service)


def manager_of(*, system: bool, data_dir: Path) -> Manager:
    """The manager of the system, or of this user's session."""
    return _launchd(system, data_dir) if sys.platform == MACOS else _systemd(system)


def environment_file(*, system: bool) -> Path:
    """Where systemd reads further `MEMD_*` settings from, one `NAME=value` a line."""
    return SYSTEM_ENVIRONMENT if system else _config_home() / "memd" / "environment"


def _config_home() -> Path:
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")


def _systemd(system: bool) -> Manager:
    own = () if system else ("--user",)
    folder = Path("/etc/systemd/system") if system else _config_home() / "systemd" / "user"
    journal = ("journalctl", *own, "--unit", UNIT, "--no-pager", "--lines")
    return Manager(
        file=folder / UNIT,
        start=(("systemctl", *own, "daemon-reload"), ("systemctl", *own, "enable", "--now", UNIT)),
        stop=(("systemctl", *own, "disable", "--now", UNIT),),
        status=("systemctl", *own, "--no-pager", "status", UNIT),
        logs=journal,
        follow=("--follow",),
    )


def _launchd(system: bool, data_dir: Path) -> Manager:
    domain = "system" if system else f"gui/{os.getuid()}"
    folder = Path("/Library/LaunchDaemons") if system else Path.home() / "Library" / "LaunchAgents"
    file = folder / f"{LABEL}.plist"
    return Manager(
        file=file,
        start=(("launchctl", "bootstrap", domain, str(file)),),
        stop=(("launchctl", "bootout", f"{domain}/{LABEL}"),),
        status=("launchctl", "print", f"{domain}/{LABEL}"),
        logs=("tail", str(data_dir / "memd.log"), "-n"),
        follow=("-f",),
    )


def hidden_path(service: Service) -> Path | None:
    """A path of the service below /tmp: systemd gives it a /tmp of its own (`PrivateTmp`)."""
    paths = (service.python, service.data_dir)
    hidden = (path for path in paths if path.is_relative_to("/tmp"))  # noqa: S108 - compared, not used
    return None if sys.platform == MACOS else next(hidden, None)


def install(manager: Manager, service: Service) -> None:
    """Write the file and start the service now and with every start; ServiceError, and no file, when that fails."""
    if manager.file.exists():
        raise ServiceError(f"{manager.file} is already there: memd service uninstall removes it and keeps the data")
    _check_manager(manager)
    if service.system and sys.platform != MACOS:
        _check_readable(service)
        _own_data(service)
    manager.file.parent.mkdir(parents=True, exist_ok=True)
    manager.file.write_text(text_of(service), encoding="utf-8")
    try:
        _run(manager.start)
    except ServiceError:
        manager.file.unlink()
        raise


def uninstall(manager: Manager) -> None:
    """Stop the service and remove its file; the data directory is not touched."""
    if not manager.file.exists():
        raise ServiceError(f"memd is not installed as a service: there is no {manager.file}")
    _check_manager(manager)
    _run(manager.stop)
    manager.file.unlink()
    if sys.platform != MACOS:
        _run(manager.start[:1])


def hand_over(command: Sequence[str]) -> NoReturn:
    """Replace this process by a command of the service manager, such as the one that shows the log."""
    if shutil.which(command[0]) is None:
        raise ServiceError(f"{command[0]} is not installed on this machine")
    sys.stdout.flush()
    os.execvp(command[0], list(command))  # noqa: S606 - a fixed command line, no shell


def _check_manager(manager: Manager) -> None:
    program = manager.start[0][0]
    if shutil.which(program) is None or (program == "systemctl" and not Path("/run/systemd/system").is_dir()):
        raise ServiceError(
            "This machine runs neither systemd nor launchd; `memd service install --print` shows the unit to adapt"
        )


def _check_readable(service: Service) -> None:
    """The user `memd` must reach the Python that runs memd."""
    closed = [folder for folder in service.python.parents if folder.is_dir() and not folder.stat().st_mode & 0o001]
    if closed:
        raise ServiceError(
            f"The service runs as the user memd, who cannot enter {closed[-1]}: install memd where every user can read "
            "it, for example with: python3 -m venv /opt/memd && /opt/memd/bin/pip install . (in a checkout of memd)"
        )


def _own_data(service: Service) -> None:
    """The user `memd` exists and owns the data directory; systemd sees to the default one."""
    from memd.db.embedded.service_user import service_user
    from memd.db.errors import DatabaseStartError

    try:
        user = service_user()
    except DatabaseStartError as error:
        raise ServiceError(str(error)) from error
    if service.data_dir == STATE_DIR:
        return
    if not service.data_dir.exists():
        service.data_dir.mkdir(mode=0o700, parents=True)
        os.chown(service.data_dir, user.pw_uid, user.pw_gid)
    elif service.data_dir.stat().st_uid != user.pw_uid:
        raise ServiceError(f"{service.data_dir} belongs to another user: chown -R memd:memd {service.data_dir}")


def _run(commands: Sequence[Sequence[str]]) -> None:
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - fixed words, no shell
        if done.returncode:
            raise ServiceError(f"{' '.join(command)}: {(done.stderr or done.stdout).strip()}")
