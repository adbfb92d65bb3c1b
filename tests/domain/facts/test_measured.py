"""Facts about things whose value is a date, a time, a number or an amount (contract 17.5)."""

import pytest

from memd.domain.facts.facts import certainty, find_facts

DATES = [
    ("The deadline for the checkout rewrite is 3 March 2027.", "checkout-rewrite date 3-march-2027"),
    (
        "We pushed the deadline for the checkout rewrite to 20 March 2027.",
        "checkout-rewrite date 20-march-2027 changed",
    ),
    ("The checkout rewrite deadline moved from 3 March to 20 March.", "checkout-rewrite date 20-march changed"),
    ("The deadline of the audit is March 3rd.", "audit date march-3"),
    ("The launch is on 12 May.", "launch date 12-may"),
    ("The launch has been moved to 26 May.", "launch date 26-may changed"),
    ("The release date is 2027-03-01.", "release date 2027-03-01"),
    ("The exam is on Friday at 10 am and everybody is nervous.", "exam date friday"),
    ("Our new intern Elif starts on 3 March 2027.", "new-intern-elif start-date 3-march-2027"),
    ("My colleague starts on Monday.", "colleague start-date monday"),
    ("The intern's course starts on 3 March.", "intern-s-course date 3-march"),
    ("The kickoff with my boss starts on 3 March.", "kickoff-with-my-boss date 3-march"),
    ("Our standup is now at 10 am.", "standup time 10-am changed"),
    ("The standup is at 9:30 (5 November 2026).", "standup time 9-30"),
    ("The exam is on 6 November 2026 in room C1.05.", "exam date 6-november-2026"),
    ("The fair is on 3 May in Berlin.", "fair date 3-may"),
    ("The check-up is on 3 May with Dr. Falk.", "check-up date 3-may"),
    ("Ana's dance class moved to Friday.", "ana dance-class friday changed"),
]
AMOUNTS = [
    ("The budget for the offsite is 5,000 euros.", "offsite budget 5000-euros"),
    ("Finance raised the offsite budget from 5000 to 8000 euros.", "offsite budget 8000-euros changed"),
    ("The rate limit is now 250 requests per minute.", "rate limit 250-requests-per-minute changed"),
    ("The timeout of the gateway was changed from 30 to 60 seconds.", "gateway timeout 60-seconds changed"),
    ("The Kubernetes version is v1.29.", "kubernetes version v1-29"),
    ("The refund limit is now 250 dollars (5 November 2026).", "refund limit 250-dollars changed"),
    ("Ana raised her price to 11 euros an hour (12 October 2026).", "ana price 11-euros-an-hour changed"),
    ("The user has raised their day rate from 480 to 520 pounds.", "user day-rate 520-pounds changed"),
    ("Our rate limit for free customers is 60 calls.", "free-customers rate-limit 60-calls"),
    ("Staging listens on port 8080.", "staging port 8080"),
    ("Staging now listens on port 9090.", "staging port 9090 changed"),
]
OTHERS = [
    *(
        "The race went from 9:00 to 12:30.",
        "The course went from 3 May to 5 June.",
        "The plan is simple.",
        "It is 5 pm.",
        "This is 3 times better.",
        "My sister is 30.",
        "The house is 20 years old.",
    ),
    *(
        "I moved to 5 Elm Street.",
        "She moved the couch to 3 rooms.",
        "Is the deadline 3 March?",
        "Version 3 is the best.",
    ),
    *("The project was moved to production.", "The trip is from 3 to 17 April.", "The movie is 2 hours long."),
]


@pytest.mark.rule("17.5 conflicts")
@pytest.mark.parametrize(("text", "expected"), [*DATES, *AMOUNTS])
def test_a_value_is_found_with_what_it_belongs_to(text: str, expected: str) -> None:
    (fact,) = find_facts(text)
    changed = " changed" if fact.changed else ""
    assert f"{fact.subject_key} {fact.attribute} {fact.value_key}{changed}" == expected


@pytest.mark.rule("17.5 conflicts")
@pytest.mark.parametrize("text", OTHERS)
def test_other_sentences_state_no_such_value(text: str) -> None:
    assert find_facts(text) == []


@pytest.mark.rule("17.5 conflicts")
@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("The launch is on 12 May.", "The launch has been moved to 26 May.", 0.95),
        ("The launch is on 12 May.", "The launch is on 26 May.", 0.85),
        ("The rent is 1,200 euros.", "The rent is 1,300 euros.", 0.9),
        ("The launch is on 12 May.", "The launch date is May 12th, 2027.", None),
        ("The rent is 1,200 euros.", "The rent is 1200 euros.", None),
        ("The meeting is on Monday.", "The meeting is on Tuesday.", None),
        ("The meeting is on Monday.", "The meeting was moved to Tuesday.", 0.95),
        ("The launch is on 12 May.", "The party is on 26 May.", None),
    ],
)
def test_another_value_contradicts(old: str, new: str, expected: float | None) -> None:
    ((before,), (after,)) = find_facts(old), find_facts(new)
    assert certainty(before, after) == expected
