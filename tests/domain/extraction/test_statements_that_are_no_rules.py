"""Sentences that only sound like rules: another person's words, a game, the time; and rules, which need no day (contract 11.6)."""

import pytest

from memd.domain.types import Category
from tests.domain.extraction.test_user_statements import read

RULES = (
    ("Please never use emojis.", "Please never use emojis."),
    ("Keep your answers short.", "Keep your answers short."),
    ("Don't push to main without asking me.", "Don't push to main without asking the user."),
    ("Never use tabs. They annoy me.", "Never use tabs. They annoy the user."),
    ("Never use floats for money again.", "Never use floats for money again."),
    ("As I said: never use tabs.", "As the user said: never use tabs (18 November 2026)."),
    ("From now on, never use tabs.", "From now on, never use tabs (18 November 2026)."),
    (
        "Our policy says we must never share data.",
        "The user's policy says they must never share data (18 November 2026).",
    ),
)
OF_OTHERS = (
    "My friend says: never trust a lawyer.",
    "My mum always said: always be kind.",
    "My doctor told me: never eat grapefruit.",
    "My boss wrote: always test first.",
    "The sign says: do not enter.",
)
LEFT = (
    "Never have I ever eaten snails.",
    "Never in my life have I seen Rome.",
    "Never will I use Windows again.",
    "Never do that again.",
    "Please never say it again!",
    "I already tried to never use tabs again.",
    "Wait, it's Friday today.",
    "Oh wait, today is Friday.",
    "Wait, it's already 11 pm.",
)


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize(("sentence", "content"), RULES)
def test_a_standing_rule_has_no_day(sentence: str, content: str) -> None:
    assert [(one.category, one.content) for one in read(sentence)] == [(Category.RULE, content)]


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize("sentence", OF_OTHERS)
def test_what_others_say_is_no_rule_of_the_user(sentence: str) -> None:
    assert [one.category for one in read(sentence)] == [Category.FACT]


@pytest.mark.parametrize("sentence", LEFT)
def test_exclamations_and_the_time_are_left(sentence: str) -> None:
    assert read(sentence) == []
