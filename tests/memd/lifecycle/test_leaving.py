"""Decay, clean-up and expiry (contract 13, 5): who leaves, when, and what moves with it."""

import pytest

from memd.context import Services
from memd.domain.ids import new_id
from memd.domain.types import Policy, Tier
from memd.lifecycle.retention import clean_up, clear_away, decay_memories, remove_expired
from tests.memd.lifecycle.rows import DAY, active, aged, column, count
from tests.support.dict_rows import dict_rows
from tests.support.jobs import at, context_of, later
from tests.support.service import MakeUser, TestUser
from tests.support.wire import capture, chunk, fill, make_base, post, totals

SENSORY = {"store": "sensory", "category": "conversation"}


async def fill_to(services: Services, user: TestUser, number: int) -> None:
    """Copies of one row, weaker and weaker, until the user has this many active memories."""
    seed = await capture(user)
    async with services.database.write(user.id) as session:
        await session.execute(
            """
            INSERT INTO memory (user_id, id, title, content, store, category, source, strength, confidence, valence,
                                arousal, last_accessed_at, created_at, updated_at, content_hash)
            SELECT user_id, copies.id, title, content || n, store, category, source, 0.9 - n * 0.001, confidence,
                   valence, arousal, last_accessed_at, created_at, updated_at, content_hash || n
            FROM memory CROSS JOIN unnest(%(ids)s) WITH ORDINALITY copies (id, n) WHERE user_id = %(user)s
            """,
            {"user": user.id, "ids": [new_id() for _ in range(number - 1)]},
        )
        await session.execute(
            "UPDATE totals SET active_memories = %(number)s WHERE user_id = %(user)s",
            {"number": number, "user": user.id},
        )
    assert seed


async def test_decay_waits_for_ninety_percent_of_the_quota(make_user: MakeUser, services: Services) -> None:
    user = await make_user(tier=Tier.FREE)
    await fill_to(services, user, 449)
    assert await decay_memories(await context_of(services, user)) == 0


async def test_decay_archives_the_lowest_down_to_eighty_five_percent(make_user: MakeUser, services: Services) -> None:
    user = await make_user(tier=Tier.FREE)
    await fill_to(services, user, 450)
    assert await decay_memories(await context_of(services, user)) == 25
    assert await totals(user) == (425, 25)
    async with services.database.read(user.id) as session:
        archived = await dict_rows(session, "SELECT strength, archived_by FROM memory WHERE archived ORDER BY strength")
        weakest_left = await session.value("SELECT min(strength) FROM memory WHERE NOT archived")
    assert {row["archived_by"] for row in archived} == {"job"}
    assert 2 * archived[-1]["strength"] < weakest_left + 1e-6
    assert archived[0]["strength"] == pytest.approx((0.9 - 0.449) / 2)
    assert await decay_memories(await context_of(services, user)) == 0


@pytest.mark.parametrize(
    "options", [{"tier": Tier.UNLIMITED}, {"tier": Tier.FREE, "policy": Policy.SELF_HOSTED_UNMETERED}]
)
async def test_the_unmetered_never_decay(make_user: MakeUser, services: Services, options: dict) -> None:
    user = await make_user(**options)
    await fill_to(services, user, 600)
    assert await decay_memories(await context_of(services, user)) == 0


async def test_chunks_neither_count_nor_decay(make_user: MakeUser, services: Services) -> None:
    user = await make_user(tier=Tier.FREE)
    await fill_to(services, user, 449)
    base = await make_base(user)
    await fill(user, base, *(chunk(f"Chunk {number}") for number in range(20)))
    assert await decay_memories(await context_of(services, user)) == 0


@pytest.mark.parametrize(
    ("fields", "kept"),
    [
        ({"days": 2, "_consolidated_at": 1} | SENSORY, False),
        ({"days": 2} | SENSORY, True),
        ({"days": 0.9, "_consolidated_at": 1} | SENSORY, True),
        ({"strength": 0.09}, False),
        ({"strength": 0.1}, True),
        ({"days": 31, "store": "procedural", "category": "workflow", "metadata": {"observationCount": 2}}, False),
        ({"days": 29, "store": "procedural", "category": "workflow", "metadata": {"observationCount": 2}}, True),
        ({"days": 31, "store": "procedural", "category": "workflow", "metadata": {"observationCount": 3}}, True),
        ({"days": 31, "store": "procedural", "category": "workflow", "metadata": "observationCount"}, True),
        ({"days": 31, "store": "procedural", "category": "skill", "metadata": {"observationCount": 2}}, True),
        ({"days": 400}, True),
    ],
)
async def test_clean_up_archives_what_has_had_its_time(
    user: TestUser, services: Services, fields: dict, kept: bool
) -> None:
    memory_id = await aged(services, user, **fields)
    await clear_away(await context_of(services, user))
    assert (memory_id in await active(user)) is kept
    assert await column(services, user, memory_id, "archived_by") == (None if kept else "job")
    assert await totals(user) == ((1, 0) if kept else (0, 1))


