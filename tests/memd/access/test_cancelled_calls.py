"""Work that is cancelled at any await costs nobody a connection, an answer or a row.

The suite cancels 40 calls over all levels, `make test-long` 500, `make cancels` 20,000.
"""

import asyncio
import gc
import random
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any

import httpx
import pytest
import pytest_asyncio
from starlette.types import ASGIApp
from structlog.testing import capture_logs

from memctl.wire.memories import CaptureRequest
from memctl.wire.recall import RecallRequest
from memd.app import build
from memd.context import Context, Services
from memd.db.embedded.server import EmbeddedPostgres
from memd.db.engine import open_pools
from memd.db.schema.logins import embedded_logins
from memd.db.session import Database
from memd.domain.ids import new_id
from memd.domain.text_analysis.language import Language
from memd.domain.types import Category, Store
from memd.jobs import store as queue
from memd.memories import service as memories
from memd.memories.insertion import insert_memories
from memd.memories.new import NewMemory
from memd.recall import service as recall
from tests.support.dict_rows import dict_rows, dict_rows_of
from tests.support.jobs import context_of
from tests.support.mcp import HANDSHAKE, MODERN
from tests.support.service import BASE, MakeUser, TestUser
from tests.support.visits import Visit, tool_call

SHARES = {"database": 0.70, "service": 0.15, "http": 0.08, "mcp": 0.07}
CONNECTIONS = 4
AT_ONCE = 8
WHO = ("SELECT current_setting('memd.user_id', true) AS who", {})
OWNERS = ("SELECT DISTINCT user_id::text AS who FROM memory", {})
PIECE = 2
PSYCOPG = "ignore:Exception ignored in. .generator object BasePipeline:pytest.PytestUnraisableExceptionWarning"
"""psycopg leaves a generator behind on a connection that it closes after a second cancellation."""


@dataclass(slots=True)
class Scene:
    """A service on few connections, the user whose calls are cancelled and two others who must not notice."""

    services: Services
    app: ASGIApp
    cancelled: TestUser
    context: Context
    tenants: list[TestUser]
    rng: random.Random
    foreign: list[str] = field(default_factory=list[str])


@pytest_asyncio.fixture(loop_scope="session")
async def scene(services: Services, embedded_postgres: EmbeddedPostgres, make_user: MakeUser) -> AsyncIterator[Scene]:
    users = [await make_user() for _ in range(3)]
    async with open_pools(embedded_logins(embedded_postgres.conninfo), min_size=1, max_size=CONNECTIONS) as pools:
        narrow = replace(services, database=Database(pools, queue.add_jobs))
        context = await context_of(narrow, users[0])
        yield Scene(narrow, build(narrow), users[0], context, users[1:], random.Random(15))
        await services.background_tasks.drain()
    gc.collect()  # what psycopg leaves behind would warn in another test


async def read(scene: Scene) -> None:
    """Several reads in one pipeline, or a single one; each as the user itself."""
    async with scene.services.database.read(scene.context.user_id) as session:
        statements = [WHO, OWNERS] if scene.rng.random() < 0.7 else [WHO]
        for rows in await dict_rows_of(session, *statements):
            scene.foreign += [row["who"] for row in rows if row["who"] != str(session.user_id)]


async def write(scene: Scene) -> None:
    """Rows that belong together, in one pipeline."""
    services, piece = scene.services, str(new_id())
    rows = [
        NewMemory(
            id=new_id(),
            title=piece,
            content=f"Part {index} of {piece}",
            content_hash=f"{piece}{index}",
            recall_text="",
            store=Store.SEMANTIC,
            category=Category.FACT,
            created_at=services.clock(),
        )
        for index in range(PIECE)
    ]
    async with services.database.write(scene.context.user_id) as session:
        await insert_memories(session, rows, model=services.model, default_language=Language.ENGLISH)


async def look_over(scene: Scene) -> None:
    """A transaction over all users."""
    async with scene.services.database.system() as session:
        await session.execute_all(WHO, OWNERS)


async def on_the_database(scene: Scene) -> None:
    await scene.rng.choice((read, read, write, look_over))(scene)


async def in_a_service(scene: Scene) -> None:
    text = f"The mill number {scene.rng.random()}"
    if scene.rng.random() < 0.3:
        await memories.capture(scene.context, CaptureRequest(title="Mill", content=text))
    else:
        await recall.recall(scene.context, RecallRequest(query=text, include_graph_context=True))


CALLS: list[tuple[str, str, dict[str, Any]]] = [
    ("/api/mcp/recall", "recall", {"query": "Where is the mill?"}),
    ("/api/mcp/search-messages", "search_messages", {"query": "Where is the mill?"}),
    ("/api/mcp/wake", "wake", {}),
]


def new_capture(rng: random.Random) -> tuple[str, str, dict[str, Any]]:
    return "/api/mcp/capture", "capture", {"title": "Mill", "content": f"The mill number {rng.random()} turns"}


def any_call(rng: random.Random) -> tuple[str, str, dict[str, Any]]:
    return rng.choice([*CALLS, new_capture(rng)])


async def over_http(scene: Scene) -> None:
    path, _tool, body = any_call(scene.rng)
    visit = Visit(scene.app, scene.cancelled.key, path, body)
    await visit.answered()
    check(visit)


