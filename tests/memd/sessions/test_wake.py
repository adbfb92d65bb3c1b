"""POST or GET /api/mcp/wake (contract 7.1): every field of the reply, and what of it a channel may see."""

from typing import Any

import pytest

from memd.context import Services
from memd.domain.ids import decode
from memd.domain.text.token_estimate import estimate_tokens
from tests.support.jobs import done
from tests.support.service import TestUser
from tests.support.talk import log
from tests.support.wire import Json, capture, chunk, fill, make_base, post, send

HOUR = 3_600_000
FIELDS = {
    "lastSessionSummary",
    "recentMessages",
    "briefing",
    "summary",
    "text",
    "recentTurns",
    "recentMemories",
    "lastCheckpoint",
    "openGoals",
    "recentDecisions",
    "guardrails",
    "profiles",
}


async def wake(user: TestUser, **fields: Any) -> Json:
    return await post(user, "wake", fields)


async def age(services: Services, user: TestUser, memory_id: str, accessed_at: int) -> None:
    async with services.database.write(user.id) as session:
        await session.execute(
            "UPDATE memory SET last_accessed_at = %(at)s WHERE id = %(id)s",
            {"at": accessed_at, "id": decode("mem", memory_id)},
        )


@pytest.mark.rule("7.1 reply: lastSessionSummary", "7.1 reply: briefing, summary, text", "7.1 reply: lastCheckpoint")
async def test_a_new_user_gets_every_field_empty(user: TestUser) -> None:
    reply = await post(user, "wake")
    assert reply.keys() == FIELDS
    assert reply["briefing"] == reply["summary"] == reply["text"] != ""
    assert {name: reply[name] for name in FIELDS - {"briefing", "summary", "text"}} == {
        "lastSessionSummary": "",
        "recentMessages": [],
        "recentTurns": [],
        "recentMemories": [],
        "lastCheckpoint": None,
        "openGoals": [],
        "recentDecisions": [],
        "guardrails": [],
        "profiles": [],
    }


@pytest.mark.rule("7.1 request")
async def test_get_reads_channel_and_agent_from_the_url(user: TestUser) -> None:
    memory_id = await capture(user, channel="slack")
    seen = await send(user, "GET", "/api/mcp/wake", channel="slack", agentId="main")
    hidden = await send(user, "GET", "/api/mcp/wake", channel="discord")
    assert [row["id"] for row in seen["recentMemories"]] == [memory_id]
    assert hidden["recentMemories"] == []
    assert "channel slack" in seen["briefing"]


@pytest.mark.rule("7.1 request")
async def test_a_budget_bounds_the_briefing_alone(user: TestUser) -> None:
    memory_id = await capture(user, title="Renew the certificate " * 10, store="prospective")
    whole = await send(user, "GET", "/api/mcp/wake")
    by_url = await send(user, "GET", "/api/mcp/wake", budget=80)
    short = await send(user, "POST", "/api/mcp/wake", {"budget": 80})
    assert estimate_tokens(short["briefing"]) <= 80 < estimate_tokens(whole["briefing"])
    assert short["briefing"] == short["text"] == short["summary"] == by_url["briefing"]
    assert [row["memoryId"] for row in short["openGoals"]] == [memory_id]
    for budget in (49, 8_001):
        refusal = await send(user, "POST", "/api/mcp/wake", {"budget": budget}, status=400)
        assert refusal["details"] == "Field budget must be between 50 and 8000"