@pytest.mark.parametrize(("days", "kept"), [(6.9, True), (7.1, False)])
async def test_a_recall_keeps_an_impression_for_seven_days(
    user: TestUser, services: Services, days: float, kept: bool
) -> None:
    memory_id = await aged(services, user, days=20, _consolidated_at=1, **SENSORY)
    async with services.database.write(user.id) as session:
        await session.execute(
            "INSERT INTO recall_activity SELECT user_id, id, %(request)s, %(at)s, 'recall' FROM memory",
            {"request": new_id(), "at": services.clock() - int(days * DAY)},
        )
    await clear_away(await context_of(services, user))
    assert (memory_id in await active(user)) is kept


async def test_an_archived_impression_is_removed_after_thirty_days(user: TestUser, services: Services) -> None:
    memory_id = await aged(services, user, days=2, _consolidated_at=1, **SENSORY)
    await clear_away(await context_of(services, user))
    await clear_away(await context_of(later(services, days=29.9), user))
    assert await column(services, user, memory_id, "archived") is True
    await clear_away(await context_of(later(services, days=30.1), user))
    assert await column(services, user, memory_id, "archived") is None
    assert await totals(user) == (0, 0)
    assert [await count(services, user, table) for table in ("memory_index", "memory_vector")] == [0, 0]


async def test_what_a_user_archived_is_never_removed(user: TestUser, services: Services) -> None:
    memory_id = await aged(services, user, days=2, **SENSORY)
    await post(user, "forget", {"memoryId": memory_id})
    await clear_away(await context_of(later(services, days=400), user))
    assert await column(services, user, memory_id, "archived_by") == "user"


async def test_chunks_are_never_cleaned_up(user: TestUser, services: Services) -> None:
    base = await make_base(user)
    await fill(user, base, chunk("A weak chunk"))
    async with services.database.write(user.id) as session:
        await session.execute("UPDATE memory SET strength = 0.01")
    assert await clear_away(await context_of(services, user)) == 0


async def test_more_than_a_page_goes_in_one_run(make_user: MakeUser, services: Services) -> None:
    user = await make_user(policy=Policy.SELF_HOSTED_UNMETERED)
    await fill_to(services, user, 450)
    async with services.database.write(user.id) as session:
        await session.execute("UPDATE memory SET strength = 0.01")
    assert await clear_away(await context_of(services, user)) == 450


@pytest.mark.rule("9.1 metric")
async def test_expired_metrics_go_and_fresh_ones_stay(user: TestUser, services: Services) -> None:
    await post(user, "metric", {"kind": "probe", "payload": {}})
    await clear_away(await context_of(later(services, days=29), user))
    assert await count(services, user, "metric_row") == 1
    await clear_away(await context_of(later(services, days=31), user))
    assert await count(services, user, "metric_row") == 0


async def test_expired_device_codes_go(user: TestUser, services: Services) -> None:
    await user.http.post("/api/device/start", json={})
    long_after = later(services, days=8)  # no user has changes of the last week, so nobody else is cleared
    await clean_up(long_after)
    async with services.database.system() as session:
        expired = "SELECT count(*) FROM device_request WHERE expires_at <= %(now)s"
        assert await session.value(expired, {"now": long_after.clock()}) == 0


async def test_the_graph_forgets_what_nothing_proves_any_more(user: TestUser, services: Services) -> None:
    from memd.domain.ids import decode
    from memd.graph.enrichment import enrich

    memory_id = await capture(user, title="Shop", content="Anna owns the shop.")
    context = await context_of(services, user)
    await enrich(context, decode("mem", memory_id))
    await post(user, "forget", {"memoryId": memory_id, "permanent": True})
    await clear_away(context)
    assert [await count(services, user, table) for table in ("graph_node", "graph_relation")] == [0, 0]


@pytest.mark.rule("5 message stored: expired")
async def test_messages_leave_when_their_time_is_over(make_user: MakeUser, services: Services) -> None:
    user = await make_user(tier=Tier.FREE)
    for number in range(3):
        await post(user, "log", {"role": "user", "content": f"Message {number}", "timestamp": 1_600_000_000_000})
    assert await remove_expired(await context_of(later(services, days=6.9), user)) == 0
    assert await remove_expired(await context_of(later(services, days=7.1), user)) == 3
    assert [await count(services, user, table) for table in ("message", "message_index", "message_vector")] == [0] * 3
    async with services.database.read(user.id) as session:
        assert await session.value("SELECT total_messages FROM totals") == 0


async def test_expiry_goes_on_for_as_many_pages_as_there_are(user: TestUser, services: Services) -> None:
    await post(user, "log", {"role": "user", "content": "seed"})
    async with services.database.write(user.id) as session:
        await session.execute(
            """
            INSERT INTO message (user_id, id, role, content, timestamp, created_at, expires_at, content_hash)
            SELECT user_id, uuidv7(), role, content || n, timestamp, created_at, 5, content_hash || n
            FROM message, generate_series(1, 450) n
            """
        )
    assert await remove_expired(await context_of(at(services, 10), user)) == 450
    assert await count(services, user, "message") == 1
