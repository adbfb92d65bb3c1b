"""Questions for an attribute of somebody, over HTTP (contract 11.2, fact)."""

import pytest

from memd.context import Services
from tests.support.jobs import done
from tests.support.service import TestUser
from tests.support.wire import Json, capture, post

NEIGHBOURS = (
    "Ana Ruiz lives in Lisbon.",
    "Ben lives in Graz.",
    "Ana Ruiz moved to Oslo in September 2025.",
    "Ana Ruiz works at Acme.",
    "Ben works at Bolt.",
    "Ben speaks two languages: Danish and Dutch.",
)


async def found(services: Services, user: TestUser, query: str) -> list[Json]:
    await done(services, user)
    return (await post(user, "recall", {"query": query}))["memories"]


@pytest.mark.rule("11.2 fact")
@pytest.mark.parametrize(
    ("answer", "query"),
    [
        ("I moved to Vienna on 1 April 2025.", "where do I live?"),
        ("I joined Globex in May 2025.", "where do I work?"),
        ("I have relocated to Vienna.", "Where am I based now?"),
        ("I speak Danish.", "Which languages do I speak?"),
        ("Cleo Ruiz moved to Rome.", "where does Cleo Ruiz live?"),
    ],
)
async def test_what_states_it_of_others_comes_after_the_answer(
    services: Services, user: TestUser, answer: str, query: str
) -> None:
    for content in (*NEIGHBOURS[:3], answer, *NEIGHBOURS[3:]):
        await capture(user, title=content, content=content)
    first, second, *_ = await found(services, user, query)
    assert first["content"] == answer
    assert first["rankingSignals"]["wordScore"] == 1
    assert first["score"] > second["score"]


@pytest.mark.rule("11.2 fact")
async def test_a_question_that_asks_for_more_is_answered_by_words(services: Services, user: TestUser) -> None:
    """Any of the things that the team uses may be the database that is asked for."""
    for content in ("The team uses Slack.", "The team uses Postgres as its database."):
        await capture(user, title=content, content=content)
    first, second = await found(services, user, "Which database does the team use?")
    assert first["content"] == "The team uses Postgres as its database."
    assert first["rankingSignals"]["wordScore"] > second["rankingSignals"]["wordScore"]
