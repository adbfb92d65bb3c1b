"""What somebody does or plans, and what says that it ended or was done (contract 17.5)."""

import pytest

from memd.domain.facts.activities import activities, asked_about
from memd.domain.facts.facts import BACKDATED, Fact, certainty


def ended(before: str, after: str) -> bool:
    """Whether what the second text says ends, or does, what the first one says."""
    pairs = [(Fact(*old), Fact(*new)) for old in activities(before) for new in activities(after)]
    found = {certainty(old, new) for old, new in pairs}
    assert found <= {None, BACKDATED}
    return BACKDATED in found


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "The user plays tennis on Wednesdays with Mara.",
            "The user doesn't play tennis any more because of their knee.",
        ),
        ("The user takes ibuprofen for their back every morning.", "The user stopped taking ibuprofen."),
        ("The user smokes a pack of cigarettes a day.", "The user quit smoking around 14 November 2026."),
        ("The user has a cat called Minka.", "The user gave Minka away, so the user doesn't have a cat any more."),
        ("The user drives a Skoda Octavia.", "The user sold the Skoda."),
        ("The user is dating Marco.", "Marco and the user broke up."),
        ("The user is going on a trip to Iceland in May 2027.", "The user called off the trip to Iceland."),
        ("The user is getting a dog from the shelter.", "The user is not getting the dog after all."),
        ("The user's wedding is on 12 June 2027.", "The user called off the wedding."),
        ("The user is buying the flat in Bergmannstrasse.", "The flat in Bergmannstrasse fell through."),
        ("I'm going to study law in Leiden.", "I decided not to study law after all."),
        ("I want to run a marathon.", "I gave up on the marathon."),
        ("The user's son Leo plays the violin.", "Leo doesn't play the violin any more."),
        ("The user is married to Paul.", "Paul and the user got divorced."),
    ],
)
def test_an_activity_ends(before: str, after: str) -> None:
    assert ended(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("The user wants to run a marathon.", "The user ran the marathon on 27 November 2026."),
        ("The user wants to run a marathon.", "The user ran a marathon on 27 November 2026."),
        ("The user needs to renew their passport.", "The user renewed their passport on 28 November 2026."),
        ("The user wants to write a novel.", "The user finally finished their novel."),
        ("The user wants to adopt a second cat.", "The user adopted a second cat in the week of 16 November 2026."),
        ("Remind the user to call the dentist.", "The user called the dentist, that's done."),
        ("The user's goal is to learn Norwegian in 2026.", "The user gave up learning Norwegian."),
        (
            "Ann plans to migrate the billing service to Go.",
            "Ann dropped the plan to migrate the billing service to Go.",
        ),
    ],
)
def test_a_goal_is_done_or_given_up(before: str, after: str) -> None:
    assert ended(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("The user wants to run a marathon.", "The user ran a marathon in 2019."),
        ("The user wants to run a marathon.", "The user watched the marathon."),
        ("The user wants to buy a cargo bike.", "The user bought a bike."),
        ("The user wants to buy a bike.", "The user sold the bike."),
        ("The user wants to write a novel.", "The user finished a novel."),
        ("The user wants to run a marathon.", "Ann ran the marathon."),
        ("The user has a subscription to Netflix.", "The user cancelled their subscription to the New Yorker."),
        ("The user has a meeting with Ben every Monday.", "The user cancelled the meeting on 3 May 2027."),
        ("The user plays tennis with Mara.", "The user doesn't play tennis on Wednesdays any more."),
        ("The user takes the train to work.", "The user decided not to take the train."),
        ("The user plays tennis.", "The user doesn't play chess any more."),
        ("The user plays tennis.", "The user plays tennis with Mara."),
        ("The user doesn't play tennis any more.", "The user plays tennis."),
        ("The user ran the marathon.", "The user wants to run a marathon."),
        ("The user takes ibuprofen.", "Did the user stop taking ibuprofen?"),
    ],
)
def test_other_statements_end_nothing(before: str, after: str) -> None:
    assert not ended(before, after)


def test_a_question_is_about_the_activities_with_whose_end_it_shares_a_word() -> None:
    ends = [("(plan law)", "not study law"), ("(activity tennis)", "not play tennis"), ("employer", "Acme")]
    assert asked_about("Am I going to study law?", ends) == ["(plan law)"]
    assert asked_about("Where do I live?", ends) == []
