"""Whether the system clock has jumped: the leader checks every 30 seconds and stores the state in the database."""

import structlog

from memd.context import Services
from memd.db.session import SystemSession
from memd.domain.schedule import clock_jump
from memd.domain.schedule.clock_jump import ClockState
from memd.schedule import store

log = structlog.get_logger()


async def current(services: Services, session: SystemSession) -> ClockState:
    """The state of the clock now, given the last one that the leader stored."""
    return clock_jump.next_state(await store.clock_state(session), services.clock(), services.uptime())


async def check(services: Services) -> None:
    """Check the clock and store its state; logs a change."""
    async with services.database.system() as session:
        before = await store.clock_state(session)
        state = clock_jump.next_state(before, services.clock(), services.uptime())
        await store.save_clock_state(session, state)
    if state.text is None and before is not None and before.text is not None:
        log.warning("clock.trusted", wasAheadSeconds=before.ahead_ms // 1000)
    elif state.text is not None and (before is None or before.ahead_ms != state.ahead_ms):
        log.warning("clock.jumped", aheadSeconds=state.ahead_ms // 1000, state=state.text)
