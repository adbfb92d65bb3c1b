"""Answers of the graph (contract 6.12): their fields and bounds, and nothing that only hidden memories know."""

import asyncio
from itertools import pairwise
from typing import Any
from uuid import UUID

import pytest

from memd.context import Context, Services
from memd.domain.ids import decode
from memd.graph import questions
from memd.graph.enrichment import enrich
from memd.memories.history.withheld import withheld_at
from tests.support.jobs import context_of, enriched
from tests.support.service import TestUser
from tests.support.wire import Json, capture, chunk, fill, make_base, post

TITLED = {"title": "Payments", "content": "Anna owns the payments service."}


async def ask(user: TestUser, question: str, status: int = 200, **fields: Any) -> Json:
    return await post(user, f"graph/{question}", fields, status=status)


async def with_graph(services: Services, user: TestUser) -> None:
    """A vault that 25 things own, as sixteen memories prove."""
    memory_id = decode("mem", await capture(user, content="The vault is old."))
    for number in range(15):
        await capture(user, content=f"The vault is old{number}.")
    async with services.database.write(user.id) as session:
        for statement in (
            """
            INSERT INTO graph_node (user_id, id, label, node_type, alias, canonical_key, strength, confidence, tags,
                                    source_memory_ids, created_at, updated_at)
            SELECT user_id, uuidv7(), label, 'concept', '{}', 'concept:' || label, 1, 1, '{}', '{}', 1, 1
            FROM memory, (SELECT 'crypt' AS label UNION SELECT 'n' || n FROM generate_series(1, 25) n) labels
            WHERE id = %(memory)s
            """,
            """
            INSERT INTO graph_relation (user_id, id, from_node_id, to_node_id, relation_type, weight, confidence,
                                        evidence_memory_ids, channels, created_at, updated_at)
            SELECT a.user_id, uuidv7(), a.id, b.id, 'owns', 1, 1, ARRAY(SELECT id FROM memory), '{}', 1, 1
            FROM graph_node a JOIN graph_node b ON a.user_id = b.user_id AND b.label = 'crypt' AND a.label LIKE 'n%%'
            """,
        ):
            await session.execute(statement, {"memory": memory_id})


@pytest.mark.rule("6.12 who-owns", "6.12 memories")
async def test_five_owners_unless_asked_twenty_at_most_and_twelve_proofs(services: Services, user: TestUser) -> None:
    await with_graph(services, user)
    for limit, number in ((None, 5), (7, 7), (99, 20)):
        reply = await ask(user, "who-owns", entity="crypt", limit=limit)
        assert len(reply["owners"]) == number
    assert len(reply["memories"]) == 12
    await ask(user, "who-owns", 400, entity="crypt", limit=0)


@pytest.mark.rule("6.12 explain-connection")
async def test_five_paths_are_the_most(services: Services, user: TestUser) -> None:
    await with_graph(services, user)
    async with services.database.write(user.id) as session:
        await session.execute("UPDATE graph_node SET canonical_key = 'tool:n1', node_type = 'tool' WHERE label = 'n1'")
        await session.execute(
            """
            INSERT INTO graph_relation (user_id, id, from_node_id, to_node_id, relation_type, weight, confidence,
                                        evidence_memory_ids, channels, created_at, updated_at)
            SELECT a.user_id, uuidv7(), a.id, b.id, 'uses', 1, 1, ARRAY(SELECT id FROM memory), '{}', 1, 1
            FROM graph_node a JOIN graph_node b ON a.user_id = b.user_id AND b.label = 'n1' AND a.label LIKE 'n_'
            WHERE a.label <> 'n1'
            """
        )
    reply = await ask(user, "explain-connection", entityA="n1", entityB="crypt")
    assert [len(path["hops"]) for path in reply["paths"]] == [1, 2, 2, 2, 2]


@pytest.mark.rule("6.12 who-owns", "6.12 memories")
async def test_an_owner_and_a_proof_have_every_field(services: Services, user: TestUser) -> None:
    memory_id = await enriched(services, user, **TITLED)
    reply = await ask(user, "who-owns", entity="payments service")
    assert reply.keys() == {"entity", "owners", "memories"}
    (owner,) = reply["owners"]
    assert owner == {
        "id": owner["id"],
        "label": "Anna",
        "type": "person",
        "relation": "owns",
        "confidence": owner["confidence"],
        "evidence": [{"memoryId": memory_id, "title": "Payments"}],
    }
    assert owner["id"].startswith("node_")
    (row,) = reply["memories"]
    (recalled,) = (await post(user, "recall", {"query": "payments service"}))["memories"]
    assert row.keys() == recalled.keys()
    assert (row["id"], row["title"], row["content"]) == (memory_id, TITLED["title"], TITLED["content"])


