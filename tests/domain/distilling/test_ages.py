"""Whose age a sentence states, for a pronoun that a correction uses (contract 11.6)."""

import pytest

from memd.domain.distilling.ages import may_be_age_of
from memd.domain.distilling.pronouns import mentions_another
from memd.domain.distilling.values import values_in

MEANT = (
    ("he", "My son is 11."),
    ("she", "My sister Anna is 30 years old."),
    ("he", "My dog is only 4."),
    ("she", "Anna is 30."),
    ("she", "My son's teacher is 40."),
    ("they", "My twins are 5."),
    ("i", "I was 12 when we moved."),
    ("we", "We are two."),
)
NOT_MEANT = (
    ("she", "My son is 11."),
    ("he", "My mother and father are 70."),
    ("he", "I'm 35."),
    ("i", "My son is 11."),
    ("he", "My son's room is 12."),
    ("she", "My room number is 70."),
    ("she", "Graz is 900."),
    ("he", "My son is 170 cm tall."),
    ("he", "My son has 3 bikes."),
    ("she", "My daughters are 5 and 7."),
    ("they", "My kids are 5 and 7."),
    ("she", "My mother is 70 and her sister is older."),
    ("she", "My mother is 70 but Eva is older."),
)


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize(("pronoun", "sentence"), MEANT)
def test_a_pronoun_may_mean_the_one_whose_age_is_stated(pronoun: str, sentence: str) -> None:
    assert [may_be_age_of(pronoun, sentence, value) for value in values_in(sentence)][-1]


@pytest.mark.parametrize(("pronoun", "sentence"), NOT_MEANT)
def test_a_pronoun_does_not_mean_others(pronoun: str, sentence: str) -> None:
    assert not any(may_be_age_of(pronoun, sentence, value) for value in values_in(sentence))


@pytest.mark.parametrize(
    ("pronoun", "later", "another"),
    [
        ("she", "Noted, your mother is 70.", False),
        ("she", "Tell me about your sister.", True),
        ("he", "Tell me about your sister.", False),
        ("i", "Tell me about your sister.", False),
    ],
)
def test_a_pronoun_may_mean_one_who_was_mentioned_later(pronoun: str, later: str, *, another: bool) -> None:
    assert mentions_another(pronoun, "My mother is 70.", later) is another
