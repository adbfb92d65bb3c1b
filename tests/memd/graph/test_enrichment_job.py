"""The job that reads captured memories into the graph: some together, each for itself (contract 11.10, 13)."""

from uuid import UUID

import pytest

from memd.context import Services
from memd.domain.ids import decode, new_id
from memd.graph import enrichment
from memd.graph.enrichment import enrich_memories
from memd.jobs.enqueue import ENRICHMENT_BATCH, defer_enrichment
from tests.support.service import TestUser
from tests.support.wire import capture, memory


async def test_memories_of_one_transaction_share_jobs(services: Services, user: TestUser) -> None:
    ids = [new_id() for _ in range(ENRICHMENT_BATCH + 5)]
    async with services.database.write(user.id) as session:
        defer_enrichment(session, ids)
        queued = [deferral.payload["memory_ids"] for deferral in session.deferrals]
        session.deferrals.clear()
    assert queued == [[str(each) for each in ids[:ENRICHMENT_BATCH]], [str(each) for each in ids[ENRICHMENT_BATCH:]]]


async def test_a_memory_that_cannot_be_read_holds_up_no_other(
    services: Services, user: TestUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, last = [
        await capture(user, title="Owner", content=f"Anna owns the {name} service.") for name in ("ledger", "mail")
    ]
    broken, read = new_id(), enrichment.enrich
    seen: list[UUID] = []

    async def enrich(context: object, memory_id: UUID, *, low_priority: bool = False) -> bool:
        seen.append(memory_id)
        if memory_id == broken:
            raise RuntimeError("unreadable")
        return await read(context, memory_id, low_priority=low_priority)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(enrichment, "enrich", enrich)
    ids = [decode("mem", first), broken, new_id(), decode("mem", last)]
    with pytest.raises(RuntimeError, match="unreadable"):
        await enrich_memories(services, user.id, {"memory_ids": [str(each) for each in ids]})
    assert set(ids) <= set(seen)
    assert (await memory(user, first))["graphEnriched"] is True
    assert (await memory(user, last))["graphEnriched"] is True
