"""Answers of a user to questions of a program about the user (contract 11.6)."""

import pytest

from memd.domain.extraction.answers import may_answer_earlier
from memd.domain.extraction.extract import extract, extract_after
from memd.domain.extraction.junk import SourceReading, junk_reason
from tests.domain.extraction.test_corrections import TODAY, window

ANSWERED = (
    ("What is your time zone?", "Europe/Vienna.", "Lena's time zone is Europe/Vienna"),
    ("Got it. What's your budget?", "Around 3,000 euros.", "Lena's budget is around 3,000 euros"),
    ("Who is your manager?", "Iris Vogt", "Lena's manager is Iris Vogt"),
    ("Who is your dentist?", "Dr. Okafor.", "Lena's dentist is Dr. Okafor"),
    ("What is your dog called?", "Rex.", "Lena's dog is called Rex"),
    ("What is the name of your dog?", "Rex.", "Lena's dog is Rex"),
    ("What are your hobbies?", "tennis and chess", "Lena's hobbies are tennis and chess"),
    ("Which city do you live in?", "Graz.", "Lena lives in Graz"),
    ("Where do you live?", "In Graz, near the river.", "Lena lives in Graz, near the river"),
    ("Where do you work?", "Siemens", "Lena works at Siemens"),
    ("What editor do you use?", "Helix.", "The editor Lena uses is Helix"),
    ("What languages do you speak?", "German and a bit of Czech", "The languages Lena speaks are German and a bit of Czech"),
    ("How many kids do you have?", "Two.", "Lena has two kids"),
    ("How many guests do you expect?", "around 45", "Lena expects around 45 guests"),
    ("Do you play acoustic or electric?", "acoustic", "Lena plays acoustic"),
    ("Do you prefer tabs or spaces?", "Spaces, four of them.", "Lena prefers spaces, four of them"),
    ("Do you use Windows or Linux?", "Linux", "Lena uses Linux"),
    ("Are you vegetarian?", "Yes, since 2015.", "Lena has been vegetarian since 2015"),
    ("Are you vegetarian?", "No.", "Lena is not vegetarian"),
    ("Any allergies?", "Yes, peanuts and shellfish.", "Lena has allergies: peanuts and shellfish"),
    ("Any allergies?", "No.", "Lena doesn't have any allergies"),
    ("Do you have any pets?", "Yes, two cats.", "Lena has pets: two cats"),
    ("Do you use Docker?", "Yes", "Lena uses Docker"),
    ("Any allergies?", "peanuts and sesame", "Lena has allergies: peanuts and sesame"),
    ("Do you have any allergies?", "Bee stings, unfortunately.", "Lena has allergies: Bee stings"),
    ("Any health problems?", "asthma and a bad knee", "Lena has health problems: asthma and a bad knee"),
    ("Do you have any pets?", "Two hamsters", "Lena has pets: two hamsters"),
    ("What shoe size do you wear?", "42", "The shoe size Lena wears is 42"),
    ("How old are you?", "34", "Lena is 34"),
    ("What's your height?", "180", "Lena's height is 180"),
    ("What's your dog's name?", "Rex", "Lena's dog's name is Rex"),
    ("What's your name?", "Call me Leni.", "Lena's name is Leni"),
    ("Which time zone are you in?", "cet", "Lena's time zone is cet"),
    ("What are your height and weight?", "180 cm, 75 kg", "Lena's height and weight are 180 cm, 75 kg"),
    ("What are you studying?", "Law, third year", "Lena is studying Law, third year"),
    ("What do you do for a living?", "Bus driver", "Lena's job is Bus driver"),
    ("What do you like to read?", "Crime novels from Iceland", "Lena likes Crime novels from Iceland"),
    ("Where do you live?", "Just outside Graz", "Lena lives just outside Graz"),
)  # fmt: skip
LEFT = (
    ("What is your password?", "hunter2"),
    ("What is your time zone?", "Not sure."),
    ("What is your favourite?", "The second one."),
    ("What is your error message?", "KeyError: 5"),
    ("What is your budget? And when do you travel?", "3,000 euros"),
    ("Where do you live?", "On the moon, haha"),
    ("Do you have an account?", "Yes, but I forgot the password."),
    ("When is the deadline?", "No idea."),
    ("Are you sure?", "Yes."),
    ("Do you have a minute?", "Yes."),
    ("Do you have any questions?", "No."),
    ("Do you drink coffee?", "No, only tea."),
    ("Do you have any allergies?", "Thanks, later."),
    ("Do you have any allergies?", "Sesame sounds bad"),
    ("Do you have any pets?", "Pizza please"),
    ("Do you have any ideas?", "pasta and rice"),
    ("Do you have trouble falling asleep or staying asleep?", "falling asleep mostly"),
    ("Are you left or right handed?", "left"),
    ("Are you using npm or yarn?", "yarn"),
    ("What are you doing?", "nothing"),
    ("Are you young or old?", "old"),
    ("What is your PIN?", "4711"),
    ("What is 6 times 7?", "42"),
    ("What's your character's name?", "Brak"),
    ("What is your sister called?", "Sorry, later."),
    ("Shall I go on?", "Yes."),
    ("Here is the poem.", "Europe/Vienna."),
)


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize(("question", "answer", "content"), ANSWERED)
def test_an_answer_is_kept_with_what_was_asked(question: str, answer: str, content: str) -> None:
    messages = [f"> {question}", answer, "> Noted."]
    assert [one.content for one in extract(window(messages))] == [f"{content}{TODAY}"]
    unnamed = (
        content.replace("Lena", "The user", 1) if content.startswith("Lena") else content.replace("Lena", "the user")
    )
    assert [one.content for one in extract(window(messages, None))] == [f"{unnamed}{TODAY}"]


