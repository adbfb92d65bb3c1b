"""Rows stored while the clock was a day ahead are found once the clock is right again."""

from typing import Any

import pytest

from memd.context import Services
from memd.domain.dates.time_window import DAY_MS
from tests.support.service import TestUser
from tests.support.wire import capture, post, send

WORD = "cobalt"
TABLES = {
    "memory": ("created_at", "updated_at", "last_accessed_at", "changed_at"),
    "memory_index": ("created_at",),
    "message": ("timestamp",),
    "message_index": ("timestamp",),
}
HERE = {"channel": "slack", "sessionKey": "s"}
CALLS: list[tuple[str, str, dict[str, Any] | None]] = [
    ("POST", "/api/mcp/recall", {"query": f"{WORD} kiln"}),
    ("POST", "/api/mcp/context", {"query": f"{WORD} kiln"}),
    ("POST", "/api/mcp/search-messages", {"query": f"{WORD} kiln", "channel": "slack"}),
    ("POST", "/api/mcp/recent-messages", {"channel": "slack"}),
    ("POST", "/api/mcp/session", HERE),
    ("POST", "/api/mcp/wake", {"channel": "slack"}),
    ("GET", "/api/memories/list", None),
    ("GET", "/api/memories", None),
    ("GET", "/api/messages?channel=slack", None),
]


@pytest.mark.parametrize(("method", "path", "body"), CALLS, ids=[path for _, path, _ in CALLS])
async def test_rows_of_the_future_are_not_hidden(
    services: Services, user: TestUser, method: str, path: str, body: dict[str, Any] | None
) -> None:
    await capture(user, content=f"The {WORD} kiln is hot.", store="semantic", category="decision")
    await post(user, "log", HERE | {"role": "user", "content": f"The {WORD} kiln rocks."})
    async with services.database.system() as session:
        for table, columns in TABLES.items():
            ahead = ", ".join(f"{column} = {column} + %(day)s" for column in columns)
            await session.execute(
                f"UPDATE {table} SET {ahead} WHERE user_id = %(user)s", {"day": DAY_MS, "user": user.id}
            )
    assert WORD in str(await send(user, method, path, body))


@pytest.mark.rule("6.2.8")
@pytest.mark.parametrize("way", ["recall", "memory"])
async def test_an_access_replaces_one_of_the_future(services: Services, user: TestUser, way: str) -> None:
    memory_id = await capture(user, content=f"The {WORD} kiln is hot.")
    own = {"user": user.id, "day": DAY_MS}
    async with services.database.system() as session:
        await session.execute(
            "UPDATE memory SET last_accessed_at = last_accessed_at + %(day)s WHERE user_id = %(user)s", own
        )
    before = services.clock()
    await post(user, way, {"query": f"{WORD} kiln"} if way == "recall" else {"memoryId": memory_id})
    await services.background_tasks.drain()
    async with services.database.system() as session:
        at = await session.value("SELECT last_accessed_at FROM memory WHERE user_id = %(user)s", own)
    assert before <= at <= services.clock()
