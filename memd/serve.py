"""Running the daemon: start everything, say how to use it, serve or work until a signal."""

import asyncio
import signal
import socket
import sys
from collections.abc import Callable, Coroutine, Generator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import psycopg
import structlog
import uvicorn

from memd.app import build
from memd.boot import Started, database, reachable_database, started
from memd.db.errors import DatabaseStartError
from memd.embed.provider import EmbedError
from memd.logs import configure
from memd.settings import Settings, unknown_names

log = structlog.get_logger()
SWITCH_S = 0.0005
"""How long a thread may keep the interpreter while the event loop waits for it; ten times less than Python's own."""

Database = Callable[[Settings], AbstractContextManager[str]]
Main = Callable[[Settings, str], Coroutine[None, None, None]]


def run(settings: Settings) -> int:
    """Serve until SIGINT or SIGTERM; the exit code."""
    return _run(settings, database, _serve)


def run_worker(settings: Settings) -> int:
    """Run background jobs and nothing else until SIGINT or SIGTERM, beside a memd that serves; the exit code."""
    return _run(settings.model_copy(update={"workers_off": False}), reachable_database, _work)


def _run(settings: Settings, find_database: Database, main: Main) -> int:
    configure(settings.log_level)
    sys.setswitchinterval(SWITCH_S)
    for name in unknown_names():
        log.warning("settings.unknown", name=name)
    try:
        with find_database(settings) as conninfo, asyncio.Runner(loop_factory=_loop) as runner:
            runner.run(main(settings, conninfo))
    except (DatabaseStartError, EmbedError) as error:
        print(f"memd cannot start: {error}", file=sys.stderr)  # noqa: T201 - the daemon's own last word
        return 1
    except psycopg.OperationalError as error:
        print(f"memd cannot reach its database: {error}", file=sys.stderr)  # noqa: T201 - the same
        return 1
    return 0


def _loop() -> asyncio.AbstractEventLoop:
    import uvloop

    return uvloop.new_event_loop()


async def _serve(settings: Settings, conninfo: str) -> None:
    async with started(settings, conninfo) as state:
        listener = _listen(settings.host, settings.port)
        config = uvicorn.Config(
            build(state.services),
            log_config=None,
            access_log=False,
            server_header=False,
            date_header=True,
            proxy_headers=False,
            timeout_keep_alive=75,
            timeout_graceful_shutdown=10,
            lifespan="off",
        )
        server = Server(config, lambda: announce(settings, state, listener.getsockname()[1]))
        await server.serve(sockets=[listener])


async def _work(settings: Settings, conninfo: str) -> None:
    stopped = asyncio.Event()
    async with started(settings, conninfo):
        with _stopping(lambda _number: stopped.set()):
            print("memd works on background jobs", flush=True)  # noqa: T201 - what a person sees first
            await stopped.wait()


@contextmanager
def _stopping(stop: Callable[[int], None]) -> Generator[None]:
    """Call `stop` with the number of a signal that asks the process to end."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop, number)
    try:
        yield
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)


class Server(uvicorn.Server):
    """Stops in good order on SIGINT and SIGTERM: what runs behind the replies is finished before the process ends."""

    def __init__(self, config: uvicorn.Config, when_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._when_ready = when_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, then tell that it does."""
        await super().startup(sockets=sockets)
        self._when_ready()

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Ask the server to stop; unlike uvicorn's own, the signal is not raised again afterwards."""
        with _stopping(lambda number: self.handle_exit(number, None)):
            yield


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        msg = f"{host}:{port} cannot be used: {error.strerror}; choose another with --port"
        raise AddressInUseError(msg) from error
    return listener


class AddressInUseError(DatabaseStartError):
    """Somebody else listens on the wanted address."""


def announce(settings: Settings, state: Started, port: int) -> None:
    """Say where memd is, where the key is, and what to try."""
    url = f"http://{settings.host}:{port}"
    program = _program("memctl")
    try_it = "" if port == 7377 else f" --url {url}"
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
