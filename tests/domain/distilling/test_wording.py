"""The words of a memory: third person, a date, nothing around the statement, at most 240 characters."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.domain.distilling.wording import undated, worded

MONDAY = date(2023, 5, 8)


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize(
    ("sentence", "statement"),
    [
        ("Yeah, Tom, I won my first race last week!", "Ann won their first race in the week of 1 May 2023."),
        ("Wow, and I got a dog - it was so cute!", "Ann got a dog (8 May 2023)."),
        ("I really, really love hiking.", "Ann loves hiking (8 May 2023)."),
        ("I just joined a choir and it was so powerful!", "Ann joined a choir (8 May 2023)."),
        ("Oh yeah, on another note, I got a cat.", "Ann got a cat (8 May 2023)."),
        ("So much has happened since we last spoke - I went to Rome.", "Ann went to Rome (8 May 2023)."),
        ("I quit my job, which is pretty exciting!", "Ann quit their job (8 May 2023)."),
        ("Dyed my hair yesterday!", "Ann dyed their hair on 7 May 2023."),
        ("Going to run a race in June, Tom.", "Ann is going to run a race in June 2023."),
        ("ugh i can't stand oatmeal", "Ann can't stand oatmeal (8 May 2023)."),
        ("oh wait my doctor switched me to losartan", "Ann's doctor switched them to losartan (8 May 2023)."),
        ("yes but no shellfish, I'm allergic", "No shellfish, Ann is allergic (8 May 2023)."),
        ("yeah probably, I'm a resident", "Ann is a resident (8 May 2023)."),
        ("we shared a room til i was 16 lol", "Ann and others shared a room til they were 16 (8 May 2023)."),
        ("My cat is called Lol.", "Ann's cat is called Lol (8 May 2023)."),
        ("so quick background, im a flight attendant", "Ann is a flight attendant (8 May 2023)."),
        ("The old kiln is broken.", "Ann: the old kiln is broken (8 May 2023)."),
        ("Yeah, Tom, they're some of my best memories.", "They're some of Ann's best memories (8 May 2023)."),
    ],
)
def test_a_statement_is_what_was_said_without_what_surrounds_it(sentence, statement):
    assert worded([sentence], "Ann", MONDAY, ["Tom"]) == statement


@pytest.mark.parametrize(
    ("sentence", "statement"),
    [
        ("I got the offer, but it was withdrawn.", "Ann got the offer, but it was withdrawn (8 May 2023)."),
        ("I don't really like tea.", "Ann doesn't really like tea (8 May 2023)."),
        ("I live just outside Graz, just like Bob.", "Ann lives just outside Graz, just like Bob (8 May 2023)."),
        ("I watched the Super Bowl.", "Ann watched the Super Bowl (8 May 2023)."),
        ("I'd love to come, but can't.", "Ann would love to come, but can't (8 May 2023)."),
        ("I bought a bike, it was stolen", "Ann bought a bike, it was stolen (8 May 2023)."),
        ("I fixed it, it was great until it broke", "Ann fixed it, it was great until it broke (8 May 2023)."),
        ("No-sugar diet is what I decided on.", "No-sugar diet is what Ann decided on (8 May 2023)."),
        ('My mom said "I have cancer".', 'Ann\'s mom said "I have cancer" (8 May 2023).'),
        ("I'm marrying Tom", "Ann is marrying Tom (8 May 2023)."),
        ("I'm keen on sun and sea", "Ann is keen on sun and sea (8 May 2023)."),
    ],
)
def test_what_reverses_or_completes_a_statement_stays(sentence, statement):
    assert worded([sentence], "Ann", MONDAY, ["Tom"]) == statement


def test_nothing_is_put_in_front_of_a_statement_of_an_unnamed_speaker():
    text = worded(["The cause was a missing index."], "the assistant", MONDAY, named=False)
    assert text == "The cause was a missing index (8 May 2023)."


def test_what_holds_on_any_day_has_no_day_and_is_the_same_as_with_one() -> None:
    messages = ["Never use emojis."]
    lasting = worded(messages, "the user", MONDAY, named=False, lasting=True)
    assert lasting == "Never use emojis."
    assert undated(lasting) == undated(worded(messages, "the user", MONDAY, named=False))
    assert worded(["Never call me on 3 July."], "Ann", MONDAY, lasting=True) == "Never call Ann on 3 July 2023."


@given(st.lists(st.text(max_size=200), min_size=1, max_size=3))
def test_a_statement_has_at_most_240_characters(sentence):
    assert len(worded(sentence, "Ann", MONDAY, ["Tom"])) <= 240
