"""Telling the graph what a memory says: entities, relations and the memories it belongs to (contract 11.10).

A memory may be read any number of times: what it said before is taken back first.
"""

import asyncio
from collections.abc import Mapping
from contextlib import nullcontext
from typing import Any, Final
from uuid import UUID

import structlog

from memd.accounts import service as accounts
from memd.context import Context, Services
from memd.db.session import OwnerSession, WriteSession
from memd.domain.edge_strength import edge_strength
from memd.domain.entities import NODE_CONFIDENCE, NODE_STRENGTH, Entity, canonical_key, settled_type, slug
from memd.domain.graph_reading import GraphReading, LinkedEntity, Relation, read_memory
from memd.domain.ids import encode, new_id
from memd.domain.model_answers import fields, read_graph
from memd.domain.relations import association_of
from memd.graph import enrichment_store as store
from memd.graph.enrichment_store import ReadMemory
from memd.llm.asking import ask
from memd.llm.prompts import graph_prompt

log = structlog.get_logger()
ASSOCIATED: Final = 3


async def enrich_memories(services: Services, user_id: UUID, payload: Mapping[str, Any]) -> None:
    """The job `graph_enrich`: payload `memory_ids`; memories that are gone, archived or read already are left alone.

    Jobs that the release before enqueued have one `memory_id` instead.
    Raises the last failure when all others are read; the job is then tried again.
    """
    context = await accounts.job_context(services, user_id)
    if context is None:
        return
    failure: Exception | None = None
    for memory_id in payload.get("memory_ids") or [payload["memory_id"]]:
        try:
            await enrich(context, UUID(memory_id), low_priority=True)
        except Exception as error:
            log.exception("graph.not_enriched", memoryId=encode("mem", UUID(memory_id)))
            failure = error
    if failure is not None:
        raise failure


async def enrich(context: Context, memory_id: UUID, *, low_priority: bool = False) -> bool:
    """Read one memory into the graph; whether there was anything to do. With `low_priority`, requests go first.

    A model reads, within the hourly quota, else the patterns do.
    """
    async with context.database.owner(context.user_id) as session:
        seen = await _unread(session, memory_id)
    if seen is None:
        return False
    title, content = seen.title, seen.content
    reading = await ask(context, graph_prompt(title, content), lambda answer: _usable(answer, title))
    async with context.services.rate_limiter.low_priority() if low_priority else nullcontext():
        reading = reading or await asyncio.to_thread(read_memory, title, content)
        return await _replace(context, seen, reading)


async def _replace(context: Context, seen: ReadMemory, reading: GraphReading) -> bool:
    """Replace earlier readings, unless another writer already did or the memory has changed."""
    async with context.database.write(context.user_id) as session:
        store.lock_graph(session)
        memory = await store.lock_memory(session, seen.id)
        if memory is None or memory.graph_enriched:
            return False
        if (memory.title, memory.content) != (seen.title, seen.content):
            return False  # the edit that came between has deferred a reading of its own
        store.detach(session, memory.id)
        await _write(session, memory, reading, context.now)
        store.mark_enriched(session, memory.id, context.now)
    return True


def _usable(answer: object, title: str) -> GraphReading | None:
    """The reading in an answer; no entity at all is one, an answer of which nothing can be kept is none."""
    if fields(answer).get("entities") == []:
        return GraphReading((), ())
    return read_graph(answer, title)


async def _unread(session: OwnerSession, memory_id: UUID) -> ReadMemory | None:
    row = await store.find_memory(session, memory_id)
    return None if row is None or row.archived or row.graph_enriched else row


async def _write(session: WriteSession, memory: ReadMemory, reading: GraphReading, now: int) -> None:
    node_ids: dict[str, UUID] = {}
    for linked in sorted(reading.entities, key=lambda linked: linked.entity.key):
        node_ids[slug(linked.entity.label)] = await _put(session, memory, linked, now)
    for relation in reading.relations:
        await _relate(session, memory, relation, node_ids, now)


async def _put(session: WriteSession, memory: ReadMemory, linked: LinkedEntity, now: int) -> UUID:
    """The node of an entity, tied to the memory."""
    found: Entity = linked.entity
    name = slug(found.label)
    node_type = settled_type(found.node_type, await store.known_types(session, name))
    node = store.NewNode(
        id=new_id(),
        label=found.label,
        node_type=node_type,
        key=canonical_key(node_type, found.label),
        strength=NODE_STRENGTH,
        confidence=NODE_CONFIDENCE,
    )
    node_id = await store.put_node(session, node, memory.id, now)
    store.link(session, memory.id, node_id, linked.role, linked.link_confidence, now)
    return node_id


async def _relate(
    session: WriteSession, memory: ReadMemory, relation: Relation, node_ids: Mapping[str, UUID], now: int
) -> None:
    """The edge that a memory states, and the earlier memories that speak of both its ends."""
    ends = [node_ids[slug(end.label)] for end in (relation.subject, relation.object)]
    edge = (ends[0], relation.relation, ends[1])
    proofs = await store.add_evidence(session, edge, new_id(), memory, now)
    strength = edge_strength(relation.relation, proofs)
    store.set_strength(session, edge, strength)
    for other_id in await store.speakers_of(session, memory, ends, ASSOCIATED):
        kind = association_of(relation.relation)
        store.associate(session, memory.id, other_id, kind, strength.weight, now)
