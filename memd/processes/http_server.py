"""The HTTP server of a process: uvicorn with limits, on sockets that are bound already."""

import asyncio
import resource
import socket
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, cast

import structlog
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from memd.access.http.connection import limited_protocol
from memd.db.schema.table_modules import load_tables
from memd.processes.signals import collect_garbage, log_stop, on_stop_signal
from memd.settings import Settings

log = structlog.get_logger()
MAX_FILES: Final = 65_536
_KEEP_SOCKET: Final[dict[str, Any]] = {} if sys.version_info < (3, 13) else {"cleanup_socket": False}
"""From Python 3.13 on, a server that closes removes its socket file, which other request processes still listen on."""


def allow_connections() -> None:
    """Raise the soft limit of open files up to the hard limit, so that idle connections do not use them all up."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    file_limit = MAX_FILES if hard == resource.RLIM_INFINITY else min(hard, MAX_FILES)
    if soft != resource.RLIM_INFINITY and soft < file_limit:
        resource.setrlimit(resource.RLIMIT_NOFILE, (file_limit, hard))


def _config(app: ASGIApp, settings: Settings) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=limited_protocol(settings),
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=True,
        proxy_headers=False,
        timeout_keep_alive=75,
        timeout_graceful_shutdown=10,
        lifespan="off",
    )


def _nothing() -> None:
    """Do nothing when the server is ready: the default."""


class Server(uvicorn.Server):
    """Shuts down gracefully on SIGINT, SIGTERM and SIGHUP: what runs behind the replies is finished before the process ends."""

    def __init__(
        self,
        app: ASGIApp,
        settings: Settings,
        when_ready: Callable[[], None] = _nothing,
        when_stopped: Sequence[Callable[[], None]] = (),
    ) -> None:
        """`when_ready` is called once it listens, each of `when_stopped` with the signal to stop; none may block."""
        super().__init__(_config(app, settings))
        self._when_ready = when_ready
        self._when_stopped = when_stopped
        self._settling: asyncio.Task[None] | None = None

    async def serve_on(self, sockets: Sequence[socket.socket]) -> None:
        """Answer requests on bound sockets, TCP or unix, until a signal."""
        await self.serve(sockets=list(sockets))

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, then report that it does."""
        every = sockets or []
        await super().startup(sockets=[each for each in every if each.family != socket.AF_UNIX])
        loop = asyncio.get_running_loop()
        protocol = cast("type[HttpToolsProtocol]", self.config.http_protocol_class)
        make = partial(protocol, self.config, self.server_state, self.lifespan.state)
        for local in (each for each in every if each.family == socket.AF_UNIX):
            self.servers.append(
                await loop.create_unix_server(make, sock=local, backlog=self.config.backlog, **_KEEP_SOCKET)
            )
        self._when_ready()
        self._settling = asyncio.create_task(_settle())

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Ask the server to stop; unlike uvicorn's own, the signal is not raised again afterwards."""
        with on_stop_signal(self._stop):
            yield

    def _stop(self, number: int) -> None:
        log_stop(number)
        for stop in self._when_stopped:
            stop()
        self.handle_exit(number, None)


async def _settle() -> None:
    """Load the tables, which the start does without, so that no request has to; then turn garbage collection on."""
    try:
        await load_tables()
    except Exception:
        log.exception("start.tables_not_loaded")
    collect_garbage()
