"""`memctl tui`: the terminal browser, with the connection of this command."""

import os

import click

from memctl.memtui import main
from memctl.options import examples, remote
from memctl.run import connection


@click.command(epilog=examples("memctl tui", "memctl tui --profile work"))
@click.option("--light", is_flag=True, help="Begin with the light theme.")
@remote
def tui(light: bool) -> None:
    """Browse, search and understand what an agent remembers; the same as `memtui`."""
    target = connection()
    os.environ.update(MEMCTL_URL=target.url, MEMCTL_API_KEY=target.api_key or "")
    if target.end_user is not None:
        os.environ["MEMCTL_AS"] = target.end_user
    main(["--light"] if light else [])
