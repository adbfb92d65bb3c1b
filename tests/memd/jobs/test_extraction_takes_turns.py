"""Turns of one user do not hold up those of the others: the extraction of a turn is the later, the more wait before it."""

from memd.context import Services
from tests.support.dict_rows import dict_rows
from tests.support.service import MakeUser, TestUser
from tests.support.turns import turn


async def queued(services: Services, *users: TestUser) -> list[str]:
    """The turns of these users, in the order in which a worker takes them when all are due."""
    async with services.database.system() as session:
        rows = await dict_rows(
            session,
            "SELECT args->>'turn_id' AS turn FROM procrastinate_jobs "
            "WHERE task_name = 'extract_turn' AND args->>'user_id' = ANY(%(users)s) ORDER BY priority DESC, id",
            {"users": [str(user.id) for user in users]},
        )
    return [row["turn"] for row in rows]


async def say(user: TestUser, name: str) -> None:
    """A turn of this id, with a text of its own."""
    await turn(user, turnId=name, userMessage=f"Where is {name}?", assistantMessage=f"{name} is in the kitchen.")


async def test_a_turn_does_not_wait_for_all_turns_of_another_user(services: Services, make_user: MakeUser) -> None:
    busy, quiet = await make_user(), await make_user()
    for number in range(4):
        await say(busy, f"busy{number}")
    await say(quiet, "quiet")
    assert await queued(services, busy, quiet) == ["busy0", "quiet", "busy1", "busy2", "busy3"]


async def test_turns_of_one_user_keep_their_order(services: Services, user: TestUser) -> None:
    names = [f"turn{number}" for number in range(60)]
    for name in names:
        await say(user, name)
    assert await queued(services, user) == names
