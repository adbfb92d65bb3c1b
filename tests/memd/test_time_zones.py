"""Relative days are those of the zone that the memd of a user is set to: written, asked for and shown (contract 11.7)."""

import pytest

from memd.context import Services
from memd.domain.ids import decode, encode
from memd.extraction import service
from memd.lifecycle.consolidate import consolidate_and_promote
from memd.messages import text_reindexing
from memd.reflection.service import reflect
from tests.memd.extraction.test_extraction import extracted, log, turn
from tests.memd.lifecycle.rows import active, aged
from tests.support.dict_rows import dict_rows
from tests.support.jobs import context_of, later
from tests.support.service import TestUser
from tests.support.talk import embed
from tests.support.wire import capture, memory, post
from tests.support.zones import living_in, moment

pytestmark = pytest.mark.rule("11.7 time zone")
SAN_FRANCISCO, KIRITIMATI, KATHMANDU, SAMOA = (
    "America/Los_Angeles",
    "Pacific/Kiritimati",
    "Asia/Kathmandu",
    "Pacific/Pago_Pago",
)


async def told(there: Services, user: TestUser, *texts: str) -> list[str]:
    """What is remembered of turns of one session."""
    context = await context_of(there, user)
    for number, text in enumerate(texts):
        await turn(user, f"t{number}", text)
        await service.extract_turn(context, f"t{number}")
    return [row["content"] for row in await extracted(user)]


@pytest.mark.parametrize(
    ("zone", "clock", "tomorrow"),
    [
        (SAN_FRANCISCO, "2026-11-27T18:00", "28 November 2026"),
        (SAMOA, "2026-11-27T14:00", "28 November 2026"),
        (KIRITIMATI, "2026-11-28T08:00", "29 November 2026"),
        (KATHMANDU, "2026-11-28T05:30", "29 November 2026"),
        ("UTC", "2026-11-27T23:30", "28 November 2026"),
    ],
)
async def test_tomorrow_is_the_next_day_there(services: Services, zone: str, clock: str, tomorrow: str) -> None:
    async with living_in(services, zone, clock) as (there, user):
        assert await told(there, user, "My dentist appointment is tomorrow at 9.") == [
            f"The user's dentist appointment is on {tomorrow} at 9."
        ]


async def test_a_message_that_arrives_later_is_read_by_the_day_on_which_it_was_said(services: Services) -> None:
    async with living_in(services, SAN_FRANCISCO, "2026-11-27T18:00") as (there, user):
        said = moment(SAN_FRANCISCO, "2026-07-01T23:00")
        await log(user, "My sister moved to Oslo yesterday.", timestamp=said)
        await service.extract_waiting(await context_of(later(there, minutes=3), user))
        assert [row["content"] for row in await extracted(user)] == ["The user's sister moved to Oslo on 30 June 2026."]


@pytest.mark.parametrize(
    ("zone", "clock", "day"),
    [(SAN_FRANCISCO, "2026-11-27T18:00", "29 November 2026"), (KIRITIMATI, "2026-11-28T08:00", "30 November 2026")],
)
async def test_a_correction_is_read_by_the_days_there(services: Services, zone: str, clock: str, day: str) -> None:
    async with living_in(services, zone, clock) as (there, user):
        said = "My dentist appointment is tomorrow at 9.", "Sorry, I meant the day after tomorrow."
        assert await told(there, user, *said) == [f"The user's dentist appointment is on {day} at 9."]


async def test_what_a_correction_replaces_ends_at_the_midnight_there_that_it_names(services: Services) -> None:
    async with living_in(services, SAN_FRANCISCO, "2026-11-27T18:00") as (there, user):
        said = "My sister works at Acme.", "Sorry, she works at Globex since yesterday."
        assert await told(there, user, *said) == ["The user's sister works at Globex since 26 November 2026."]
        async with there.database.read(user.id) as session:
            rows = await dict_rows(session, "SELECT valid_until FROM memory WHERE archived")
        assert [row["valid_until"] for row in rows] == [moment(SAN_FRANCISCO, "2026-11-26")]


async def test_words_that_are_kept_as_they_were_said_are_headed_by_the_day_there(services: Services) -> None:
    async with living_in(services, SAN_FRANCISCO, "2026-11-27T18:00") as (there, user):
        german = "Ich habe morgen einen Termin beim Zahnarzt."
        assert await told(there, user, german) == [f"User (27 November 2026): {german}"]


@pytest.mark.parametrize(
    ("zone", "clock", "text", "end"),
    [
        (SAN_FRANCISCO, "2026-11-27T18:00", "The office is closed until tomorrow.", "2026-11-29T00:00"),
        (SAN_FRANCISCO, "2026-10-31T18:00", "The office is closed until tomorrow.", "2026-11-02T00:00"),
        (KIRITIMATI, "2026-11-28T08:00", "The office is closed until tomorrow.", "2026-11-30T00:00"),
        (KATHMANDU, "2026-11-28T05:30", "Das Büro bleibt bis 3. Dezember 2026 geschlossen.", "2026-12-04T00:00"),
    ],
)
async def test_a_period_ends_at_midnight_there(services: Services, zone: str, clock: str, text: str, end: str) -> None:
    async with living_in(services, zone, clock) as (_, user):
        kept = await capture(user, title="office", content="The office is open.", channel="cli")
        stored = await capture(user, title="closed", content=text)
        assert (await memory(user, stored))["validUntil"] == moment(zone, end)
        await post(user, "update", {"memoryId": kept, "content": text})
        assert (await memory(user, kept))["validUntil"] == moment(zone, end)


