"""Questions about what is due, answered by dates (contract 11.2, due)."""

from datetime import UTC, datetime, timedelta

import pytest

from memd.context import Services
from tests.support.jobs import done
from tests.support.service import TestUser
from tests.support.wire import Json, capture, post

pytestmark = pytest.mark.rule("11.2 due")


def day(ahead: int) -> str:
    moment = datetime.now(UTC) + timedelta(days=ahead)
    return f"{moment.day} {moment:%B} {moment.year}"


async def to_do(user: TestUser) -> dict[str, str]:
    """Memories with the words of such questions, goals with a day and without, by what they are about."""
    stored: dict[str, Json] = {
        "tax": {"content": f"The user has to submit the tax return by {day(3)}.", "category": "goal"},
        "report": {"content": f"The report for Acme is due on {day(2)}."},
        "form": {
            "content": "Send the visa form",
            "store": "prospective",
            "validUntil": int((datetime.now(UTC) + timedelta(days=2)).timestamp() * 1000),
        },
        "party": {"content": "Plan the summer party", "category": "goal", "store": "prospective"},
        "marathon": {"content": f"The user wants to run a marathon on {day(400)}.", "category": "goal"},
        "past": {"content": f"Return the book on {day(-3)}.", "category": "goal"},
        "dishes": {"content": "The user still has to laugh about what they had to do this week.", "category": "event"},
        "yes": {"content": "Sure, I'll do that this week.", "category": "conversation"},
        "boat": {"content": "The boat is due for a new name, Anna says."},
    }
    return {await capture(user, title=name, **fields): name for name, fields in stored.items()}


async def recalled(user: TestUser, names: dict[str, str], query: str) -> list[str]:
    """The rows of an answer that are not weak, best first."""
    rows = (await post(user, "recall", {"query": query}))["memories"]
    return [names[row["id"]] for row in rows if "weak" not in row]


async def test_what_is_due_comes_before_what_shares_words(services: Services, user: TestUser) -> None:
    names = await to_do(user)
    await done(services, user)
    assert set((await recalled(user, names, "What is due?"))[:3]) == {"tax", "report", "form"}
    assert set(await recalled(user, names, "Which deadlines do I have in the next 5 days?")) == {
        "tax",
        "report",
        "form",
    }
    assert set((await recalled(user, names, "What do I still have to do?"))[:4]) == {"tax", "report", "form", "party"}


async def test_a_context_lists_what_is_due(services: Services, user: TestUser) -> None:
    names = await to_do(user)
    await done(services, user)
    await post(user, "log", {"content": "Sure, I'll do that this week.", "role": "user"})
    packed = await post(user, "context", {"query": "What is due in the next 5 days?", "tokenBudget": 400})
    assert {names.get(row["id"]) for row in packed["included"]} == {"tax", "report", "form"}


async def test_a_question_with_a_subject_is_answered_by_its_words(services: Services, user: TestUser) -> None:
    names = await to_do(user)
    await done(services, user)
    rows = (await post(user, "recall", {"query": "When is the report for Acme due?"}))["memories"]
    assert names[rows[0]["id"]] == "report"
    assert rows[0]["rankingSignals"]["wordScore"] > 0


async def test_as_of_a_past_moment(services: Services, user: TestUser) -> None:
    names = await to_do(user)
    await done(services, user)
    tomorrow = int((datetime.now(UTC) + timedelta(days=1)).timestamp() * 1000)
    rows = (await post(user, "recall", {"query": "What is due?", "validAt": tomorrow}))["memories"]
    assert {names[row["id"]] for row in rows if "weak" not in row} >= {"tax", "report", "form"}


async def test_a_memory_that_names_a_day_to_come_needs_no_category(user: TestUser) -> None:
    texts = (
        f"I have to submit the tax return by {day(3)}.",
        f"Plan: book the restaurant for Lena's birthday before {day(4)}",
        f"The kickoff was on {day(5)}.",
        f"We met in Rome on {day(-20)}.",
        "Bob drinks Assam tea in the morning.",
    )
    for text in texts:
        await capture(user, content=text)
    rows = (await post(user, "recall", {"query": "What is due?"}))["memories"]
    assert [row["content"] for row in rows if "weak" not in row] == list(texts[:2])


@pytest.mark.parametrize(
    ("questions", "expected"),
    [
        (("What do I have to do tomorrow?", "Was muss ich morgen machen?", "What is due tomorrow?"), "tomorrow"),
        (("What is due the day after tomorrow?", "Was ist übermorgen fällig?"), "later"),
        (("What do I have to do next week?", "Was muss ich nächste Woche erledigen?"), "week"),
    ],
)
async def test_both_languages_are_found_by_questions_in_either(
    user: TestUser, questions: tuple[str, ...], expected: str
) -> None:
    texts = {
        "tomorrow": ("Ich muss morgen die Steuererklärung abgeben.", "I have to call the plumber tomorrow."),
        "later": ("Ich muss übermorgen die Miete zahlen.", "I have to return the book the day after tomorrow."),
        "week": ("Ich muss nächste Woche zum Arzt.", "I have to visit Anna next week."),
    }
    names = {await capture(user, content=text): name for name, pair in texts.items() for text in pair}
    for question in questions:
        rows = (await post(user, "recall", {"query": question}))["memories"]
        found = [names[row["id"]] for row in rows if row["rankingSignals"].get("factScore")]
        assert found.count(expected) == 2, question


async def test_what_is_due_on_another_day_is_weak_however_near_its_meaning(user: TestUser) -> None:
    texts = {
        "asked": f"I have to submit the tax return by {day(1)}.",
        "later": f"I have to submit the visa form by {day(9)}.",
        "over": f"I have to submit the report by {day(-9)}.",
        "done": f"I submitted the grant application on {day(-1)}.",
        "undated": "I have to do something about the roof.",
    }
    names = {await capture(user, content=text, title="To do"): name for name, text in texts.items()}
    assert await recalled(user, names, "What is due tomorrow?") == ["asked"]
    rows = (await post(user, "recall", {"query": "What do I have to do tomorrow?"}))["memories"]
    evidence = {names[row["id"]]: row["rankingSignals"]["evidenceScore"] for row in rows}
    assert [evidence[name] for name in ("later", "over", "done")] == [0, 0, 0]
    assert evidence["asked"] > evidence["undated"] > 0
    assert {names[row["id"]] for row in rows if "weak" in row} >= {"later", "over", "done"}


@pytest.mark.parametrize(
    "text",
    [
        "The expense report goes to Acme by the end of the month.",
        "The expense report goes to Acme by the end of this month.",
        "Die Spesenabrechnung ist bis Ende des Monats einzureichen.",
        "Die Spesenabrechnung ist zum Monatsende einzureichen.",
    ],
)
async def test_the_end_of_a_month_is_a_day_of_it(services: Services, user: TestUser, text: str) -> None:
    names = await to_do(user) | {await capture(user, content=text): "end"}
    await done(services, user)
    assert "end" in await recalled(user, names, "What is due this month?")
    assert "end" not in await recalled(user, names, "What was due last month?")
