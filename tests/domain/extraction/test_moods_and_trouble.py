"""What a user says of the moment is no memory: trouble with the task, a mood, a joke, the data of a request (contract 11.6)."""

import pytest

from tests.domain.extraction.test_user_statements import read

LEFT = (
    "I don't know what to cook tonight.",
    "I tried rebooting twice, but it still crashes.",
    "i got a weird error on line 12",
    "I saw three warnings this morning.",
    "I did, nothing happens.",
    "My monitor just went blank.",
    "i cant sign in",
    "I'm so hungry today.",
    "im bored",
    "I'm dying of laughter.",
    "i'm literally starving lol",
    "I'm joking, I don't own a castle.",
    "omg i love you",
    "I have a list of integers, sum them: 1, 2, 3.",
    "I have a table with the columns name and age.",
    "i have a df with 4 rows",
    "if i get rich ill buy an island lol",
    "my build takes forever",
    "my function returns none",
    "I have a string s and want its length",
    "I'm trying to learn what this does",
    "i feel like crap today",
    "going to bed",
    "draft my update for today",
    "found it thanks!",
    "my teacher says mitochondria are boring",
    "my mom almost clicked it",
    "I'm heading out now",
    "I have a function that takes a list of ints and returns the sum, make it faster",
    "working on it",
    "switching to the other branch",
    "If we win, we'll open a bar in Cádiz.",
)
KEPT = (
    "I had a car crash last week.",
    "I found the error in my tax return last week.",
    "I met my husband through an online typo in 2010.",
    "I fixed the bug in the importer yesterday.",
    "I didn't get the job at Bosch yesterday.",
    "I'm tired all the time since I started the new pills.",
    "I quit drinking last month, I was kidding myself for years.",
    "I'm going to work at Bosch in May.",
    "My doctor says I need more rest.",
    "My boss says the deadline is 5 May.",
    "i'm doing a phd in plant biology and i'm stuck writing my intro",
    "I'm heading to Rome on Friday.",
    "Call with Ann went well today.",
    "I have a string quartet with three friends.",
    "I have a table reserved for Friday at 8.",
    "I have two lists of names for the baby.",
)


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize("sentence", LEFT)
def test_what_is_true_for_the_moment_is_left(sentence):
    assert read(sentence) == []


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize("sentence", KEPT)
def test_what_only_sounds_like_it_is_kept(sentence):
    assert len(read(sentence)) == 1
