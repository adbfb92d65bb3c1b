"""The knowledge bases of a user are bounded: each recall decides on every one of them, and their list has no pages."""

import asyncio
from typing import Any

from memd.context import Services
from memd.knowledge_bases.service import MAX_BASES
from tests.support.service import MakeUser, TestUser

BASES = "/api/knowledge-bases"


async def add_bases(services: Services, user: TestUser, count: int) -> None:
    """Add archived and active knowledge bases, half and half."""
    async with services.database.system() as session:
        await session.execute(
            "INSERT INTO knowledge_base (user_id, id, name, agent_ids, peer_scope_policy, archived, memory_count, "
            "total_chars, created_at, updated_at) "
            "SELECT %(user)s, lpad(to_hex(n), 32, '0')::uuid, 'Base ' || n, '{}', 'strict', n %% 2 = 0, 0, 0, n, n "
            "FROM generate_series(1, %(count)s::int) n",
            {"user": user.id, "count": count},
        )


async def make(user: TestUser, status: int = 201) -> dict[str, Any]:
    reply = await user.http.post(BASES, json={"name": "One more"})
    assert reply.status_code == status
    return reply.json()


async def test_a_user_has_at_most_a_thousand_knowledge_bases(services: Services, user: TestUser) -> None:
    await add_bases(services, user, MAX_BASES - 1)
    last = await make(user)
    refused = await make(user, status=409)
    assert refused["error"] == "Too many knowledge bases"
    assert "permanently" in refused["details"]
    await user.http.delete(f"{BASES}/{last['id']}")
    await make(user, status=409)
    await user.http.delete(f"{BASES}/{last['id']}", params={"permanent": "true"})
    await make(user)


async def test_requests_at_once_do_not_pass_the_limit(services: Services, user: TestUser) -> None:
    await add_bases(services, user, MAX_BASES - 2)
    replies = await asyncio.gather(*(user.http.post(BASES, json={"name": "One more"}) for _ in range(12)))
    assert sorted(reply.status_code for reply in replies) == [201] * 2 + [409] * 10


async def test_ids_are_in_the_order_in_which_knowledge_bases_are_stored(services: Services, user: TestUser) -> None:
    """Of programs that create one of a name at once, each takes the first one that it sees."""
    await asyncio.gather(*(make(user) for _ in range(24)))
    async with services.database.system() as session:
        stored = await session.values(
            "SELECT id FROM knowledge_base WHERE user_id = %(user)s ORDER BY xmin::text::int8", {"user": user.id}
        )
    assert stored == sorted(stored)


async def test_another_user_is_not_limited_by_it(services: Services, user: TestUser, make_user: MakeUser) -> None:
    await add_bases(services, user, MAX_BASES)
    await make(await make_user())
