"""The graph context of a recall (contract 6.2): about returned rows, within bounds, supported by visible rows."""

from typing import Any

import pytest

from memd.context import Services
from memd.domain.ids import decode
from memd.graph.enrichment import enrich
from tests.support.jobs import context_of, done, enriched
from tests.support.service import TestUser
from tests.support.wire import Json, capture, chunk, fill, make_base, post

OWNED = {"title": "Boiler", "content": "Anna owns the boiler."}


async def around(user: TestUser, **fields: Any) -> Json:
    return (await post(user, "recall", {"query": "boiler"} | fields))["graphContext"]


@pytest.mark.rule("6.2 reply: graphContext", "6.2 includeGraphContext")
async def test_nodes_and_relations_have_every_field(user: TestUser, services: Services) -> None:
    memory_id = await enriched(services, user, **OWNED)
    graph = await around(user)
    nodes = {node["label"]: node for node in graph["nodes"]}
    assert nodes["Anna"] == nodes["Anna"] | {"type": "person", "label": "Anna"}
    assert all(node.keys() == {"id", "label", "type", "confidence"} for node in graph["nodes"])
    (owns,) = [relation for relation in graph["relations"] if relation["type"] == "owns"]
    assert owns == {
        "id": owns["id"],
        "from": nodes["Anna"]["id"],
        "to": nodes["boiler"]["id"],
        "type": "owns",
        "weight": owns["weight"],
        "evidenceMemoryIds": [memory_id],
    }
    assert (owns["id"][:4], nodes["Anna"]["id"][:5]) == ("rel_", "node_")
    assert await around(user, includeGraphContext=True) == graph


@pytest.mark.rule("6.2 reply: graphContext")
async def test_proofs_that_the_request_does_not_see_are_not_listed(user: TestUser, services: Services) -> None:
    seen = await enriched(services, user, **OWNED)
    await enriched(services, user, title="Secret", content="Anna owns the boiler. Code 7.", channel="peer-coach:7")
    relations = (await around(user))["relations"]
    assert {proof for relation in relations for proof in relation["evidenceMemoryIds"]} == {seen}


@pytest.mark.rule("6.2 reply: graphContext")
async def test_for_named_knowledge_bases_their_chunks_alone_are_proofs(user: TestUser, services: Services) -> None:
    memory_id = await enriched(services, user, **OWNED)
    base = await make_base(user)
    (chunk_id,) = (await fill(user, base, chunk("Anna owns the boiler, says the handbook.")))["memoryIds"]
    await enrich(await context_of(services, user), decode("mem", chunk_id))
    for named, proofs in (({}, {memory_id, chunk_id}), ({"knowledgeBaseId": base}, {chunk_id})):
        relations = (await around(user, **named))["relations"]
        assert {proof for relation in relations for proof in relation["evidenceMemoryIds"]} == proofs


@pytest.mark.rule("6.2 reply: graphContext")
async def test_twenty_nodes_and_forty_relations_are_the_most(user: TestUser, services: Services) -> None:
    memory_id = decode("mem", await capture(user, content="The boiler is warm."))
    await done(services, user)
    async with services.database.write(user.id) as session:
        for statement in (
            """
            INSERT INTO graph_node (user_id, id, label, node_type, alias, canonical_key, strength, confidence, tags,
                                    source_memory_ids, created_at, updated_at)
            SELECT user_id, uuidv7(), 'n' || n, 'concept', '{}', 'concept:n' || n, 1, 1, '{}', '{}', 1, 1
            FROM memory, generate_series(1, 25) n
            """,
            """
            INSERT INTO memory_node (user_id, memory_id, node_id, role, link_confidence, created_at)
            SELECT user_id, %(memory)s, id, 'topic', 1, 1 FROM graph_node WHERE canonical_key LIKE 'concept:n%%'
            """,
            """
            INSERT INTO graph_relation (user_id, id, from_node_id, to_node_id, relation_type, weight, confidence,
                                        evidence_memory_ids, channels, created_at, updated_at)
            SELECT a.user_id, uuidv7(), a.id, b.id, 'uses', 1, 1, ARRAY[%(memory)s]::uuid[], '{}', 1, 1
            FROM graph_node a JOIN graph_node b ON a.user_id = b.user_id AND a.id < b.id
            """,
        ):
            await session.execute(statement, {"memory": memory_id})
    graph = await around(user)
    assert (len(graph["nodes"]), len(graph["relations"])) == (20, 40)
