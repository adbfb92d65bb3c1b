"""What users say in a few words of days to come, and of what they can and never do (contract 11.6)."""

import pytest

from memd.domain.types import Category
from tests.domain.extraction.test_user_statements import read

DAY = " (18 November 2026)."
STATED = (
    ("I'm having my tonsils out next Tuesday.", "The user is having their tonsils out on 24 November 2026."),
    ("im getting my cast off on friday", "The user is getting their cast off on 20 November 2026."),
    ("We're having a baby in June.", "The user is having a baby in June 2027."),
    ("I'm seeing my cardiologist on Monday.", "The user is seeing their cardiologist on 23 November 2026."),
    ("I'm running the Berlin marathon in September.", "The user is running the Berlin marathon in September 2027."),
    ("Good, we're getting married there on 18 April.", "The user is getting married there on 18 April 2027."),
    ("dentist on friday at 3", "Dentist on 20 November 2026 at 3."),
    ("wedding in june", "Wedding in June 2027."),
    ("my flight to Rome on 5 May", "The user's flight to Rome on 5 May 2027."),
    ("The exam on 6 June was hard.", "The exam on 6 June 2026 was hard."),
    ("I can't kneel because of my arthritis.", f"The user can't kneel because of their arthritis{DAY}"),
    ("I don't drive.", f"The user doesn't drive{DAY}"),
    ("i dont drink", f"The user doesn't drink{DAY}"),
    ("I can't swim.", f"The user can't swim{DAY}"),
    ("I haven't smoked since January.", "The user hasn't smoked since January 2026."),
    ("I haven't eaten meat in ten years.", f"The user hasn't eaten meat in ten years{DAY}"),
    ("I went home for the first time in five years.", f"The user went home for the first time in five years{DAY}"),
    ("I wrote the parser in three days.", f"The user wrote the parser in three days{DAY}"),
    (
        "I was promoted to lead designer, starting January 1!",
        "The user was promoted to lead designer, starting 1 January 2027.",
    ),
    ("I was laid off in March.", "The user was laid off in March 2026."),
    ("I was diagnosed with asthma.", f"The user was diagnosed with asthma{DAY}"),
    ("We go swimming on Saturdays.", f"The user goes swimming on Saturdays{DAY}"),
    ("I go running every Monday before work.", f"The user goes running every Monday before work{DAY}"),
    ("The winter tyres must be on by December 1.", "The winter tyres must be on by 1 December 2026."),
    ("The invoice must be paid by 3 December.", "The invoice must be paid by 3 December 2026."),
    ("I still have to buy a present for Greta.", f"The user still has to buy a present for Greta{DAY}"),
    ("My contract ends in two weeks.", "The user's contract ends around 2 December 2026."),
)
LEFT = (
    "I'm having lunch now",
    "I'm having trouble with the build on Friday",
    "I'm getting three errors in May",
    "flight to Rome on friday?",
    "meeting notes from friday",
    "call me on friday",
    "I haven't slept since the deploy",
    "I was confused by the docs",
    "I go crazy every day",
    "I still have to understand this",
    "It must be done by Friday",
)


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize(("sentence", "content"), STATED)
def test_plans_and_abilities_are_kept_with_the_right_day(sentence: str, content: str) -> None:
    assert [one.content for one in read(sentence)] == [content]


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize("sentence", LEFT)
def test_what_happens_at_the_moment_is_left(sentence: str) -> None:
    assert read(sentence) == []


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize(
    ("sentence", "category"),
    [
        ("The winter tyres must be on by December 1.", Category.GOAL),
        ("The invoice must be paid by 3 December.", Category.GOAL),
        ("I still have to buy a present for Greta.", Category.GOAL),
        ("All passwords must be rotated by the platform team.", Category.RULE),
    ],
)
def test_what_must_be_done_by_a_day_is_a_goal(sentence: str, category: Category) -> None:
    assert [one.category for one in read(sentence)] == [category]
