"""Turns as tests send them, and what the service keeps of them."""

from typing import Any

from memd.context import Services
from tests.support.service import TestUser
from tests.support.wire import Json, post

TURN: Json = {
    "sessionKey": "s1",
    "channel": "slack",
    "turnId": "t1",
    "userMessage": "Where is the machine?",
    "assistantMessage": "In the kitchen.",
}


async def turn(user: TestUser, status: int = 200, **fields: Any) -> Json:
    """The reply to `TURN` with other fields."""
    return await post(user, "turn", TURN | fields, status=status)


async def stored(user: TestUser, **query: Any) -> list[Json]:
    """The messages of the user, in the order of the talk."""
    return (await post(user, "recent-messages", {"limit": 100} | query))["messages"]


async def scheduled(services: Services, user: TestUser) -> int:
    """Jobs of this user that will make memories of a turn."""
    async with services.database.system() as session:
        return await session.value(
            "SELECT count(*)::int FROM procrastinate_jobs WHERE task_name = 'extract_turn' AND args->>'user_id' = %(user)s",
            {"user": str(user.id)},
        )


async def set_messages(services: Services, user: TestUser, count: int) -> None:
    """Let the user's quota count this many messages."""
    async with services.database.write(user.id) as session:
        await session.execute("UPDATE totals SET total_messages = %(count)s", {"count": count})
