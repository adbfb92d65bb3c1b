import pytest

from memd.domain.extraction.cues import KEEP, Voice, read_sentence
from memd.domain.types import Category


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize(
    ("sentence", "category"),
    [
        ("We decided to keep Postgres for the ledger.", Category.DECISION),
        ("The team agreed on two reviewers for each change.", Category.DECISION),
        ("Let's go with the smaller model for now.", Category.DECISION),
        ("I learned that the cache must be warmed before the peak.", Category.LESSON),
        ("The root cause was a missing index on the message table.", Category.LESSON),
        ("It turned out that the clock of the host was wrong.", Category.LESSON),
        ("The lesson is that a cache hides slow queries.", Category.LESSON),
        ("The lesson here: measure before you change a query.", Category.LESSON),
        ("Never commit directly to the main branch.", Category.RULE),
        ("Please always answer in German.", Category.RULE),
        ("From now on every report goes to the whole group.", Category.RULE),
        ("Marek wants to be asked before anyone runs a migration.", Category.RULE),
        ("And please never call me before 10 am.", Category.RULE),
        ("Our goal is to ship the first release in March.", Category.GOAL),
        ("The audit deadline is 10 March.", Category.GOAL),
        ("The target is March.", Category.GOAL),
        ("The target is 99.9 % uptime.", Category.GOAL),
        ("Our target is to reach Norway by May.", Category.GOAL),
        ("The deploy target is Frankfurt.", Category.FACT),
        ("The deploy target is now Marseille", Category.FACT),
        ("They plan to open a second shop by the end of the year.", Category.GOAL),
        ("I prefer tea over coffee in the morning hours.", Category.FACT),
        ("The staging database lives in Frankfurt.", Category.FACT),
        ("To release, run the pipeline and tag the commit.", Category.WORKFLOW),
        ("First drain the queue, then stop the worker.", Category.WORKFLOW),
        ("Dana Whitfield owns the billing service.", Category.PERSON),
    ],
)
@pytest.mark.parametrize("voice", Voice)
def test_working_knowledge_counts_in_any_mouth(sentence, category, voice):
    reading = read_sentence(sentence, voice)
    assert reading is not None
    assert (reading.category, reading.score >= KEEP) == (category, True)


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize(
    ("sentence", "category"),
    [
        ("We visited my grandmother in Graz yesterday.", Category.EVENT),
        ("My sister studies law in Vienna these days.", Category.PERSON),
        ("I want to learn the violin some day.", Category.GOAL),
        ("Cancel the gym membership by January 15.", Category.GOAL),
    ],
)
def test_what_happened_to_a_person_counts_when_a_user_says_it(sentence, category):
    said_by_user, said_by_program = (read_sentence(sentence, voice) for voice in (Voice.USER, Voice.PROGRAM))
    assert said_by_user is not None
    assert (said_by_user.category, said_by_user.score >= KEEP) == (category, True)
    assert said_by_program is None


@pytest.mark.parametrize("sentence", ["It was made of blue clay.", "The fields smelled of hay in the evening."])
def test_how_things_stand_counts_when_a_named_person_tells_it(sentence):
    assert read_sentence(sentence, Voice.USER) is None
    reading = read_sentence(sentence, Voice.PERSON)
    assert reading is not None
    assert reading.score >= KEEP


@pytest.mark.parametrize(
    "sentence",
    [
        "Thanks, Mel!",
        "That's so great to hear.",
        "Good luck with it!",
        "You are awesome.",
        "Sounds like a plan.",
        "Bye!",
        "Wow, way to go!",
        "Hi there",
        "Ok",
    ],
)
def test_pleasantries_are_not_worth_a_memory(sentence):
    reading = read_sentence(sentence, Voice.PERSON)
    assert reading is None or reading.score < KEEP


@pytest.mark.rule("11.6 method")
def test_names_and_numbers_raise_the_worth():
    plain, named, numbered = (
        read_sentence(f"We decided to move the old office {where} soon.", Voice.USER)
        for where in ("down the road", "to Salzburg City", "to floor 12")
    )
    assert plain
    assert named
    assert numbered
    assert named.score > plain.score
    assert numbered.score > plain.score


@pytest.mark.rule("11.6 method")
def test_a_very_short_sentence_is_worth_less():
    short, long = read_sentence("I moved.", Voice.USER), read_sentence("I moved into a small flat.", Voice.USER)
    assert short
    assert long
    assert short.score < long.score


@pytest.mark.timeout(20)
@pytest.mark.parametrize("mark", ["-", "’", "a"])
def test_a_target_with_a_long_run_of_marks_is_read_in_linear_time(mark: str) -> None:
    assert read_sentence(f"Our deploy target is A{mark * 50_000}  x y", Voice.PROGRAM) is not None


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize(
    "sentence",
    [
        "Ida's piano lesson is on Tuesdays at 16:30.",
        "The lesson is now on Wednesdays.",
        "My swimming lesson was cancelled.",
        "The last lesson was moved to Friday.",
    ],
)
def test_an_hour_of_teaching_is_no_lesson_learned(sentence: str) -> None:
    reading = read_sentence(sentence, Voice.USER)
    assert reading is None or reading.category is not Category.LESSON
