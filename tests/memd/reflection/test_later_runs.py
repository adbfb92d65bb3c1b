"""A later reflection reads the rows that earlier ones left, and those that changed after them (contract 6.11)."""

import pytest

from memd.context import Services
from memd.reflection.jobs import reflect_on_the_day
from tests.memd.reflection.test_reflection import inferred, reflect, say
from tests.support.jobs import context_of
from tests.support.service import TestUser
from tests.support.wire import capture, post


@pytest.mark.rule("6.11 second run")
async def test_what_was_more_than_thirty_is_left_to_the_next_run(user: TestUser) -> None:
    for number in range(33):
        await capture(user, content=f"We decided on plan {number}.")
    assert (await reflect(user))["stats"]["summary"].startswith("30 memories ")
    assert (await reflect(user))["stats"]["summary"].startswith("3 memories ")
    assert (await reflect(user))["stats"]["skipped"] == "nothing_new"


async def test_the_daily_job_leaves_nothing_to_the_next_run(user: TestUser, services: Services) -> None:
    for number in range(61):
        await capture(user, content=f"We decided on plan {number}.")
    assert await reflect_on_the_day(await context_of(services, user)) == 3
    assert (await reflect(user))["stats"]["skipped"] == "nothing_new"


@pytest.mark.rule("6.11 second run")
async def test_a_memory_whose_text_changed_is_read_again(user: TestUser) -> None:
    memory_id, *_ = await say(user)
    await reflect(user)
    await post(user, "update", {"memoryId": memory_id, "tags": ["seen"]})
    assert (await reflect(user))["stats"]["skipped"] == "nothing_new"
    await post(user, "update", {"memoryId": memory_id, "content": "Short talk. We decided to cancel the release."})
    stats = (await reflect(user))["stats"]
    assert (stats["decisionsWritten"], stats["summaryWritten"]) == (1, 1)
    assert (await reflect(user))["stats"]["skipped"] == "nothing_new"


async def test_what_the_user_has_forgotten_stays_so_when_it_is_said_again(user: TestUser) -> None:
    await say(user)
    await reflect(user)
    decision = (await inferred(user))["Decision: We decided to move the release to Thursday."]
    await post(user, "forget", {"memoryId": decision["id"]})
    await capture(user, title="Recap", content="Short talk. We decided to move the release to Thursday.")
    assert (await reflect(user))["stats"]["decisionsWritten"] == 0
