"""What a memory that superseded another one says of it once that one is restored or gone (contract 6.6, 17.5)."""

import pytest

from tests.support.service import TestUser
from tests.support.wire import capture, memory, post, send


@pytest.mark.rule("17.5 restore")
async def test_a_restored_memory_and_its_successor_name_each_other_no_more(user: TestUser) -> None:
    old = await capture(user, content="The depot is in Lisbon.")
    reply = await post(user, "supersede", {"oldMemoryId": old, "title": "Depot", "content": "The depot is in Porto."})
    new = reply["newMemoryId"]
    linked = ((await memory(user, old))["supersededByMemoryId"], (await memory(user, new))["supersedesMemoryId"])
    assert linked == (new, old)
    await post(user, f"/api/memories/{old}/restore")
    assert (await memory(user, old))["supersededByMemoryId"] is None
    assert (await memory(user, new))["supersedesMemoryId"] is None
    assert (await send(user, "GET", f"/api/memories/{new}/history"))["versions"][0]["action"] == "supersede"
    await post(user, "/api/undo")
    linked = ((await memory(user, old))["supersededByMemoryId"], (await memory(user, new))["supersedesMemoryId"])
    assert linked == (new, old)


async def test_a_successor_names_no_memory_that_is_deleted_for_good(user: TestUser) -> None:
    old = await capture(user, content="The depot is in Lisbon.")
    reply = await post(user, "supersede", {"oldMemoryId": old, "title": "Depot", "content": "The depot is in Porto."})
    await post(user, "forget", {"memoryId": old, "permanent": True})
    assert (await memory(user, reply["newMemoryId"]))["supersedesMemoryId"] is None
