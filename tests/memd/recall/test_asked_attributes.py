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


MOVES = ("Ana Ruiz, our designer, lives in Lisbon.", "Ana Ruiz moved to Oslo in September 2025.")


async def first_of(services: Services, user: TestUser, query: str, *contents: str) -> Json:
    for content in contents:
        await capture(user, title="Note", content=content)
    return (await found(services, user, query))[0]


@pytest.mark.rule("11.2 fact")
async def test_a_first_name_is_the_only_full_name_that_begins_with_it(services: Services, user: TestUser) -> None:
    first = await first_of(services, user, "where does Ana live?", *MOVES, "Ben lives in Graz.")
    assert (first["content"], first["rankingSignals"]["factScore"]) == (MOVES[1], pytest.approx(0.4))
    first = await first_of(services, user, "where does Ana live?", "Ana lives in Porto.")
    assert first["content"] == "Ana lives in Porto."
    first = await first_of(services, user, "where does Ana Ruiz live?")
    assert first["content"] == "Ana lives in Porto."


@pytest.mark.rule("11.2 fact")
async def test_of_two_with_the_first_name_nobody_knows_who_is_meant(services: Services, user: TestUser) -> None:
    await first_of(services, user, "where does Ana live?", *MOVES, "Ana Kovac works at Acme.")
    rows = await found(services, user, "where does Ana live?")
    assert all("factScore" not in row["rankingSignals"] for row in rows)
    first = await first_of(services, user, "where does Ana Ruiz live?")
    assert (first["content"], first["rankingSignals"]["factScore"]) == (MOVES[1], pytest.approx(0.4))


@pytest.mark.rule("11.2 fact")
async def test_somebody_of_whom_only_a_hidden_memory_tells_changes_nothing(services: Services, user: TestUser) -> None:
    for content in MOVES:
        await capture(user, title="Note", content=content, channel="desk")
    await capture(user, title="Note", content="Ana Kovac works at Acme.", channel="slack:7")
    await done(services, user)
    (first, *_) = (await post(user, "recall", {"query": "where does Ana live?", "channel": "desk"}))["memories"]
    assert first["rankingSignals"]["factScore"] == pytest.approx(0.4)
    assert first["content"] == MOVES[1]


@pytest.mark.rule("11.2 fact")
async def test_what_was_left_is_no_answer_while_another_value_is_known(services: Services, user: TestUser) -> None:
    query = "where do I work?"
    contents = ("I work at Acme.", "I joined Globex in May 2025.", "I no longer work at Acme.")
    assert (await first_of(services, user, query, *contents))["content"] == contents[1]


@pytest.mark.rule("11.2 fact")
async def test_what_was_left_is_the_answer_where_nothing_else_is_known(services: Services, user: TestUser) -> None:
    contents = ("Cleo works at Acme.", "Cleo no longer works at Acme.")
    assert (await first_of(services, user, "where does Cleo work?", *contents))["content"] == contents[1]


@pytest.mark.rule("11.2 fact")
async def test_a_value_that_only_a_hidden_memory_states_changes_nothing(services: Services, user: TestUser) -> None:
    await capture(user, title="Note", content="Cleo no longer works at Acme.", channel="desk")
    await capture(user, title="Note", content="Cleo works at Bolt.", channel="slack:7")
    await done(services, user)
    (first, *_) = (await post(user, "recall", {"query": "where does Cleo work?", "channel": "desk"}))["memories"]
    assert first["rankingSignals"]["factScore"] == pytest.approx(0.4)


@pytest.mark.rule("11.2 fact")
@pytest.mark.parametrize(
    ("earlier", "later", "query"),
    [
        (
            "The chemistry exam is on 6 November 2026 in room C1.05.",
            "The chemistry exam has been moved to 13 November 2026, same room.",
            "When is the chemistry exam?",
        ),
        (
            "The refund limit is 150 dollars (20 October 2026).",
            "The refund limit is now 250 dollars (5 November 2026).",
            "What is the refund limit?",
        ),
        (
            "The user's day rate is 480 pounds (1 September 2026).",
            "The user raised their day rate to 520 pounds for new clients (19 October 2026).",
            "What is my day rate?",
        ),
    ],
)
async def test_the_value_that_replaced_another_one_comes_first(
    services: Services, user: TestUser, earlier: str, later: str, query: str
) -> None:
    for content in (earlier, later, *NEIGHBOURS):
        await capture(user, title=content, content=content)
    first, second, *_ = await found(services, user, query)
    assert [first["content"], second["content"]] == [later, earlier]


@pytest.mark.rule("11.2 fact")
async def test_a_question_for_an_earlier_value_does_not_lift_the_current_one(
    services: Services, user: TestUser
) -> None:
    earlier = "Ben works for a game studio called Moonfrog, he's a level designer."
    later = "User (24 November 2026): Ben hat eine Stelle bei Rabcat in Wien bekommen und fängt am 7. Januar an."
    for content in (earlier, later, *NEIGHBOURS[:1]):
        await capture(user, title=content, content=content)
    first, *_ = await found(services, user, "Where did Ben work before?")
    assert first["content"] == earlier
    first, *_ = await found(services, user, "Where does Ben work?")
    assert first["content"] == later


