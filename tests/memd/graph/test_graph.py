"""The graph tools (contract 6.12, 11.10): what memories say of owners, connections and dependencies."""

import asyncio

import pytest

from memd.context import Services
from memd.domain.ids import decode
from memd.graph.enrichment import enrich
from tests.support.dict_rows import dict_rows
from tests.support.jobs import context_of, enriched
from tests.support.service import TestUser
from tests.support.wire import post, send


async def owners(user: TestUser, entity: str, **where: object) -> list[str]:
    reply = await post(user, "graph/who-owns", {"entity": entity, **where})
    return [owner["label"] for owner in reply["owners"]]


async def chain(user: TestUser, entity: str, **fields: object) -> list[tuple[int, str, str, str]]:
    reply = await post(user, "graph/dependency-chain", {"entity": entity, **fields})
    return [(link["depth"], link["from"], link["relation"], link["to"]) for link in reply["chain"]]


@pytest.mark.rule("6.12 graph-status")
async def test_a_new_graph_is_empty(user: TestUser) -> None:
    assert await send(user, "GET", "/api/mcp/graph-status") == {
        "ok": True,
        "totalNodes": 0,
        "totalRelations": 0,
        "enrichedMemories": 0,
        "totalMemories": 0,
        "enrichmentPercent": 0,
    }


@pytest.mark.rule("6.12 graph-status")
async def test_status_counts_what_was_read(user: TestUser, services: Services) -> None:
    await enriched(services, user, title="Payments", content="Anna owns the payments service.")
    status = await send(user, "GET", "/api/mcp/graph-status")
    assert (status["totalMemories"], status["enrichedMemories"], status["enrichmentPercent"]) == (1, 1, 100)
    assert status["totalNodes"] >= 2
    assert status["totalRelations"] >= 1


@pytest.mark.rule("6.12 who-owns")
async def test_an_owner_is_named_with_the_memory_that_says_so(user: TestUser, services: Services) -> None:
    memory_id = await enriched(services, user, title="Payments", content="Anna owns the payments service.")
    reply = await post(user, "graph/who-owns", {"entity": "payments service"})
    assert [(owner["label"], owner["type"], owner["relation"], owner["evidence"]) for owner in reply["owners"]] == [
        ("Anna", "person", "owns", [{"memoryId": memory_id, "title": "Payments"}])
    ]
    assert [memory["id"] for memory in reply["memories"]] == [memory_id]
    assert reply["entity"] == "payments service"


@pytest.mark.parametrize("name", ["payments service", "Payments Service", "the payments service", "service"])
async def test_an_entity_is_found_by_any_spelling(user: TestUser, services: Services, name: str) -> None:
    await enriched(services, user, title="Payments", content="Anna owns the payments service.")
    assert "Anna" in await owners(user, name)


async def test_whom_it_is_assigned_to_counts_as_owner(user: TestUser, services: Services) -> None:
    await enriched(services, user, title="Backlog", content="Ticket 12 is assigned to Ben.")
    assert await owners(user, "ticket 12") == ["Ben"]


async def test_more_proofs_make_a_surer_owner(user: TestUser, services: Services) -> None:
    for number in range(3):
        await enriched(services, user, title=f"Note {number}", content=f"Anna owns the shop. Day {number}.")
    await enriched(services, user, title="Rumour", content="Ben owns the shop.")
    reply = await post(user, "graph/who-owns", {"entity": "shop"})
    assert [owner["label"] for owner in reply["owners"]] == ["Anna", "Ben"]
    assert len(reply["owners"][0]["evidence"]) == 3
    assert reply["owners"][0]["confidence"] > reply["owners"][1]["confidence"]
    assert len((await post(user, "graph/who-owns", {"entity": "shop", "limit": 1}))["owners"]) == 1


@pytest.mark.rule("6.12 case: unknown entity")
@pytest.mark.parametrize(
    ("path", "body", "empty"),
    [
        ("who-owns", {"entity": "nobody knows"}, {"owners": [], "memories": []}),
        ("who-owns", {"entity": "!?"}, {"owners": [], "memories": []}),
        (
            "explain-connection",
            {"entityA": "nobody", "entityB": "nothing"},
            {"connected": False, "paths": [], "memories": []},
        ),
        ("dependency-chain", {"entity": "nobody knows"}, {"chain": [], "memories": [], "cycles": False}),
    ],
)
async def test_an_unknown_entity_gives_empty_lists(user: TestUser, path: str, body: dict, empty: dict) -> None:
    reply = await post(user, f"graph/{path}", body)
    assert {name: reply[name] for name in empty} == empty


