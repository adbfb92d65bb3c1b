"""A text that is captured again is no failure: a script gets the id of the memory that is there (docs/scripts.md)."""

import json

from tests.memctl.conftest import Terminal
from tests.support.service import TestUser


async def test_the_id_of_the_stored_memory_is_printed(terminal: Terminal, user: TestUser) -> None:
    first = await terminal(user, "capture", "Release day", "We ship on Thursdays.", "--tag", "a")
    again = await terminal(user, "capture", "Release day", "We ship on Thursdays.", "--tag", "b")
    assert (again.exit_code, again.stdout) == (0, first.stdout)
    assert again.stderr.startswith("a memory with this text is stored already, and stays as it is")
    assert (await terminal(user, "list", "-q", "--tag", "b")).stdout == ""


async def test_the_document_says_that_nothing_was_stored(terminal: Terminal, user: TestUser) -> None:
    first = json.loads((await terminal(user, "capture", "Freeze", "Deploys are frozen.", "--json")).stdout)
    again = await terminal(user, "capture", "Freeze", "Deploys are frozen.", "--json")
    document = json.loads(again.stdout)
    assert (again.exit_code, again.stderr) == (0, "")
    assert (document["id"], document["existingMemoryId"]) == (first["id"], first["id"])
    assert (document["ok"], document["duplicate"]) == (True, True)
    assert "error" not in document
    assert "duplicate" not in first
