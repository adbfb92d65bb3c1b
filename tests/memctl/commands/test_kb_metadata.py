"""The metadata of a knowledge base on the command line."""

import json

from tests.memctl.conftest import Terminal
from tests.support.service import TestUser


async def test_it_is_set_when_the_knowledge_base_is_made_and_shown(terminal: Terminal, user: TestUser) -> None:
    made = await terminal(user, "kb", "create", "Handbook", "--metadata", '{"owner": "Küche"}', "--json")
    assert json.loads(made.stdout)["metadata"] == {"owner": "Küche"}
    shown = (await terminal(user, "kb", "show", "Handbook")).stdout.splitlines()
    assert [line.split(maxsplit=1) for line in shown if line.startswith("metadata")] == [
        ["metadata", '{"owner": "Küche"}']
    ]
    await terminal(user, "kb", "set", "Handbook", "--no-metadata")
    assert "metadata" not in (await terminal(user, "kb", "show", "Handbook")).stdout


async def test_anything_but_an_object_is_a_usage_error(terminal: Terminal, user: TestUser) -> None:
    for typed in ("text", "[1]", "{"):
        done = await terminal(user, "kb", "create", "Handbook", "--metadata", typed)
        assert (done.exit_code, done.stdout, "'--metadata'" in done.stderr) == (2, "", True)
    assert (await terminal(user, "kb", "list", "--json")).stdout.count('"name"') == 0
