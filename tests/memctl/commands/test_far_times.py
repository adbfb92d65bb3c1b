"""Rows whose times no calendar has, which an earlier release stored, are shown all the same."""

from pathlib import Path

import pytest

from memd.context import Services
from tests.memctl.conftest import Terminal
from tests.support.service import TestUser
from tests.support.wire import capture, post

FAR = 1_795_765_600_000_000


@pytest.fixture
async def old(user: TestUser, services: Services) -> str:
    memory_id = await capture(user, title="Afar", content="The comet comes back.")
    await post(user, "log", {"content": "The comet comes back.", "role": "user", "channel": "cli"})
    values = {"far": FAR, "user": user.id}
    async with services.database.write(user.id) as session:
        await session.execute(
            "UPDATE memory SET created_at = %(far)s, last_accessed_at = %(far)s, updated_at = %(far)s,"
            " valid_until = %(far)s WHERE user_id = %(user)s",
            values,
        )
        await session.execute('UPDATE message SET "timestamp" = %(far)s WHERE user_id = %(user)s', values)
    return memory_id


async def test_every_command_shows_them(terminal: Terminal, user: TestUser, old: str, home: Path) -> None:
    for words in (
        ("recent", "--channel", "cli"),
        ("search", "comet", "--channel", "cli"),
        ("recall", "comet"),
        ("show", old),
        ("history", old),
        ("trace", old),
        ("list",),
        ("export",),
        ("export", "--format", "markdown", "--to", "notes"),
        ("sessions", "list"),
    ):
        done = await terminal(user, *words)
        assert (done.exit_code, done.exception) == (0, None), (words, done.output)
    (note,) = (home / "work" / "notes" / "memories").iterdir()
    assert note.name.startswith(f"{FAR}-afar-")
    assert f"createdAt: {FAR}" in note.read_text()
