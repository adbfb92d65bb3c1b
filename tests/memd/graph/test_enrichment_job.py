"""The job that reads captured memories into the graph: some together, each for itself (contract 11.10, 13)."""

import asyncio
from dataclasses import replace
from uuid import UUID

import pytest

from memd.context import Services
from memd.db.session import Deferral
from memd.domain.graph.reading import GraphReading
from memd.domain.ids import decode, new_id
from memd.domain.types import Policy
from memd.graph import enrichment
from memd.graph.enrichment import enrich, enrich_all, enrich_memories
from memd.jobs.enqueue import CHUNKS, MEMORIES, defer_enrichment
from memd.jobs.store import add_jobs, release_queueing_lock
from tests.support.dict_rows import Row, dict_rows
from tests.support.jobs import context_of, done
from tests.support.service import MakeUser, TestUser
from tests.support.wire import capture, chunk, fill, make_base, memory, send


async def test_memories_of_several_transactions_share_a_job(services: Services, user: TestUser) -> None:
    for _ in range(3):
        async with services.database.write(user.id) as session:
            defer_enrichment(session)
            session.deferrals = [replace(deferral, delay_ms=3_600_000) for deferral in session.deferrals]
    async with services.database.system() as session:
        jobs = await session.value(
            "SELECT count(*) FROM procrastinate_jobs WHERE args->>'user_id' = %(user)s", {"user": str(user.id)}
        )
    assert jobs == 1


async def test_a_job_reads_the_rows_of_a_transaction_that_found_it_waiting(services: Services, user: TestUser) -> None:
    """It starts when that transaction has ended, however late the commit."""
    name = f"test:{user.id}"
    waiting = Deferral("graph_enrich", {}, queueing_lock=name, delay_ms=3_600_000)
    async with services.database.write(user.id) as session:
        session.defer(waiting)
    async with services.database.system() as session:
        job_id = await session.value("SELECT id FROM procrastinate_jobs WHERE queueing_lock = %(name)s", {"name": name})

    async def start() -> None:
        async with services.database.system() as session:
            await release_queueing_lock(session, job_id, name)

    async with services.database.write(user.id) as late:
        await late.execute_all(*add_jobs(user.id, [waiting]))
        starting = asyncio.create_task(start())
        assert await blocked(services, name)
        assert not starting.done()
    await starting


async def blocked(services: Services, name: str) -> bool:
    """Whether the start of the job waits for a transaction, within 30 seconds."""
    async with services.database.system() as session:
        for _ in range(3_000):
            if await session.value(BLOCKED, {"name": name}):
                return True
            await asyncio.sleep(0.01)
    return False


BLOCKED = """
    SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objsubid = 1
                   AND (classid::bigint << 32 | objid::bigint) = hashtextextended('queueing:' || %(name)s, 4))
"""


