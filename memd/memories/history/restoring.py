"""Giving memories and chunks an earlier state: the tests that every write passes, then rows, lexemes, vectors, counters."""

from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from memd.context import Context
from memd.db.session import WriteSession
from memd.db.text_index import TextIndex, text_index
from memd.domain.ids import encode
from memd.errors import (
    ContentBlocked,
    DuplicateMemory,
    KeyTaken,
    KnowledgeBaseArchived,
    MemdError,
    MemoryNotFound,
)
from memd.jobs import enqueue
from memd.knowledge_bases import counters
from memd.memories import duplicate_store as duplicates
from memd.memories import store as memories
from memd.memories.conflicts import store as conflicts
from memd.memories.duplicate_store import ContentKey
from memd.memories.guard import CHECKED_FIELDS, Submitted, check_rules
from memd.memories.history import store
from memd.memories.history.recording import Cause, record_versions
from memd.memories.history.store import Kept, StoredRow
from memd.memories.text_index_store import set_text_indexes
from memd.off_loop import in_pieces
from memd.stats import quotas
from memd.stats import service as stats
from memd.stats.quotas import Resource


@dataclass(frozen=True, slots=True)
class Target:
    """The state to restore: an ended version of the memory, or its current one but archived or active."""

    id: UUID
    version: int | None = None
    archived: bool | None = None


@dataclass(frozen=True, slots=True)
class _Step:
    """A row before and after, `length` in code points; `index` is that of a text that comes back."""

    row: StoredRow
    target: Target
    length: int
    store: str
    channel: str | None
    content_hash: str
    archived: bool
    index: TextIndex | None = None

    @property
    def key(self) -> ContentKey:
        """Under which the new state is compared with active memories."""
        return ContentKey(self.store, self.content_hash, self.channel)

    @property
    def key_before(self) -> ContentKey:
        """The key of the stored state."""
        return ContentKey(self.row.store, self.row.content_hash, self.row.channel)

    @property
    def added(self) -> int:
        """How many more memories count towards the quota: 1, 0 or -1; chunks do not count."""
        return 0 if self.row.knowledge_base_id is not None else int(self.row.archived) - int(self.archived)


@dataclass(frozen=True, slots=True)
class Read:
    """An ended version, the policy's refusal of its text, and the text's index."""

    fields: Mapping[str, Any]
    blocked: ContentBlocked | None
    index: TextIndex


async def read_versions(context: Context, versions: Mapping[UUID, int]) -> dict[UUID, Read]:
    """Read ended versions (memory → version) for `write_states`; what does not exist is left out.

    It is done before the rows are locked, for long texts take seconds. An ended version never changes.
    """
    if not versions:
        return {}
    async with context.database.owner(context.user_id) as session:
        kept = list((await store.kept(session, versions)).values())
    made = await in_pieces(partial(_read, context), kept, lambda version: len(version.fields["content"]))
    return {version.memory_id: read for version, read in zip(kept, made, strict=True)}


def _read(context: Context, kept: Sequence[Kept]) -> list[Read]:
    return [Read(one.fields, _blocked(context, one.fields), _index(context, one.fields)) for one in kept]


def _index(context: Context, fields: Mapping[str, Any]) -> TextIndex:
    texts, default = (fields["title"], fields["content"]), context.services.settings.text_search_config
    return text_index(context.user_id, texts, fields["tags"], default)


def _blocked(context: Context, fields: Mapping[str, Any]) -> ContentBlocked | None:
    """The refusal of a text that the content policy does not let pass any more."""
    try:
        check_rules(context, Submitted.of(**{name: fields[name] for name in CHECKED_FIELDS}))
    except ContentBlocked as blocked:
        return blocked
    return None


async def write_states(
    session: WriteSession, context: Context, targets: Sequence[Target], cause: Cause, versions: Mapping[UUID, Read]
) -> dict[UUID, MemdError]:
    """Give rows their states as new versions, in the caller's transaction; the refusal of each row that is left unchanged.

    `versions` are the targets' as `read_versions` has read them.
    """
    rows = {row.id: row for row in await store.lock(session, [target.id for target in targets])}
    stored = await store.stored(session, {one.id: one.version for one in targets if one.version is not None})
    refused: dict[UUID, MemdError] = {}
    steps: list[_Step] = []
    for target in targets:
        row, read = rows.get(target.id), versions.get(target.id) if target.id in stored else None
        if row is None or (target.version is not None and read is None):
            refused[target.id] = MemoryNotFound()
        elif read is not None and read.blocked is not None:
            refused[target.id] = read.blocked
        else:
            steps.append(_step(row, target, read))
    refused |= await _refusals(session, context, steps)
    written = [step for step in steps if step.row.id not in refused]
    await _write(session, context, written, cause)
    await conflicts.reopen(session, [step.row.id for step in written])
    return refused


