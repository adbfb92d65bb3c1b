"""Re-embeds every row with another model: page by page, while memd runs, resuming where it stopped."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple
from uuid import UUID

import numpy as np
from pgvector import HalfVector

from memd.db.engine import open_pools
from memd.db.errors import NoSchemaError, OlderDatabaseError
from memd.db.schema.logins import Logins
from memd.db.schema.migrate import current, refuse_newer
from memd.db.schema.upgrade import NEWEST
from memd.db.session import Database, Statement
from memd.embed import models
from memd.embed.pending_store import Waiting, refusal_of
from memd.embed.providers.provider import Embedder, EmbeddingRefusedError
from memd.embed.reembedding import store
from memd.embed.refusals import embed_accepted
from memd.resources import logins_of, make_embedder, reachable_database
from memd.settings import Settings

PAGE = 256
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class _Position:
    """The last ids of a page, after which the next one begins."""

    memory: UUID = store.FIRST
    message: UUID = store.FIRST

    def behind(self, memories: list[Waiting], messages: list[Waiting]) -> "_Position":
        """The position after these rows."""
        return _Position(memories[-1].id if memories else self.memory, messages[-1].id if messages else self.message)


class Reembedded(NamedTuple):
    """The number of rows that were embedded, and of all whose text the model has refused, in earlier runs too."""

    rows: int
    refused: int


def run(settings: Settings, say: Say, *, retry_refused: bool = False) -> Reembedded:
    """Embed what the model of the settings has not embedded yet, then make it the current one.

    The tables are not upgraded: an earlier memd that serves them could not go on. OlderDatabaseError says so.
    What it has refused in an earlier run is left out, unless `retry_refused`.
    """
    with reachable_database(settings) as conninfo:
        _refuse_other_tables(current(conninfo))
        embedder = make_embedder(settings)
        model = models.register(conninfo, embedder.name, embedder.dimensions)
        return asyncio.run(_embed_all(logins_of(settings, conninfo), model, embedder, say, retry_refused))


def _refuse_other_tables(revision: str | None) -> None:
    if revision is None:
        raise NoSchemaError
    refuse_newer(revision)
    if revision != NEWEST:
        raise OlderDatabaseError(revision)


async def _embed_all(logins: Logins, model: int, embedder: Embedder, say: Say, retry_refused: bool) -> Reembedded:
    async with open_pools(logins) as pools:
        database = Database(pools, _no_jobs).for_jobs()
        async with database.system() as session:
            users = await store.user_ids(session)
        if retry_refused:
            await _forget_refusals(database, users, model)
        async with database.system() as session:
            waiting = await store.count_without(session, model)
        done = 0
        for user_id in users:
            async for stored in _pages(database, user_id, model, embedder):
                done += stored
                say(f"{done:,} of {max(waiting, done):,} rows embedded")  # rows may be added meanwhile
        async with database.system() as session:
            refused = await store.count_refused(session, model)
            if refused and not await store.has_vectors(session, model):
                raise EmbeddingRefusedError("The embedder refused every text; the earlier model stays in use")
            await store.make_current(session, model)
    return Reembedded(done, refused)


async def _forget_refusals(database: Database, users: Sequence[UUID], model: int) -> None:
    for user_id in users:
        async with database.write(user_id) as session:
            await store.forget_refusals(session, model)


def _no_jobs(*_deferrals: object) -> list[Statement]:
    raise AssertionError("re-embedding causes no jobs")


async def _pages(database: Database, user_id: UUID, model: int, embedder: Embedder) -> AsyncGenerator[int]:
    """The number of vectors of each page of one user once it is stored; a stored page is never made again.

    Ends with a pass that finds nothing: a row that changed while it was embedded is left to the next pass.
    """
    after = start = _Position()
    while True:
        async with database.read(user_id) as session:
            memories = await store.memories_without(session, model, PAGE, after.memory)
            messages = await store.messages_without(session, model, PAGE - len(memories), after.message)
        if memories or messages:
            after = after.behind(memories, messages)
            yield await _embed_page(database, user_id, model, embedder, memories, messages)
        elif after == start:
            return
        else:
            after = start


async def _embed_page(
    database: Database,
    user_id: UUID,
    model: int,
    embedder: Embedder,
    memories: Sequence[Waiting],
    messages: Sequence[Waiting],
) -> int:
    """Store the vectors of the rows and which of them were refused; the number of vectors."""
    rows = [*memories, *messages]
    embed = partial(asyncio.to_thread, embedder.embed)
    vectors = [vector async for _, vector in embed_accepted(embed, [row.text for row in rows])]
    refused = [row for row, vector in zip(rows, vectors, strict=True) if vector is None]
    found = {
        row.id: HalfVector(vector.astype(np.float16))
        for row, vector in zip(rows, vectors, strict=True)
        if vector is not None
    }
    async with database.write(user_id) as session:
        kept = [row for row in memories if row.id in found]
        said = [row.id for row in messages if row.id in found]
        await store.add_memory_vectors(session, model, kept, [found[row.id] for row in kept])
        await store.add_message_vectors(session, model, said, [found[row_id] for row_id in said])
        await session.execute_all(*(refusal_of(session, row, model) for row in refused))
    return len(found)
