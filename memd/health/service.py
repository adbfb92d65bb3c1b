"""What has to hold before the service is ready."""

import asyncio
from collections.abc import Callable
from typing import TypeAlias

from psycopg import Error
from psycopg_pool import PoolTimeout

from memd.context import Services
from memd.db.schema import NEWEST
from memd.health import store

WorkersReport: TypeAlias = Callable[[], dict[str, object]]
"""What is known of the worker processes: running, wanted, restarts, lastExitCode."""
_PATIENCE_S = 3


async def failing_checks(services: Services) -> dict[str, str]:
    """What is not ready, by name; empty when all is well."""
    try:
        async with asyncio.timeout(_PATIENCE_S):
            await store.requests_are_served(services.database)
            async with services.database.system() as session:
                revision = await store.revision(session)
    except (Error, PoolTimeout, TimeoutError):
        return {"database": "not reachable"}
    checks = {} if revision == NEWEST else {"migrations": "not at the newest revision"}
    return checks | _embedder_checks(services)


def _embedder_checks(services: Services) -> dict[str, str]:
    """Why nothing can be embedded before somebody acts."""
    model, name = services.current_model, services.batcher.embedder.name
    if model.problem is not None:
        return {"embedder": model.problem}
    if model.number == 0:
        return {"embedder": f"{name} has not answered yet; MEMD_EMBED_DIMENSIONS would tell the length of its vectors"}
    return {}


def degradations(services: Services) -> dict[str, str]:
    """What does not work although requests are answered, by name."""
    return {"embedder": "not answering; searches go by words alone"} if services.batcher.is_open else {}