async def test_what_a_job_did_not_get_to_has_another_job(
    services: Services, user: TestUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(enrichment, "PAGE", 2)
    ids = [await capture(user, content=f"Anna owns the {name} service.") for name in NAMES]
    await done(services, user)
    assert [(await memory(user, one))["graphEnriched"] for one in ids] == [True] * len(NAMES)


async def test_contradictions_are_looked_for_again_when_the_search_fails_after_the_graph(
    services: Services, user: TestUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    await capture(user, content="Ana lives in Oslo.")
    await done(services, user)
    record_facts = enrichment.record_facts

    async def fail(*_arguments: object) -> None:
        raise RuntimeError("connection lost")

    monkeypatch.setattr(enrichment, "record_facts", fail)
    new = await capture(user, content="Ana moved to Rome.")
    with pytest.raises(RuntimeError, match="connection lost"):
        await enrich_memories(services, user.id, {"of": MEMORIES})
    assert not (await memory(user, new))["graphEnriched"]
    monkeypatch.setattr(enrichment, "record_facts", record_facts)
    await enrich_memories(services, user.id, {"of": MEMORIES})
    assert (await memory(user, new))["graphEnriched"]
    (conflict,) = (await send(user, "GET", "/api/conflicts"))["conflicts"]
    assert conflict["newId"] == new


def make_unreadable(monkeypatch: pytest.MonkeyPatch, unreadable: str) -> None:
    """From now on, reading a memory with this title fails."""
    read = enrichment.read_memory

    def read_others(title: str, content: str) -> GraphReading:
        if title == unreadable:
            raise RuntimeError("unreadable")
        return read(title, content)

    monkeypatch.setattr(enrichment, "read_memory", read_others)


async def test_a_memory_that_cannot_be_read_delays_no_other(
    services: Services, user: TestUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker meets the same failure and tries again later."""
    make_unreadable(monkeypatch, "Broken")
    titles = ("Owner", "Broken", "Team")
    ids = [await capture(user, title=title, content=f"Anna owns the {title} service.") for title in titles]
    payload = {"memory_ids": [str(one) for one in (new_id(), *(decode("mem", one) for one in ids))]}
    with pytest.raises(RuntimeError, match="unreadable"):
        await enrich_memories(services, user.id, payload)
    assert [(await memory(user, one))["graphEnriched"] for one in ids] == [True, False, True]


async def test_a_memory_that_cannot_be_read_is_left_to_the_next_job(
    services: Services, user: TestUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The job fails, and is retried, when nothing else was left to read."""
    ids = await unread(services, user)
    async with services.database.write(user.id) as session:
        await session.execute(
            "UPDATE memory SET title = 'Broken' WHERE user_id = %(user)s AND id = %(id)s",
            {"user": user.id, "id": ids[0]},
        )
    make_unreadable(monkeypatch, "Broken")
    await enrich_memories(services, user.id, {"of": MEMORIES})
    async with services.database.owner(user.id) as session:
        assert await session.values("SELECT id FROM memory WHERE NOT graph_enriched") == [ids[0]]
    with pytest.raises(RuntimeError, match="unreadable"):
        await enrich_memories(services, user.id, {"of": MEMORIES})


TEXTS = (
    ("Ledger", "Anna owns the ledger service. The ledger service uses Postgres.", "slack"),
    ("Mail", "The mail service depends on Postgres. Anna owns the mail service.", "slack"),
    ("postgres", "Postgres is used by Team Blue. Team Blue uses Redis.", None),
    ("Ledger again", "Anna owns the Ledger service; the ledger service uses POSTGRES and Redis.", "slack"),
    ("Redis", "Team Blue uses Redis. Redis depends on Linux.", "email"),
    ("Anna", "Anna is assigned to Team Blue. Team Blue uses Redis.", "email"),
)


async def graph_of(services: Services, user: TestUser) -> tuple[list[Row], ...]:
    """Nodes, edges, links and associations with titles in the place of ids."""
    titles = (
        "ARRAY(SELECT m.title FROM unnest({}) WITH ORDINALITY AS s(id, place) JOIN memory m USING (id) ORDER BY place)"
    )
    async with services.database.owner(user.id) as session:
        return (
            await dict_rows(
                session,
                f"SELECT canonical_key, label, alias, {titles.format('n.source_memory_ids')} AS sources "
                "FROM graph_node n ORDER BY 1",
            ),
            await dict_rows(
                session,
                f"""
                SELECT f.canonical_key AS subject, relation_type, t.canonical_key AS object, channels, weight,
                       r.confidence, {titles.format("r.evidence_memory_ids")} AS evidence
                FROM graph_relation r JOIN graph_node f ON f.id = from_node_id JOIN graph_node t ON t.id = to_node_id
                ORDER BY 1, 2, 3
                """,
            ),
            await dict_rows(
                session,
                "SELECT m.title, n.canonical_key, l.role, l.link_confidence FROM memory_node l "
                "JOIN memory m ON m.id = memory_id JOIN graph_node n ON n.id = node_id ORDER BY 1, 2",
            ),
            await dict_rows(
                session,
                "SELECT f.title, t.title AS other, relationship_type, weight FROM association a "
                "JOIN memory f ON f.id = from_memory_id JOIN memory t ON t.id = to_memory_id ORDER BY 1, 2, 3",
            ),
        )


async def unread(services: Services, user: TestUser) -> list[UUID]:
    """Memories of which the graph knows nothing and that no job will read, oldest first."""
    ids = [await capture(user, title=title, content=content, channel=channel) for title, content, channel in TEXTS]
    await done(services, user)
    async with services.database.write(user.id) as session:
        for table in ("graph_node", "graph_relation", "memory_node", "association"):
            await session.execute(f"DELETE FROM {table} WHERE user_id = %(user)s", {"user": user.id})
        await session.execute("UPDATE memory SET graph_enriched = false WHERE user_id = %(user)s", {"user": user.id})
    return [decode("mem", one) for one in ids]


async def test_a_page_makes_the_graph_that_its_memories_make_one_by_one(
    services: Services, make_user: MakeUser
) -> None:
    graphs: list[tuple[list[Row], ...]] = []
    for together in (True, False):
        user = await make_user(policy=Policy.SELF_HOSTED_UNMETERED)
        context, ids = await context_of(services, user), await unread(services, user)
        if together:
            assert await enrich_all(context, ids) == len(TEXTS)
        else:
            assert [await enrich(context, one) for one in ids] == [True] * len(TEXTS)
        assert await enrich_all(context, ids) == 0
        graphs.append(await graph_of(services, user))
    together, apart = graphs
    assert all(together)
    assert together == apart


NAMES = ("ledger", "mail", "web", "search", "billing")


async def test_chunks_are_read_page_by_page_and_configuration_is_not(
    services: Services, user: TestUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(enrichment, "PAGE", 2)
    base = await make_base(user)
    await fill(user, base, *[chunk(f"Anna owns the {name} service.", metadata={"title": name}) for name in NAMES])
    await fill(user, base, chunk("url: https://example.com", chunkKind="config"))
    await enrich_memories(services, user.id, {"of": CHUNKS})
    await done(services, user)
    async with services.database.owner(user.id) as session:
        read = await session.values("SELECT title FROM memory WHERE graph_enriched ORDER BY title")
    assert read == sorted(NAMES)
