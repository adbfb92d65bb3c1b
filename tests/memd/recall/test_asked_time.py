"""Questions that name a past time and nothing else are answered by what was stored in that time (contract 11.2, fact)."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.support.service import TestUser
from tests.support.wire import capture, post

pytestmark = pytest.mark.rule("11.2 fact")


def ago(days: int) -> int:
    return int((datetime.now(UTC) - timedelta(days=days)).timestamp() * 1000)


async def found(user: TestUser, query: str, **fields: object) -> list[str]:
    """The titles of what an answer has that is not weak."""
    rows = (await post(user, "recall", {"query": query} | fields))["memories"]
    return [row["title"] for row in rows if "weak" not in row]


async def test_what_happened_on_a_day_is_what_was_stored_on_it(user: TestUser) -> None:
    await capture(user, title="fair", content="The book fair opened its doors.", category="event", createdAt=ago(1))
    await capture(user, title="broker", content="We chose NATS.", category="decision", createdAt=ago(1))
    await capture(user, title="cat", content="The cat has a new basket.", category="fact", createdAt=ago(40))
    await capture(user, title="words", content="It happened the day before the wedding.", createdAt=ago(90))
    assert set(await found(user, "What happened yesterday?")) == {"fair", "broker"}
    assert await found(user, "What did we decide yesterday?") == ["broker"]
    assert await found(user, "What happened 40 days ago?") == ["cat"]
    assert "askedPast" not in (await post(user, "recall", {"query": "What happened last month?"}))["retrieval"]


async def test_a_question_with_a_subject_still_asks_for_it(user: TestUser) -> None:
    await capture(user, title="fair", content="The book fair opened its doors.", createdAt=ago(1))
    await capture(user, title="cat", content="The cat has a new basket.", createdAt=ago(40))
    assert await found(user, "What happened to the cat's basket yesterday?") == ["cat"]
