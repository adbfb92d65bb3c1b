"""A user with a name who talks to a program: what users say is kept as without a name, in words with the name."""

from collections.abc import Sequence
from datetime import UTC, datetime
from uuid import uuid4

import pytest

from memd.domain.extraction.conversation_windows import ConversationWindow, SourceMessage
from memd.domain.extraction.extract import extract
from memd.domain.extraction.extracted_memory import ExtractedMemory
from memd.domain.types import Category, MessageRole
from tests.domain.extraction.test_user_statements import KEPT, LEFT

WEDNESDAY = int(datetime(2026, 11, 25, 9, tzinfo=UTC).timestamp() * 1000)
DAY = " (25 November 2026)."
USER, ASSISTANT = MessageRole.USER, MessageRole.ASSISTANT

STATED = (
    ("My manager is Paul", f"Lena's manager is Paul{DAY}"),
    ("The budget was cut to 290,000 euros.", f"The budget was cut to 290,000 euros{DAY}"),
    (
        "I don't drink coffee any more, only green tea.",
        f"Lena doesn't drink coffee any more, only green tea{DAY}",
    ),
    ("The deadline is 10 December", "The deadline is 10 December 2026."),
    ("I now work at Bar", f"Lena now works at Bar{DAY}"),
    ("I have two kids, Mia (7) and Jonas (4)", f"Lena has two kids, Mia (7) and Jonas (4){DAY}"),
    ("We have stand-up at 9:15 every day.", f"Lena has stand-up at 9:15 every day{DAY}"),
    ("The new address is Karl-Heine-Straße 41.", f"The new address is Karl-Heine-Straße 41{DAY}"),
    (
        "My dentist Dr. Wolff says I grind my teeth at night.",
        f"Lena's dentist Dr. Wolff says Lena grinds their teeth at night{DAY}",
    ),
    (
        "Idris left the company; my new manager is Sofia Lindqvist.",
        f"Idris left the company; Lena's new manager is Sofia Lindqvist{DAY}",
    ),
    (
        "Staging runs at staging.beluga.internal on port 8443.",
        f"Staging runs at staging.beluga.internal on port 8443{DAY}",
    ),
    ("The on-call phone is 0151 5550199.", f"The on-call phone is 0151 5550199{DAY}"),
    ("Priya prefers bug reports with a screen recording.", f"Priya prefers bug reports with a screen recording{DAY}"),
    ("The weekly meeting moved to Thursdays at 9.", f"The weekly meeting moved to Thursdays at 9{DAY}"),
    ("Our goal for Q1 is 50 clinics live.", f"Lena's goal for Q1 is 50 clinics live{DAY}"),
    (
        "Hi! First time here. I'm Lena, I live in Hamburg and I like tea.",
        f"Lena lives in Hamburg and they like tea{DAY}",
    ),
    ("First time here, my name is Lena and I live in Hamburg.", f"Lena lives in Hamburg{DAY}"),
    ("I'm Lena, a nurse from Kiel.", f"Lena is a nurse from Kiel{DAY}"),
    ("I'm Lena from Kiel.", f"Lena is from Kiel{DAY}"),
    (
        "Tomas thinks I should have asked for more money, but I'm happy with 78,000",
        f"Tomas thinks Lena should have asked for more money, but Lena is happy with 78,000{DAY}",
    ),
    (
        "Priya joined us as QA lead on Monday, she reports to me.",
        "Priya joined Lena's team as QA lead on 23 November 2026, she reports to Lena.",
    ),
    ("Write an email to my boss, I work at Bar now.", f"Lena works at Bar now{DAY}"),
)
CHANGES = (
    "Tomas found a job at the university library there, he starts in July.",
    "Katrin had to postpone the wedding, it's now on 10 October.",
    "Legal says we can't call it Orca, so the project is now called Beluga.",
    "Yusuf left on Friday; Amara Diallo takes over the design.",
    "Priya joined us as QA lead on Monday, she reports to me.",
    "I lead the Orca project at Nordlicht Health and I'm responsible for the clinics.",
    "Jonas is leaving the team at the end of the year.",
    "Mia and Ben got engaged.",
    "Amara was promoted to head of design.",
    "Oma Greta can't eat nuts.",
    "Sofia Lindqvist is on parental leave until March.",
    "Our landlord said we have to move out by June.",
    "Ahmed bought a new house in Linz.",
)
NO_CHANGES = (
    "Python returns None there.",
    "You left out the second part.",
    "Claude left out the second part.",
    "Tomas says hi.",
    "Please write that Tomas left the company.",
    "Suppose Tomas left the company.",
    "She never wants carnations there, she hates them.",
    "Haha my cat just walked over the keyboard, asdfghjkl",
    "asdfghjkl my cat is back",
    "I'm Lena.",
    "Hi, this is Lena!",
)


