"""Get a key for this machine: a person with a key approves it on the page, or with `memctl device approve`."""

import asyncio
import io
import os
import socket
import sys
import webbrowser
from urllib.parse import urlsplit

import click

from memctl.addresses import LOOPBACK
from memctl.client import MemdClient
from memctl.client.errors import NotReachable, RateLimited, ServerBusy
from memctl.config_file import set_profile
from memctl.diagnostics import CommandError, ExitCode, drawing, note, waiting
from memctl.options import examples, remote
from memctl.run import connection, run
from memctl.settings import ConfigError, config_path
from memctl.wire.devices import DeviceStartReply
from memctl.wire.enums import DeviceStatus

NAME_LENGTH = 60
_ENDINGS = {
    DeviceStatus.DENIED: "the request was denied",
    DeviceStatus.EXPIRED: "the code has expired; run `memctl login` again",
}


@click.command(
    epilog=examples("memctl login --url https://memory.example.com", "memctl login --save-as work --no-browser")
)
@click.option("--save-as", metavar="NAME", help="Profile to keep the key under.  [default: the host's name]")
@click.option("--name", help="Name of this machine on the page.  [default: its host name]")
@click.option("--no-browser", is_flag=True, help="Do not open a browser.")
@remote
def login(save_as: str | None, name: str | None, no_browser: bool) -> None:
    """Get a key for this machine and keep it in a profile.

    Shows a code and opens the page on which to approve it; the page accepts any of your keys with the scope write.
    """
    target = connection()
    profile = save_as or _profile_name(target.url)
    client_name = (name or f"memctl on {socket.gethostname()}")[:NAME_LENGTH]

    async def action(client: MemdClient) -> None:
        codes = await client.devices.start(client_name)
        _show(codes, open_page=not no_browser)
        with waiting("waiting for the approval"):
            try:
                async with asyncio.timeout(codes.expires_in):
                    key = await _key(client, codes)
            except TimeoutError:
                raise CommandError(_ENDINGS[DeviceStatus.EXPIRED], ExitCode.NOT_AUTHORISED) from None
        _keep(profile, target.url, key)

    run(action, needs_key=False)


def _profile_name(url: str) -> str:
    host = urlsplit(url).hostname or "memd"
    return "local" if host in LOOPBACK else host


def _show(codes: DeviceStartReply, *, open_page: bool) -> None:
    """The code to compare, the address to open, and both as a QR code."""
    page = codes.verification_uri_complete
    note(f"Open {codes.verification_uri} and enter the code\n\n    {codes.user_code}\n")
    note(f"or run, where memctl has a key:  memctl device approve {codes.user_code}\n")
    if sys.stderr.isatty():
        drawing(_qr(page))
    if open_page and sys.stderr.isatty() and _has_desktop() and urlsplit(page).scheme in {"http", "https"}:
        webbrowser.open(page)


def _qr(text: str) -> str:
    import segno

    drawn = io.StringIO()
    segno.make(text, micro=False, error="L").terminal(out=drawn, compact=True, border=2)
    return drawn.getvalue()


def _has_desktop() -> bool:
    """Whether a browser would open in its own window, not inside this terminal."""
    return sys.platform in {"darwin", "win32"} or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


async def _key(client: MemdClient, codes: DeviceStartReply) -> str:
    """Poll until the request is decided; returns the key, or CommandError."""
    pause = float(codes.interval)
    while True:
        try:
            answer = await client.devices.status(codes.device_code)
        except (NotReachable, ServerBusy):
            await asyncio.sleep(pause)
            continue
        except RateLimited as refusal:
            pause = max(pause, refusal.retry_after)
            await asyncio.sleep(pause)
            continue
        if answer.api_key is not None:
            return answer.api_key
        if answer.status in _ENDINGS:
            raise CommandError(_ENDINGS[answer.status], ExitCode.NOT_AUTHORISED)
        await asyncio.sleep(pause)


def _keep(profile: str, url: str, key: str) -> None:
    try:
        set_profile(config_path(), profile, url, key)
    except ConfigError as error:
        raise CommandError(str(error), ExitCode.USAGE) from error
    note(f"approved; the key is in profile {profile} of {config_path()}, readable by you only")