@pytest.mark.rule("7.1 reply: recentMessages", "7.1 reply: recentTurns")
async def test_recent_messages_are_the_last_twelve_oldest_first(services: Services, user: TestUser) -> None:
    now = services.clock()
    turn = {
        "sessionKey": "s",
        "channel": "slack",
        "turnId": "t1",
        "assistantMessage": "Eleven",
        "timestamp": now - 1000,
    }
    for number in range(11):
        await log(user, f"Number {number}", channel="slack", sessionKey="s", timestamp=now - HOUR + number)
    ids = [row["id"] for row in (await post(user, "turn", turn | {"userMessage": "Ten"}))["messages"]]
    reply = await wake(user, channel="slack")
    rows = reply["recentMessages"]
    assert [row["text"] for row in rows] == [f"Number {number}" for number in range(1, 11)] + ["Ten", "Eleven"]
    assert rows[-1] == {
        "id": ids[1],
        "_id": ids[1],
        "messageId": ids[1],
        "role": "assistant",
        "content": "Eleven",
        "text": "Eleven",
        "timestamp": now - 1000,
        "createdAt": now - 1000,
        "channel": "slack",
        "sessionKey": "s",
        "turnId": "t1",
        "turnMessageIndex": 1,
    }
    groups = reply["recentTurns"]
    assert [group["turnId"] for group in groups[-2:]] == [f"message:{rows[-3]['id']}", "t1"]
    assert [row["id"] for row in groups[-1]["messages"]] == ids
    assert groups[-1]["timestamp"] == groups[-1]["startedAt"] == now - 1000


@pytest.mark.rule("7.1 reply: recentMessages")
@pytest.mark.parametrize(("hours", "seen"), [(71, True), (73, False)])
async def test_recent_messages_are_of_the_last_72_hours(
    services: Services, user: TestUser, hours: int, *, seen: bool
) -> None:
    await log(user, "words", timestamp=services.clock() - hours * HOUR)
    assert bool((await wake(user))["recentMessages"]) is seen


CHANNELS = (None, "slack", "slack:alice", "discord:group:1", "peer-coach:7")


@pytest.mark.rule("7.1 reply: recentMemories", "7.1 visibility")
@pytest.mark.parametrize("base", [{}, {"agentIds": ["writer"]}, {"scope": "slack"}])
async def test_recent_memories_hold_no_chunks(user: TestUser, base: Json) -> None:
    memory_id = await capture(user)
    await fill(user, await make_base(user, **base), chunk("of the scope"), chunk("of slack", channel="slack"))
    for fields in ({}, {"agentId": "writer"}, {"channel": "slack"}):
        assert [row["id"] for row in (await wake(user, **fields))["recentMemories"]] == [memory_id]


@pytest.mark.rule("7.1 reply: lastSessionSummary")
async def test_the_summary_is_of_one_session_on_one_channel(user: TestUser) -> None:
    messages = (("desk", "old", "We compared the printers."), ("desk", "new", "Anna ordered the blue lamp."))
    for channel, session, text in (
        *messages,
        ("mail", "new", "The invoice was paid."),
        ("desk", "new", "The lamp comes on Monday."),
    ):
        sent = {"content": text, "role": "user", "channel": channel, "sessionKey": session}
        assert (await user.http.post("/api/mcp/log", json=sent)).status_code == 200
    summary = (await wake(user))["lastSessionSummary"]
    assert "lamp" in summary
    assert "printers" not in summary
    assert "invoice" not in summary


@pytest.mark.rule("7.1 reply: openGoals, recentDecisions, guardrails", "7.1 briefing 5", "7.1 briefing 7")
async def test_goals_decisions_and_guardrails(services: Services, user: TestUser) -> None:
    goal = await capture(user, title="Ship it", category="goal")
    plan = await capture(user, title="Call Ada", store="prospective", category="event")
    choice = await capture(user, title="Postgres it is", category="decision", store="semantic")
    weak = await capture(user, title="Test first", category="rule", strength=0.2)
    strong = await capture(user, title="Back up", category="lesson", strength=0.9)
    await capture(user, title="Just a fact", category="fact")
    reply = await wake(user)
    assert reply["openGoals"] == [
        {"title": "Call Ada", "memoryId": plan, "store": "prospective", "category": "event"},
        {"title": "Ship it", "memoryId": goal, "store": "episodic", "category": "goal"},
    ]
    assert [(row["title"], row["memoryId"]) for row in reply["recentDecisions"]] == [("Postgres it is", choice)]
    assert [row["memoryId"] for row in reply["guardrails"]] == [strong, weak]