async def test_a_successor_begins_at_the_midnight_there_that_it_names(services: Services) -> None:
    async with living_in(services, SAN_FRANCISCO, "2026-11-27T18:00") as (_, user):
        old = await capture(user, title="home", content="Ana lives in Rome.")
        body = {"oldMemoryId": old, "title": "home", "content": "Ana lives in Oslo since yesterday."}
        new = (await post(user, "supersede", body))["id"]
        assert (await memory(user, new))["validFrom"] == moment(SAN_FRANCISCO, "2026-11-26T00:00")


async def hint(user: TestUser, query: str) -> tuple[int, int]:
    """The period that a query names, as recall and the search of messages say."""
    found = [(await post(user, path, {"query": query}))["temporalHint"] for path in ("recall", "search-messages")]
    assert found[0] == found[1]
    return found[0]["fromMs"], found[0]["toMs"]


@pytest.mark.parametrize(
    ("zone", "clock", "query", "first", "after"),
    [
        (SAN_FRANCISCO, "2026-11-27T18:00", "what did I say yesterday?", "2026-11-26", "2026-11-27"),
        (KIRITIMATI, "2026-11-28T08:00", "what did I say yesterday?", "2026-11-27", "2026-11-28"),
        (KATHMANDU, "2026-11-28T05:30", "what did I say last Friday?", "2026-11-27", "2026-11-28"),
        (SAN_FRANCISCO, "2026-11-02T12:00", "what did I say yesterday?", "2026-11-01", "2026-11-02"),
        (SAN_FRANCISCO, "2026-03-09T12:00", "what did I say yesterday?", "2026-03-08", "2026-03-09"),
        (SAN_FRANCISCO, "2026-10-31T18:00", "what did we say last month?", "2026-09-01", "2026-10-01"),
        (KIRITIMATI, "2026-11-01T08:00", "what did we say last month?", "2026-10-01", "2026-11-01"),
    ],
)
async def test_a_question_names_the_days_there(
    services: Services, zone: str, clock: str, query: str, first: str, after: str
) -> None:
    async with living_in(services, zone, clock) as (_, user):
        await log(user, "Hello.")
        assert await hint(user, query) == (moment(zone, first), moment(zone, after) - 1)


async def test_the_messages_of_yesterday_there_come_first(services: Services) -> None:
    async with living_in(services, SAN_FRANCISCO, "2026-11-27T18:00") as (there, user):
        for clock, text in (
            ("2026-11-25T17:00", "We talked about sailing."),
            ("2026-11-26T00:10", "We talked about the boiler."),
            ("2026-11-26T23:50", "We talked about valves."),
            ("2026-11-27T00:10", "We talked about skating."),
        ):
            await log(user, text, timestamp=moment(SAN_FRANCISCO, clock), sessionKey=clock)
        await embed(there, user)
        rows = (await post(user, "search-messages", {"query": "what did we talk about yesterday?"}))["messages"]
        assert {row["content"] for row in rows[:2]} == {"We talked about the boiler.", "We talked about valves."}


async def relevant(user: TestUser, query: str) -> set[str]:
    rows = (await post(user, "recall", {"query": query}))["memories"]
    return {row["title"] for row in rows if "weak" not in row}


async def test_what_was_stored_on_a_day_there_answers_a_question_about_it(services: Services) -> None:
    async with living_in(services, SAN_FRANCISCO, "2026-11-27T18:00") as (_, user):
        for title, clock in (("before", "2026-11-25T23:50"), ("fair", "2026-11-26T23:50"), ("now", "2026-11-27T00:10")):
            created = moment(SAN_FRANCISCO, clock)
            await capture(user, title=title, content=f"The {title} opened its doors.", createdAt=created)
        assert await relevant(user, "What happened yesterday?") == {"fair"}


@pytest.mark.parametrize(
    ("zone", "clock"),
    [(SAN_FRANCISCO, "2026-11-27T18:00"), (KIRITIMATI, "2026-11-27T08:00"), (SAMOA, "2026-11-27T20:00")],
)
async def test_what_is_due_tomorrow_there(services: Services, zone: str, clock: str) -> None:
    async with living_in(services, zone, clock) as (_, user):
        for title, text in (("today", "today"), ("tax", "tomorrow"), ("later", "29 November")):
            await capture(user, title=title, content=f"Pay the {title} bill by {text}.", category="goal")
        until = moment(zone, "2026-11-29")
        await capture(user, title="report", content="Submit the report.", category="goal", validUntil=until)
        assert await relevant(user, "What is due tomorrow?") == {"tax", "report"}


