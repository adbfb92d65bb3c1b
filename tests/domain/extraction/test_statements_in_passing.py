"""Statements about the author that stand beside a reason, a role, a request or a consequence."""

import pytest

from tests.domain.extraction.test_user_statements import read

DAY = " (18 November 2026)."


@pytest.mark.parametrize(
    ("message", "memory"),
    [
        ("Since I'm a beginner at Go, explain the details.", "The user is a beginner at Go"),
        ("As a vegan, what can I eat in Prague?", "The user is a vegan"),
        ("as a nurse i work nights", "As a nurse the user works nights"),
        ("I do most of my work in Emacs, so give me its key bindings.", "The user does most of their work in Emacs"),
        ("We do trunk based development here.", "The user does trunk based development here"),
        ("We do code reviews.", "The user does code reviews"),
        ("i do karate three times a week", "The user does karate three times a week"),
        ("I feed the horses every morning.", "The user feeds the horses every morning"),
        ("We're stuck on Angular 14 because of a vendor.", "The user is stuck on Angular 14 because of a vendor"),
        ("I coach a football team in Lyon.", "The user coaches a football team in Lyon"),
        ("We tag releases with the date.", "The user tags releases with the date"),
        ("I start at 7, which is why a call at 6 doesn't work.", "The user starts at 7"),
        ("i dont drive so only places near a station", "The user doesn't drive so only places near a station"),
    ],
)
def test_a_statement_beside_something_else_is_kept(message: str, memory: str) -> None:
    assert [each.content for each in read(message)] == [memory + DAY]


@pytest.mark.parametrize(
    "rule",
    [
        "Stop writing comments that repeat the code.",
        "Don't add docstrings to tests.",
        "Stop adding emojis to commit messages.",
        "Whenever you change the schema, also update docs/schema.md.",
        "Answers should be under 100 words.",
        "Never touch the legacy/ folder.",
        "Use British spelling everywhere in this project.",
    ],
)
def test_a_standing_instruction_is_kept(rule: str) -> None:
    assert [each.content for each in read(rule)] == [rule]


def test_what_the_author_is_to_be_asked_first_is_kept() -> None:
    made = read("Ask me before you delete anything.")
    assert [each.content for each in made] == ["Ask the user before you delete anything."]


@pytest.mark.parametrize(
    "message",
    [
        "As a user I want to log in so that I can see my orders.",
        "I'm on the settings page and the button is grey.",
        "In this novel I'm a spy who lives in Vienna.",
        "draft a bio: I am a lawyer and love sailing",
        "I'm stuck on line 40.",
        "I've been fighting with this all morning.",
        "The container starts, then the healthcheck fails after 30 seconds.",
        "Right now the report shows 02:00 instead of 04:00.",
        "let's play: I'm a detective and my name is Jack",
        "The customer wrote 'we use Oracle 11 and hate it'",
        "I name the variable x.",
        "The responses should be 200, not 404.",
        "Ask me before you run it.",
        "Ask me before lunch about it.",
        "I do this because the loop is slow.",
        "I restart it every morning.",
        "Since you asked, it fails again.",
        "Whenever you touch the file, the build breaks.",
        "Don't add the button to the components.",
    ],
)
def test_what_is_not_about_the_author_is_left(message: str) -> None:
    assert read(message) == []
