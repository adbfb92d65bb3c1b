"""Contract 17.6: erasing messages leaves what a client captured itself, whatever the service had made of it."""

from memd.context import Services
from memd.domain.ids import decode
from memd.lifecycle.consolidate import consolidate_and_promote
from tests.memd.erasure.test_erasing_messages import erase_message
from tests.memd.lifecycle.rows import active, aged, column
from tests.support.jobs import context_of, done
from tests.support.service import TestUser
from tests.support.talk import log
from tests.support.wire import post, totals

SENSORY = {"store": "sensory", "category": "conversation"}


async def test_a_capture_returns_when_its_consolidation_goes(services: Services, user: TestUser) -> None:
    message = await log(user, "The build failed, says the log.")
    await done(services, user)
    own = await aged(services, user, days=2, content="The build failed, take 1", actionTriggers=["make"], **SENSORY)
    extracted = {"_source": "conversation", "_source_message_ids": [decode("msg", message)]} | SENSORY
    await aged(services, user, days=2, degrees=1, content="The build failed, take 2", **extracted)
    assert await consolidate_and_promote(await context_of(services, user)) == 1
    assert own not in await active(user)
    await erase_message(user, message)
    (row,) = (await active(user)).values()
    assert (row["id"], row["content"]) == (own, "The build failed, take 1")
    assert [await column(services, user, own, name) for name in ("archived_by", "consolidated_at")] == [None, None]
    assert await totals(user) == (1, 0)
    found = (await post(user, "recall", {"query": "The build failed"}))["memories"]
    assert [each["id"] for each in found] == [own]
    async with services.database.read(user.id) as session:
        assert (
            await session.value("SELECT tool_name FROM trigger WHERE user_id = %(user)s", {"user": user.id}) == "make"
        )


async def test_a_capture_that_calls_itself_an_inference_stays(services: Services, user: TestUser) -> None:
    """Extraction adds its messages to the sources of an equal memory."""
    message = await log(user, "Ann prefers tea.")
    await done(services, user)
    merged = {"_source_message_ids": [decode("msg", message)]}
    own = await aged(services, user, content="Ann prefers tea.", source="inference", **merged)
    await erase_message(user, message)
    assert list(await active(user)) == [own]
    assert await column(services, user, own, "source_message_ids") == []
