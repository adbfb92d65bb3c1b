"""The filters of a question about a past moment read the memories as they were then (contract 17.2, 17.5)."""

from typing import Any

import pytest

from memd.context import Services
from tests.support.jobs import now_of
from tests.support.service import TestUser
from tests.support.wire import capture, post, send

QUERY = "Where is the depot?"
TIMES = ("asOf", "knownAt")


async def contents(user: TestUser, **fields: Any) -> list[str]:
    """The texts that a recall for the depot finds."""
    return [row["content"] for row in (await post(user, "recall", {"query": QUERY} | fields))["memories"]]


@pytest.mark.rule("17.5 asOf", "17.5 knownAt", "17.2 where")
@pytest.mark.parametrize("time", TIMES)
async def test_metadata_and_tags_are_those_of_the_moment(user: TestUser, services: Services, time: str) -> None:
    stored = {"title": "Depot", "content": "The depot is in Lisbon."}
    one = await capture(user, **stored, metadata={"team": "north"}, tags=["draft"])
    then = await now_of(services)
    await post(user, "update", {"memoryId": one, "metadata": {"team": "south"}, "tags": ["final"]})
    filters: list[tuple[dict[str, Any], dict[str, Any]]] = [
        ({"where": {"team": "north"}}, {"where": {"team": "south"}}),
        ({"tags": ["draft"]}, {"tags": ["final"]}),
    ]
    for before, after in filters:
        assert await contents(user, **before, **{time: then}) == [stored["content"]]
        assert await contents(user, **after, **{time: then}) == []
        assert await contents(user, **before) == []
        assert await contents(user, **after) == [stored["content"]]


@pytest.mark.rule("17.5 asOf", "17.5 knownAt", "17.2 namespace")
@pytest.mark.parametrize("time", TIMES)
async def test_filters_find_what_was_forgotten_since(user: TestUser, services: Services, time: str) -> None:
    stored = {"title": "Depot", "content": "The depot is in Lisbon.", "metadata": {"team": "north"}, "tags": ["draft"]}
    one = await capture(user, **stored, namespace="sites/depots", key="lisbon")
    then = await now_of(services)
    await post(user, "forget", {"memoryId": one})
    for chosen in (
        {"namespace": "sites/"},
        {"namespace": "sites/depots"},
        {"where": {"team": "north"}},
        {"tags": ["draft"]},
    ):
        assert await contents(user, **chosen, **{time: then}) == [stored["content"]], chosen
        assert await contents(user, **chosen) == []
    assert await contents(user, namespace="sites/mills", **{time: then}) == []


@pytest.mark.rule("17.5 validAt", "17.5 supersede")
async def test_filters_find_what_was_superseded(user: TestUser) -> None:
    stored = {"title": "Depot", "content": "The depot is in Lisbon.", "metadata": {"team": "north"}, "tags": ["draft"]}
    one = await capture(user, **stored, validFrom="2020-01-01")
    body = {"oldMemoryId": one, "title": "Depot", "content": "The depot is in Faro.", "validFrom": "2022-01-01"}
    await post(user, "supersede", body)
    for chosen in ({"where": {"team": "north"}}, {"tags": ["draft"]}):
        assert await contents(user, **chosen, validAt="2021-01-01") == [stored["content"]], chosen


@pytest.mark.rule("17.5 asOf", "17.5 knownAt")
@pytest.mark.parametrize("time", TIMES)
async def test_a_channel_without_active_memories_by_now_is_searched(
    user: TestUser, services: Services, time: str
) -> None:
    one = await capture(user, title="Depot", content="The depot is in Lisbon.", channel="slack:depots")
    two = await capture(user, title="Depot", content="The depot is in Faro.", channel="slack:moves")
    peer = await capture(user, title="Depot", content="The depot is in Rome.", channel="peer-ana:notes")
    then = await now_of(services)
    await post(user, "update", {"memoryId": two, "channel": "slack:other"})
    for forgotten in (one, two, peer):
        await post(user, "forget", {"memoryId": forgotten})
    assert await contents(user) == []
    assert sorted(await contents(user, **{time: then})) == ["The depot is in Faro.", "The depot is in Lisbon."]


@pytest.mark.rule("17.2 where", "17.5 asOf")
async def test_a_restored_version_passes_by_its_own_metadata(user: TestUser, services: Services) -> None:
    one = await capture(user, title="Depot", content="The depot is in Lisbon.", metadata={"team": "north"})
    await post(user, "update", {"memoryId": one, "metadata": {"team": "south"}})
    then = await now_of(services)
    await send(user, "POST", f"/api/memories/{one}/restore", {"version": 1})
    assert await contents(user, where={"team": "south"}, asOf=then) == ["The depot is in Lisbon."]
    assert await contents(user, where={"team": "north"}) == ["The depot is in Lisbon."]