@pytest.mark.rule("6.12 explain-connection")
async def test_direct_and_one_hop_connections(user: TestUser, services: Services) -> None:
    await enriched(services, user, title="Shop", content="The shop depends on payments-api.")
    await enriched(services, user, title="Payments", content="The payments-api requires Redis.")
    reply = await post(user, "graph/explain-connection", {"entityA": "shop", "entityB": "payments-api"})
    assert reply["connected"] is True
    assert [(hop["from"], hop["relation"], hop["to"], hop["direction"]) for hop in reply["paths"][0]["hops"]] == [
        ("shop", "depends_on", "payments-api", "forward")
    ]
    reply = await post(user, "graph/explain-connection", {"entityA": "Redis", "entityB": "shop"})
    assert [(hop["from"], hop["to"], hop["direction"]) for hop in reply["paths"][0]["hops"]] == [
        ("Redis", "payments-api", "backward"),
        ("payments-api", "shop", "backward"),
    ]
    assert len(reply["memories"]) == 2
    assert 0 < reply["paths"][0]["score"] <= 1


@pytest.mark.rule("6.12 dependency-chain")
async def test_a_chain_follows_depends_on_and_leads_to_backwards(user: TestUser, services: Services) -> None:
    await enriched(services, user, title="A", content="The shop depends on payments-api.")
    await enriched(services, user, title="B", content="The payments-api requires Redis.")
    await enriched(services, user, title="C", content="Disk pressure leads to Redis.")
    assert await chain(user, "shop") == [
        (1, "shop", "depends_on", "payments-api"),
        (2, "payments-api", "depends_on", "Redis"),
        (3, "Redis", "leads_to", "Disk pressure"),
    ]
    assert [depth for depth, *_ in await chain(user, "shop", maxDepth=1)] == [1]


@pytest.mark.rule("6.12 dependency-chain")
async def test_a_cycle_ends_and_is_named(user: TestUser, services: Services) -> None:
    await enriched(services, user, title="A", content="The shop depends on payments-api.")
    await enriched(services, user, title="B", content="The payments-api depends on shop.")
    reply = await post(user, "graph/dependency-chain", {"entity": "shop", "maxDepth": 5})
    assert reply["cycles"] is True
    assert len(reply["chain"]) == 2


@pytest.mark.rule("6.12 evidence")
async def test_an_edge_is_shown_only_to_who_sees_a_proof(user: TestUser, services: Services) -> None:
    hidden = {"title": "Secret", "content": "Anna owns the vault.", "channel": "peer-coach:7"}
    await enriched(services, user, **hidden)
    assert await owners(user, "vault") == []
    assert await owners(user, "vault", channel="peer-coach:8") == []
    assert await owners(user, "vault", channel="peer-coach:7") == ["Anna"]


@pytest.mark.rule("6.12 evidence")
async def test_hidden_proofs_of_a_shown_edge_stay_hidden(user: TestUser, services: Services) -> None:
    await enriched(services, user, title="Secret", content="Anna owns the vault. Code 1.", channel="peer-coach:7")
    seen = await enriched(services, user, title="Open", content="Anna owns the vault.")
    reply = await post(user, "graph/who-owns", {"entity": "vault"})
    assert [proof["memoryId"] for proof in reply["owners"][0]["evidence"]] == [seen]
    assert [memory["id"] for memory in reply["memories"]] == [seen]


async def test_an_archived_proof_proves_nothing(user: TestUser, services: Services) -> None:
    memory_id = await enriched(services, user, title="Shop", content="Anna owns the shop.")
    await post(user, "forget", {"memoryId": memory_id})
    assert await owners(user, "shop") == []


async def test_an_edited_memory_takes_back_what_it_said(user: TestUser, services: Services) -> None:
    memory_id = await enriched(services, user, title="Shop", content="Anna owns the shop.")
    await post(user, "update", {"memoryId": memory_id, "content": "Ben owns the shop."})
    await enrich(await context_of(services, user), decode("mem", memory_id))
    assert await owners(user, "shop") == ["Ben"]


