"""Statements of a user along with a question or a request: only facts about the user are kept, in the user's words."""

import pytest

from memd.domain.types import Category
from tests.domain.extraction.test_user_statements import read


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize(
    "sentence",
    [
        "Write a story about a pregnant detective.",
        'Translate "I am pregnant" into Spanish.',
        "Suggest three vegan restaurants in Berlin.",
        "How do I cook for vegan guests.",
        "Suppose I bought 10 shares at 50 dollars, what is my gain?",
        "Let's say I bought a house in Ohio, what are the taxes?",
        "Assume I'm allergic to nuts, which cake can I eat?",
        "My teacher asked, what is photosynthesis?",
        "My wife wants to know, when does the shop open?",
        "Please remind me, how do I exit vim?",
        "The capital of Australia is Sydney, am I right?",
        "The deadline is 5 May, did I get that right?",
        "My flight is on Friday - isn't it?",
        "The Eiffel Tower is 330 metres tall, would you say?",
        "I tried restarting the router, what should I do next?",
        "I uploaded a CSV, can you plot it?",
        "My function returns None, what am I missing?",
        "I've got two questions about taxes, can you answer them?",
        "I like version 2, can you shorten it?",
        "My goodness, it works.",
    ],
)
def test_what_only_leads_to_a_question_is_left(sentence):
    assert read(sentence) == []


@pytest.mark.parametrize(
    ("sentence", "content"),
    [
        (
            "Our site is British, please always use British spelling.",
            "The user's site is British, please always use British spelling (18 November 2026).",
        ),
        (
            "My name is Robert, please call me Bob.",
            "The user's name is Robert, please call them Bob (18 November 2026).",
        ),
        (
            "I have a meeting with Bob on Friday, could you draft an agenda?",
            "The user has a meeting with Bob on 20 November 2026.",
        ),
        (
            "I wish we had met earlier, but I'm married to Anna now.",
            "The user wishes they had met earlier, but they are married to Anna now (18 November 2026).",
        ),
        ("My budget is 500 euros. No more questions.", "The user's budget is 500 euros (18 November 2026)."),
        ("I want to wake up at 6 and do yoga.", "The user wants to wake up at 6 and do yoga (18 November 2026)."),
        (
            'My podcast is called "really bad ideas".',
            'The user\'s podcast is called "really bad ideas" (18 November 2026).',
        ),
        ("We run `just test` daily.", "The user runs `just test` daily (18 November 2026)."),
        ("We use C++ and Notepad++.", "The user uses C++ and Notepad++ (18 November 2026)."),
        ("Could you remind me to water the fern?", "Remind the user to water the fern (18 November 2026)."),
        (
            "Can you remember that I am allergic to penicillin?",
            "The user is allergic to penicillin (18 November 2026).",
        ),
        (
            "I work at a bakery, Super Sweet Cakes.",
            "The user works at a bakery, Super Sweet Cakes (18 November 2026).",
        ),
        ("I adopted a dog, it's a Great Dane.", "The user adopted a dog, it's a Great Dane (18 November 2026)."),
    ],
)
def test_nothing_of_a_statement_is_lost(sentence, content):
    assert [memory.content for memory in read(sentence)] == [content]


def test_what_memd_is_asked_to_remember_comes_before_decisions_with_names_and_numbers():
    messages = [f"We decided on {day} May to move Postgres 1{day} from AWS to Hetzner." for day in range(1, 8)]
    kept = read(*messages, "Remind me to call the bank tomorrow.", "Note that my passport number is secret.")
    assert [memory.category for memory in kept] == [*[Category.DECISION] * 4, Category.GOAL, Category.FACT]
