"""Corrections of what was said before, and what only that makes clear, in one window and in the next turn (contract 11.6)."""

from datetime import UTC, datetime

import pytest

from memd.context import Services
from memd.extraction import service
from tests.memd.extraction.test_extraction import extracted, log, marks, nobody_waits, sweep, turn
from tests.support.jobs import context_of
from tests.support.service import TestUser
from tests.support.wire import post, send

__all__ = ["nobody_waits"]


@pytest.mark.rule("11.6 method", "11.6 row")
async def test_a_correction_puts_the_statement_before_it_right(user: TestUser, services: Services) -> None:
    messages = (
        ("user", "My flight to Oslo is LH 123."),
        ("assistant", "Noted: LH 123 to Oslo."),
        ("user", "Sorry, it's LH 132, not LH 123."),
    )
    ids = [
        await log(user, text, role=role, sessionKey="s1", timestamp=1_700_000_000_000 + at * 1_000)
        for at, (role, text) in enumerate(messages)
    ]
    await sweep(services)
    (row,) = await extracted(user)
    assert row["content"] == "The user's flight to Oslo is LH 132 (14 November 2023)."
    traced = await post(user, "trace", {"memoryId": row["id"]})
    assert {one["messageId"] for one in traced["sourceConversation"]} == {ids[0], ids[2]}
    found = await marks(services, user)
    assert [found[text][0] for _, text in messages] == [True, False, True]


@pytest.mark.rule("11.6 method")
async def test_a_correction_in_the_next_turn_supersedes_what_was_stated(user: TestUser, services: Services) -> None:
    context = await context_of(services, user)
    first = await turn(user, "t1", "The dentist is on 15 July 2031.")
    await service.extract_turn(context, "t1")
    second = await turn(user, "t2", "No, I meant 16 July 2031.")
    await turn(user, "t3", "No, I meant 17 July 2031.", sessionKey="s2")
    await turn(user, "t4", "No, I meant 18 July 2031.", channel="other")
    for turn_id in ("t2", "t3", "t4"):
        await service.extract_turn(context, turn_id)
    rows = {row["content"]: row["id"] for row in await extracted(user)}
    assert set(rows) == {"The dentist is on 16 July 2031."}
    traced = await post(user, "trace", {"memoryId": rows["The dentist is on 16 July 2031."]})
    assert {one["messageId"] for one in traced["sourceConversation"]} == {
        first["messages"][0]["id"],
        second["messages"][0]["id"],
    }


@pytest.mark.rule("11.6 method")
async def test_a_german_correction_in_the_next_turn_supersedes_what_was_stated(
    user: TestUser, services: Services
) -> None:
    context = await context_of(services, user)
    for turn_id, said in (("t1", "Mein Zahnarzttermin ist am 15. Juli 2031."), ("t2", "Nein, doch am 16. Juli 2031.")):
        await turn(user, turn_id, said)
        await service.extract_turn(context, turn_id)
    (row,) = await extracted(user)
    assert row["content"].endswith("): Mein Zahnarzttermin ist am 16. Juli 2031.")


@pytest.mark.rule("11.6 method")
async def test_a_pronoun_in_the_next_turn_is_the_one_who_was_mentioned_before(
    user: TestUser, services: Services
) -> None:
    context = await context_of(services, user)
    for turn_id, statement, key in (
        ("t1", "My brother Tom moved to Oslo in 2024.", {}),
        ("t2", "He works at Equinor since 2025.", {}),
        ("t3", "He lives in Bern since 2019.", {"sessionKey": "s2"}),
    ):
        await turn(user, turn_id, statement, **key)
        await service.extract_turn(context, turn_id)
    assert {row["content"].partition(" (")[0] for row in await extracted(user)} == {
        "The user's brother Tom moved to Oslo in 2024",
        "The user's brother Tom works at Equinor since 2025",
        "He lives in Bern since 2019",
    }


@pytest.mark.rule("11.6 method")
async def test_an_answer_in_the_next_turn_is_read_with_the_question(user: TestUser, services: Services) -> None:
    context = await context_of(services, user)
    await turn(user, "t1", "Hello!", assistantMessage="Hello! What is your time zone?")
    await turn(user, "t2", "Europe/Vienna.")
    for turn_id in ("t1", "t2"):
        await service.extract_turn(context, turn_id)
    (row,) = await extracted(user)
    assert row["content"].partition(" (")[0] == "The user's time zone is Europe/Vienna"


