"""Answers to probes while memd cannot serve yet: it waits for its Postgres, or upgrades the tables.

A port that refuses connections looks like a process that hangs, and an orchestrator would end it in the middle.
"""

import asyncio
import json
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from threading import Thread
from typing import Any, Final

from memd.domain.accounts.credits import ADDRESS_CREDITS, CreditWindow, RateView
from memd.domain.ids import encode, new_id
from memd.errors import ServerBusy
from memd.listener import listen
from memd.settings import Settings

PATIENCE_S: Final = 5
"""How long a client may take for its request and to read the answer."""
DATABASE_AWAITED: Final = {"database": "not reachable"}
TABLES_UPGRADED: Final = {"migrations": "not at the newest revision"}
_REASONS: Final = {200: "OK", 503: "Service Unavailable"}


@contextmanager
def early_probes(settings: Settings, checks: Mapping[str, str]) -> Generator[None]:
    """While the block runs, `/healthz` is 200, `/readyz` 503 with the `checks`, and all else 503 `Server busy`.

    A thread answers. AddressInUseError when the address cannot be used.
    """
    with listen(settings.host, settings.port) as listener, asyncio.Runner() as runner:
        loop = runner.get_loop()
        server = loop.run_until_complete(asyncio.start_server(partial(_answer, checks), sock=listener))
        thread = Thread(target=loop.run_forever, name="early-probes")
        thread.start()
        try:
            yield
        finally:
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
            server.close()


async def _answer(checks: Mapping[str, str], reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer the first request of a connection, and close it once the client has."""
    try:
        with suppress(OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            async with asyncio.timeout(PATIENCE_S):
                method, _, rest = (await reader.readuntil(b"\r\n\r\n")).partition(b" ")
                writer.write(_reply(rest.partition(b" ")[0], checks, has_body=method != b"HEAD"))
                writer.write_eof()
                while await reader.read(1 << 16):  # closing before it has read a body would reset the connection
                    pass
    finally:
        writer.close()


def _reply(target: bytes, checks: Mapping[str, str], *, has_body: bool) -> bytes:
    """The response to a request for the target of its first line; no credits of the address are used up."""
    status, fields = _content(target.partition(b"?")[0], checks)
    body = json.dumps(fields, separators=(",", ":"))
    headers = {
        "Content-Type": "application/json; charset=utf-8",
        "Content-Length": len(body),
        "Cache-Control": "no-store",
        "Connection": "close",
        "X-Request-Id": encode("req", new_id()),
        **RateView.of(CreditWindow(time.time_ns() // 1_000_000), ADDRESS_CREDITS).headers,
        **({} if status == 200 else ServerBusy().headers),
    }
    lines = [f"HTTP/1.1 {status} {_REASONS[status]}", *(f"{name}: {value}" for name, value in headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n" + (body if has_body else "")).encode()


def _content(path: bytes, checks: Mapping[str, str]) -> tuple[int, dict[str, Any]]:
    match path:
        case b"/healthz":
            return 200, {"ok": True}
        case b"/readyz":
            return 503, {"ok": False, "checks": checks}
        case _:
            return 503, ServerBusy().body()
