"""Re-embeds every row with another model: page by page, while memd runs, resuming where it stopped."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

import numpy as np
from pgvector import HalfVector

from memd.db.engine import open_pools
from memd.db.errors import NoSchemaError
from memd.db.logins import Logins
from memd.db.migrate import current, migrate
from memd.db.session import Database, Statement, WriteSession
from memd.domain.messages.message_text import message_embedding_text
from memd.domain.text.embedding_text import embedding_text
from memd.embed import models
from memd.embed import reembed_store as store
from memd.embed.pending import MAX_REFUSED
from memd.embed.provider import Embedder, EmbeddingRefusedError, Vector
from memd.embed.reembed_store import MemoryText, MessageText
from memd.resources import logins_of, make_embedder, reachable_database
from memd.settings import Settings

PAGE = 256
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class _Position:
    """The last ids of a page, after which the next one begins."""

    memory: UUID = store.FIRST
    message: UUID = store.FIRST

    def behind(self, memories: list[MemoryText], messages: list[MessageText]) -> "_Position":
        """The position after these rows."""
        return _Position(memories[-1].id if memories else self.memory, messages[-1].id if messages else self.message)


def run(settings: Settings, say: Say) -> int:
    """Embed what the model of the settings has not embedded yet, then make it the current one; the number of rows."""
    with reachable_database(settings) as conninfo:
        if current(conninfo) is None:
            raise NoSchemaError
        embedder = make_embedder(settings)
        migrate(conninfo)
        model = models.register(conninfo, embedder.name, embedder.dimensions)
        return asyncio.run(_embed_all(logins_of(settings, conninfo), model, embedder, say))


async def _embed_all(logins: Logins, model: int, embedder: Embedder, say: Say) -> int:
    async with open_pools(logins) as pools:
        database = Database(pools, _no_jobs).for_jobs()
        async with database.system() as session:
            waiting = await store.count_without(session, model)
            users = await store.user_ids(session)
        done = 0
        for user_id in users:
            async for stored in _pages(database, user_id, model, embedder):
                done += stored
                say(f"{done:,} of {max(waiting, done):,} rows embedded")  # rows may be added meanwhile
        async with database.system() as session:
            if waiting and await store.count_without(session, model) and not await store.has_vectors(session, model):
                raise EmbeddingRefusedError("The embedder refused every text; the earlier model stays in use")
            await store.make_current(session, model)
    return done


def _no_jobs(*_deferrals: object) -> list[Statement]:
    raise AssertionError("re-embedding causes no jobs")


async def _pages(database: Database, user_id: UUID, model: int, embedder: Embedder) -> AsyncGenerator[int]:
    """The size of each page of one user once it is stored; a stored page is never made again.

    Ends with a pass that finds nothing: a row that changed while it was embedded is left to the next pass. Rows that the
    embedder refuses are left without a vector; EmbeddingRefusedError after `MAX_REFUSED` of them.
    """
    after = start = _Position()
    refused = list[UUID]()
    while True:
        async with database.read(user_id) as session:
            memories = await store.memories_without(session, model, PAGE, after.memory, refused)
            messages = await store.messages_without(session, model, PAGE - len(memories), after.message, refused)
        if not memories and not messages:
            if after == start:
                return
            after = start
            continue
        after = after.behind(memories, messages)
        texts = [*map(_memory_text, memories), *map(_message_text, messages)]
        vectors = await asyncio.to_thread(_vectors, embedder, texts)
        found = {
            row.id: HalfVector(vector.astype(np.float16))
            for row, vector in zip((*memories, *messages), vectors, strict=True)
            if vector is not None
        }
        async with database.write(user_id) as session:
            await _store(session, model, memories, messages, found)
        yield len(found)
        refused += [row.id for row in (*memories, *messages) if row.id not in found]
        if len(refused) >= MAX_REFUSED:
            raise EmbeddingRefusedError(f"The embedder refused {len(refused)} texts of one user")


def _vectors(embedder: Embedder, texts: Sequence[str]) -> list[Vector | None]:
    """The vectors of the texts; None for one that the embedder refuses."""
    try:
        return list(embedder.embed(texts))
    except EmbeddingRefusedError:
        if len(texts) == 1:
            return [None]
    middle = len(texts) // 2
    return [*_vectors(embedder, texts[:middle]), *_vectors(embedder, texts[middle:])]


async def _store(
    session: WriteSession,
    model: int,
    memories: list[MemoryText],
    messages: list[MessageText],
    found: Mapping[UUID, HalfVector],
) -> None:
    kept = [row for row in memories if row.id in found]
    said = [row.id for row in messages if row.id in found]
    await store.add_memory_vectors(session, model, kept, [found[row.id] for row in kept])
    await store.add_message_vectors(session, model, said, [found[row_id] for row_id in said])


def _memory_text(row: MemoryText) -> str:
    return embedding_text(row.title, row.content)


def _message_text(row: MessageText) -> str:
    return message_embedding_text(row.speaker, row.role, row.content)
