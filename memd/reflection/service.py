"""Reflection: decisions, lessons, open loops and a summary out of the memories of some hours (contract 6.11, 11.6).

A memory is reflected on once: a summary lists what it was made from, and a later run reads only the memories of the
group that no summary lists, or that were edited after it. With a chat model, the model words it, within one time limit
for the whole run.
"""

import time
from dataclasses import dataclass, field, replace
from typing import Final, Literal
from uuid import UUID

from memd.accounts import service as accounts
from memd.context import Context
from memd.db.session import OwnerSession, WriteSession
from memd.domain.dates.zone import TimeZone
from memd.domain.ids import encode
from memd.domain.lifecycle.extractive_reflection import reflect as reflect_extractively
from memd.domain.lifecycle.reflection import (
    SHAPES,
    Kind,
    ReflectionGroup,
    ReflectionMemory,
    ReflectionStats,
    is_summarised,
    reflection_groups,
    reflection_stats,
    statement_keys,
    unread,
    unwritten,
)
from memd.domain.types import MemorySource
from memd.llm.asking import ask
from memd.llm.model_answers import fields, items, read_reflection
from memd.llm.prompts import reflection_prompt
from memd.memories import service as memories
from memd.memories.deriving import Derived, apply_policy, has_duplicate, lock_contents
from memd.memories.new import NewMemory
from memd.off_loop import in_thread
from memd.reflection import store
from memd.stats import quotas

MODEL_S: Final = 20.0
RUN_S: Final = 22.0
"""Groups that are not reflected on by then are left to a later run, so that a request has its answer in time."""
HOUR_MS: Final = 3_600_000
READ: Final = "reflectedMemoryIds"
"""The name in a summary's metadata under which it lists the memories that it was made from."""


@dataclass(slots=True)
class Reflection:
    """The counts of a reflection; `degraded` when a model is set but did not serve every group.

    `unfinished`: a further run would read memories that this one left, or that changed meanwhile.
    """

    stats: ReflectionStats = field(default_factory=ReflectionStats)
    memory_ids: list[UUID] = field(default_factory=list[UUID])
    method: Literal["extractive", "llm"] = "extractive"
    degraded: bool = False
    unfinished: bool = False


@dataclass(frozen=True, slots=True)
class _Earlier:
    """The reflections of a group since its oldest row: the titles written, and the memories read with their times."""

    titles: list[str]
    read: dict[str, int]

    def of(self, group: ReflectionGroup) -> set[UUID]:
        """The memories of a group that were read as they are now."""
        return {row.id for row in group.rows if self.read.get(encode("mem", row.id), -1) >= row.edited_at}


async def reflect(context: Context, window_hours: float, session_key: str | None = None) -> Reflection:
    """Reflect on the last hours, of one session if given, group by group; nothing is written twice."""
    since = context.now - int(window_hours * HOUR_MS)
    async with context.database.owner(context.user_id) as session:
        rows = await store.inputs(session, since, session_key)
    groups = reflection_groups(rows)
    fresh = [part for group in groups if (part := await _unread(context, group))]
    begun = time.monotonic()
    result = Reflection()
    visible: list[ReflectionMemory] = []
    written: list[ReflectionMemory] = []
    shown = context.scopes(None, None).memory
    for number, group in enumerate(fresh):
        if number and time.monotonic() > begun + RUN_S:
            result.unfinished = True
            break
        made = await _reflect_on(context, _local(group, context.zone), begun + MODEL_S, result)
        kept = await _write(context, group, made)
        if kept is None:
            result.unfinished = True
            continue
        result.unfinished |= group.more and any(row.kind is Kind.SUMMARY for row in kept.values())
        result.memory_ids += kept
        written += kept.values()
        visible += made if shown.admits(group.channel) else []
    result.stats = reflection_stats(groups, fresh, visible, written)
    return result


