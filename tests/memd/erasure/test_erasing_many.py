"""Contract 17.6: one job carries out all erasures that share a lock, and delays no one else."""

import pytest
from structlog.testing import capture_logs

from memctl.wire.erasure import EraseSessionRequest
from memd.context import Services
from memd.db.session import Deferral, SystemSession
from memd.domain.ids import new_id
from memd.erasure import jobs, store
from memd.erasure.messages.service import SESSION
from memd.erasure.receipts import USER, Request, open_receipt
from memd.erasure.store import Receipt
from memd.erasure.users.store import remove_account
from memd.graph import removal as graph
from memd.jobs.enqueue import ATTEMPTS
from tests.memd.erasure.test_erasing_messages import SAID, finished
from tests.support.canary import tables_with
from tests.support.jobs import done
from tests.support.service import MakeUser, TestUser
from tests.support.talk import log
from tests.support.wire import send


@pytest.fixture
def deferred(monkeypatch: pytest.MonkeyPatch) -> list[Deferral]:
    """Collects the jobs of system transactions instead of enqueueing them."""
    collected: list[Deferral] = []
    monkeypatch.setattr(SystemSession, "defer", lambda _session, deferral: collected.append(deferral))
    return collected


async def open_receipts(services: Services, user: TestUser, count: int) -> None:
    """Ask for the erasure of some sessions without messages."""
    async with services.database.system() as session:
        for number in range(count):
            target = EraseSessionRequest(session_key=f"empty-{number}").to_wire()
            await open_receipt(session, Request(user.id, services.clock()), user.id, SESSION, target=target)


async def unfinished(services: Services, user: TestUser) -> list[Receipt]:
    async with services.database.system() as session:
        return [receipt for receipt in await store.unfinished(session) if receipt.user_id == user.id]


@pytest.mark.rule("17.6 DELETE /api/sessions/:sessionKey")
async def test_many_erasures_of_one_user_do_not_delay_those_of_another(
    services: Services, user: TestUser, make_user: MakeUser
) -> None:
    other = await make_user()
    queued = "SELECT count(*) FROM procrastinate_jobs WHERE task_name = 'erase' AND args->>'user_id' = %(user)s"
    async with services.database.write(user.id) as busy:
        await graph.lock(busy)  # every erasure of this user waits for it
        await open_receipts(services, user, 60)
        await log(other, SAID, channel="slack", sessionKey="s1")
        receipt = await finished(other, await send(other, "DELETE", "/api/sessions/s1", status=202, channel="slack"))
        assert receipt["counts"]["message"] == 1
        assert len(await unfinished(services, user)) == 60
        async with services.database.system() as session:
            assert await session.value(queued, {"user": str(user.id)}) == 1
    await done(services, user)
    assert await unfinished(services, user) == []


async def test_a_job_that_took_long_leaves_the_rest_to_the_next(
    services: Services, user: TestUser, deferred: list[Deferral], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "RUN_S", 0.0)
    await open_receipts(services, user, 4)
    left: list[int] = []
    while deferred:
        payload = deferred[0].payload
        deferred.clear()  # equal ones would find it in the queue
        await jobs.erase(services, user.id, payload)
        left.append(len(await unfinished(services, user)))
    assert left == [3, 2, 1, 0]


async def test_what_an_earlier_attempt_did_not_survive_does_not_hold_up_the_others(
    services: Services, user: TestUser, deferred: list[Deferral]
) -> None:
    await open_receipts(services, user, 3)
    payload = {**deferred[0].payload, ATTEMPTS: 1}
    deferred.clear()
    await jobs.erase(services, user.id, payload)
    (oldest,) = await unfinished(services, user)
    (alone,) = deferred
    assert alone.payload["erasure_id"] == str(oldest.id)
    await jobs.erase(services, user.id, payload)
    assert await unfinished(services, user) == [oldest]
    await jobs.erase(services, user.id, alone.payload)
    assert await unfinished(services, user) == []


async def test_erasures_that_wait_when_their_user_is_erased_leave_no_job(
    services: Services, make_user: MakeUser, deferred: list[Deferral]
) -> None:
    user = await make_user()
    await open_receipts(services, user, 3)
    payload = deferred[0].payload
    deferred.clear()
    whole = Receipt(user.id, new_id(), user.id, USER, None, "running", {}, services.clock(), None)
    async with services.database.system() as session:
        await remove_account(session, user.id)
        await store.add(session, whole)
    with capture_logs() as logged:
        await jobs.erase(services, user.id, payload)
    assert ([line for line in logged if line["event"] == "erasure.failed"], deferred) == ([], [])
    await jobs.erase(services, user.id, {"erasure_id": str(whole.id)})
    assert await unfinished(services, user) == []
    assert (await tables_with(services, str(user.id))).keys() <= {"erasure", "audit_entry"}
