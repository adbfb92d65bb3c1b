"""The probes that write first, in a transaction that leaves nothing behind."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress

from memd.db.session import WriteSession
from memd.domain.ids import new_id
from memd.erasure.messages import store as erasure
from memd.erasure.store import Receipt
from memd.memories.conflicts import store as conflicts
from memd.standing import store as standing
from memd.standing.store import Line
from tests.memd.access.scope_probes import PROBES, SEEN, WORD, World, probe

__all__ = ["PROBES"]


@probe
async def older_side_of_a_conflict(world: World) -> bool:
    return await _conflict(world, seen="new_id")


@probe
async def newer_side_of_a_conflict(world: World) -> bool:
    return await _conflict(world, seen="old_id")


async def _conflict(world: World, seen: str) -> bool:
    """Whether a conflict is listed of which one side is visible."""
    async with rolled_back(world) as session:
        await session.execute(
            f"""UPDATE memory m SET channel = %(seen)s FROM memory_conflict c
            WHERE m.user_id = %(user)s AND c.user_id = m.user_id AND c.{seen} = m.id""",
            {"user": world.id, "seen": SEEN},
        )
        return bool(await conflicts.page(session, world.scopes.memory, "open", None, 5))


@probe
async def kept_answer(world: World) -> bool:
    rows = [Line(row_id, 1, "", WORD, WORD, 0) for row_id in (*world.memories, *world.chunks)]
    async with rolled_back(world) as session:
        await standing.replace_lines(session, "answer", rows)
        return bool(await standing.shown_lines(session, world.scopes, "answer", [(world.base.id, world.base.scope)]))


@probe
async def erasable_messages(world: World) -> bool:
    async with rolled_back(world) as session:
        return bool(await erasure.lock_page(session, world.in_session, _receipt(world), 5))


@probe
async def erased_session(world: World) -> bool:
    async with rolled_back(world) as session:
        counts, _ = await erasure.remove_session(session, world.in_session, _receipt(world))
    return any(counts.values())


def _receipt(world: World) -> Receipt:
    return Receipt(
        world.id, new_id(), world.id, "session", None, "running", {}, world.context.services.clock() + 1_000, None
    )


class _Undo(Exception):
    pass


@asynccontextmanager
async def rolled_back(world: World) -> AsyncGenerator[WriteSession]:
    """A transaction that leaves nothing behind."""
    with suppress(_Undo):
        async with world.context.database.write(world.id) as session:
            yield session
            raise _Undo