@pytest.mark.rule("11.2 fact")
@pytest.mark.parametrize(
    ("contents", "query", "answer"),
    [
        (
            ("My accountant is Peter Lindqvist.", "My accountant is now Grace Okoro."),
            "Who was my accountant before Grace?",
            0,
        ),
        (
            ("My accountant is Peter Lindqvist.", "Grace Okoro has been my accountant since January."),
            "Who was my previous accountant?",
            0,
        ),
        (
            ("I live in Leeds.", "I moved to Bristol in May 2025.", "I moved to Graz in March 2026."),
            "Where did I live before Graz?",
            1,
        ),
        (
            ("I live in Leeds.", "I moved to Bristol in May 2025.", "I moved to Graz in March 2026."),
            "Where did I live before Bristol?",
            0,
        ),
        (
            ("Mein Steuerberater ist Herr Brandt.", "Seit Januar ist Frau Yilmaz meine Steuerberaterin."),
            "Wer war vor Frau Yilmaz mein Steuerberater?",
            0,
        ),
        (
            ("Mein Steuerberater ist Herr Brandt.", "Seit Januar ist Frau Yilmaz meine Steuerberaterin."),
            "Wer ist mein Steuerberater?",
            1,
        ),
    ],
)
async def test_the_value_before_another_one_comes_first_where_it_is_asked_for(
    services: Services, user: TestUser, contents: tuple[str, ...], query: str, answer: int
) -> None:
    first = await first_of(services, user, query, *contents, *NEIGHBOURS[:1])
    assert first["content"] == contents[answer]


@pytest.mark.rule("11.2 fact")
@pytest.mark.parametrize(
    ("contents", "query", "answer"),
    [
        (
            (
                "My dentist appointment is on 3 December.",
                "New dentist appointment: 17 December at 9:30 with Dr. Amsel.",
            ),
            "When is my dentist appointment?",
            1,
        ),
        (
            (
                "Dentist appointment on 3 December at 10:00.",
                "The dentist appointment on 3 December is cancelled, the new one is on 17 December at 9:30.",
            ),
            "When is my dentist appointment?",
            1,
        ),
        (
            (
                "Der neue Zahnarzttermin ist am 15. Dezember um 8 Uhr.",
                "Der Zahnarzttermin am 2. Dezember ist abgesagt.",
            ),
            "Wann ist mein Zahnarzttermin?",
            0,
        ),
        (
            ("My dentist appointment is on 3 December.", "The user's dentist appointment is on 17 December 2026."),
            "When is my dentist appointment?",
            1,
        ),
    ],
)
async def test_a_cancelled_appointment_stays_below_the_one_that_takes_place(
    services: Services, user: TestUser, contents: tuple[str, ...], query: str, answer: int
) -> None:
    first = await first_of(services, user, query, *contents, "My dentist is on Mill Lane.")
    assert first["content"] == contents[answer]


PEOPLE = (
    "Ana lives in Lisbon.",
    "Ana reports to Carla.",
    "Ana is married to Tom.",
    "Ana's phone number is 0171 555 22.",
    "Ana works at Acme as a nurse.",
    "Ben lives with Ana in Lisbon.",
    "Ben reports to Ana.",
    "Ana and Tom got married on 5 June 2019.",
    "Ana bought a Pixel 9 phone in May.",
)


@pytest.mark.rule("11.2 fact")
@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("What does Ana do for a living?", "Ana works at Acme as a nurse."),
        ("Who lives with Ana?", "Ben lives with Ana in Lisbon."),
        ("Who reports to Ana?", "Ben reports to Ana."),
        ("When did Ana get married?", "Ana and Tom got married on 5 June 2019."),
        ("Which phone does Ana have?", "Ana bought a Pixel 9 phone in May."),
        ("Where does Ana live?", "Ana lives in Lisbon."),
        ("Who does Ana report to?", "Ana reports to Carla."),
        ("Who is Ana married to?", "Ana is married to Tom."),
        ("Ana phone", "Ana's phone number is 0171 555 22."),
    ],
)
async def test_the_word_of_an_attribute_may_ask_for_something_else(
    services: Services, user: TestUser, query: str, answer: str
) -> None:
    """What states the attribute is lifted only where the question asks for it."""
    assert (await first_of(services, user, query, *PEOPLE))["content"] == answer


@pytest.mark.rule("11.2 fact")
@pytest.mark.parametrize(
    ("said", "corrected", "query"),
    [
        ("Ana lives in Porto.", "Correction: Ana lives in Braga.", "where does Ana live?"),
        ("The API limit is 100 requests.", "Correction: the API limit is 300 requests.", "What is the API limit?"),
    ],
)
async def test_a_correction_states_what_follows_it(
    services: Services, user: TestUser, said: str, corrected: str, query: str
) -> None:
    assert (await first_of(services, user, query, said, corrected))["content"] == corrected