@pytest.mark.rule("7.1 reply: openGoals, recentDecisions, guardrails")
@pytest.mark.parametrize(
    ("category", "field"), [("goal", "openGoals"), ("decision", "recentDecisions"), ("rule", "guardrails")]
)
async def test_five_of_each_are_the_most(user: TestUser, category: str, field: str) -> None:
    for _ in range(7):
        await capture(user, category=category)
    assert len((await wake(user))[field]) == 5


@pytest.mark.rule("7.1 briefing 7")
async def test_a_rule_whose_title_is_cut_is_briefed_whole(user: TestUser) -> None:
    rule = "Never push to main directly; open a pull request, and ask Priya to review it before it is merged."
    await capture(user, title=f"{rule[:60]}…", content=rule, category="rule")
    reply = await wake(user)
    assert f"- [rule] {rule}\n" in reply["briefing"]
    assert reply["guardrails"][0]["title"] == f"{rule[:60]}…"


async def test_archived_goals_are_left_out(user: TestUser) -> None:
    await post(user, "forget", {"memoryId": await capture(user, category="goal")})
    assert (await wake(user))["openGoals"] == []


@pytest.mark.rule("7.1 reply: lastCheckpoint", "7.1 last checkpoint")
@pytest.mark.parametrize(
    ("made", "fields", "label"),
    [
        ([None, "slack"], {}, "None"),
        (["slack", "discord"], {}, "discord"),
        (["slack", "peer-coach:7", "discord:group:1"], {}, "slack"),
        (["peer-coach:7"], {}, None),
        ([None, "slack"], {"channel": "slack"}, "slack"),
        ([None], {"channel": "slack"}, None),
        (["slack"], {"channel": "slack:alice"}, None),
        (["peer-coach:7"], {"channel": "peer-coach:7"}, "peer-coach:7"),
        (["peer-coach:7"], {"channel": "peer-coach:8"}, None),
        (["peer-coach:"], {"channel": "peer-coach:"}, None),
        ([None, "slack"], {"agentId": "peer-coach"}, None),
    ],
    ids=str,
)
async def test_the_last_checkpoint_is_of_the_channel(
    user: TestUser, made: list[str | None], fields: Json, label: str | None
) -> None:
    for channel in made:
        await post(user, "checkpoint", {"label": str(channel), "channel": channel, "description": "d"})
    last = (await wake(user, **fields))["lastCheckpoint"]
    assert (last and last["label"]) == label
    if last:
        assert last.keys() == {"id", "label", "description", "createdAt"}
        assert last["description"] == "d"


@pytest.mark.rule("7.1 last checkpoint")
async def test_the_newest_of_two_checkpoints_is_the_last(user: TestUser) -> None:
    for label in ("older", "newer"):
        await post(user, "checkpoint", {"label": label})
    assert (await wake(user))["lastCheckpoint"]["label"] == "newer"


@pytest.mark.rule("7.1 reply: profiles", "17.5 profile")
async def test_wake_tells_what_is_known_about_those_seen_last(services: Services, user: TestUser) -> None:
    await capture(user, content="Ana lives in Oslo.", channel="slack")
    await capture(user, content="Ben lives in Rome.", channel="discord")
    newest = await capture(user, content="Ana prefers short answers.", channel="slack")
    await done(services, user)
    reply = await wake(user, channel="slack")
    (ana,) = reply["profiles"]
    assert [(fact["attribute"], fact["value"]) for fact in ana["facts"]] == [
        ("preference", "short answers"),
        ("residence", "Oslo"),
    ]
    assert ana["facts"][0]["evidence"] == [newest]
    assert "Known facts:\n- Ana: preference short answers; residence Oslo\n" in reply["briefing"]
