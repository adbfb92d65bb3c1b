"""`memctl tui`: the terminal browser, with the connection of this command."""

import os

import click

from memctl.diagnostics import ExitCode, give_up
from memctl.memtui import main
from memctl.options import examples, given_options, remote
from memctl.run import connection, no_memd_found

ABSENT = "--web needs an extra: pip install 'memd-server[web]'"


@click.command(epilog=examples("memctl tui", "memctl tui --profile work", "memctl tui --web"))
@click.option("--light", is_flag=True, help="Start with the light theme.")
@click.option("--web", is_flag=True, help="Serve it to a browser on this machine, and print the address.")
@click.option(
    "--web-port", type=click.IntRange(0, 65535), default=0, help="Port for --web; 0, the default, is a free one."
)
@remote
def tui(light: bool, web: bool, web_port: int) -> None:
    """Browse, search and understand what an agent remembers; the same as `memtui`.

    With --web it runs in a browser on this machine, at an address that it prints and that opens only once.
    """
    if web_port and not web:
        raise click.UsageError("--web-port goes with --web")
    target = connection()
    if target.is_guess:
        give_up(str(no_memd_found(click.get_current_context())), ExitCode.NOT_REACHABLE)
    os.environ.update(MEMCTL_URL=target.url, MEMCTL_API_KEY=target.api_key or "")
    if folder := given_options(click.get_current_context()).data_dir:
        os.environ["MEMD_DATA_DIR"] = folder  # the unix socket of memd is there
    if target.end_user is not None:
        os.environ["MEMCTL_AS"] = target.end_user
    if web:
        _serve(web_port, light=light)
    else:
        main(["--light"] if light else [])


def _serve(port: int, *, light: bool) -> None:
    try:
        from memctl.memtui_web import serve
    except ModuleNotFoundError:
        give_up(ABSENT, ExitCode.USAGE)
    serve(port, light=light)
