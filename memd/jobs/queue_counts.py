"""How many jobs are in which state, over all users, for `/metrics`."""

from collections.abc import Mapping

from memd.context import Services
from memd.jobs import store


async def queue_counts(services: Services) -> Mapping[str, int]:
    """The number of jobs by state: queued, running, failed permanently."""
    async with services.database.system() as session:
        kinds = await store.counts(session, None)
    return {
        "queued": sum(kind.queued for kind in kinds),
        "running": sum(kind.running for kind in kinds),
        "failed": sum(kind.failed for kind in kinds),
    }
