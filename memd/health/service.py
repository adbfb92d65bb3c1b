"""What has to hold before the service is ready."""

import asyncio
import shutil
from collections.abc import Callable
from typing import TypeAlias

from psycopg import Error
from psycopg_pool import PoolTimeout

from memd.context import Services
from memd.db.schema import NEWEST
from memd.health import store
from memd.settings import Settings

WorkersReport: TypeAlias = Callable[[], dict[str, object]]
"""What is known of the worker processes: running, wanted, restarts, lastExitCode."""
_PATIENCE_S = 3
LITTLE_DISK = 64 * 2**20
"""Bytes. Postgres needs some for its log (WAL), or it stops."""


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
    """What does not work, or soon will not, although requests are answered, by name."""
    found: dict[str, str] = {}
    if services.batcher.is_open:
        found["embedder"] = "not answering; searches go by words alone"
    free = _free_bytes(services.settings)
    if free is not None and free < LITTLE_DISK:
        found["disk"] = f"{free // 2**20} MB free in the data directory; writes are refused when none is left"
    return found


def _free_bytes(settings: Settings) -> int | None:
    """Room on the disk of the embedded Postgres; None for an outside one."""
    if settings.database_url is not None:
        return None
    try:
        return shutil.disk_usage(settings.data_dir).free
    except OSError:
        return None
