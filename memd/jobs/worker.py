"""Running jobs: each kind is a function of the services, the user and the payload, and may run more than once."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any, TypeAlias
from uuid import UUID

from procrastinate import App

from memd.context import Services
from memd.embed.pending import embed_pending
from memd.extraction.jobs import extract_turn
from memd.graph.enrichment import enrich_memory
from memd.jobs.board import Backoff, Board

Handler: TypeAlias = Callable[[Services, UUID, Mapping[str, Any]], Awaitable[None]]
HANDLERS: Mapping[str, Handler] = {
    "embed": embed_pending,
    "graph_enrich": enrich_memory,
    "extract_turn": extract_turn,
}
CONCURRENCY = 4


def register(app: App, services: Services) -> None:
    """Give every kind of job its task."""
    for kind, handler in HANDLERS.items():
        app.task(name=kind, retry=Backoff())(_task(handler, services))


def _task(handler: Handler, services: Services) -> Callable[..., Awaitable[None]]:
    async def run(user_id: str, **payload: Any) -> None:
        await handler(services, UUID(user_id), payload)

    return run


@asynccontextmanager
async def working(board: Board, services: Services) -> AsyncGenerator[None]:
    """Run jobs in this process while the block lasts; the running ones end first."""
    register(board.app, services)
    task = asyncio.create_task(
        board.app.run_worker_async(
            concurrency=CONCURRENCY,
            install_signal_handlers=False,
            delete_jobs="successful",
            shutdown_graceful_timeout=20,
        )
    )
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
