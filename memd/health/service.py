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
    return {} if revision == NEWEST else {"migrations": "not at the newest revision"}
