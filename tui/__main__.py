"""The command `memtui`."""

import argparse
import asyncio
import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from memctl import __version__

from .tabs import FORMER_WORDS, TABS, mode_of

if TYPE_CHECKING:
    from memctl.settings import Connection

NO_TERMINAL = "memtui needs a terminal; in scripts use memctl, for example: memctl list --json"


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line, find memd, and run until the user leaves.

    Exit code 2 when the config cannot be read or there is no terminal, 3 without a memd or a usable proxy.
    """
    gc.disable()  # until everything is loaded, which stays: looking through it for garbage takes a tenth of the start
    given = parser().parse_args(arguments)
    from memctl.settings import ConfigError, Options, resolve

    try:
        target = resolve(Options(given.url, given.api_key, given.profile, given.data_dir, given.as_user))
    except ConfigError as error:
        sys.stderr.write(f"memtui: {error}\n")
        sys.exit(2)
    if target.is_guess:
        from memctl.local_memd import no_memd
        from memctl.settings import local_key_path

        folder = Path(given.data_dir) if given.data_dir else local_key_path().parent
        sys.stderr.write(f"memtui: {no_memd(folder, option=given.data_dir is not None)}\n")
        sys.exit(3)
    if not _has_screen():
        sys.stderr.write(f"{NO_TERMINAL}\n")
        sys.exit(2)
    if target.is_exposed:
        sys.stderr.write(f"memtui: {target.url} is not encrypted: the API key can be read on the way; use https\n")
    sys.exit(_opened(target, mode_of(given.tab), light=given.light))


def _has_screen() -> bool:
    """Whether input and output are a terminal, or a server that names its own driver, as for `memctl tui --web`.

    A terminal that calls itself dumb, such as the shell of an editor, shows the commands of a screen as text.
    """
    if os.environ.get("TEXTUAL_DRIVER"):
        return True
    if os.environ.get("TERM") == "dumb":
        return False
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def _present_word(word: str) -> str:
    """The word for a tab, where an earlier one is given too."""
    return FORMER_WORDS.get(word, word)


def parser() -> argparse.ArgumentParser:
    """The parser of the command line; `tab` is a word of the table of tabs."""
    parser = argparse.ArgumentParser(
        prog="memtui",
        description="Browse, search and understand what your agents remember.",
        epilog="memd is found from --url, --data-dir or --profile, then MEMCTL_URL with MEMCTL_API_KEY, then the profile "
        "in use, then the memd of this machine. Press ? for the keys.",
    )
    tabs = [entry.word for entry in TABS]
    parser.add_argument(
        "tab", nargs="?", type=_present_word, choices=tabs, default=tabs[0], help="screen to open first"
    )
    parser.add_argument("--url", help="address of memd")
    parser.add_argument("--api-key", help="API key")
    parser.add_argument("--profile", help="profile of memctl's config file")
    parser.add_argument("--data-dir", help="data directory of a memd on this machine")
    parser.add_argument("--as", dest="as_user", metavar="USER", help="end user of the application to act for")
    parser.add_argument("--light", action="store_true", help="start with the light theme; D switches")
    parser.add_argument("--version", action="version", version=f"memtui, version {__version__}")
    return parser


def _opened(target: "Connection", tab: str, *, light: bool) -> int:
    """The exit code of memtui: 3 when a proxy of the environment cannot be used."""
    from memctl.client.errors import UnusableProxy

    try:
        return asyncio.run(_run(target, tab, light=light))
    except UnusableProxy as error:
        sys.stderr.write(f"memtui: {error}\n")
        return 3


async def _run(target: "Connection", tab: str, *, light: bool) -> int:
    from memctl.client import MemdClient

    async with MemdClient(
        target.url, target.api_key, socket=target.socket, end_user=target.end_user, retries=0
    ) as client:
        # memd counts while the screens are loaded: among very many memories it takes as long for it.
        early = asyncio.create_task(client.stats()) if tab == TABS[0].name else None
        try:
            loaded = await asyncio.to_thread(import_module, ".app", __package__)
            app = loaded.Memtui(client, tab=tab, light=light, early=early)
            gc.freeze()
            gc.enable()
            await app.run_async()
        finally:
            if early is not None:
                early.cancel()
                await asyncio.gather(early, return_exceptions=True)
        return app.return_code or 0


if __name__ == "__main__":
    main()
