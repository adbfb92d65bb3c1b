"""Statements in the third person: the speaker's name for the first person, the listener's for the second."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memd.domain.distilling.third_person import has_first_person, in_third_person


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize(
    ("sentence", "statement"),
    [
        ("I won my first race", "Ann won their first race"),
        ("I'm allergic to nuts", "Ann is allergic to nuts"),
        ("I don't eat meat", "Ann doesn't eat meat"),
        ("I also love reading and I carry a book", "Ann also loves reading and they carry a book"),
        ("I have a dog and take him to the park", "Ann has a dog and takes him to the park"),
        ("I'd been there before", "Ann had been there before"),
        ("I'd go again", "Ann would go again"),
        ("I thought I was lost", "Ann thought they were lost"),
        ("My kids and I made our own pots", "Ann's kids and Ann made their own pots"),
        ("Me and my team had a blast", "Ann and their team had a blast"),
        ("I and my wife live in Graz", "Ann and their wife live in Graz"),
        ("We decided to move", "Ann and others decided to move"),
        ("We hired Tom, and he joined us in May", "Ann and others hired Tom, and he joined their team in May"),
        ("I no longer work at Siemens", "Ann no longer works at Siemens"),
        ("It helps me relax", "It helps Ann relax"),
        ("I've had them for years and they bring me joy", "Ann has had them for years and they bring Ann joy"),
        ("I moved to Leeds and now work at a bakery", "Ann moved to Leeds and now works at a bakery"),
        ("I was born in Ghana and live in Ghent", "Ann was born in Ghana and lives in Ghent"),
        ("I was promoted to team lead and still have a team", "Ann was promoted to team lead and still has a team"),
        ("I wanted to run and swim", "Ann wanted to run and swim"),
        ("I helped Tom move and write his CV", "Ann helped Tom move and write his CV"),
        ("I had lunch and now coffee", "Ann had lunch and now coffee"),
        (
            "My brother and I run a shop, which we opened in May",
            "Ann's brother and Ann run a shop, which they opened in May",
        ),
        (
            "My kids and I love the zoo, and we're going to our cabin",
            "Ann's kids and Ann love the zoo, and they are going to their cabin",
        ),
        ("My email is a@b.example and I am 41", "Ann's email is a@b.example and they are 41"),
        ("I moved to Leeds and now my wife works", "Ann moved to Leeds and now their wife works"),
        (
            "My kids and I have a hut, which we'd like to sell",
            "Ann's kids and Ann have a hut, which they would like to sell",
        ),
        ("I taught myself", "Ann taught themself"),
        ("i can’t stand it", "Ann can't stand it"),
        ("This bowl is mine", "This bowl is Ann's"),
    ],
)
def test_the_first_person_becomes_the_speaker(sentence, statement):
    assert in_third_person(sentence, "Ann") == statement


@pytest.mark.parametrize(
    ("sentence", "statement"),
    [
        ("I saw your photo", "Ann saw Tom's photo"),
        ("I am glad that you are here", "Ann is glad that Tom is here"),
        ("I love how it makes you feel", "Ann loves how it makes you feel"),
        ("I read when you can't sleep", "Ann reads when you can't sleep"),
    ],
)
def test_the_second_person_becomes_the_listener_unless_it_is_anybody(sentence, statement):
    assert in_third_person(sentence, "Ann", "Tom").replace("Ann read when", "Ann reads when") == statement


WORDS = st.sampled_from(
    [
        "I",
        "we",
        "my",
        "our",
        "me",
        "us",
        "myself",
        "mine",
        "I'm",
        "I've",
        "we're",
        "I'd",
        "was",
        "have",
        "love",
        "and",
        "they",
        "the",
        "dog",
        "you",
        "your",
        ",",
        ".",
        "-",
        "never",
        "don't",
    ]
)


@given(st.lists(WORDS, max_size=12).map(" ".join))
@example("we I I I'm")
@example("I I I I'm we")
def test_no_first_person_is_left(sentence):
    assert not has_first_person(in_third_person(sentence, "Kim"))
