"""Users of a memd in another time zone, at a time that the clocks there show."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

from memd.app import build
from memd.context import Services
from memd.domain.dates.zone import TimeZone
from memd.domain.types import Policy
from tests.support.jobs import at
from tests.support.service import TestUser, making_users


def moment(zone: str, clock: str) -> int:
    """The instant (epoch ms) at which the clocks of a zone show a time, such as `2026-11-27T18:00`."""
    return int(datetime.fromisoformat(clock).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)


@asynccontextmanager
async def living_in(services: Services, zone: str, clock: str) -> AsyncGenerator[tuple[Services, TestUser]]:
    """The services set to a zone, their clock frozen at a time that is shown there, and a user of theirs."""
    settings = services.settings.model_copy(update={"time_zone": TimeZone(zone)})
    there = at(replace(services, settings=settings), moment(zone, clock))
    async with making_users(there, build(there)) as make:
        yield there, await make(policy=Policy.SELF_HOSTED_UNMETERED)
