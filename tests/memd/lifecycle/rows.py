"""Rows as lifecycle jobs find them: of an age, at a place in the space of meanings, with any column set."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from memd.context import Services
from memd.domain.ids import decode
from memd.memories import store
from tests.support.service import TestUser
from tests.support.wire import Json, capture, send

DAY = 86_400_000
HOUR = 3_600_000


async def aged(services: Services, user: TestUser, *, days: float = 0, degrees: float = 0, **fields: Any) -> str:
    """A memory captured this many days ago, whose vector is at this many degrees in a plane; its id.

    Fields named with a leading underscore are columns that capture does not take.
    """
    columns = {name[1:]: value for name, value in fields.items() if name.startswith("_")}
    memory_id = await capture(user, **{name: value for name, value in fields.items() if not name.startswith("_")})
    moment = services.clock() - int(days * DAY)
    columns = {"created_at": moment, "last_accessed_at": moment} | columns
    radians = math.radians(degrees)
    vector = np.zeros(256, dtype=np.float32)
    vector[0], vector[1] = math.cos(radians), math.sin(radians)
    async with services.database.write(user.id) as session:
        await store.update_columns(session, decode("mem", memory_id), columns, moment)
        await store.set_vector(session, decode("mem", memory_id), services.model, vector)
        await store.sync_filters(session, [decode("mem", memory_id)])
    return memory_id


async def kept(services: Services, user: TestUser, content: str, messages: Sequence[str], **columns: Any) -> str:
    """A memory of these messages as a more permissive extraction has left it; its id."""
    memory_id = await capture(user, content=content, strength=0.6)
    given = {"source": "conversation", "source_message_ids": [decode("msg", one) for one in messages]} | columns
    assignments = ", ".join(f"{name} = %({name})s" for name in given)
    async with services.database.write(user.id) as session:
        await session.execute(
            f"UPDATE memory SET {assignments} WHERE user_id = %(user)s AND id = %(id)s",
            given | {"user": user.id, "id": decode("mem", memory_id)},
        )
    return memory_id


async def active(user: TestUser) -> dict[str, Json]:
    """The active memories, by id."""
    rows = (await send(user, "GET", "/api/memories", pageSize=200))["memories"]
    return {row["id"]: row for row in rows}


async def column(services: Services, user: TestUser, memory_id: str, name: str) -> Any:
    """A column of a memory, as it is stored; None also for a memory that is gone."""
    async with services.database.read(user.id) as session:
        return await session.value(
            f"SELECT {name} FROM memory WHERE user_id = %(user)s AND id = %(id)s",
            {"user": user.id, "id": decode("mem", memory_id)},
        )


async def count(services: Services, user: TestUser, table: str) -> int:
    """Rows of the user in a table."""
    async with services.database.read(user.id) as session:
        return await session.value(f"SELECT count(*) FROM {table}")