@pytest.mark.rule("6.12 memories")
async def test_a_proof_that_is_a_chunk_names_its_knowledge_base(services: Services, user: TestUser) -> None:
    base = await make_base(user, name="Boiler handbook")
    proof = chunk("Anna owns the payments service.", dedupeKey="k")
    (chunk_id,) = (await fill(user, base, proof))["memoryIds"]
    await enrich(await context_of(services, user), decode("mem", chunk_id))
    (row,) = (await ask(user, "who-owns", entity="payments service"))["memories"]
    (recalled,) = (await post(user, "recall", {"query": "payments service"}))["memories"]
    names = {"id", "knowledgeBaseId", "knowledgeBaseName", "dedupeKey", "chunkKind", "sourceRole", "preview"}
    assert row.keys() == recalled.keys()
    assert {name: row[name] for name in names} == {name: recalled[name] for name in names}


@pytest.mark.rule("6.12 evidence")
@pytest.mark.parametrize(("agent", "seen"), [("writer", True), ("editor", False)])
async def test_a_chunk_proves_to_those_who_see_it(
    services: Services, user: TestUser, agent: str, *, seen: bool
) -> None:
    base = await make_base(user, agentIds=["writer"])
    (chunk_id,) = (await fill(user, base, chunk("Anna owns the payments service.")))["memoryIds"]
    await enrich(await context_of(services, user), decode("mem", chunk_id))
    reply = await ask(user, "who-owns", entity="payments service", agentId=agent, channel="slack")
    assert ("Anna" in [owner["label"] for owner in reply["owners"]]) is seen


@pytest.mark.rule("6.12 explain-connection")
async def test_a_path_has_every_field(services: Services, user: TestUser) -> None:
    memory_id = await enriched(services, user, **TITLED)
    reply = await ask(user, "explain-connection", entityA="Anna", entityB="payments service")
    assert reply.keys() == {"entityA", "entityB", "connected", "paths", "memories"}
    assert (reply["entityA"], reply["entityB"], reply["connected"]) == ("Anna", "payments service", True)
    (path,) = reply["paths"]
    assert path["hops"] == [
        {
            "from": "Anna",
            "relation": "owns",
            "to": "payments service",
            "direction": "forward",
            "evidence": [{"memoryId": memory_id, "title": "Payments"}],
        }
    ]


@pytest.mark.rule("6.12 dependency-chain")
async def test_a_chain_has_every_field_and_three_steps_unless_asked(services: Services, user: TestUser) -> None:
    names = ["alpha-api", "beta-api", "gamma-api", "delta-api", "epsilon-api", "zeta-api", "eta-api"]
    ids = [
        await enriched(services, user, title=f"Of {one}", content=f"The {one} depends on {other}.")
        for one, other in pairwise(names)
    ]
    reply = await ask(user, "dependency-chain", entity="alpha-api")
    assert reply.keys() == {"entity", "maxDepth", "chain", "memories", "cycles"}
    assert (reply["entity"], reply["maxDepth"], reply["cycles"]) == ("alpha-api", 3, False)
    assert reply["chain"][0] == {
        "depth": 1,
        "from": "alpha-api",
        "relation": "depends_on",
        "to": "beta-api",
        "evidence": [{"memoryId": ids[0], "title": "Of alpha-api"}],
    }
    for asked, depth in ((None, 3), (1, 1), (5, 5)):
        chain = (await ask(user, "dependency-chain", entity="alpha-api", maxDepth=asked))["chain"]
        assert [link["depth"] for link in chain] == list(range(1, depth + 1))


@pytest.mark.parametrize(
    ("question", "fields", "details"),
    [
        pytest.param("who-owns", {}, "Missing required field: entity", marks=pytest.mark.rule("6.12 who-owns")),
        pytest.param(
            "explain-connection",
            {"entityA": "a"},
            "Missing required field: entityB",
            marks=pytest.mark.rule("6.12 explain-connection"),
        ),
        pytest.param(
            "explain-connection",
            {"entityB": "b"},
            "Missing required field: entityA",
            marks=pytest.mark.rule("6.12 explain-connection"),
        ),
        pytest.param(
            "dependency-chain",
            {"entity": " "},
            "Missing required field: entity",
            marks=pytest.mark.rule("6.12 dependency-chain"),
        ),
        pytest.param(
            "dependency-chain",
            {"entity": "a", "maxDepth": 6},
            "Field maxDepth must be between 1 and 5",
            marks=pytest.mark.rule("6.12 dependency-chain"),
        ),
    ],
)
async def test_refusals(user: TestUser, question: str, fields: Json, details: str) -> None:
    assert await ask(user, question, 400, **fields) == {"error": "Bad request", "details": details}


