"""Sentences in which a user says that something has changed or ended: which become memories, and in which words."""

import pytest

from tests.domain.extraction.test_user_statements import read

KEPT = (
    "Tilda doesn't rehearse on Mondays any more.",
    "Our bakery doesn't open on Sundays anymore.",
    "I'm not a smoker any more, I chew gum again.",
    "We will move to Porto in April.",
    "We'll move into the new office on 3 May.",
    "I'll join the data team in March.",
    "I will start at Siemens on 1 February.",
    "We will spend Christmas in Tromsø.",
    "We sold our flat in Lyon.",
    "I quit the choir.",
    "I draw with charcoal and ink.",
    "We migrate to GitLab on 2 February.",
    "We hired two designers, so there are nine of us now.",
    "Northwind paid invoice 1187 on 3 March.",
    "Northwind still hasn't paid invoice 1187.",
    "Globex upgraded to the Business plan.",
    "Hooli & Sons cancelled their subscription until May.",
    "Weyland cut the budget from 9,000 to 7,500 euros.",
    "Contoso pays within 45 days.",
    "Lena plays handball at TSV Nord.",
    "The beta of Orion ships on 12 October.",
    "Dr. Meier will be my new dentist.",
    "Dr. Meier can't supervise me.",
    "Bad news: the launch slips to 4 May.",
    "I'm back at Siemens.",
    "I'm back to driving a Skoda.",
    "I don't work at Novartis any more.",
    "Tom isn't our product owner any more.",
    "We're not getting the dog after all.",
    "The flat in Bergmannstrasse fell through.",
    "Our trip to Iceland is off.",
    "The offsite on 3 May was called off.",
    "Ida switched schools.",
    "Marco and I broke up.",
    "Leo doesn't play the violin any more.",
)
LEFT = (
    "Chrome doesn't load the page any more.",
    "The build doesn't pass any more.",
    "It doesn't work any more.",
    "I don't see the error any more.",
    "I'll move it to another file.",
    "I'll start with the first one.",
    "I will join the two tables.",
    "I'll leave it at that.",
    "We will see.",
    "I now get a different error.",
    "I quit the terminal.",
    "I'm back at it.",
    "I'm back to debugging this.",
    "I'm not getting the result any more.",
    "My script doesn't work for strings any more.",
    "The light is off.",
    "Safari doesn't work any more.",
    "I sold it.",
    "I tried it again.",
    "Docker pays no attention to the file.",
    "Pandas cut the column at 80 characters.",
    "React renders it twice.",
    "What will be my new address?",
    "This will be my last question.",
)


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize("sentence", KEPT)
def test_what_has_changed_or_ended_is_kept(sentence):
    assert len(read(sentence)) == 1


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize("sentence", LEFT)
def test_plans_for_the_talk_and_trouble_are_left(sentence):
    assert read(sentence) == []


@pytest.mark.parametrize("lead", ["Small change: ", "Change of plans: ", "Quick update: "])
def test_words_that_announce_a_change_are_left_out(lead):
    (memory,) = read(f"{lead}Noa's cello lesson moved to Fridays at 15:30.")
    assert memory.content == "Noa's cello lesson moved to Fridays at 15:30 (18 November 2026)."


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize(
    ("sentence", "content"),
    [
        (
            "The check-up with Dr. Falk was cancelled. The new one is on 8 December at 9:15.",
            "The check-up with Dr. Falk was cancelled. The new one is on 8 December 2026 at 9:15.",
        ),
        (
            "I want to apply for a grant in Bergen. The deadline is 1 December.",
            "The user wants to apply for a grant in Bergen. The deadline is 1 December 2026.",
        ),
    ],
)
def test_the_new_one_and_the_deadline_stay_with_what_they_belong_to(sentence, content):
    assert [memory.content for memory in read(sentence)] == [content]
