"""Hypothesis drives the service and a plain model of it side by side; they are equal at every step (contract 5)."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar
from uuid import UUID

import pytest
import pytest_asyncio
from hypothesis import seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from memd.context import Services
from memd.domain.ids import encode
from memd.domain.types import Policy
from tests.contract.model import Model, Row
from tests.support.dict_rows import dict_rows_of
from tests.support.service import MakeUser, TestUser
from tests.support.wire import Json, send

T = TypeVar("T")
STEPS, PARTS = 30, 2
WORDS = st.sampled_from(["one", "two two", "three three three", "four"])
KEYS = st.sampled_from([None, "a", "b"])
PICK = st.integers(0, 1_000)
STORED = """
SELECT id, content, knowledge_base_id AS base, dedupe_key, archived_by, superseded_by_memory_id AS successor,
       archived = (archived_by IS NOT NULL) AS marked
FROM memory
"""
COUNTED = """
SELECT k.id, k.memory_count, k.total_chars, k.archived, t.active_memories, t.archived_memories
FROM totals t FULL JOIN knowledge_base k USING (user_id)
"""


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def loop(services: Services) -> asyncio.AbstractEventLoop:
    """The loop that the service runs on; idle while a test without `async` runs."""
    return asyncio.get_running_loop()


class Machine(RuleBasedStateMachine):
    """Every call goes to the service over HTTP and to the model; what the service answers is what the model says."""

    loop: asyncio.AbstractEventLoop
    services: Services
    make_user: MakeUser
    user: TestUser
    model: Model
    runs = 0
    comparisons = 0

    @initialize()
    def begin(self) -> None:
        self.user = self.run(self.make_user(policy=Policy.SELF_HOSTED_UNMETERED))
        self.model = Model()
        type(self).runs += 1

    def run(self, work: Awaitable[T]) -> T:
        return self.loop.run_until_complete(asyncio.ensure_future(work, loop=self.loop))

    def call(self, method: str, path: str, body: Json | None = None, *, status: int = 200, **query: Any) -> Json:
        return self.run(send(self.user, method, path, body, status=status, **query))

    def post(self, path: str, body: Json, *, status: int = 200) -> Json:
        return self.call("POST", f"/api/mcp/{path}", body, status=status)

    def pick(self, number: int, *, chunks: bool | None = None) -> str | None:
        ids = [row_id for row_id, row in self.model.rows.items() if chunks is None or (row.base is not None) is chunks]
        return ids[number % len(ids)] if ids else None

    def pick_base(self, number: int) -> str:
        return list(self.model.bases)[number % len(self.model.bases)]

    @rule(content=WORDS, store=st.sampled_from(["episodic", "semantic"]), channel=st.sampled_from([None, "slack"]))
    def capture(self, content: str, store: str, channel: str | None) -> None:
        row = Row(content, store, channel)
        known = self.model.duplicate(row)
        body = {"title": "t", "content": content, "store": store, "channel": channel}
        reply = self.post("capture", body, status=409 if known else 200)
        if known:
            assert reply["existingMemoryId"] == known
        else:
            self.model.rows[reply["id"]] = row

    @rule(number=PICK, permanent=st.booleans())
    def forget(self, number: int, *, permanent: bool) -> None:
        row_id = self.pick(number)
        if row_id is not None:
            reply = self.post("forget", {"memoryId": row_id, "permanent": permanent})
            self.model.forget(row_id, permanent=permanent)
            assert reply["archived"] is not permanent
            assert (row_id in self.model.rows) is not permanent

    @rule(number=PICK, content=WORDS)
    def update(self, number: int, content: str) -> None:
        row_id = self.pick(number)
        if row_id is None:
            return
        row = self.model.rows[row_id]
        changed = Row(content, row.store, row.channel, row.base)
        plain = row.base is None and content != row.content
        twin = self.model.duplicate(changed, but=row_id) if plain else None
        reply = self.post("update", {"memoryId": row_id, "content": content}, status=409 if twin else 200)
        if twin:
            assert reply["existingMemoryId"] == twin
            return
        assert reply["embeddingUpdated"] is (content != row.content)
        row.content = content

    @rule(number=PICK, content=WORDS)
    def supersede(self, number: int, content: str) -> None:
        row_id = self.pick(number)
        if row_id is None:
            return
        row = self.model.rows[row_id]
        body = {"oldMemoryId": row_id, "title": "t", "content": content}
        is_superseded = row.successor in self.model.rows
        reply = self.post("supersede", body, status=409 if is_superseded else 200)
        if is_superseded:
            assert reply["supersededByMemoryId"] == row.successor
            return
        taken = not row.active and row.base is not None and row.key is not None and self.model.keyed(row.base, row.key)
        new = Row(content, row.store, row.channel, row.base, None if taken else row.key)
        row.archived_by, row.successor = "supersede", reply["newMemoryId"]
        self.model.rows[reply["newMemoryId"]] = new

    @precondition(lambda self: len(self.model.bases) < 2)
    @rule()
    def make_base(self) -> None:
        self.model.bases[self.call("POST", "/api/knowledge-bases", {"name": "k"}, status=201)["id"]] = False

    @precondition(lambda self: self.model.bases)
    @rule(number=PICK, batch=st.lists(st.tuples(WORDS, KEYS), min_size=1, max_size=4))
    def fill(self, number: int, batch: list[tuple[str, str | None]]) -> None:
        base = self.pick_base(number)
        chunks = [{"content": content, "metadata": {"title": "t"}, "dedupeKey": key} for content, key in batch]
        status = 409 if self.model.bases[base] else 201
        reply = self.call("POST", f"/api/knowledge-bases/{base}/import", {"chunks": chunks}, status=status)
        if status == 409:
            return
        kept = [
            (content, key) for index, (content, key) in enumerate(batch) if key or (content, None) not in batch[:index]
        ]
        assert len(reply["memoryIds"]) == len(kept)
        before = set(self.model.rows)
        for row_id, (content, key) in zip(reply["memoryIds"], kept, strict=True):
            assert key is None or self.model.keyed(base, key) in {None, row_id}
            self.model.rows.setdefault(row_id, Row(content, base=base, key=key)).content = content
        assert reply["importedCount"] == len(set(self.model.rows) - before)

    @precondition(lambda self: self.model.bases)
    @rule(number=PICK)
    def archive(self, number: int) -> None:
        base = self.pick_base(number)
        reply = self.call("DELETE", f"/api/knowledge-bases/{base}")
        assert reply["archivedMemoryCount"] == self.model.archive(base)

    @precondition(lambda self: self.model.bases)
    @rule(number=PICK)
    def unarchive(self, number: int) -> None:
        base = self.pick_base(number)
        archived = self.model.bases[base]
        reply = self.call("POST", f"/api/knowledge-bases/{base}/unarchive", status=200 if archived else 409)
        if archived:
            assert reply["restoredMemoryCount"] == self.model.unarchive(base)

    @precondition(lambda self: self.model.bases)
    @rule(number=PICK)
    def empty(self, number: int) -> None:
        base = self.pick_base(number)
        archived = self.model.bases[base]
        reply = self.call("POST", f"/api/knowledge-bases/{base}/empty", status=409 if archived else 200)
        if not archived:
            assert (reply["deletedMemories"], reply["activeDeletedMemories"]) == self.model.clear(base)

    @precondition(lambda self: self.model.bases)
    @rule(number=PICK)
    def remove(self, number: int) -> None:
        base = self.pick_base(number)
        archived = self.model.bases[base]
        path = f"/api/knowledge-bases/{base}"
        reply = self.call("DELETE", path, status=200 if archived else 409, permanent="true")
        if archived:
            assert (reply["deletedMemories"], reply["isDone"]) == (self.model.clear(base)[0], True)
            del self.model.bases[base]

    @invariant()
    def equal(self) -> None:
        """The stored rows, compared after every step."""
        rows, bases, totals = self.run(self._stored())
        type(self).comparisons += 1
        assert rows == self.model.stored()
        assert bases == self.model.counters()
        assert totals == self.model.totals()

    async def _stored(self) -> tuple[dict[str, Any], dict[str, Any], tuple[int, int]]:
        async with self.services.database.read(self.user.id) as session:
            rows, bases = await dict_rows_of(session, (STORED, {}), (COUNTED, {}))
        assert all(row["marked"] for row in rows)
        shown = {
            encode("mem", row["id"]): (
                row["content"],
                _wire("kb", row["base"]),
                row["dedupe_key"],
                row["archived_by"],
                _wire("mem", row["successor"]),
            )
            for row in rows
        }
        counted = {
            encode("kb", row["id"]): (row["memory_count"], row["total_chars"], row["archived"])
            for row in bases
            if row["id"]
        }
        totals = bases[0] if bases else {}
        return shown, counted, (totals.get("active_memories") or 0, totals.get("archived_memories") or 0)

    def teardown(self) -> None:
        """The rows that memd shows, compared after every run."""
        for base in self.model.bases:
            page = self.call("GET", f"/api/knowledge-bases/{base}/memories", limit=200)
            chunks = {row_id for row_id, row in self.model.chunks(base).items() if row.active}
            assert ({row["id"] for row in page["memories"]}, page["isDone"]) == (chunks, True)
        rows = self.call("GET", "/api/memories", pageSize=200)["memories"]
        bases = self.call("GET", "/api/knowledge-bases", includeInactive="true")["knowledgeBases"]
        stats = self.call("GET", "/api/mcp/stats")
        shown = {row["id"]: (row["content"], row.get("knowledgeBaseId"), row.get("dedupeKey")) for row in rows}
        assert shown == self.model.active()
        counted = {row["id"]: (row["chunkCount"], row["totalChars"], row["archived"]) for row in bases}
        assert counted == self.model.counters()
        assert (stats["total"], stats["archivedCount"]) == self.model.totals()


def _wire(prefix: str, row_id: UUID | None) -> str | None:
    return encode(prefix, row_id) if row_id else None


@pytest.mark.long_form
@pytest.mark.parametrize("part", range(PARTS))
def test_the_service_equals_a_plain_model_at_every_step(
    loop: asyncio.AbstractEventLoop,
    services: Services,
    make_user: MakeUser,
    of_size: Callable[[int, int], int],
    part: int,
) -> None:
    runs = of_size(4, 100)

    @seed(part)
    class Bound(Machine):
        """The machine at this test's service."""

    Bound.loop, Bound.services, Bound.make_user = loop, services, staticmethod(make_user)
    run_state_machine_as_test(
        Bound,
        _min_steps=STEPS,
        settings=settings(
            max_examples=runs,
            stateful_step_count=STEPS,
            database=None,
        ),
    )
    assert Bound.runs >= runs
    assert Bound.comparisons >= runs * STEPS