async def test_reading_a_memory_again_or_at_once_changes_nothing(user: TestUser, services: Services) -> None:
    memory_id = await enriched(services, user, title="Shop", content="Anna owns the shop.")
    before = await post(user, "graph/who-owns", {"entity": "shop"})
    status = await send(user, "GET", "/api/mcp/graph-status")
    context = await context_of(services, user)
    again = await asyncio.gather(*(enrich(context, decode("mem", memory_id)) for _ in range(4)))
    assert again == [False] * 4
    assert await send(user, "GET", "/api/mcp/graph-status") == status
    assert (await post(user, "graph/who-owns", {"entity": "shop"}))["owners"] == before["owners"]


@pytest.mark.rule("11.10 associations")
async def test_memories_of_the_same_edge_are_associated_inside_their_channel(
    user: TestUser, services: Services
) -> None:
    first = await enriched(
        services, user, title="One", content="The shop conflicts with payments-api.", channel="slack"
    )
    await enriched(services, user, title="Else", content="The shop conflicts with payments-api!", channel="discord")
    second = await enriched(
        services, user, title="Two", content="The shop conflicts with payments-api?", channel="slack"
    )
    async with services.database.read(user.id) as session:
        rows = await dict_rows(session, "SELECT from_memory_id, to_memory_id, relationship_type FROM association")
    assert {(row["from_memory_id"], row["to_memory_id"], row["relationship_type"]) for row in rows} >= {
        (decode("mem", second), decode("mem", first), "contradicts")
    }
    assert all(row["to_memory_id"] in {decode("mem", first), decode("mem", second)} for row in rows)


@pytest.mark.rule("11.6 groups")
async def test_memories_are_associated_inside_their_project(user: TestUser, services: Services) -> None:
    text = "The shop conflicts with payments-api"
    places = [("one", "alpha"), ("two", "beta"), ("three", None), ("four", "alpha")]
    made = {
        title: decode(
            "mem", await enriched(services, user, title=title, content=f"{text}, {title}.", projectId=project)
        )
        for title, project in places
    }
    async with services.database.read(user.id) as session:
        rows = await dict_rows(session, "SELECT from_memory_id, to_memory_id FROM association")
    assert {(row["from_memory_id"], row["to_memory_id"]) for row in rows} == {(made["four"], made["one"])}


@pytest.mark.rule("11.10 nodes", "11.10 links")
async def test_a_node_has_a_key_and_a_beginning_strength_and_its_link_a_role(
    user: TestUser, services: Services
) -> None:
    await enriched(services, user, title="Vault", content="Anna Weber owns the ledger. She met Bob Stone.")
    async with services.database.read(user.id) as session:
        rows = await dict_rows(
            session,
            "SELECT n.canonical_key, n.strength, n.confidence, l.role, l.link_confidence"
            " FROM graph_node n JOIN memory_node l ON l.node_id = n.id",
        )
    assert {(row["strength"], round(row["confidence"], 6)) for row in rows} == {(0.5, 0.6)}
    links = {row["canonical_key"]: (row["role"], row["link_confidence"]) for row in rows}
    assert links["person:anna-weber"] == ("subject", pytest.approx(0.8))
    assert links["concept:ledger"] == ("object", pytest.approx(0.8))
    assert links["person:bob-stone"] == ("topic", pytest.approx(0.6))


@pytest.mark.rule("6.12 explain-connection")
@pytest.mark.parametrize("order", [1, -1])
async def test_a_concept_that_turns_out_to_be_a_tool_stays_one_node(
    user: TestUser, services: Services, order: int
) -> None:
    for content in ("Billing depends on Ledger.", "Checkout uses Billing.")[::order]:
        await enriched(services, user, title="Note", content=content)
    reply = await post(user, "graph/explain-connection", {"entityA": "Checkout", "entityB": "Ledger"})
    assert [[(hop["from"], hop["to"]) for hop in path["hops"]] for path in reply["paths"]] == [
        [("Checkout", "Billing"), ("Billing", "Ledger")]
    ]
    async with services.database.read(user.id) as session:
        keys = await dict_rows(session, "SELECT canonical_key FROM graph_node WHERE label = 'Billing'")
    assert [row["canonical_key"] for row in keys] == ["tool:billing"]
