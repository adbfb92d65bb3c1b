"""Every statement behind the hot endpoints finds its rows by an index, under the role that row-level security binds.

The planner is told to avoid sequential scans, so that one which is left means that no index can serve the statement.
"""

import json
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any

import pytest
import pytest_asyncio

from memd.context import Services
from memd.db.schema.logins import APP_ROLE
from memd.db.session import Session
from memd.domain.ids import new_id
from memd.memories.duplicate_store import ContentKey, duplicates_query
from memd.recall.memory_lanes import MIN_HITS
from tests.support.dict_rows import dict_rows
from tests.support.service import MakeUser, TestUser
from tests.support.talk import talk
from tests.support.wire import capture, chunk, fill, make_base, send

TABLES = {
    "memory", "memory_index", "memory_vector", "memory_version", "memory_version_index", "message", "message_index",
    "message_vector", "recall_activity",
}  # fmt: skip
WHERE = {"channel": "slack:anna", "agentId": "main"}
NO_SCANS = {"enable_seqscan": "off"}
NO_SORTS = {**NO_SCANS, "enable_bitmapscan": "off", "enable_sort": "off", "enable_incremental_sort": "off"}


class Seen:
    """The reads that were sent to the database."""

    def __init__(self) -> None:
        self.statements: dict[str, Mapping[str, Any] | None] = {}

    def note(self, sql: str, params: Mapping[str, Any] | None) -> None:
        if sql.lstrip().startswith(("SELECT", "WITH")) and "FOR UPDATE" not in sql and "set_config" not in sql:
            self.statements[sql] = params


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Seen:
    """Everything is sent as ever; what is read is written down besides."""
    noted, send_on = Seen(), Session._execute

    async def execute(cursor: Any, sql: str, params: Mapping[str, Any] | None) -> None:
        if cursor.connection.info.user == APP_ROLE:  # the background reads by another login
            noted.note(sql, params)
        await send_on(cursor, sql, params)

    monkeypatch.setattr(Session, "_execute", staticmethod(execute))
    return noted


@pytest_asyncio.fixture(loop_scope="session")
async def filled(make_user: MakeUser) -> AsyncIterator[tuple[TestUser, str]]:
    """A user with memories, messages and a knowledge base, and the base's id."""
    user = await make_user()
    for number in range(MIN_HITS):
        await capture(user, title=f"Valve {number}", content=f"The valve {number} is new.", channel=WHERE["channel"])
    await talk(user, "The valve drips.", "Anna mends it.", channel=WHERE["channel"])
    base = await make_base(user)
    await fill(user, base, chunk("Turn the valve slowly."))
    yield user, base


REQUESTS = [
    ("POST", "/api/mcp/recall", {"query": "new valve", **WHERE}),
    ("POST", "/api/mcp/recall", {"query": "new valve"}),
    ("POST", "/api/mcp/recall", {"query": "valve", "stores": ["semantic"], "tags": ["x"], "projectId": "p", **WHERE}),
    ("POST", "/api/mcp/recall", {"query": "valve", "knowledgeBaseId": "{base}"}),
    ("POST", "/api/mcp/recall", {"query": "new valve", "includeEnded": True, **WHERE}),
    ("POST", "/api/mcp/recall", {"query": "new valve", "asOf": 4_000_000_000_000, **WHERE}),
    ("POST", "/api/mcp/search-messages", {"query": "who mends the valve", **WHERE}),
    ("POST", "/api/mcp/search-messages", {"query": '"the valve drips"', "sessionKey": "s1"}),
    ("POST", "/api/mcp/recent-messages", WHERE),
    ("POST", "/api/mcp/recent-messages", {"sessionKey": "s1", "order": "chronological"}),
    ("POST", "/api/mcp/wake", WHERE),
    ("POST", "/api/mcp/triggers", {"tools": ["shell"], **WHERE}),
    ("POST", "/api/mcp/log", {"role": "user", "content": "It drips again.", "sessionKey": "s1", **WHERE}),
    ("POST", "/api/knowledge-bases/{base}/query", {"query": "valve", **WHERE}),
    ("GET", "/api/knowledge-bases/{base}/memories", None),
    ("GET", "/api/memories", None),
]


@pytest.mark.parametrize(("method", "path", "body"), REQUESTS)
async def test_hot_reads_use_indexes(
    services: Services, seen: Seen, filled: tuple[TestUser, str], method: str, path: str, body: dict[str, Any] | None
) -> None:
    user, base = filled
    request = json.loads(json.dumps(body).replace("{base}", base))
    await send(user, method, path.replace("{base}", base), request)
    statements = dict(seen.statements)
    assert statements
    async with services.database.read(user.id, NO_SCANS) as session:
        for sql, params in statements.items():
            (row,) = await dict_rows(session, f"EXPLAIN (FORMAT JSON) {sql}", params)
            assert scanned(row["QUERY PLAN"][0]["Plan"]) & TABLES == set(), sql


def scanned(node: dict[str, Any]) -> set[str]:
    """The tables of a plan that are read from end to end."""
    own = {node["Relation Name"]} if node["Node Type"] == "Seq Scan" else set()
    return own.union(*(scanned(child) for child in node.get("Plans", [])))


async def test_the_neighbours_of_a_hit_come_in_the_order_of_an_index(
    services: Services, seen: Seen, filled: tuple[TestUser, str]
) -> None:
    """A sort that is left when sorting is to be avoided would read all of the user's memories for each hit."""
    await send(filled[0], "POST", "/api/mcp/recall", {"query": "new valve", **WHERE})
    sql, params = next(
        each
        for each in seen.statements.items()
        if each[0].lstrip().startswith("WITH hit AS MATERIALIZED (SELECT * FROM")
    )
    async with services.database.read(filled[0].id, NO_SORTS) as session:
        (row,) = await dict_rows(session, f"EXPLAIN (FORMAT JSON) {sql}", params)
    step = next(node for node in nodes(row["QUERY PLAN"][0]["Plan"]) if node.get("Subplan Name") == "CTE step")
    found = list(nodes(step))
    assert "Limit" in {node["Node Type"] for node in found}
    assert not [node["Sort Key"] for node in found if node["Node Type"] in {"Sort", "Incremental Sort"}]


async def test_equal_content_is_found_by_its_hash_before_the_table_has_statistics(services: Services) -> None:
    """A plan that is made while the table is new stays with the connection."""
    user = new_id()
    query = duplicates_query(user, [ContentKey("semantic", "hash", None)])
    async with services.database.system() as session:
        await session.execute("CREATE TEMPORARY TABLE memory (LIKE memory INCLUDING INDEXES) ON COMMIT DROP")
        (row,) = await dict_rows(session, f"EXPLAIN (FORMAT JSON) {query.sql}", query.params)
    conditions = [node["Index Cond"] for node in nodes(row["QUERY PLAN"][0]["Plan"]) if "Index Cond" in node]
    assert len(conditions) == 1
    assert "content_hash" in conditions[0]


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """All nodes of a plan."""
    yield plan
    for child in plan.get("Plans", []):
        yield from nodes(child)
