"""Jobs that make good what is missing or wrong (contract 13): vectors, graph, recallText, totals, policy marks, snapshots."""

import threading
from dataclasses import replace

import pytest

from memd.context import Services
from memd.domain.prompts.recall_text import recall_text
from memd.domain.types import Tier
from memd.lifecycle.policy_rescan import rescan
from memd.lifecycle.retention import remove_expired
from memd.lifecycle.snapshots import snapshot_quiet
from memd.lifecycle.upkeep import embed_all, enrich_missed, make_recall_texts, recount
from memd.policy.rules import load_rules
from tests.memd.lifecycle.rows import column, count
from tests.support.dict_rows import dict_rows
from tests.support.jobs import context_of, done, later
from tests.support.service import MakeUser, TestUser
from tests.support.wire import capture, chunk, fill, make_base, memory, post, send, totals

OWN_RULE = """
[[rule]]
threat_id = "codename"
reason = "illegal_activity"
[[rule.match]]
pattern = "(?i)operation bluebird"
"""


async def set_all(services: Services, user: TestUser, assignment: str) -> None:
    async with services.database.write(user.id) as session:
        await session.execute(f"UPDATE memory SET {assignment}")


async def test_rows_without_vector_are_embedded(user: TestUser, services: Services) -> None:
    memory_id = await capture(user)
    async with services.database.write(user.id) as session:
        await session.execute("DELETE FROM memory_vector")
        await session.execute("UPDATE memory SET embedding_pending = true")
    await embed_all(services)
    assert await column(services, user, memory_id, "embedding_pending") is False
    assert await count(services, user, "memory_vector") == 1


async def test_embedding_takes_half_of_the_days_allowance_the_oldest_first(
    make_user: MakeUser, services: Services
) -> None:
    user = await make_user(tier=Tier.FREE)
    await post(user, "log", {"role": "user", "content": "seed"})
    await done(services, user)
    async with services.database.write(user.id) as session:
        await session.execute(
            """
            INSERT INTO message (user_id, id, role, content, timestamp, created_at, expires_at, content_hash)
            SELECT user_id, uuidv7(), role, content || n, timestamp, created_at, expires_at, content_hash || n
            FROM message, generate_series(1, 40) n
            """
        )
    await embed_all(services)
    assert await count(services, user, "message_vector") == 25
    async with services.database.read(user.id) as session:
        assert await session.value(
            """
            SELECT max(id::text) FILTER (WHERE NOT embedding_pending) < min(id::text) FILTER (WHERE embedding_pending)
            FROM message
            """
        )


async def test_the_graph_catches_up_with_25_memories_a_run_and_jobs_read_the_others(
    user: TestUser, services: Services
) -> None:
    for _ in range(27):
        await capture(user)
    await done(services, user)
    await set_all(services, user, "graph_enriched = false")
    assert 0 < await enrich_missed(await context_of(services, user)) <= 25
    await done(services, user)
    assert (await send(user, "GET", "/api/mcp/graph-status"))["enrichmentPercent"] == 100


async def test_the_graph_reads_chunks_after_the_memories(user: TestUser, services: Services) -> None:
    base = await make_base(user)
    await fill(
        user, base, chunk("Anna owns the vault.", metadata={"title": "Keys"}), chunk("name: vault", chunkKind="config")
    )
    await done(services, user)
    await set_all(services, user, "graph_enriched = false")
    assert await enrich_missed(await context_of(services, user)) == 1
    reply = await post(user, "graph/who-owns", {"entity": "vault"})
    assert [owner["label"] for owner in reply["owners"]] == ["Anna"]
    assert reply["memories"][0]["knowledgeBaseId"] == base
    await send(user, "DELETE", f"/api/knowledge-bases/{base}")
    assert (await post(user, "graph/who-owns", {"entity": "vault"}))["owners"] == []


