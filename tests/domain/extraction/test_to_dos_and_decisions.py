"""What users note as still to be done, or as decided, in the words of people at work (contract 11.6)."""

import pytest

from memd.domain.types import Category
from tests.domain.extraction.test_user_statements import read

DAY = " (18 November 2026)."
OPEN = (
    ("TODO: rotate the webhook secret before Friday.", "TODO: rotate the webhook secret before 20 November 2026."),
    (
        "TODO: before Friday we must rotate the webhook secret. Remind me.",
        "TODO: before 20 November 2026 the user must rotate the webhook secret.",
    ),
    ("todo: add retries to the http client", f"Todo: add retries to the http client{DAY}"),
    ("To do: call the bank.", f"To do: call the bank{DAY}"),
    ("Next step: add retries to the client.", f"Next step: add retries to the client{DAY}"),
    ("Open item: the flaky test in test_refund.py.", f"Open item: the flaky test in test_refund.py{DAY}"),
)
DECIDED = (
    ("Let's decide: keys are kept for 30 days.", f"Decision: keys are kept for 30 days{DAY}"),
    ("Let's agree that only Tom may approve refunds.", f"Decision: only Tom may approve refunds{DAY}"),
)


@pytest.mark.parametrize(("message", "content"), OPEN)
def test_a_labelled_to_do_is_a_goal(message: str, content: str) -> None:
    assert [(one.content, one.category) for one in read(message)] == [(content, Category.GOAL)]


@pytest.mark.parametrize(("message", "content"), DECIDED)
def test_what_is_agreed_on_is_a_decision(message: str, content: str) -> None:
    assert [(one.content, one.category) for one in read(message)] == [(content, Category.DECISION)]


@pytest.mark.parametrize(
    "message",
    [
        "Remind me.",
        "Remind me of that later please!",
        "Don't forget!",
        "Let's decide that tomorrow.",
        "Let's decide later.",
        'Remove the "TODO: handle errors" comment.',
    ],
)
def test_what_names_nothing_is_no_goal_and_no_decision(message: str) -> None:
    assert read(message) == []


def test_a_note_to_self_is_kept_without_its_label() -> None:
    (memory,) = read("Note to self: the VPN must be on for the smoke tests.")
    assert memory.content == f"The VPN must be on for the smoke tests{DAY}"


def test_a_title_is_not_cut_within_the_day_at_its_end() -> None:
    (memory,) = read("We always use the package manager uv and never pip or poetry.")
    assert memory.content.endswith(DAY)
    assert memory.title == memory.content.removesuffix(DAY)