@pytest.mark.rule("6.12 evidence")
async def test_labels_that_only_hidden_memories_know_are_left_out(services: Services, user: TestUser) -> None:
    await enriched(services, user, **TITLED)
    secret = "The payments service depends on nightingale-api. Zora owns the payments service."
    await enriched(services, user, title="Secret", content=secret, channel="peer-coach:7")
    seen = [
        await ask(user, "who-owns", entity="payments service"),
        await ask(user, "explain-connection", entityA="payments service", entityB="Anna"),
        await ask(user, "dependency-chain", entity="payments service"),
        await post(user, "recall", {"query": "payments service"}),
    ]
    assert "Anna" in str(seen)
    assert "Zora" not in str(seen)
    assert "nightingale" not in str(seen)
    assert "Zora" in str(await ask(user, "who-owns", entity="payments service", channel="peer-coach:7"))


@pytest.mark.rule("6.12 evidence", "17.5 graph")
async def test_an_answer_is_of_the_time_that_is_named(services: Services, user: TestUser) -> None:
    await enriched(services, user, content="Anna owns the payments service.", validUntil="2024-12-31")
    await enriched(services, user, content="Bert owns the payments service.", validFrom="2025-01-01")

    async def owners(**fields: Any) -> list[str]:
        found = await ask(user, "who-owns", entity="payments service", **fields)
        return [owner["label"] for owner in found["owners"]]

    assert await owners() == ["Bert"]
    assert await owners(validAt="2024-06-01") == ["Anna"]
    assert sorted(await owners(includeEnded=True)) == ["Anna", "Bert"]
    assert await owners(knownAt="2024-06-01") == []
    for question, fields in (
        ("explain-connection", {"entityA": "Anna", "entityB": "payments service"}),
        ("dependency-chain", {"entity": "payments service"}),
    ):
        assert (await ask(user, question, **fields))["memories"] == []
    then = await ask(user, "explain-connection", entityA="Anna", entityB="payments service", validAt="2024-06-01")
    assert then["connected"] is True


@pytest.mark.rule("17.5 graph")
async def test_a_proof_is_shown_as_it_was_known(services: Services, user: TestUser) -> None:
    memory_id = await enriched(services, user, title="Payments", content="Anna owns the payments service.")
    before = services.clock() + 1
    while services.clock() <= before:  # noqa: ASYNC110 - the clock is what is waited for
        await asyncio.sleep(0.001)
    await post(user, "update", {"memoryId": memory_id, "title": "Billing"})
    for fields, title in (({}, "Billing"), ({"asOf": before}, "Payments")):
        found = await ask(user, "who-owns", entity="payments service", **fields)
        assert [row["title"] for row in found["memories"]] == [title]
        assert found["owners"][0]["evidence"] == [{"memoryId": memory_id, "title": title}]


@pytest.mark.parametrize("question", ["who-owns", "explain-connection", "dependency-chain"])
async def test_a_node_that_is_erased_while_its_edges_are_read_is_left_out(
    services: Services, user: TestUser, monkeypatch: pytest.MonkeyPatch, question: str
) -> None:
    await enriched(services, user, **TITLED)
    await enriched(services, user, title="Shop", content="The shop depends on payments-api.")
    request = {
        "who-owns": {"entity": "payments service"},
        "explain-connection": {"entityA": "Anna", "entityB": "payments service"},
        "dependency-chain": {"entity": "shop"},
    }[question]
    rows = {"who-owns": "owners", "explain-connection": "paths", "dependency-chain": "chain"}[question]
    assert (await ask(user, question, **request))[rows]

    async def erasing_first(context: Context, *arguments: Any) -> frozenset[UUID]:
        async with services.database.write(user.id) as session:
            for table in ("graph_relation", "memory_node", "graph_node"):
                await session.execute(f"DELETE FROM {table} WHERE user_id = %(user)s", {"user": user.id})
        return await withheld_at(context, *arguments)

    monkeypatch.setattr(questions, "withheld_at", erasing_first)
    assert (await ask(user, question, **request))[rows] == []
