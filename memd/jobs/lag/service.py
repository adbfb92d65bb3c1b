"""How far background work is behind: the age of the oldest row that waits for it, by kind."""

from collections.abc import Mapping
from uuid import UUID

from memctl.wire.enums import LagKind
from memd.context import Services
from memd.jobs.lag import store


async def lag_ms(services: Services, user_id: UUID | None) -> Mapping[LagKind, int]:
    """Milliseconds by kind, without the kinds that have no waiting row; of one user, or of all for None.

    Rows of deactivated users, which no job processes, are not counted.
    """
    async with services.database.system() as session:
        rows = await store.lags(session, user_id, services.model, services.clock())
    return {LagKind(row.kind): row.age_ms for row in rows}
