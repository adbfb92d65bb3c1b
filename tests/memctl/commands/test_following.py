"""Commands that keep running and follow: `memctl tail`, `memctl kb import --watch`."""

import asyncio
from pathlib import Path

from memctl.following import Follower
from memctl.importers.delivery import Delivery
from memctl.importers.filling import Plan, fill
from memctl.importers.ledger import Ledger
from memctl.importers.sources import Filters
from memctl.importers.watching import watch_for_changes
from memctl.wire.knowledge_bases import CreateKnowledgeBaseRequest
from memctl.wire.memories import CaptureRequest
from memctl.wire.messages import LogRequest
from tests.memctl.conftest import Terminal
from tests.support.service import TestUser

NOON = 1_750_000_000_000


async def log(user: TestUser, text: str, at: int, channel: str = "slack") -> None:
    await user.client.messages.log(LogRequest(content=text, timestamp=NOON + at, channel=channel))


async def said(follower: Follower) -> list[str]:
    return [row.content for _, row in await follower.messages()]


async def test_every_message_is_shown_once_in_order(user: TestUser) -> None:
    for number in range(3):
        await log(user, f"old {number}", 1000 + number)
    follower = Follower(user.client, None, 2)
    assert await said(follower) == ["old 1", "old 2"]
    assert await said(follower) == []
    await log(user, "at the same time as the last", 1002)
    await log(user, "later", 1003)
    assert await said(follower) == ["at the same time as the last", "later"]
    assert await said(follower) == []


async def test_a_burst_of_more_than_a_page_is_reported_completely(user: TestUser) -> None:
    follower = Follower(user.client, None, 0)
    assert await said(follower) == []
    for number in range(130):
        await log(user, f"message {number}", 2000 + number)
    assert await said(follower) == [f"message {number}" for number in range(130)]


async def test_a_channel_is_followed_alone(user: TestUser) -> None:
    follower = Follower(user.client, "slack", 5)
    await log(user, "here", 1, "slack")
    await log(user, "there", 2, "discord")
    assert await said(follower) == ["here"]


async def test_memories_are_reported_once_and_chunks_never(user: TestUser) -> None:
    follower = Follower(user.client, None, 5)
    assert await follower.memories() == []
    await user.client.memories.capture(CaptureRequest(title="First", content="First"))
    assert [row.title for _, row in await follower.memories()] == ["First"]
    await user.client.memories.capture(CaptureRequest(title="Second", content="Second"))
    assert [row.title for _, row in await follower.memories()] == ["Second"]
    assert await follower.memories() == []


async def test_what_was_there_before_is_not_new(user: TestUser) -> None:
    """A batch has one time; and in a channel that was quiet since, nothing is new."""
    for channel in ("quiet", "busy"):
        rows = [{"title": f"{channel} {n}", "content": f"{channel} {n}", "channel": channel} for n in range(4)]
        await user.http.post("/api/mcp/capture-batch", json={"memories": [{**row, "createdAt": NOON} for row in rows]})
    await user.client.memories.capture(CaptureRequest(title="Newest", content="Newest", channel="busy"))
    for channel, backlog in ((None, 0), (None, 1), ("quiet", 0), ("quiet", 1), ("busy", 1)):
        follower = Follower(user.client, channel, backlog)
        assert len(await follower.memories()) <= backlog
        assert await follower.memories() == []


async def test_a_batch_in_the_last_millisecond_is_not_new(user: TestUser) -> None:
    rows = [{"title": f"Row {n}", "content": f"Row {n}", "createdAt": NOON} for n in range(5)]
    await user.http.post("/api/mcp/capture-batch", json={"memories": rows})
    follower = Follower(user.client, None, 2)
    assert len(await follower.memories()) == 2
    assert await follower.memories() == []
    await user.client.memories.capture(CaptureRequest(title="Later", content="Later"))
    assert [row.title for _, row in await follower.memories()] == ["Later"]


