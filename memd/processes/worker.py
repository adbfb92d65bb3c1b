"""A process that runs background jobs: `memd worker`, or a child of `memd serve`, forked or a program of its own.

The second kind has a lower priority on the processor, loads the embedder with the first text, and ends with its parent.
"""

import asyncio
import os
import sys
from concurrent.futures import Future
from contextlib import suppress
from typing import IO, Final

import structlog

from memd.bootstrap import started
from memd.db.connections.shutdown_watch import shutdown_watch
from memd.embed.providers.lazy import LazyEmbedder
from memd.embed.providers.provider import Embedder
from memd.jobs.worker import run_workers
from memd.logs import say
from memd.processes.handover import Handover
from memd.processes.limits_client import shared_limits
from memd.processes.parent import connect, read_handover
from memd.processes.signals import collect_garbage, on_stop_signal
from memd.resources import logins_of, make_embedder
from memd.services import running
from memd.settings import Settings
from memd.start import run_loop

log = structlog.get_logger()
NICENESS: Final = 10
CONNECTIONS: Final = 6
EMBED_THREADS: Final = 1


async def work(settings: Settings, conninfo: str, embedder: Future[Embedder]) -> None:
    """Run background jobs until SIGINT, SIGTERM or SIGHUP."""
    stopped = asyncio.Event()
    async with shutdown_watch(conninfo) as watch_database, started(settings, conninfo, embedder) as state:

        def stop(_number: int) -> None:
            stopped.set()
            watch_database()

        with on_stop_signal(stop):
            async with run_workers(state.services, logins_of(settings, conninfo).system):
                say("memd works on background jobs")
                collect_garbage()
                await stopped.wait()


async def work_for(handover: Handover) -> None:
    """Run background jobs for the process that has migrated the database and claimed the model.

    A stop signal cancels a start that still waits for the database; later it drains.
    """
    stopped, ready = asyncio.Event(), asyncio.Event()
    task = asyncio.create_task(_work_until(handover, stopped, ready))

    async with shutdown_watch(handover.conninfo) as watch_database:

        def stop(_number: int) -> None:
            stopped.set()
            watch_database()
            if not ready.is_set():
                task.cancel()

        with on_stop_signal(stop), suppress(asyncio.CancelledError):
            await task


async def _work_until(handover: Handover, stopped: asyncio.Event, ready: asyncio.Event) -> None:
    """Run background jobs until `stopped`; `ready` is set after the start."""
    settings = handover.settings.model_copy(update={"rerank_model": None})  # no job recalls
    embedder = LazyEmbedder(handover.embedder, lambda: make_embedder(settings))
    connection = await connect(handover.connection)
    async with (
        running(
            settings,
            handover.conninfo,
            embedder,
            handover.model,
            connections=CONNECTIONS,
            threads=EMBED_THREADS,
            limits=shared_limits(connection),
        ) as services,
        run_workers(services, logins_of(settings, handover.conninfo).system),
    ):
        ready.set()
        collect_garbage()
        await stopped.wait()


def main(stream: IO[bytes]) -> int:
    """Read the handover, then work until told to stop or until the parent ends; the exit code."""
    with suppress(OSError):
        os.nice(NICENESS)
    handover = read_handover("worker", stream)
    return 1 if handover is None else run_loop(lambda: work_for(handover))


if __name__ == "__main__":
    sys.exit(main(sys.stdin.buffer))