def window(texts: Sequence[str], name: str | None = "Lena", program: str | None = None) -> ConversationWindow:
    """Messages of a user, each with an answer."""
    rows: list[SourceMessage] = []
    for text in texts:
        at = WEDNESDAY + len(rows) * 20_000
        rows.append(SourceMessage(uuid4(), USER, text, at, WEDNESDAY, name))
        rows.append(SourceMessage(uuid4(), ASSISTANT, "All right, noted.", at + 10_000, WEDNESDAY, program))
    return ConversationWindow(None, None, tuple(rows))


def read(*texts: str, name: str | None = "Lena", program: str | None = None) -> list[ExtractedMemory]:
    return extract(window(texts, name, program))


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize(("sentence", "content"), STATED)
def test_the_words_are_those_of_a_statement_about_the_named_user(sentence: str, content: str) -> None:
    assert [one.content for one in read(sentence)] == [content]


@pytest.mark.parametrize("sentence", KEPT)
def test_a_name_loses_none_of_what_is_kept_without_one(sentence: str) -> None:
    (named,), (nameless,) = read(sentence, name="Wilma"), read(sentence, name=None)
    assert named.content.replace("Wilma", "The user") == nameless.content.replace("the user", "The user")
    assert "wilma" in named.tags
    assert named.category is nameless.category


@pytest.mark.parametrize("sentence", LEFT)
def test_requests_trouble_and_remarks_are_left_with_a_name_too(sentence: str) -> None:
    assert read(sentence) == []


@pytest.mark.parametrize("name", ["Lena", None])
@pytest.mark.parametrize("sentence", CHANGES)
def test_changes_of_named_others_are_facts(sentence: str, name: str | None) -> None:
    assert len(read(sentence, name=name)) == 1


@pytest.mark.parametrize("name", ["Lena", None])
@pytest.mark.parametrize("sentence", NO_CHANGES)
def test_what_only_looks_like_a_change_is_left(sentence: str, name: str | None) -> None:
    kept = [one.content for one in read(sentence, name=name)]
    assert kept == ([f"The user is Lena{DAY}"] if sentence == "I'm Lena." and name is None else [])


def test_an_opinion_of_somebody_else_is_no_lesson() -> None:
    (found,) = read("Tomas thinks I should have asked for more money, but I'm happy with 78,000")
    assert found.category is Category.FACT


def test_what_both_ways_of_reading_find_is_one_memory() -> None:
    text = "I moved to Graz last month with my two daughters, and my sister works at a bakery there."
    assert len(read(text)) == 1


def test_a_pronoun_after_a_kept_statement_is_its_detail() -> None:
    (found,) = read("My grandma Elfriede is buried in Bremen. She never wants carnations there, she hates them.")
    assert found.content == (
        f"Lena's grandma Elfriede is buried in Bremen. She never wants carnations there, she hates them{DAY}"
    )


def test_where_the_other_side_has_a_name_people_talk() -> None:
    assert read("The budget was cut to 290,000 euros.", program="Tom") == []
    (found,) = read("I moved to Graz last month.", program="Tom")
    assert found.content.startswith("Lena moved to Graz")


@pytest.mark.rule("11.6 output")
@pytest.mark.parametrize("name", ["Lena", None])
def test_a_window_gives_six_memories_at_most(name: str | None) -> None:
    facts = ["I was born in Kiel. I speak Danish. My car is a Skoda. I have a dog, Rex." for _ in range(5)]
    assert len(read(*facts, name=name)) == 6
