"""A job spares memories that were edited, moved or restored after it had read them (contract 5, 13)."""

import asyncio

import pytest

from memd.context import Services
from memd.domain.ids import decode
from memd.lifecycle.consolidate import consolidate_and_promote
from memd.lifecycle.retention import clear_away
from tests.memd.lifecycle.rows import active, aged
from tests.support.jobs import context_of, done
from tests.support.locks import waiting_for
from tests.support.service import TestUser

SENSORY = {"store": "sensory", "category": "conversation"}
PROVEN = {"strength": 0.8, "confidence": 0.8, "_access_count": 3, "store": "episodic", "category": "lesson"}
SECRET = "The code word is heliotrope."


@pytest.mark.parametrize("edit", ["content = 'There is a code word.'", "channel = 'peer-coach:7'"])
@pytest.mark.parametrize("fields", [SENSORY, PROVEN])
async def test_what_is_edited_or_moved_while_a_job_reads_it_is_not_copied(
    services: Services, user: TestUser, fields: dict[str, object], edit: str
) -> None:
    edited = await aged(services, user, days=2, content=SECRET, **fields)
    if fields is SENSORY:
        await aged(services, user, days=2, degrees=1, content="The code word was changed.", **fields)
    await done(services, user)
    before = set(await active(user))
    params = {"user": user.id, "id": decode("mem", edited)}
    async with services.database.write(user.id) as session:
        await session.execute("SELECT FROM memory WHERE user_id = %(user)s AND id = %(id)s FOR UPDATE", params)
        pid: int = await session.value("SELECT pg_backend_pid()", {})
        job = asyncio.create_task(consolidate_and_promote(await context_of(services, user)))
        await waiting_for(services, pid)
        await session.execute(f"UPDATE memory SET {edit} WHERE user_id = %(user)s AND id = %(id)s", params)
    assert await job == 0
    assert set(await active(user)) == before


async def test_what_is_restored_while_clean_up_is_about_to_remove_it_stays(services: Services, user: TestUser) -> None:
    archived = {"_archived": True, "_archived_by": "job", "_archived_at": 1, "_consolidated_at": 1}
    memory_id = await aged(services, user, days=40, **archived, **SENSORY)
    await done(services, user)
    params = {"user": user.id, "id": decode("mem", memory_id)}
    async with services.database.write(user.id) as session:
        await session.execute("SELECT FROM memory WHERE user_id = %(user)s AND id = %(id)s FOR UPDATE", params)
        pid: int = await session.value("SELECT pg_backend_pid()", {})
        job = asyncio.create_task(clear_away(await context_of(services, user)))
        await waiting_for(services, pid)
        restore = "UPDATE memory SET archived = false, archived_by = NULL, archived_at = NULL"
        await session.execute(f"{restore} WHERE user_id = %(user)s AND id = %(id)s", params)
    await job
    assert memory_id in await active(user)
