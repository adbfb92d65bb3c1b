"""`memctl tui`: the terminal browser, with the connection of this command."""

import os
import sys

import click

from memctl.options import examples, remote
from memctl.run import connection


@click.command(epilog=examples("memctl tui", "memctl tui --profile work"))
@click.option("--light", is_flag=True, help="Begin with the light theme.")
@remote
def tui(light: bool) -> None:
    """Browse, search and understand what an agent remembers; the same as `memtui`."""
    target = connection()
    environment = {**os.environ, "MEMCTL_URL": target.url, "MEMCTL_API_KEY": target.api_key or ""}
    if target.end_user is not None:
        environment["MEMCTL_AS"] = target.end_user
    arguments = ["--light"] if light else []
    os.execve(sys.executable, [sys.executable, "-m", "tui", *arguments], environment)  # noqa: S606 - our own program
