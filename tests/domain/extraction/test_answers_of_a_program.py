"""Which answers of a program become memories: no echo of the user's words, and no explanation taken for a person."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest

from memd.domain.extraction.conversation_windows import ConversationWindow, SourceMessage
from memd.domain.extraction.extract import extract
from memd.domain.types import MessageRole

FRIDAY = int(datetime(2026, 11, 27, 9, tzinfo=UTC).timestamp() * 1000)


def of_turn(sentence: str, answer: str) -> list[str]:
    """The contents of the memories that one turn gives."""
    rows = [
        SourceMessage(id=uuid4(), role=role, content=text, timestamp=FRIDAY, created_at=FRIDAY)
        for role, text in ((MessageRole.USER, sentence), (MessageRole.ASSISTANT, answer))
    ]
    return [memory.content for memory in extract(ConversationWindow(None, None, tuple(rows)))]


@pytest.mark.rule("11.6 method")
def test_an_echo_of_what_the_user_said_is_no_second_memory():
    text = "Noa's cello lesson moved to Fridays at 15:30."
    assert of_turn(text, "Fridays at 15:30 from now on.") == [
        "Noa's cello lesson moved to Fridays at 15:30 (27 November 2026)."
    ]
    assert of_turn("Thanks!", "Fridays at 15:30 from now on.") == ["Fridays at 15:30 from now on (27 November 2026)."]


@pytest.mark.rule("11.6 method")
def test_what_a_program_answers_to_a_question_is_kept_although_it_repeats_words():
    assert of_turn("Should we always run the linter in the pipeline?", "Always run the linter in the pipeline.") == [
        "Always run the linter in the pipeline (27 November 2026)."
    ]


@pytest.mark.parametrize("word", ["It", "This", "That", "There"])
def test_a_pronoun_in_an_explanation_is_nobodys_name(word):
    assert of_turn("What is linkage?", f"{word} is the association of alleles in a population.") == []
    assert of_turn("Who is that?", "Iris is the head of design.") == ["Iris is the head of design (27 November 2026)."]


def test_we_of_a_program_is_the_user_and_the_program():
    assert of_turn("What about the API?", "We decided to keep the old API until 3 June 2027.") == [
        "The user and the assistant decided to keep the old API until 3 June 2027."
    ]


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize(
    ("said", "confirmed"),
    [
        ("Our budget is 80 euros a month.", "Noted: the budget is 80 euros per month."),
        ("Our budget is 80 euros a month.", "Got it. I'll remember that the budget is 80 euros a month, every month."),
        ("I'm allergic to walnuts.", "Saved: allergic to walnuts, so no walnuts from now on."),
    ],
)
def test_a_fact_and_its_confirmation_are_one_memory(said: str, confirmed: str) -> None:
    (found,) = of_turn(said, confirmed)
    assert found.startswith("The user")


@pytest.mark.rule("11.6 method")
def test_a_confirmation_that_says_more_than_the_user_is_kept() -> None:
    found = of_turn("Then the later one.", "Noted: the deadline of the budget review is 3 December at 15:00 in Lisbon.")
    assert any("Lisbon" in one for one in found)
