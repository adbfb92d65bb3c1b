"""Serving requests until a signal, and what a person sees when it is ready."""

import asyncio
import os
import resource
import shlex
import socket
import sys
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future
from contextlib import AsyncExitStack, contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import cast

import structlog
import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from memd.access.connection import limited_protocol
from memd.app import build, endpoints
from memd.boot import Started, started
from memd.context import Services
from memd.db.silence import not_waiting_for_silence
from memd.embed.lazy import EmbedderTraits
from memd.embed.provider import Embedder
from memd.listener import listen
from memd.local_socket import local_socket, state_file
from memd.mcp.loader import McpLoader
from memd.processes.handover import Handover
from memd.processes.lifecycle import collect_garbage, note_stop, on_stop_signal
from memd.processes.supervisor import supervised
from memd.settings import Settings, default_data_dir

log = structlog.get_logger()
MCP_AFTER_S = 1.0
"""The MCP endpoint loads by itself after so long, so that no client has to wait for it."""
MOST_FILES = 65_536


async def serve(settings: Settings, conninfo: str, embedder: Future[Embedder]) -> None:
    """Answer requests until SIGINT or SIGTERM, with worker processes beside this one unless the settings forbid."""
    _allow_connections()
    async with (
        not_waiting_for_silence(conninfo) as watch_database,
        started(settings, conninfo, embedder) as state,
        supervised(partial(_handover, settings, conninfo, state.services), settings.worker_count) as workers,
        AsyncExitStack() as stack,
    ):
        listener = listen(settings.host, settings.port)
        local = stack.enter_context(local_socket(settings.data_dir))
        mcp = McpLoader(endpoints())
        config = uvicorn.Config(
            build(state.services, mcp, workers.report if settings.worker_count else None),
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

        def when_ready() -> None:
            port = listener.getsockname()[1]
            stack.enter_context(state_file(settings.data_dir, settings.host, port, local))
            announce(settings, state, port)
            workers.start()

        server = Server(config, when_ready, (workers.terminate, watch_database), local)
        soon = asyncio.get_running_loop().call_later(MCP_AFTER_S, mcp.load, state.services)
        try:
            await server.serve(sockets=[listener])
        finally:
            soon.cancel()


async def _handover(settings: Settings, conninfo: str, services: Services) -> Handover:
    """What a worker needs, once the embedding model is known."""
    model = await services.current_model.wait_known()
    return Handover(
        parent=os.getpid(),
        settings=settings,
        conninfo=conninfo,
        embedder=EmbedderTraits.of(services.batcher.embedder),
        model=model,
    )


def _allow_connections() -> None:
    """Raise the soft limit of open files as far as the hard one lets us: idle connections must not use them all up."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


async def _settle() -> None:
    """Load the tables, which the start does without, so that no request has to; then turn garbage collection on."""
    try:
        await asyncio.to_thread(import_module, "memd.db.catalogue")
    except Exception:
        log.exception("start.tables_not_loaded")
    collect_garbage()


class Server(uvicorn.Server):
    """Stops in good order on SIGINT and SIGTERM: what runs behind the replies is finished before the process ends."""

    def __init__(
        self,
        config: uvicorn.Config,
        when_ready: Callable[[], None],
        when_stopped: Sequence[Callable[[], None]],
        local: socket.socket | None = None,
    ) -> None:
        """`when_ready` is called once it listens, each of `when_stopped` with the signal to stop; none may block.

        `local` is a bound unix socket to listen on as well.
        """
        super().__init__(config)
        self._when_stopped = when_stopped
        self._local = local
        self._when_ready = when_ready
        self._settling: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, then tell that it does."""
        await super().startup(sockets=sockets)
        if self._local is not None:
            loop = asyncio.get_running_loop()
            protocol = cast("type[HttpToolsProtocol]", self.config.http_protocol_class)
            make = partial(protocol, self.config, self.server_state, self.lifespan.state)
            server = await loop.create_unix_server(make, sock=self._local, backlog=self.config.backlog)
            self.servers.append(server)
        self._when_ready()
        self._settling = asyncio.create_task(_settle())

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Ask the server to stop; unlike uvicorn's own, the signal is not raised again afterwards."""
        with on_stop_signal(self._stop):
            yield

    def _stop(self, number: int) -> None:
        note_stop(number)
        for stop in self._when_stopped:
            stop()
        self.handle_exit(number, None)


def announce(settings: Settings, state: Started, port: int) -> None:
    """Say where memd is, where the key is, and what to try."""
    url = f"http://{settings.host}:{port}"
    program = _program("memctl")
    usual = settings.data_dir == default_data_dir()
    try_it = "" if usual else f" --data-dir {shlex.quote(str(settings.data_dir.absolute()))}"
    lines = [
        f"memd is ready at {url}",
        f"The key of the local user is in {state.key_file}" + (" (made just now)" if state.first_start else ""),
        "Try:",
        f'  {program}{try_it} capture "First memory" "Our API freezes on the 1st of every month."',
        f'  {program}{try_it} recall "when does the API freeze?"',
        f"  {program}{try_it} stats",
    ]
    print("\n".join(lines), flush=True)  # noqa: T201 - what a person sees first


def _program(name: str) -> str:
    """How to call a program of this environment from here."""
    path = Path(sys.executable).parent / name
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)
