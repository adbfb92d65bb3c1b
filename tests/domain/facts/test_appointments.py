"""Days of appointments: those that take place, those that were cancelled, and new ones in their place (contract 17.5)."""

import pytest

from memd.domain.facts.facts import certainty, find_facts

pytestmark = pytest.mark.rule("17.5 conflicts")


@pytest.mark.parametrize(
    ("text", "subject", "value", "changed", "denied"),
    [
        ("Dentist appointment on 3 December at 10:00.", "dentist-appointment", "3 December", False, False),
        ("The dentist appointment on 3 December was cancelled.", "dentist-appointment", "3 December", True, True),
        ("New dentist appointment: 17 December at 9:30.", "dentist-appointment", "17 December", True, False),
        ("The meeting on 3 May was moved to 5 May.", "meeting", "5 May", True, False),
        ("The launch was moved back to 3 May.", "launch", "3 May", True, False),
        (
            "The dentist appointment on 3 December is cancelled, the new one is on 17 December.",
            "dentist-appointment",
            "17 December",
            True,
            False,
        ),
        ("The flight on 3 May has been rescheduled for 5 May.", "flight", "5 May", True, False),
        ("Our budget meeting on Friday was postponed.", "budget-meeting", "Friday", True, True),
        ("Der Zahnarzttermin am 2. Dezember ist abgesagt.", "zahnarzttermin", "2 December", True, True),
        ("Die Besprechung am 4. Mai fällt leider aus.", "besprechung", "4 May", True, True),
        ("Der neue Zahnarzttermin ist am 15. Dezember um 8 Uhr.", "zahnarzttermin", "15 December", True, False),
    ],
)
def test_the_day_of_an_appointment_is_stated_or_denied(
    text: str, subject: str, value: str, changed: bool, denied: bool
) -> None:
    (fact,) = find_facts(text)
    assert (fact.subject_key, fact.attribute, fact.value, fact.changed, fact.denied) == (
        subject,
        "date",
        value,
        changed,
        denied,
    )


@pytest.mark.parametrize(
    "text",
    [
        "The new appointment system is slow.",
        "I made a call on Friday and left.",
        "No new appointment on 3 May.",
        "The next meeting on 3 May was cancelled.",
        "The meeting on 3 May is off-site.",
        "The call on 3 December is off the record.",
        "The interview on 3 May was moved online.",
        "The meeting on 3 May was moved from room 3 to room 4.",
    ],
)
def test_other_sentences_state_no_day(text: str) -> None:
    assert not [fact for fact in find_facts(text) if fact.attribute == "date"]


@pytest.mark.parametrize("noun", ["flight", "delivery", "driving lesson", "dentist appointment"])
def test_another_day_of_what_may_take_place_twice_is_no_conflict(noun: str) -> None:
    (old,), (new,) = find_facts(f"My {noun} on 3 May."), find_facts(f"My {noun} on 9 June.")
    assert certainty(old, new) is None