@pytest.mark.parametrize("zone", [SAN_FRANCISCO, KIRITIMATI, KATHMANDU, "UTC"])
async def test_a_goal_whose_end_is_a_date_of_the_request_is_due_on_that_date(services: Services, zone: str) -> None:
    async with living_in(services, zone, "2026-11-27T12:00") as (_, user):
        await capture(user, title="report", content="Submit the report.", category="goal", validUntil="2026-12-04")
        days = ("3 December", "4 December", "5 December")
        assert [await relevant(user, f"What is due on {day}?") for day in days] == [set(), {"report"}, set()]
        assert "Submit the report. (until 2026-12-04)" in (await post(user, "wake", {}))["briefing"]


async def test_a_past_month_is_one_that_is_over_there(services: Services) -> None:
    async with living_in(services, SAN_FRANCISCO, "2026-10-31T18:00") as (_, user):
        await capture(user, title="home", content="Ana lives in Rome.")
        asked = await post(user, "recall", {"query": "Where did Ana live last month?"})
        assert asked["retrieval"]["askedPast"]["name"] == "September 2026"


async def test_a_briefing_shows_days_and_times_of_there(services: Services) -> None:
    async with living_in(services, SAN_FRANCISCO, "2026-11-27T18:00") as (_, user):
        await log(user, "Good evening.", timestamp=moment(SAN_FRANCISCO, "2026-11-26T23:50"))
        await log(user, "Good morning.", timestamp=moment(SAN_FRANCISCO, "2026-11-27T08:15"))
        until = moment(SAN_FRANCISCO, "2026-12-05")
        await capture(user, title="Report", content="Submit the report.", category="goal", validUntil=until)
        briefing = (await post(user, "wake", {}))["briefing"]
        talk = "2026-11-26:\n[23:50] user: Good evening.\n2026-11-27:\n[08:15] user: Good morning."
        assert f"Recent talk (America/Los_Angeles):\n{talk}" in briefing
        assert "Submit the report. (until 2026-12-04)" in briefing


async def test_goals_of_a_briefing_are_due_by_the_days_there(services: Services) -> None:
    async with living_in(services, KIRITIMATI, "2026-11-28T08:00") as (_, user):
        for title, day in (("over", "27 November 2026"), ("second", "29 November 2026"), ("first", "today")):
            await capture(user, title=title, content=f"Pay the {title} bill by {day}.", category="goal")
        assert [row["title"] for row in (await post(user, "wake", {}))["openGoals"]] == ["first", "second", "over"]


async def test_a_context_is_dated_by_the_days_there(services: Services) -> None:
    async with living_in(services, SAN_FRANCISCO, "2026-11-27T18:00") as (_, user):
        await capture(user, title="boiler", content="The boiler of the user is a Vaillant.")
        await log(user, "The boiler makes a noise.")
        text = (await post(user, "context", {"query": "the boiler", "tokenBudget": 300}))["text"]
        assert text.count("- 2026-11-27 ") == 2
        assert "2026-11-28" not in text


async def test_a_reflection_is_titled_with_the_day_there(services: Services) -> None:
    async with living_in(services, SAN_FRANCISCO, "2026-11-27T18:00") as (there, user):
        for number in range(3):
            text = f"We decided to move service {number} to Postgres."
            await capture(user, title=f"service {number}", content=text, store="episodic", category="decision")
        made = await reflect(await context_of(there, user), 24)
        titles = [(await memory(user, encode("mem", one)))["title"] for one in made.memory_ids]
        assert any(title.startswith("Reflection summary: 2026-11-27") for title in titles)


async def test_impressions_are_consolidated_with_the_days_there(services: Services) -> None:
    async with living_in(services, SAN_FRANCISCO, "2026-11-27T18:00") as (there, user):
        for _ in range(2):
            await aged(there, user, days=2, store="sensory", category="conversation")
        assert await consolidate_and_promote(await context_of(there, user))
        (event,) = (row for row in (await active(user)).values() if row["store"] == "episodic")
        assert event["content"].startswith("2 similar memories, 25 November 2026:")


async def test_a_message_is_found_by_its_day_there(services: Services) -> None:
    async with living_in(services, SAN_FRANCISCO, "2026-11-27T18:00") as (there, user):
        message = decode("msg", await log(user, "Good evening."))

        async def lexemes() -> str:
            async with there.database.read(user.id) as session:
                rows = await dict_rows(
                    session, "SELECT tsv::text AS tsv FROM message_index WHERE message_id = %(id)s", {"id": message}
                )
            return rows[0]["tsv"]

        indexed = await lexemes()
        assert "'27'" in indexed
        assert "'28'" not in indexed
        async with there.database.write(user.id) as session:
            await session.execute("UPDATE message_index SET index_version = 0, tsv = ''", {})
        assert await text_reindexing.reindex(await context_of(there, user)) == 1
        assert await lexemes() == indexed
