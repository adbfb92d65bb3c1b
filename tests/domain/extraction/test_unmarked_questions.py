"""Questions that end without a mark, as people type them in a chat, are no statements (contract 11.6)."""

import pytest

from tests.domain.extraction.test_user_statements import read

DAY = " (18 November 2026)."


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize(
    "question",
    [
        "should i use uuid v4 or v7 for pks",
        "can my dog eat grapes",
        "is my appointment on Friday",
        "does anyone in my family have diabetes",
        "are you vegan",
        "hypothetically if we moved to arm would it be cheaper",
    ],
)
def test_a_question_without_a_mark_is_left(question):
    assert read(question) == []


@pytest.mark.parametrize(
    ("message", "content"),
    [
        ("I take lisinopril 10mg, is it ok to have grapefruit", f"The user takes lisinopril 10mg{DAY}"),
        ("should i use uuid v4 or v7, our db is postgres 17", f"The user's db is postgres 17{DAY}"),
        ("my budget is 400 euros, looking for suggestions", f"The user's budget is 400 euros{DAY}"),
        (
            "my sister Bea is getting married on June 12th, need ideas for a toast",
            "The user's sister Bea is getting married on 12 June 2027.",
        ),
        ("im pregnant with twins, what exercises are ok", f"The user is pregnant with twins{DAY}"),
        ("did i tell you i moved to Graz last month", "The user moved to Graz in October 2026."),
        ("I bike to work every day. what should i eat before?", f"The user bikes to work every day{DAY}"),
    ],
)
def test_a_statement_beside_a_question_is_kept_without_it(message, content):
    assert [one.content for one in read(message)] == [content]


@pytest.mark.parametrize(
    "statement", ["Will Smith is my neighbour.", "May is my daughter.", "Do the dishes every Friday."]
)
def test_a_name_or_an_instruction_that_begins_like_a_question_is_kept(statement):
    assert len(read(statement)) == 1