async def test_a_single_look_shows_as_many_rows_as_asked_for_of_both_kinds_together(
    terminal: Terminal, user: TestUser
) -> None:
    for number in range(3):
        await user.client.memories.capture(CaptureRequest(title=f"Memory {number}", content=f"Memory {number}"))
        await user.client.messages.log(LogRequest(content=f"message {number}", channel="slack"))
    done = await terminal(user, "tail", "--once", "-n", "2")
    assert ["2" in line for line in done.stdout.splitlines()] == [True, True]
    assert ("Memory 2" in done.stdout, "message 2" in done.stdout, done.exit_code) == (True, True, 0)


def watched(base_id: str) -> Plan:
    """The plan of `memctl kb import BASE docs --prune --watch`."""
    return Plan(
        base=base_id,
        paths=("docs",),
        filters=Filters(),
        root=None,
        title=None,
        chunk_size=1200,
        batch=200,
        create=False,
        everything=False,
        prune=True,
        dry_run=False,
        watch=True,
    )


async def test_watched_folders_are_followed(user: TestUser, home: Path) -> None:
    docs = home / "work" / "docs"
    docs.mkdir()
    (docs / "a.md").write_text("# One\n\nfirst\n\n# Two\n\nsecond")
    base = await user.client.knowledge_bases.create(CreateKnowledgeBaseRequest(name="docs"))
    plan = watched(base.id)

    async def keys() -> list[str | None]:
        return [chunk.dedupe_key async for chunk in user.client.knowledge_bases.chunks(base.id)]

    ledger, another = (Ledger.of(home / "state", user.client.url, base.id) for _ in range(2))
    with ledger:
        await fill(Delivery(user.client, base.id, ledger), plan, plan.sources())
    assert await keys() == ["docs/a.md#One", "docs/a.md#Two"]
    stop = asyncio.Event()
    changes = watch_for_changes(user.client, base.id, ledger, plan, stop)
    waiting = asyncio.ensure_future(anext(changes))
    await asyncio.sleep(0.5)
    (docs / "a.md").write_text("# One\n\nchanged")
    (docs / "b.txt").write_text("new")
    async with asyncio.timeout(20):
        summary = (await waiting).summary
    assert (summary.new, summary.updated, summary.removed) == (1, 1, 1)
    assert sorted(map(str, await keys())) == ["docs/a.md#One", "docs/b.txt#1"]
    waiting = asyncio.ensure_future(anext(changes))
    with await another.lock(), another:
        (docs / "a.md").write_text("# One\n\nchanged again")
        await fill(Delivery(user.client, base.id, another), plan, plan.sources())
    (docs / "c.txt").write_text("newer")
    async with asyncio.timeout(20):
        summary = (await waiting).summary
    assert (summary.new, summary.updated) == (1, 0), "what another import has sent is known"
    stop.set()
    assert [delivery async for delivery in changes] == []


async def test_what_changes_before_the_watcher_begins_is_imported_too(user: TestUser, home: Path) -> None:
    docs = home / "work" / "docs"
    docs.mkdir()
    (docs / "a.md").write_text("# One\n\nfirst")
    (docs / "b.md").write_text("# Two\n\nsecond")
    base = await user.client.knowledge_bases.create(CreateKnowledgeBaseRequest(name="docs"))
    plan, stop = watched(base.id), asyncio.Event()
    ledger = Ledger.of(home / "state", user.client.url, base.id)
    with ledger:
        await fill(Delivery(user.client, base.id, ledger), plan, plan.sources())
    (docs / "a.md").unlink()
    (docs / "c.md").write_text("# Three\n\nthird")
    changes = watch_for_changes(user.client, base.id, ledger, plan, stop)
    async with asyncio.timeout(60):
        summary = (await anext(changes)).summary
        assert (summary.new, summary.updated, summary.removed) == (1, 0, 1)
        waiting = asyncio.ensure_future(anext(changes))
        await asyncio.sleep(0.5)
        (docs / "c.md").unlink()
        summary = (await waiting).summary
    assert (summary.removed, summary.warnings) == (1, {}), "the folder still has a file"
    stop.set()
    assert [delivery async for delivery in changes] == []