@pytest.mark.rule("11.6 method", "17.9 test")
@pytest.mark.parametrize(("question", "answer", "content"), ANSWERED)
def test_the_question_may_come_before_the_window(question: str, answer: str, content: str) -> None:
    earlier, after = window(["Hello!", f"> {question}"]).messages, window([answer, "> Noted."])
    assert may_answer_earlier(after)
    (found,) = extract_after(earlier, after)
    assert (found.content, found.source_indexes) == (f"{content}{TODAY}", (2,))
    messages = (*earlier, *after.messages)
    assert junk_reason(found.content, [SourceReading(messages[2], messages)]) is None


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize(("question", "answer"), LEFT)
def test_what_answers_nothing_about_the_user_is_left(question: str, answer: str) -> None:
    assert extract(window([f"> {question}", answer, "> Noted."])) == []
    assert extract(window([f"> {question}", answer, "> Noted."], None)) == []


@pytest.mark.rule("11.6 method")
def test_a_day_that_is_answered_has_its_date() -> None:
    assert [one.content for one in extract(window(["> What is your deadline?", "Friday.", "> Noted."]))] == [
        "Lena's deadline is on 12 June 2026."
    ]


@pytest.mark.rule("11.6 method")
def test_a_name_after_im_is_a_sentence_of_its_own() -> None:
    (found,) = extract(window(["> What's your name?", "im sanjay", "> Noted."], None))
    assert found.content == f"The user is sanjay{TODAY}"


@pytest.mark.rule("11.6 method")
def test_one_of_two_that_a_program_offers_is_read_with_the_question() -> None:
    (found,) = extract(window(["> Are you employed or self-employed?", "Self-employed, for now.", "> Noted."]))
    assert found.content == f"Lena is self-employed, for now{TODAY}"


@pytest.mark.rule("11.6 method")
def test_a_whole_sentence_keeps_its_own_words() -> None:
    (found,) = extract(window(["> What is your goal?", "I want to run a marathon.", "> Noted."]))
    assert found.content == f"Lena wants to run a marathon{TODAY}"
