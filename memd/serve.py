"""Serving requests until a signal, and the message to a person when memd is ready."""

import os
import shlex
import socket
import sys
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

from memd.access.http.request_durations import MemoryDurations
from memd.app import build, endpoints
from memd.bootstrap import Started, started
from memd.context import Services
from memd.db.connections.shutdown_watch import shutdown_watch
from memd.early_probes import TABLES_UPGRADED, early_probes
from memd.embed.providers.lazy import EmbedderTraits
from memd.embed.providers.provider import Embedder
from memd.listener import listen
from memd.local_socket import local_socket, state_file
from memd.logs import log, say
from memd.mcp.loader import McpLoader
from memd.processes.child import Kind
from memd.processes.counts import request_processes
from memd.processes.forked import ForkedProcess
from memd.processes.handover import Handover
from memd.processes.http_server import Server, allow_connections
from memd.processes.supervisor import ProcessGroup, supervised
from memd.served_database import note_served_database
from memd.settings import Settings, default_data_dir
from memd.system_service.notify import tell_ready
from memd.version import VERSION


async def serve(
    settings: Settings, conninfo: str, embedder: Future[Embedder], workers: Sequence[ForkedProcess] = ()
) -> None:
    """Answer requests until SIGINT, SIGTERM or SIGHUP, in this process and in the others that the settings ask for.

    `workers` are already forked and wait for their handover.
    """
    allow_connections()
    async with (
        shutdown_watch(conninfo) as watch_database,
        started(settings, conninfo, embedder, partial(early_probes, settings, TABLES_UPGRADED)) as state,
        AsyncExitStack() as stack,
    ):
        listener = listen(settings.host, settings.port)
        port = listener.getsockname()[1]
        local = stack.enter_context(local_socket(settings.data_dir))
        listeners, durations = [listener] if local is None else [listener, local], MemoryDurations()
        handover = partial(_handover, settings, conninfo, state.services)
        supervisor = await stack.enter_async_context(
            supervised(
                {
                    Kind.REQUEST: ProcessGroup(request_processes(settings) - 1, partial(handover, listeners)),
                    Kind.WORKER: ProcessGroup(settings.worker_count, partial(handover, ()), workers),
                },
                lambda: state.services.rate_limiter.limits,
                durations,
            )
        )
        mcp = McpLoader(endpoints())

        def when_ready() -> None:
            stack.enter_context(state_file(settings.data_dir, settings.host, port, local))
            announce(settings, state, port)
            tell_ready()
            supervisor.start()

        app = build(state.services, mcp, supervisor.status, durations)
        server = Server(app, settings, when_ready, (supervisor.terminate, watch_database))
        with mcp.loading_soon(state.services):
            await server.serve_on(listeners)


async def _handover(
    settings: Settings, conninfo: str, services: Services, listeners: Sequence[socket.socket]
) -> Handover:
    """The handover to a child, once the embedding model is known."""
    model = await services.current_model.wait_known()
    return Handover(
        parent=os.getpid(),
        settings=settings,
        conninfo=conninfo,
        embedder=EmbedderTraits.of(services.batcher.embedder),
        model=model,
        listeners=tuple(listener.fileno() for listener in listeners),
    )


def announce(settings: Settings, state: Started, port: int) -> None:
    """Say where memd is, where the key is, and what to try; log which release serves."""
    url = f"http://{settings.host}:{port}"
    program = _program("memctl")
    usual = settings.data_dir == default_data_dir()
    try_it = "" if usual else f" --data-dir {shlex.quote(str(settings.data_dir.absolute()))}"
    lines = [
        f"memd is ready at {url}",
        *_other_database(settings),
        _where_the_key_is(state),
        "Try:",
        f'  {program}{try_it} capture "First memory" "Our API freezes on the 1st of every month."',
        f'  {program}{try_it} recall "when does the API freeze?"',
        f"  {program}{try_it} stats",
    ]
    say("\n".join(lines))
    log.info(
        "memd.ready",
        version=VERSION,
        host=settings.host,
        port=port,
        database="embedded" if settings.database_url is None else "outside",
        model=state.services.batcher.embedder.name,
    )


def _other_database(settings: Settings) -> list[str]:
    """A warning if the settings no longer name a database."""
    before = note_served_database(settings)
    if before is None:
        return []
    log.warning("database.other_than_before", before=before)
    return [f"It served {before} before, and now the bundled Postgres; if that is not intended, set MEMD_DATABASE_URL"]


def _where_the_key_is(state: Started) -> str:
    if not state.key_file.exists():
        return f"No key is in {state.key_file}: copy one from another replica, or create one with `memd key create`"
    return f"The key of the local user is in {state.key_file}" + (" (new)" if state.first_start else "")


def _program(name: str) -> str:
    """How to call a program of this environment from here."""
    path = Path(sys.executable).parent / name
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)
