"""Statements of users about their projects and their own past, with several verbs or in another order (contract 11.6)."""

import pytest

from memd.domain.types import Category
from tests.domain.extraction.test_user_statements import read

DAY = " (18 November 2026)."
STATED = (
    ("The repo uses pnpm, not npm.", f"The repo uses pnpm, not npm{DAY}"),
    ("Our backend is written in Go.", f"The user's backend is written in Go{DAY}"),
    ("The docs are generated with zensical.", f"The docs are generated with zensical{DAY}"),
    ("The staging server runs on my laptop.", f"The staging server runs on the user's laptop{DAY}"),
    ("The app always talks to redis over a socket.", f"The app always talks to redis over a socket{DAY}"),
    ("I grew up in Szeged but moved to Vienna when I was ten.", f"The user grew up in Szeged but moved to Vienna when they were ten{DAY}"),
    ("I'm based in Leipzig and work remotely for Acme.", f"The user is based in Leipzig and works remotely for Acme{DAY}"),
    ("I am based in Leipzig and work for Acme.", f"The user is based in Leipzig and works for Acme{DAY}"),
    ("I'm allergic to bees and carry an EpiPen.", f"The user is allergic to bees and carries an EpiPen{DAY}"),
    ("I'm married and have two kids.", f"The user is married and has two kids{DAY}"),
    ("I studied physics in Bern and work as a baker now.", f"The user studied physics in Bern and works as a baker now{DAY}"),
    ("I live in Graz and commute to Vienna.", f"The user lives in Graz and commutes to Vienna{DAY}"),
    ("I love food and travel in Asia.", f"The user loves food and travel in Asia{DAY}"),
    ("I'm into music and dance.", f"The user is into music and dance{DAY}"),
    ("I'm planning to move to Oslo and work for Equinor.", f"The user is planning to move to Oslo and work for Equinor{DAY}"),
    ("Let's go with Redis.", f"The user decided to go with Redis{DAY}"),
    ("OK, let's pick Tailwind then.", f"The user decided to pick Tailwind{DAY}"),
    ("Let us stick with Python 3.12.", f"The user decided to stick with Python 3.12{DAY}"),
    ("I changed my mind, let's use SQLite.", f"The user changed their mind and decided to use SQLite{DAY}"),
    ("OK, FastAPI it is.", f"The user decided on FastAPI{DAY}"),
    ("It's Peter who runs the newsletter.", f"Peter runs the newsletter{DAY}"),
    ("It's Redis that runs the queue.", f"Redis runs the queue{DAY}"),
    ("It's my son who is allergic to nuts.", f"The user's son is allergic to nuts{DAY}"),
    ("It's Lars who owns the billing service, not Tomasz.", f"Lars owns the billing service, not Tomasz{DAY}"),
)  # fmt: skip
LEFT = (
    "The app uses too much memory.",
    "The app runs out of memory.",
    "The client uses it.",
    "The API returns a list of rows.",
    "Let's use it.",
    "Let's go with the second option.",
    "Let's keep it simple.",
    "Let's take a break.",
    "It's Friday that matters.",
    "It's you who runs the newsletter.",
    "Call me back tomorrow.",
    "Call me when you are done.",
)


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize(("sentence", "content"), STATED)
def test_what_is_stated_is_kept_in_the_third_person(sentence: str, content: str) -> None:
    assert [one.content for one in read(sentence)] == [content]


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize("sentence", LEFT)
def test_trouble_and_remarks_are_left(sentence: str) -> None:
    assert read(sentence) == []


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize(
    "sentence",
    [
        "Call me Tini.",
        "You can call me Tini Weber.",
        "Just call me Tini please.",
        "You can call me Tini, nobody calls me Martina.",
    ],
)
def test_how_somebody_is_called_is_a_rule(sentence: str) -> None:
    (found,) = read(sentence)
    assert found.category is Category.RULE
    assert "call the user Tini" in found.content or "Call the user Tini" in found.content
