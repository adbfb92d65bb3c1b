"""The measurement of lag that all callers of /readyz and /metrics share."""

import asyncio

from memctl.wire.enums import LagKind
from memd.jobs.lag.shared import SharedLag


async def test_callers_share_one_measurement_for_a_second() -> None:
    shared, runs = SharedLag(), 0

    async def measure() -> dict[LagKind, int]:
        nonlocal runs
        runs += 1
        await asyncio.sleep(0.01)
        return {LagKind.GRAPH: runs}

    seen = await asyncio.gather(*(shared.get(measure) for _ in range(20)))
    assert (runs, seen) == (1, [{LagKind.GRAPH: 1}] * 20)
    assert await shared.get(measure) == {LagKind.GRAPH: 1}
    shared.forget()
    assert await shared.get(measure) == {LagKind.GRAPH: 2}
