"""`memd service`: install, uninstall, status and logs of memd as a service."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from memd.system_service.control import Manager
    from memd.system_service.units import Service

_system = click.option(
    "--system/--user",
    default=None,
    help="A system service, started at boot as the user memd, or one of your own, started when you log in.  [default: --system for root]",
)
_data_dir = click.option(
    "--data-dir",
    type=click.Path(path_type=Path, file_okay=False),
    envvar="MEMD_DATA_DIR",
    help="Data directory; MEMD_DATA_DIR when absent.",
)


@click.group()
def service() -> None:
    """Run memd as a service: systemd on Linux, launchd on macOS."""


def _is_system(system: bool | None) -> bool:
    return os.geteuid() == 0 if system is None else system


def _folder(system: bool, data_dir: Path | None) -> Path:
    from memd.settings import default_data_dir
    from memd.system_service.units import STATE_DIR

    if data_dir is not None:
        return data_dir.absolute()
    return STATE_DIR if system else default_data_dir()


def _manager(system: bool, data_dir: Path | None) -> "Manager":
    from memd.system_service.control import manager_of

    return manager_of(system=system, data_dir=_folder(system, data_dir))


def _service(system: bool, data_dir: Path | None, arguments: tuple[str, ...]) -> "Service":
    from memd.system_service.control import environment_file
    from memd.system_service.units import Service

    return Service(
        python=Path(sys.executable),
        data_dir=_folder(system, data_dir),
        arguments=arguments,
        environment_file=environment_file(system=system),
        system=system,
    )


@service.command()
@click.option("--host", help="Address to listen on.  [default: 127.0.0.1]")
@click.option("--port", type=click.IntRange(1, 65535), help="Port to listen on.  [default: 7377]")
@_data_dir
@_system
@click.option("--print", "only_print", is_flag=True, help="Show the unit file and change nothing.")
def install(host: str | None, port: int | None, data_dir: Path | None, system: bool | None, only_print: bool) -> None:
    """Start memd now and at every boot, or whenever you log in; sandboxed as far as the system allows."""
    from memd.system_service import control

    as_system = _is_system(system)
    given = (("--host", host), ("--port", port))
    arguments = tuple(word for name, value in given if value is not None for word in (name, str(value)))
    wanted = _service(as_system, data_dir, arguments)
    if hidden := control.hidden_path(wanted):
        click.echo(f"warning: {hidden} is below /tmp, which the sandbox of the service hides from it", err=True)
    if only_print:
        click.echo(control.text_of(wanted), nl=False)
        return
    manager = _manager(as_system, data_dir)
    try:
        control.install(manager, wanted)
    except (control.ServiceError, OSError) as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"memd runs as a service ({manager.file}); its data is in {wanted.data_dir}")
    click.echo("settings: " + str(wanted.environment_file) + " · memd service status · memd service logs --follow")
    if not as_system and sys.platform != control.MACOS:
        click.echo("to keep it running while you are logged out: loginctl enable-linger")


@service.command()
@_system
def uninstall(system: bool | None) -> None:
    """Stop the service and remove its file; the data directory stays."""
    from memd.system_service import control

    manager = _manager(_is_system(system), None)
    try:
        control.uninstall(manager)
    except (control.ServiceError, OSError) as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"removed {manager.file}; the data directory stays")


@service.command()
@_system
def status(system: bool | None) -> None:
    """Show the status from the service manager, and exit with its exit code."""
    _hand_over(_manager(_is_system(system), None).status)


@service.command()
@click.option("-n", "--lines", type=click.IntRange(min=1), default=50, show_default=True, help="Number of lines.")
@click.option("-f", "--follow", is_flag=True, help="Follow new lines until Ctrl+C.")
@_data_dir
@_system
def logs(lines: int, follow: bool, data_dir: Path | None, system: bool | None) -> None:
    """Show the last lines of the service's log."""
    manager = _manager(_is_system(system), data_dir)
    _hand_over((*manager.logs, str(lines), *(manager.follow if follow else ())))


def _hand_over(command: tuple[str, ...]) -> None:
    from memd.system_service import control

    try:
        control.hand_over(command)
    except control.ServiceError as error:
        raise click.ClickException(str(error)) from error