async def over_mcp(scene: Scene) -> None:
    """A tool call whose client leaves: its work is cancelled by anyio, again and again until it has ended."""
    _path, tool, arguments = any_call(scene.rng)
    visit = tool_call(scene.app, scene.cancelled.key, scene.rng.choice((HANDSHAKE, MODERN)), tool, arguments)
    answered = asyncio.create_task(visit.answered())
    try:
        await asyncio.shield(answered)
    except asyncio.CancelledError:
        visit.leave()
        await answered
        if not visit.sent:
            raise
    check(visit)


def check(visit: Visit) -> None:
    assert all(message.get("status", 200) == 200 for message in visit.sent), visit.sent


LEVELS: dict[str, Callable[[Scene], Awaitable[None]]] = {
    "database": on_the_database,
    "service": in_a_service,
    "http": over_http,
    "mcp": over_mcp,
}
MAX_S = {"database": 0.004, "service": 0.02, "http": 0.02, "mcp": 0.02}


async def cut_off(scene: Scene, level: str) -> bool:
    """Begin a piece of work and cancel it at a random moment, often once, sometimes again at once; whether it was."""
    rng = scene.rng
    task = asyncio.ensure_future(LEVELS[level](scene))
    if rng.random() < 0.5:
        for _ in range(rng.randrange(40)):
            await asyncio.sleep(0)
    else:
        await asyncio.sleep(rng.random() * MAX_S[level])
    for _ in range(rng.choice((1, 1, 1, 2, 6))):
        task.cancel()
        await asyncio.sleep(0)
    await asyncio.wait([task])
    if not task.cancelled():
        task.result()
    return task.cancelled()


async def storm(scene: Scene, level: str, cancels: int) -> None:
    """Cancel this many pieces of work, several at once."""
    left = cancels

    async def again_and_again() -> None:
        nonlocal left
        while left > 0:
            left -= await cut_off(scene, level)

    async with asyncio.TaskGroup() as group:
        for _ in range(AT_ONCE):
            group.create_task(again_and_again())


async def live(scene: Scene, tenant: TestUser, over: asyncio.Event) -> Counter[int]:
    """Write and read as an innocent user until the storm is over; the statuses of all replies."""
    codes: Counter[int] = Counter()
    headers = {"Authorization": f"Bearer {tenant.key}"}
    async with httpx.AsyncClient(transport=httpx.ASGITransport(scene.app), base_url=BASE, headers=headers) as http:
        number = 0
        while not over.is_set():
            number += 1
            fields = {
                "title": "Note",
                "content": f"Note {number} of {tenant.id}",
                "metadata": {"owner": str(tenant.id)},
            }
            codes[(await http.post("/api/mcp/capture", json=fields)).status_code] += 1
            reply = await http.post("/api/mcp/recall", json={"query": f"Note {number} The mill"})
            codes[reply.status_code] += 1
            owners = [(row["metadata"] or {}).get("owner") for row in reply.json().get("memories", [])]
            scene.foreign += [str(owner) for owner in owners if owner != str(tenant.id)]
            await asyncio.sleep(0.02)
        exported = (await http.get("/api/memories", params={"pageSize": 200})).json()["memories"]
    assert len(exported) == min(number, 200)
    return codes


async def pids(scene: Scene) -> set[int]:
    """The backends that serve as many users at once as there are connections, each in every kind of session."""
    meeting = asyncio.Barrier(CONNECTIONS)
    database, user_id = scene.services.database, scene.cancelled.id

    async def hold() -> int:
        async with database.read(user_id) as session:
            await meeting.wait()
            (rows, _) = await dict_rows_of(session, ("SELECT pg_backend_pid() AS pid", {}), OWNERS)
        await meeting.wait()
        async with database.write(user_id) as session:
            await meeting.wait()
            await session.execute_all(WHO, OWNERS)
        return rows[0]["pid"]

    return set(await asyncio.gather(*(hold() for _ in range(CONNECTIONS))))


@pytest.mark.long_form
@pytest.mark.filterwarnings(PSYCOPG)
@pytest.mark.parametrize("level", LEVELS)
async def test_cancelled_work_affects_no_other_request(
    scene: Scene, level: str, of_size: Callable[[int, int], int], request: pytest.FixtureRequest
) -> None:
    cancels = round((request.config.getoption("--cancels") or of_size(40, 500)) * SHARES[level])
    over = asyncio.Event()
    with capture_logs() as logged:
        innocent = [asyncio.create_task(live(scene, tenant, over)) for tenant in scene.tenants]
        await storm(scene, level, cancels)
        over.set()
        codes = await asyncio.gather(*innocent)
        async with asyncio.timeout(10):
            assert len(await pids(scene)) == CONNECTIONS
    assert [set(each) for each in codes] == [{200}, {200}], codes
    assert scene.foreign == []
    assert [line["event"] for line in logged if line["event"].endswith(".failed")] == []
    pool = scene.services.database.pools.app
    async with asyncio.timeout(10):
        while pool.get_stats()["pool_available"] < CONNECTIONS:  # noqa: ASYNC110 - the pool has no event for it
            await asyncio.sleep(0.01)
    assert pool.get_stats()["pool_size"] == CONNECTIONS
    async with scene.services.database.read(scene.cancelled.id) as session:
        pieces = await dict_rows(
            session, "SELECT title, count(*) AS parts FROM memory WHERE title <> 'Mill' GROUP BY title"
        )
    assert {row["parts"] for row in pieces} <= {PIECE}, "a transaction was written in part"
