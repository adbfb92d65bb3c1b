"""`memctl undo`: every page of a long undo."""

import json

import pytest

from memd.memories.history import undo
from tests.memctl.conftest import Terminal
from tests.support.service import TestUser
from tests.support.wire import capture, totals


async def test_an_undo_of_many_requests_goes_on_until_it_is_done(
    terminal: Terminal, user: TestUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(undo, "REQUESTS", 2)
    made = [await capture(user) for _ in range(5)]
    planned = json.loads((await terminal(user, "undo", "--since", "1h", "--dry-run", "--json")).stdout)
    assert [row["id"] for row in planned["undone"]] == made[::-1]
    done = await terminal(user, "undo", "--since", "1h", "--yes", "--json")
    assert (done.exit_code, [row["id"] for row in json.loads(done.stdout)["undone"]]) == (0, made[::-1])
    assert await totals(user) == (0, 5)