def _step(row: StoredRow, target: Target, read: Read | None) -> _Step:
    if read is None:
        archived = row.archived if target.archived is None else target.archived
        return _Step(row, target, len(row.content), row.store, row.channel, row.content_hash, archived)
    fields = read.fields
    return _Step(
        row,
        target,
        len(fields["content"]),
        fields["store"],
        fields["channel"],
        fields["content_hash"],
        fields["archived"],
        read.index,
    )


async def _refusals(session: WriteSession, context: Context, steps: Sequence[_Step]) -> dict[UUID, MemdError]:
    """The rows that would break a rule of the store: archived knowledge base, key taken, duplicate, quota."""
    refused: dict[UUID, MemdError] = {step.row.id: KnowledgeBaseArchived() for step in steps if step.row.base_archived}
    active = [step for step in steps if not step.archived and step.row.id not in refused]
    leaving = {step.row.id for step in steps if step.archived}
    taken = await store.taken_keys(session, [step.row.id for step in active if step.row.archived], list(leaving))
    refused |= {memory_id: KeyTaken(encode("mem", holder)) for memory_id, holder in taken.items()}
    unkeyed = [step for step in active if step.row.knowledge_base_id is None and step.row.key is None]
    refused |= await _duplicates(session, context, unkeyed, leaving)
    entering = [step for step in active if step.added > 0 and step.row.id not in refused]
    if entering:
        free = await quotas.free_memories(session, context.principal, lock=True)
        given_up = sum(step.added < 0 for step in steps)
        over = entering[free + given_up :] if free is not None else []
        refused |= {step.row.id: quotas.refusal(context.principal, Resource.MEMORIES) for step in over}
    return refused


async def _duplicates(
    session: WriteSession, context: Context, steps: Sequence[_Step], leaving: AbstractSet[UUID]
) -> dict[UUID, MemdError]:
    """The memories without a key that would be active together with a duplicate that is not `leaving` or changed too."""
    changed = {step.row.id for step in steps if step.key != step.key_before}
    changing = [step for step in steps if step.row.archived or step.row.id in changed]
    if not changing:
        return {}
    keys = [step.key for step in changing]
    session.execute_later(duplicates.content_locks(context.user_id, keys))
    found: dict[UUID, MemdError] = {}
    for row in await session.rows(duplicates.duplicates_query(context.user_id, keys)):
        step = changing[row.ordinal - 1]
        if row.id != step.row.id and row.id not in leaving | changed:
            found[step.row.id] = DuplicateMemory(encode("mem", row.id))
    return found


async def _write(session: WriteSession, context: Context, steps: Sequence[_Step], cause: Cause) -> None:
    """Record the versions that end, write the states, and move what follows from them."""
    if not steps:
        return
    ids, model = [step.row.id for step in steps], context.services.model
    await record_versions(session, context, ids, cause)
    versions = {step.row.id: step.target.version for step in steps if step.target.version is not None}
    marked = [step for step in steps if step.target.version is None]
    await store.release_successors(session, [step.row.id for step in steps if step.added > 0])
    leaving = [step.row.id for step in marked if step.archived]  # first: a key may pass to a row that comes back
    await store.set_archived(session, leaving, context.now, archived=True)
    await store.write_back(session, versions, model, context.now)
    entering = [step.row.id for step in marked if not step.archived]
    await store.set_archived(session, entering, context.now, archived=False)
    await set_text_indexes(session, {step.row.id: step.index for step in steps if step.index is not None})
    await memories.sync_filters(session, ids)
    await memories.set_triggers(session, ids, context.now)
    await _move_counters(session, context, steps)
    enqueue.defer_embedding(session)
    enqueue.defer_enrichment(session)


async def _move_counters(session: WriteSession, context: Context, steps: Sequence[_Step]) -> None:
    """The totals for memories; chunks and characters of each knowledge base for chunks."""
    entering = 0
    chunks, characters = Counter[UUID](), Counter[UUID]()
    for step in steps:
        grown = int(step.row.archived) - int(step.archived)
        base_id = step.row.knowledge_base_id
        if base_id is None:
            entering += grown
            continue
        chunks[base_id] += grown
        before = 0 if step.row.archived else len(step.row.content)
        characters[base_id] += (0 if step.archived else step.length) - before
    if entering:
        await stats.move(session, context.now, active=entering, archived=-entering)
    for base_id in sorted(chunks.keys() | characters.keys()):
        await counters.move(session, base_id, chunks=chunks[base_id], characters=characters[base_id], now=context.now)
