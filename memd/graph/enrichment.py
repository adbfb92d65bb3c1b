"""Reading memories into the graph: entities, relations and the memories they belong to (contract 11.10).

A memory may be read any number of times: what it stated before is removed first. Up to PAGE memories of a user share a
transaction; when it fails, each of them gets a separate one.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final
from uuid import UUID

import structlog

from memd.accounts import service as accounts
from memd.context import Context, Services
from memd.db.session import WriteSession
from memd.domain.graph.reading import GraphReading, read_memory
from memd.domain.ids import encode
from memd.graph import enrichment_store as store
from memd.graph.enrichment_store import Unread
from memd.graph.merging import write_readings
from memd.jobs import enqueue
from memd.llm.asking import ask
from memd.llm.model_answers import fields, read_graph
from memd.llm.prompts import graph_prompt
from memd.memories.conflicts.detection import read_facts, record_facts, supersede_certain
from memd.off_loop import in_thread

log = structlog.get_logger()
PAGE: Final = 200


async def enrich_memories(services: Services, user_id: UUID, payload: Mapping[str, Any]) -> None:
    """The job `graph_enrich`: read a page of the user's memories (payload `of`: `memories`) or chunks (`chunks`).

    It enqueues itself again while there are more, so that users with many rows do not block others. Jobs of older
    releases name `memory_ids`, or one `memory_id`; what is gone, archived or read already is skipped. Raises the last
    failure when nothing was read, and with names when all others are; the job is then retried.
    """
    context = await accounts.job_context(services, user_id)
    if context is None:
        return
    named = payload.get("memory_ids") or [payload[name] for name in ("memory_id",) if name in payload]
    if named:
        await enrich_all(context, [UUID(memory_id) for memory_id in named])
    elif payload.get("of") == enqueue.MEMORIES:
        await _enrich_unread(context, unread_memories, enqueue.defer_enrichment)
    else:
        await _enrich_unread(context, unread_chunks, enqueue.defer_chunk_enrichment)


async def _enrich_unread(
    context: Context,
    unread: Callable[[Context, int], Awaitable[list[Unread]]],
    defer_next: Callable[[WriteSession], None],
) -> None:
    """Read a page. Rows that fail while others do not are left to the next job and to the backfill."""
    page = await unread(context, PAGE)
    done, failure = await _enrich_each(context, page)
    if failure is not None and not done:
        raise failure
    if len(page) == PAGE:
        async with context.database.write(context.user_id) as session:
            defer_next(session)


async def unread_memories(context: Context, limit: int) -> list[Unread]:
    """The oldest active memories of the user that the graph has not read, without chunks."""
    async with context.database.owner(context.user_id) as session:
        return await store.unread_memories(session, limit)


async def unread_chunks(context: Context, limit: int) -> list[Unread]:
    """The oldest active chunks of the user that the graph has not read; configuration is left out."""
    async with context.database.owner(context.user_id) as session:
        return await store.unread_chunks(session, limit)


async def enrich(context: Context, memory_id: UUID) -> bool:
    """Read one memory or chunk into the graph; returns whether there was anything to do."""
    return await _enrich_page(context, await _find_unread(context, [memory_id])) == 1


async def enrich_all(context: Context, memory_ids: Sequence[UUID]) -> int:
    """Read memories and chunks page by page; returns how many. Raises the last failure when all others are read."""
    done = 0
    failures: list[Exception] = []
    for start in range(0, len(memory_ids), PAGE):
        page = await _find_unread(context, memory_ids[start : start + PAGE])
        read, failure = await _enrich_each(context, page)
        done += read
        failures += [] if failure is None else [failure]
    if failures:
        raise failures[-1]
    return done


async def _find_unread(context: Context, memory_ids: Sequence[UUID]) -> list[Unread]:
    async with context.database.owner(context.user_id) as session:
        return await store.find_unread(session, memory_ids)


async def _enrich_each(context: Context, page: Sequence[Unread]) -> tuple[int, Exception | None]:
    """Read a page, or each memory separately when the page fails; returns how many, and the last failure."""
    try:
        return await _enrich_page(context, page), None
    except Exception:
        log.exception("graph.page_failed", memories=len(page))
    done, failure = 0, None
    for memory in page:
        try:
            done += await _enrich_page(context, [memory])
        except Exception as error:
            log.exception("graph.not_enriched", memoryId=encode("mem", memory.id))
            failure = error
    return done, failure


async def _enrich_page(context: Context, seen: Sequence[Unread]) -> int:
    """Read memories; returns how many. A model reads, within the hourly quota, else the patterns do.

    Graph, facts, conflicts and the mark that they are read are one transaction: when a step fails, the job reads
    them again, and memories that were erased in the meantime are not written back.
    """
    if not seen:
        return 0
    readings = await _readings(context, seen)
    own_texts = {memory.id: "" if memory.restates else memory.content for memory in seen if not memory.is_chunk}
    facts = await read_facts(own_texts)
    async with context.database.write(context.user_id) as session:
        store.lock_graph(session)
        unread = await store.lock_unread(session, [memory.id for memory in seen])
        same = [memory for memory in unread if memory in readings]  # an edit that came between has its own job
        if not same:
            return 0
        store.detach(session, [memory.id for memory in same])
        await write_readings(session, [(memory, readings[memory]) for memory in same], context.now)
        kept = {memory.id: facts[memory.id] for memory in same if memory.id in facts}
        conflicts = await record_facts(session, context, kept) if kept else []
        done = await store.mark_enriched(session, same, context.now)
    await supersede_certain(context, conflicts)
    return done


async def _readings(context: Context, memories: Sequence[Unread]) -> dict[Unread, GraphReading]:
    known: dict[Unread, GraphReading] = {}
    if context.services.llm is not None:
        for memory in memories:
            if (reading := await _ask_model(context, memory)) is not None:
                known[memory] = reading
    unanswered = [memory for memory in memories if memory not in known]
    found = await in_thread(lambda: [read_memory(memory.title, memory.content) for memory in unanswered])
    return known | dict(zip(unanswered, found, strict=True))


async def _ask_model(context: Context, memory: Unread) -> GraphReading | None:
    prompt = graph_prompt(memory.title, memory.content)
    return await ask(context, prompt, lambda answer: _usable(answer, memory.title))


def _usable(answer: object, title: str) -> GraphReading | None:
    """The reading in an answer, which may be without entities; None for an answer of which nothing can be used."""
    if fields(answer).get("entities") == []:
        return GraphReading((), ())
    return read_graph(answer, title)
