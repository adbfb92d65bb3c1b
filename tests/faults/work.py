"""Scenarios of the jobs, those of users and those of the schedule."""

from dataclasses import replace
from typing import Any, Final

from memd.context import Services
from memd.db.session import Deferral
from memd.domain.ids import decode, new_id
from memd.domain.types import Tier
from memd.knowledge_bases import store as bases
from memd.knowledge_bases.archiving import service as archiving
from memd.schedule import service as schedule
from memd.schedule.registry import SCHEDULE
from memd.standing import store as standing
from memd.standing.service import DELIVER
from memd.standing.store import Delivery
from tests.faults import calls
from tests.faults.lives import ahead
from tests.faults.scenario import Arrange, Scenario
from tests.memd.schedule.test_effects import TABLE
from tests.support.service import TestUser
from tests.support.wire import capture, post, send


async def _told(_services: Services, user: TestUser) -> None:
    turn = {"turnId": "t1", "userMessage": "We decided to sell the mill in May.", "assistantMessage": "Noted."}
    await post(user, "turn", calls.SAID | turn)


async def _captured(_services: Services, user: TestUser) -> None:
    for number in range(3):
        await capture(user, title=f"Mill {number}", content=f"Ann owns mill {number}, which depends on Postgres.")


async def _removed_base(services: Services, user: TestUser) -> None:
    """An archived knowledge base, and the job that ends a removal which was cut off."""
    facts = await calls._archived_base(services, user)
    async with services.database.write(user.id) as session:
        base = await bases.lock(session, decode("kb", facts["base"]))
        assert base is not None
        session.defer(replace(archiving.rest_of_removal(base), delay_ms=0))


async def _answer_to_deliver(services: Services, user: TestUser) -> None:
    """A change for a webhook that is not public: one attempt, then the delivery is dead."""
    await calls._standing(services, user)
    delivery = Delivery(new_id(), "mill", [], [], [], "pending", 0, None, services.clock(), None)
    async with services.database.write(user.id) as session:
        await session.execute(
            "UPDATE standing_question SET webhook_url = 'http://127.0.0.1:9/', webhook_secret = 'x' WHERE user_id = %(user)s",
            {"user": user.id},
        )
        await standing.add_delivery(session, delivery, 5)
        session.defer(Deferral(DELIVER, {"delivery_id": str(delivery.id)}))


async def _erased_session(services: Services, user: TestUser) -> None:
    await calls._message(services, user)
    await send(user, "DELETE", "/api/sessions/s1", status=202)


async def _erased_user(services: Services, user: TestUser) -> None:
    facts = await calls._other(services, user)
    await send(user, "DELETE", f"/api/admin/users/{facts['user']}", status=202)


def _due(name: str) -> Arrange:
    async def cause(services: Services, _user: TestUser) -> None:
        async with services.database.system() as session:
            session.defer(schedule.deferral(name))

    return cause


def _scheduled(name: str) -> Scenario:
    """The work of the table of jobs, when its turn has come."""
    row = TABLE.get(name)
    if row is None:
        return Scenario(f"job {name}", _captured, cause=_due(name))

    async def arrange(services: Services, user: TestUser) -> None:
        await row.arrange(services, user)

    options: dict[str, Any] = {"ahead_s": ahead(**row.ahead), "user": {"tier": Tier.FREE}}
    return Scenario(f"job {name}", arrange, cause=_due(name), **options)


WORK: Final = (
    Scenario("job embed", cause=_told),
    Scenario("job graph_enrich", cause=_captured),
    Scenario("job extract_turn", cause=_told),
    Scenario("job kb_delete_page", cause=_removed_base),
    Scenario("job erase", cause=_erased_session, variant="session"),
    Scenario("job erase", cause=_erased_user, variant="user", in_steps=True),
    Scenario("job standing_delivery", cause=_answer_to_deliver),
    *(_scheduled(entry.name) for entry in SCHEDULE),
)
"""Every kind of job."""