async def _unread(context: Context, group: ReflectionGroup) -> ReflectionGroup | None:
    """The group with only its new rows; None when it has none."""
    async with context.database.owner(context.user_id) as session:
        earlier = await _earlier(session, group)
    return unread(group, earlier.of(group))


def _local(group: ReflectionGroup, zone: TimeZone) -> ReflectionGroup:
    """The group with the local times at which its memories were made, as the days of a reflection are written."""
    return replace(group, rows=tuple(replace(row, created_at=zone.local(row.created_at)) for row in group.rows))


async def _reflect_on(
    context: Context, group: ReflectionGroup, deadline: float, result: Reflection
) -> list[ReflectionMemory]:
    """The reflections on the group."""
    if context.services.llm is not None:
        prompt = reflection_prompt(group)
        remaining_s = deadline - time.monotonic()
        made = await ask(context, prompt, lambda answer: read_reflection(answer, group), remaining_s)
        if made is not None:
            result.method = "llm"
            return made
        result.degraded = True
    return await in_thread(reflect_extractively, group)


async def _earlier(session: OwnerSession, group: ReflectionGroup) -> _Earlier:
    rows = await store.earlier(session, group)
    read = {
        one: row.created_at for row in rows for one in items(fields(row.metadata).get(READ)) if isinstance(one, str)
    }
    return _Earlier([row.title for row in rows], read)


async def _write(
    context: Context, group: ReflectionGroup, made: list[ReflectionMemory]
) -> dict[UUID, ReflectionMemory] | None:
    """Write what no other run has written yet; the new rows, by id.

    None when a memory of the group was deleted, archived or edited in the meantime.
    """
    by_title = {memory.title: memory for memory in made}
    async with context.database.owner(context.user_id) as session:
        fresh = await _fresh(session, context, group, made)
    rows = await apply_policy(context, [_derived(group, memory) for memory in fresh])
    if not rows:
        return {}
    async with context.database.write(context.user_id) as session:
        await store.lock_group(session, group)
        if not await store.lock_inputs(session, group):
            return None
        still = {memory.title for memory in await _fresh(session, context, group, made)}
        kept = await _new_rows(session, context, [row for row in rows if row.title in still])
        memories.add(session, context, kept)
        await accounts.audit(session, context, "reflect", meta={"memories": len(kept)})
    return {row.id: by_title[row.title] for row in kept}


async def _fresh(
    session: OwnerSession, context: Context, group: ReflectionGroup, made: list[ReflectionMemory]
) -> list[ReflectionMemory]:
    """The memories that say something which neither a reflection nor another memory of the group says already."""
    earlier = await _earlier(session, group)
    if is_summarised(group, earlier.of(group)):
        return []
    keys = {key for memory in made for key in statement_keys(memory)}
    default = context.services.settings.text_search_config
    stated = await store.stated(session, group, keys, default)
    return unwritten(made, titles=earlier.titles, stated=stated)


async def _new_rows(session: WriteSession, context: Context, rows: list[NewMemory]) -> list[NewMemory]:
    """The rows without a duplicate, within the quota."""
    lock_contents(session, rows)
    new = [row for row in rows if not await has_duplicate(session, row)]
    free = await quotas.free_memories(session, context.principal, lock=True)
    return new if free is None else new[:free]


def _derived(group: ReflectionGroup, memory: ReflectionMemory) -> Derived:
    """A row in the shape of its kind; a summary lists what it was made from."""
    shape = SHAPES[memory.kind]
    read = [encode("mem", row.id) for row in group.rows]
    return Derived(
        title=memory.title,
        content=memory.content,
        store=shape.store,
        category=shape.category,
        source=MemorySource.INFERENCE,
        channel=group.channel,
        project_id=group.project_id,
        strength=shape.strength,
        confidence=shape.confidence,
        tags=shape.tags,
        source_memory_ids=memory.source_ids,
        metadata={READ: read} if memory.kind is Kind.SUMMARY else None,
    )
