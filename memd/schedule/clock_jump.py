"""Whether the system clock has jumped: the leader looks every half minute, and the database keeps what it saw."""

import structlog

from memd.context import Services
from memd.db.session import SystemSession
from memd.domain import clock_jump
from memd.domain.clock_jump import ClockSeen
from memd.schedule import store

log = structlog.get_logger()


async def current(services: Services, session: SystemSession) -> ClockSeen:
    """The clock as seen now, compared with the leader's last look."""
    return clock_jump.look(await store.last_look(session), services.clock(), services.uptime())


async def look(services: Services) -> None:
    """Compare the clock with the last look and keep what is seen; a line in the log when that is another state."""
    async with services.database.system() as session:
        before = await store.last_look(session)
        seen = clock_jump.look(before, services.clock(), services.uptime())
        await store.keep_look(session, seen)
    if seen.text is None and before is not None and before.text is not None:
        log.warning("clock.trusted", wasAheadSeconds=before.ahead_ms // 1000)
    elif seen.text is not None and (before is None or before.ahead_ms != seen.ahead_ms):
        log.warning("clock.jumped", aheadSeconds=seen.ahead_ms // 1000, state=seen.text)
