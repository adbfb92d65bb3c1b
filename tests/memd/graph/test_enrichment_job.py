"""The job that reads captured memories into the graph: some together, each for itself (contract 11.10, 13)."""

from uuid import UUID

import pytest

from memd.context import Services
from memd.domain.graph_reading import GraphReading
from memd.domain.ids import decode, new_id
from memd.domain.types import Policy
from memd.graph import enrichment
from memd.graph.enrichment import enrich, enrich_all, enrich_memories
from memd.jobs.enqueue import ENRICHMENT_BATCH, defer_enrichment
from tests.support.dict_rows import Row, dict_rows
from tests.support.jobs import context_of, done
from tests.support.service import MakeUser, TestUser
from tests.support.wire import capture, chunk, fill, make_base, memory


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
    """The worker meets the same failure and tries again later."""
    read = enrichment.read_memory

    def read_some(title: str, content: str) -> GraphReading:
        if title == "Broken":
            raise RuntimeError("unreadable")
        return read(title, content)

    monkeypatch.setattr(enrichment, "read_memory", read_some)
    titles = ("Owner", "Broken", "Team")
    ids = [await capture(user, title=title, content=f"Anna owns the {title} service.") for title in titles]
    payload = {"memory_ids": [str(one) for one in (new_id(), *(decode("mem", one) for one in ids))]}
    with pytest.raises(RuntimeError, match="unreadable"):
        await enrich_memories(services, user.id, payload)
    assert [(await memory(user, one))["graphEnriched"] for one in ids] == [True, False, True]


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
    await enrich_memories(services, user.id, {})
    await done(services, user)
    async with services.database.owner(user.id) as session:
        read = await session.values("SELECT title FROM memory WHERE graph_enriched ORDER BY title")
    assert read == sorted(NAMES)