async def test_three_failures_end_the_backfill(
    user: TestUser, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(5):
        await capture(user)
    await done(services, user)
    await set_all(services, user, "graph_enriched = false")
    tried: list[object] = []

    async def fail(_: object, memory_id: object, **_options: object) -> bool:
        tried.append(memory_id)
        raise ZeroDivisionError

    monkeypatch.setattr("memd.lifecycle.upkeep.enrich", fail)
    with pytest.raises(ZeroDivisionError):
        await enrich_missed(await context_of(services, user))
    assert len(tried) == 3


async def test_recall_texts_are_made_where_they_are_missing(
    user: TestUser, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory_id = await capture(user)
    before = (await memory(user, memory_id))["recallText"]
    await set_all(services, user, "recall_text = NULL")
    context = await context_of(services, user)
    threads = set[int]()
    monkeypatch.setattr(
        "memd.lifecycle.upkeep.recall_text", lambda text: threads.add(threading.get_ident()) or recall_text(text)
    )
    assert [await make_recall_texts(context) for _ in range(2)] == [1, 0]
    assert threads
    assert threading.get_ident() not in threads, "long texts would stop the worker's heartbeats"
    assert (await memory(user, memory_id))["recallText"] == before


async def test_wrong_totals_are_counted_again(user: TestUser, services: Services) -> None:
    for _ in range(3):
        await capture(user)
    await post(user, "forget", {"memoryId": await capture(user)})
    await post(user, "log", {"role": "user", "content": "hello"})
    async with services.database.write(user.id) as session:
        await session.execute("UPDATE totals SET active_memories = 99, archived_memories = 0, total_messages = 7")
    context = await context_of(services, user)
    assert [await recount(context) for _ in range(2)] == [1, 0]
    assert await totals(user) == (3, 1)
    assert (await send(user, "GET", "/api/mcp/stats"))["ttlStatus"]["messages_stored"] == 1


@pytest.mark.rule("12 rescan")
async def test_new_rules_block_old_rows_and_old_rules_free_them(user: TestUser, services: Services, tmp_path) -> None:
    (tmp_path / "90_own.toml").write_text(OWN_RULE)
    memory_id = await capture(user, content="Operation Bluebird begins at noon.")
    base = await make_base(user)
    (chunk_id,) = (await fill(user, base, chunk("All of operation bluebird.")))["memoryIds"]
    stricter = replace(services, policy=load_rules(tmp_path))
    assert await rescan(await context_of(stricter, user)) == 2
    assert [await column(services, user, one, "blocked") for one in (memory_id, chunk_id)] == [True, True]
    async with services.database.read(user.id) as session:
        assert await session.value("SELECT count(*) FROM memory_index WHERE live") == 0
    assert await rescan(await context_of(stricter, user)) == 0
    assert await rescan(await context_of(services, user)) == 2
    assert await column(services, user, memory_id, "blocked") is False
    async with services.database.read(user.id) as session:
        assert await session.value("SELECT count(*) FROM memory_index WHERE live") == 2


async def say(user: TestUser, content: str, **fields: object) -> None:
    await post(user, "log", {"role": "user", "content": content, "sessionKey": "s1", "channel": "slack", **fields})


async def snapshots(services: Services, user: TestUser) -> list[dict]:
    async with services.database.read(user.id) as session:
        return await dict_rows(session, "SELECT session_key, message_count, reason FROM snapshot ORDER BY created_at")


async def test_a_session_is_kept_when_it_has_been_quiet_for_half_an_hour(user: TestUser, services: Services) -> None:
    await say(user, "We decided to move the release to Thursday because of the audit.")
    await say(user, "And the audit needs two people.")
    assert await snapshot_quiet(await context_of(later(services, minutes=29), user)) == 0
    assert await snapshot_quiet(await context_of(later(services, minutes=31), user)) == 1
    assert await snapshot_quiet(await context_of(later(services, minutes=40), user)) == 0
    assert await snapshots(services, user) == [{"session_key": "s1", "message_count": 2, "reason": "quiet"}]


@pytest.mark.rule("7.7 one automatic snapshot")
async def test_the_snapshot_of_a_session_that_goes_on_is_replaced(user: TestUser, services: Services) -> None:
    await say(user, "We decided to move the release to Thursday because of the audit.")
    ahead = later(services, minutes=31)
    await snapshot_quiet(await context_of(ahead, user))
    async with services.database.write(user.id) as session:
        await session.execute("UPDATE snapshot SET created_at = %(at)s", {"at": services.clock() - 1})
    await say(user, "One more thing.")
    assert await snapshot_quiet(await context_of(later(services, minutes=62), user)) == 1
    assert [row["message_count"] for row in await snapshots(services, user)] == [2]
    async with services.database.read(user.id) as session:
        sessions = await session.values("SELECT message_count FROM session WHERE summary <> ''")
    assert sessions == [2]


@pytest.mark.rule("7.7 one automatic snapshot")
async def test_a_clock_that_was_ahead_keeps_no_session_from_being_kept(user: TestUser, services: Services) -> None:
    await say(user, "We decided to move the release to Thursday because of the audit.")
    the_day_before = await context_of(later(services, days=-1), user)
    assert [await snapshot_quiet(the_day_before) for _ in range(2)] == [1, 0]
    await snapshot_quiet(await context_of(later(services, days=1), user))
    await say(user, "One more thing.")
    assert await snapshot_quiet(await context_of(later(services, minutes=31), user)) == 1
    assert [row["message_count"] for row in await snapshots(services, user)] == [2]


@pytest.mark.rule("7.7 one automatic snapshot")
async def test_a_session_has_one_snapshot_on_each_channel_and_without_any(user: TestUser, services: Services) -> None:
    for channel in ("slack", "mail", ""):
        await say(user, f"The release moves to Thursday, says {channel or 'nobody'}.", channel=channel)
    ahead = later(services, minutes=31)
    assert await snapshot_quiet(await context_of(ahead, user)) == 3
    assert await snapshot_quiet(await context_of(later(services, minutes=40), user)) == 0
    async with services.database.read(user.id) as session:
        channels = await session.values("SELECT channel FROM snapshot ORDER BY channel NULLS FIRST")
    assert channels == [None, "mail", "slack"]


@pytest.mark.rule("7.7 one automatic snapshot")
async def test_what_a_client_keeps_is_never_replaced(user: TestUser, services: Services) -> None:
    await say(user, "We decided to move the release to Thursday.")
    sent = {"sessionKey": "s1", "channel": "slack", "messages": [{"role": "user", "content": "kept"}]}
    await post(user, "snapshot", sent)
    assert await snapshot_quiet(await context_of(later(services, minutes=31), user)) == 1
    assert [row["reason"] for row in await snapshots(services, user)] == ["manual", "quiet"]


@pytest.mark.rule("7.7 one automatic snapshot")
async def test_snapshots_end_with_their_messages(make_user: MakeUser, services: Services) -> None:
    user = await make_user(tier=Tier.FREE)
    await say(user, "We decided to move the release to Thursday.")
    await post(user, "snapshot", {"sessionKey": "s2", "messages": [{"role": "user", "content": "kept"}]})
    await snapshot_quiet(await context_of(later(services, minutes=31), user))
    await remove_expired(await context_of(later(services, days=6), user))
    assert len(await snapshots(services, user)) == 2
    assert await remove_expired(await context_of(later(services, days=8), user)) == 3
    assert await snapshots(services, user) == []


@pytest.mark.rule("7.7 one automatic snapshot")
async def test_snapshots_count_in_the_quota_of_messages(make_user: MakeUser, services: Services) -> None:
    user = await make_user(tier=Tier.FREE)
    await say(user, "We decided to move the release to Thursday.")
    sent = {"sessionKey": "s2", "messages": [{"role": "user", "content": "kept"}]}
    await post(user, "snapshot", sent)
    async with services.database.write(user.id) as session:
        await session.execute("UPDATE totals SET total_messages = 499 WHERE user_id = %(user)s", {"user": user.id})
    refused = {"error": "Storage limit reached", "limit": 500, "resource": "messages"}
    assert await post(user, "snapshot", sent, status=403) == refused
    assert await post(user, "log", {"content": "one more"}, status=403) == refused
    await snapshot_quiet(await context_of(later(services, minutes=31), user))
    assert len(await snapshots(services, user)) == 1
    async with services.database.write(user.id) as session:
        await session.execute("UPDATE totals SET total_messages = 498 WHERE user_id = %(user)s", {"user": user.id})
    await snapshot_quiet(await context_of(later(services, minutes=40), user))
    assert len(await snapshots(services, user)) == 2


async def test_the_last_session_is_known_to_wake_after_days(user: TestUser, services: Services) -> None:
    await say(user, "We decided to move the release to Thursday because of the audit.")
    await snapshot_quiet(await context_of(later(services, minutes=31), user))
    async with services.database.write(user.id) as session:
        await session.execute("DELETE FROM message_index")
        await session.execute("DELETE FROM message")
    assert "release to Thursday" in (await post(user, "wake", {"channel": "slack"}))["lastSessionSummary"]