@pytest.mark.rule("11.6 method")
async def test_a_correction_of_a_correction_leaves_one_memory_and_the_others_alone(
    user: TestUser, services: Services
) -> None:
    context = await context_of(services, user)
    messages = (
        "The dentist is on 15 July 2031. My flight is LH 123.",
        "No, I meant 16 July 2031.",
        "Sorry, 17 July 2031.",
    )
    for number, text in enumerate(messages):
        await turn(user, f"t{number}", text)
        await service.extract_turn(context, f"t{number}")
    rows = [row["content"] for row in await extracted(user)]
    assert [row for row in rows if "dentist" in row] == ["The dentist is on 17 July 2031."]
    assert [row for row in rows if "LH 123" in row] != []
    history = await send(user, "GET", "/api/memories", includeEnded="true")
    assert {row["content"] for row in history["memories"]} >= set(rows)


@pytest.mark.rule("11.6 method")
async def test_a_correction_leaves_what_somebody_has_edited(user: TestUser, services: Services) -> None:
    context = await context_of(services, user)
    await turn(user, "t1", "The dentist is on 15 July 2031.")
    await service.extract_turn(context, "t1")
    (row,) = await extracted(user)
    await post(user, "update", {"memoryId": row["id"], "content": "The dentist is on 15 July 2031 at nine."})
    await turn(user, "t2", "No, I meant 16 July 2031.")
    await service.extract_turn(context, "t2")
    assert {row["content"] for row in await extracted(user)} == {
        "The dentist is on 15 July 2031 at nine.",
        "The dentist is on 16 July 2031.",
    }


async def test_a_correction_holds_from_when_it_was_said(user: TestUser, services: Services) -> None:
    context = await context_of(services, user)
    said_at = services.clock() - 30 * 86_400_000
    await turn(user, "t1", "The budget of the app is 80,000 euros.", timestamp=said_at)
    await service.extract_turn(context, "t1")
    await turn(user, "t2", "Actually it is 85,000 euros.", timestamp=said_at + 1_000)
    await service.extract_turn(context, "t2")
    (row,) = await extracted(user)
    assert "85,000" in row["content"]
    then = await post(user, "recall", {"query": "what is the budget of the app?", "validAt": said_at + 86_400_000})
    assert [found["id"] for found in then["memories"]] == [row["id"]]


@pytest.mark.rule("11.6 method")
async def test_what_is_said_anew_of_somebody_holds_from_the_month_it_names(user: TestUser, services: Services) -> None:
    context = await context_of(services, user)
    said_at = int(datetime(2026, 6, 10, 9, tzinfo=UTC).timestamp() * 1000)
    await turn(user, "t1", "My sister Rúna works at the harbour office.", timestamp=said_at)
    await service.extract_turn(context, "t1")
    (old,) = await extracted(user)
    await turn(
        user, "t2", "Actually, no: she works at the university clinic since October.", timestamp=said_at + 60_000
    )
    await service.extract_turn(context, "t2")
    (row,) = await extracted(user)
    assert row["content"] == "The user's sister Rúna works at the university clinic since October 2025."
    assert row["validFrom"] == int(datetime(2025, 10, 1, tzinfo=UTC).timestamp() * 1000)
    january = int(datetime(2026, 1, 15, tzinfo=UTC).timestamp() * 1000)
    then = await post(user, "recall", {"query": "where does Rúna work?", "validAt": january})
    assert [found["id"] for found in then["memories"]] == [row["id"]]
    assert old["id"] != row["id"]


@pytest.mark.parametrize(
    ("stated", "expected", "right"),
    [
        (
            "Tomasz owns the billing service.",
            "It's Lars who owns it, not Tomasz.",
            "Lars owns the billing service (10 June 2026).",
        ),
        (
            "My brother Jan lives in Brussels.",
            "No, he lives in Gent now.",
            "The user's brother Jan lives in Gent now (10 June 2026).",
        ),
        (
            "My colleague Mirjam works at Acme.",
            "Sorry, she's called Mirja, not Mirjam.",
            "The user's colleague Mirja works at Acme (10 June 2026).",
        ),
    ],
)
async def test_what_is_said_anew_supersedes_what_was_stated(
    user: TestUser, services: Services, stated: str, expected: str, right: str
) -> None:
    context = await context_of(services, user)
    at = int(datetime(2026, 6, 10, 9, tzinfo=UTC).timestamp() * 1000)
    for number, text in enumerate((stated, expected)):
        await turn(user, f"t{number}", text, timestamp=at + number * 60_000)
        await service.extract_turn(context, f"t{number}")
    (row,) = await extracted(user)
    assert row["content"] == right
    history = await send(user, "GET", "/api/memories", includeEnded="true")
    assert {one["content"] for one in history["memories"]} > {right}
