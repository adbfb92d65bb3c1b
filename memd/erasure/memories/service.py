"""Removing memories permanently together with what was derived from them alone (contract 17.6)."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any
from uuid import UUID

from memd.db.session import WriteSession
from memd.domain.ids import encode
from memd.domain.messages.redaction import QUOTED_MIN, checkpoint_summary, without_memories, without_quotes
from memd.domain.prompts.session_text import CHARACTERS_PER_TOKEN
from memd.erasure.memories import store
from memd.graph import removal as graph
from memd.memories import removal, visibility
from memd.stats import service as stats


async def remove(session: WriteSession, archived: Mapping[UUID, bool], now: int) -> Counter[str]:
    """Delete ordinary memories (id → whether archived) with all that was derived from them alone; rows by table.

    Totals follow. The caller holds the lock of the graph (`memd.graph.removal.lock`).
    """
    counts = await remove_derived(session, list(archived), now)
    removed = await removal.remove(session, list(archived))
    archived_count = sum(archived.values())
    await stats.move(session, now, active=archived_count - removed, archived=-archived_count)
    return counts + Counter({"memory": removed})


async def remove_chunks(session: WriteSession, chunk_ids: Sequence[UUID]) -> None:
    """Delete chunks with their texts in checkpoints; counters are the caller's, and the graph is cleared later.

    The chunks go first: that waits for checkpoints of them that are being made.
    """
    await removal.remove(session, chunk_ids)
    await _clear_checkpoints(session, chunk_ids)


async def remove_derived(session: WriteSession, memory_ids: Sequence[UUID], now: int) -> Counter[str]:
    """Delete what was derived from these memories alone, but not the memories themselves; rows by table.

    That is memories with no other source, their part of the graph, their texts in checkpoints and snapshots, and
    waiting jobs.
    """
    if not memory_ids:
        return Counter()
    derived = await derived_from(session, memory_ids, alone=True)
    counts = await remove(session, derived, now) if derived else Counter[str]()
    await store.forget_sources(session, memory_ids)
    counts["checkpoint"] += await _clear_checkpoints(session, memory_ids)
    counts["snapshot"] += await _clear_snapshots(session, await store.contents(session, memory_ids))
    counts.update(await graph.remove(session, memory_ids))
    for field in ("memory_ids", "memory_id"):  # the second is how the release before enqueues
        counts["procrastinate_jobs"] += await store.remove_jobs(session, field, list(map(str, memory_ids)))
    return +counts


async def restore_sources(session: WriteSession, memory_ids: Sequence[UUID], now: int) -> int:
    """Take the sources that these memories replaced out of the archive, before the memories go; returns how many.

    Totals follow. Sources that are among the memories themselves stay archived.
    """
    restored = await store.restore_sources(session, memory_ids, now)
    await visibility.sync_unarchived(session, restored, now)
    await stats.move(session, now, active=len(restored), archived=-len(restored))
    return len(restored)


async def derived_from(session: WriteSession, memory_ids: Sequence[UUID], *, alone: bool) -> dict[UUID, bool]:
    """The memories that the service derived from these, and of those; id → whether archived.

    With `alone` only those without any other source.
    """
    found: dict[UUID, bool] = {}
    while new := await store.derived_from(session, [*memory_ids, *found], alone=alone):
        found |= {one.id: one.archived for one in new}
    return found


async def _clear_checkpoints(session: WriteSession, memory_ids: Sequence[UUID]) -> int:
    wire_ids = [encode("mem", memory_id) for memory_id in memory_ids]
    rows = await store.checkpoints_with(session, wire_ids)
    for row in rows:
        summary = checkpoint_summary(row.entries, wire_ids, row.summary)
        await store.set_checkpoint(session, row.id, without_memories(row.entries, wire_ids), summary)
    return len(rows)


async def _clear_snapshots(session: WriteSession, texts: Sequence[str]) -> int:
    """Take the texts out of the snapshots that quote them, the longest first: one may be a part of another."""
    texts = sorted(set(texts), key=len, reverse=True)
    rows = await store.snapshots_quoting(session, texts, [text for text in texts if len(text) >= QUOTED_MIN])
    for row in rows:
        await keep_passages(session, row.id, reduce(without_quotes, texts, row.passages))
    return len(rows)


async def keep_passages(session: WriteSession, snapshot_id: UUID, passages: Sequence[Mapping[str, Any]]) -> None:
    """Leave these passages in a snapshot; its counters follow."""
    characters = sum(len(str(passage.get("content", ""))) for passage in passages)
    await store.set_passages(session, snapshot_id, passages, math.ceil(characters / CHARACTERS_PER_TOKEN))
