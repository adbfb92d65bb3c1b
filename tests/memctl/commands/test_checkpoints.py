"""`memctl checkpoint show` and `restore`: what a checkpoint holds, and giving memories back that state."""

import json

from tests.memctl.conftest import Terminal
from tests.support.service import TestUser
from tests.support.wire import capture, memory, post


async def made(terminal: Terminal, user: TestUser, *memory_ids: str) -> str:
    named = [argument for each in memory_ids for argument in ("--memory", each)]
    done = await terminal(user, "checkpoint", "create", "before the move", *named)
    assert done.exit_code == 0
    return done.stdout.strip()


async def test_show_prints_the_memories_as_they_were(terminal: Terminal, user: TestUser) -> None:
    memory_id = await capture(user, title="Tea", content="Bob drinks Assam.", tags=["tea"])
    point = await made(terminal, user, memory_id)
    await post(user, "update", {"memoryId": memory_id, "content": "Bob drinks coffee."})
    done = await terminal(user, "checkpoint", "show", point)
    assert f"{memory_id}  Tea\n    Bob drinks Assam.\n" in done.stdout
    document = json.loads((await terminal(user, "checkpoint", "show", point, "--json")).stdout)
    assert document["id"] == point
    (entry,) = document["memories"]
    assert (entry["memoryId"], entry["content"], entry["tags"]) == (memory_id, "Bob drinks Assam.", ["tea"])


async def test_restore_gives_memories_the_state_of_the_checkpoint(terminal: Terminal, user: TestUser) -> None:
    edited, archived, same, gone = [
        await capture(user, title=name, content=f"The {name} one.") for name in ("edited", "archived", "same", "gone")
    ]
    point = await made(terminal, user, edited, archived, same, gone)
    await post(user, "update", {"memoryId": edited, "content": "Something else."})
    await post(user, "forget", {"memoryId": archived})
    await post(user, "forget", {"memoryId": gone, "permanent": True})
    expected = {"checkpointId": point, "restored": [edited, archived], "gone": [gone], "refused": [], "unchanged": 1}
    planned = await terminal(user, "checkpoint", "restore", point, "--dry-run", "--json")
    assert json.loads(planned.stdout) == {**expected, "dryRun": True}
    assert (await memory(user, edited))["content"] == "Something else."
    done = await terminal(user, "checkpoint", "restore", point, "--json")
    assert (done.exit_code, json.loads(done.stdout)) == (7, {**expected, "dryRun": False})
    assert (await memory(user, edited))["content"] == "The edited one."
    assert (await memory(user, archived))["archived"] is False
    again = json.loads((await terminal(user, "checkpoint", "restore", point, "--json")).stdout)
    assert (again["restored"], again["unchanged"]) == ([], 3)


async def test_what_memd_refuses_to_restore_stops_nothing(terminal: Terminal, user: TestUser) -> None:
    first = await capture(user, title="Tea", content="Bob drinks Assam.")
    second = await capture(user, title="Pie", content="Ana likes pie.")
    point = await made(terminal, user, first, second)
    await post(user, "forget", {"memoryId": first})
    await capture(user, title="Tea again", content="Bob drinks Assam.")
    await post(user, "update", {"memoryId": second, "content": "Ana likes cake."})
    done = await terminal(user, "checkpoint", "restore", point, "--json")
    document = json.loads(done.stdout)
    assert (done.exit_code, document["restored"]) == (7, [second])
    assert [one["id"] for one in document["refused"]] == [first]
    assert (await memory(user, second))["content"] == "Ana likes pie."
