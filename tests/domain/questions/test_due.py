"""Questions about what is due, and the memories that answer them (contract 11.2, due)."""

import random
from datetime import UTC, datetime

import pytest

from memctl.wire.instants import to_ms
from memd.domain.questions.due import AskedDue, asked_due
from memd.domain.questions.period import PERIOD_WORDS
from memd.domain.ranking.due import due_share

pytestmark = pytest.mark.rule("11.2 due")


def at(day: int, month: int = 11, year: int = 2026) -> int:
    return to_ms(datetime(year, month, day, tzinfo=UTC))


NOW = at(25) + 40_000_000
"""A Wednesday, in the course of the day."""


@pytest.mark.parametrize(
    ("question", "first", "end", "named", "undated"),
    [
        ("What is due?", at(25), at(26, 12), False, False),
        ("What are my deadlines?", at(25), at(26, 12), False, False),
        ("What is overdue or due tomorrow?", at(26), at(27), True, False),
        ("What do I still have to do this week?", at(25), at(30), True, True),
        ("What must be done next week?", at(30), at(7, 12), True, True),
        ("What should I do today?", at(25), at(26), True, True),
        ("What do I need to do before Friday?", at(25), at(28), True, True),
        ("What is due by tomorrow?", at(25), at(27), True, False),
        ("Was muss ich bis Freitag machen?", at(25), at(28), True, True),
        ("What is due this year?", at(25), at(31, 12) + 86_400_000, True, False),
        ("What is overdue?", 0, at(25), True, False),
        ("Was ist überfällig?", 0, at(25), True, False),
        ("Which tasks do I have to finish?", at(25), at(26, 12), False, True),
        ("Which tasks are open?", at(25), at(26, 12), False, True),
        ("What is on my plate this weekend?", at(28), at(30), True, True),
        ("What is coming up next month?", at(1, 12), at(31, 12) + 86_400_000, True, True),
        ("Any to-dos for the next 3 days?", at(25), at(28), True, True),
        ("Was ist fällig?", at(25), at(26, 12), False, False),
        ("Was muss ich diese Woche noch erledigen?", at(25), at(30), True, True),
        ("Welche Aufgaben habe ich diesen Monat?", at(25), at(1, 12), True, True),
        ("Was steht morgen an?", at(26), at(27), True, True),
        ("Was habe ich heute zu tun?", at(25), at(26), True, True),
        ("Was habe ich heute morgen zu erledigen?", at(25), at(26), True, True),
        ("Was ist übermorgen fällig?", at(27), at(28), True, False),
        ("What is due the day after tomorrow?", at(27), at(28), True, False),
        ("What is due this evening?", at(25), at(26), True, False),
        ("What do I have to do in the next 2 weeks?", at(25), at(9, 12), True, True),
        ("Which deadlines are there in the next few weeks?", at(25), at(9, 12), True, False),
        ("Welche Termine habe ich in den nächsten 3 Wochen?", at(25), at(16, 12), True, False),
        ("Was ist in den nächsten drei Wochen fällig?", at(25), at(16, 12), True, False),
        ("What do I have to do in the next three days?", at(25), at(28), True, True),
        ("What appointments do I have this week?", at(25), at(30), True, False),
        ("What is on my calendar tomorrow?", at(26), at(27), True, False),
        ("Any upcoming meetings?", at(25), at(26, 12), False, False),
        ("What is upcoming?", at(25), at(26, 12), False, True),
        ("What was due this week?", at(23), at(30), True, False),
        ("What was due yesterday?", at(24), at(25), True, False),
        ("What was due last week?", at(16), at(23), True, False),
        ("What was due on Monday?", at(23), at(24), True, False),
        ("Was war letzte Woche fällig?", at(16), at(23), True, False),
        ("What meetings were there last month?", at(1, 10), at(1), True, False),
        ("What was due?", 0, at(25), True, False),
        ("What deadlines did I miss?", 0, at(25), True, False),
        ("Which deadlines have I missed?", 0, at(25), True, False),
        ("Welche Fristen habe ich verpasst?", 0, at(25), True, False),
        ("What was due by yesterday?", 0, at(25), True, False),
        ("What was due the day before yesterday?", at(23), at(24), True, False),
        ("What was due until last week?", 0, at(23), True, False),
        ("Was war fällig?", 0, at(25), True, False),
        ("Was war diese Woche fällig?", at(23), at(30), True, False),
        ("Was war am Montag fällig?", at(23), at(24), True, False),
        ("What meetings did I have this week?", at(23), at(30), True, False),
        ("Which meetings did I have on Monday?", at(23), at(24), True, False),
        ("What meetings have I had?", 0, at(25), True, False),
        ("What is past due this week?", at(23), at(30), True, False),
        ("What was due on the weekend?", at(21), at(23), True, False),
        ("Was ist nächstes Jahr fällig?", at(1, 1, 2027), at(1, 1, 2028), True, False),
        ("Do I have an appointment tomorrow?", at(26), at(27), True, False),
        ("What do I have planned for the weekend?", at(28), at(30), True, True),
        ("Was muss bis Montag fertig sein?", at(25), at(1, 12), True, True),
        ("What is my next meeting?", at(25), at(26, 12), False, False),
        ("What is past due?", 0, at(25), True, False),
    ],
)
def test_a_question_about_what_is_to_be_done(question: str, first: int, end: int, named: bool, undated: bool) -> None:
    assert asked_due(question, NOW) == AskedDue(first, end, named, undated)


@pytest.mark.parametrize(
    ("day", "first", "end"), [(26, at(28), at(30)), (28, at(5, 12), at(7, 12)), (29, at(5, 12), at(7, 12))]
)
def test_next_weekend_is_not_the_present_one(day: int, first: int, end: int) -> None:
    assert asked_due("What is due next weekend?", at(day)) == AskedDue(first, end, named=True, undated=False)


def test_no_question_of_known_words_has_an_empty_period() -> None:
    """Any words that such questions are made of, on any day of the week, at the ends of time and between."""
    rng = random.Random(17)
    words = sorted(PERIOD_WORDS | {"was", "is", "by", "before", "until", "day", "the", "overdue"})
    for _ in range(20_000):
        question = f"What {' '.join(rng.choices(words, k=rng.randint(1, 5)))} due?"
        questions = asked_due(question, rng.choice([0, *range(at(23), at(30), 86_400_000), at(31, 12, 9999)]))
        assert questions is None or questions.from_ms < questions.until_ms, question


@pytest.mark.parametrize("question", ["What is due this year?", "What was due last month?", "What is due this week?"])
def test_periods_at_the_ends_of_time(question: str) -> None:
    for year in (1970, 9999):
        questions = asked_due(question, to_ms(datetime(year, 12, 31, tzinfo=UTC)))
        assert questions is not None
        assert questions.from_ms < questions.until_ms


@pytest.mark.parametrize(
    "question",
    [
        "When is the report due?",
        "When is my next appointment?",
        "What happened in the last meeting?",
        "Who was at the meeting?",
        "What was decided last week?",
        "What is due for Acme?",
        "What is the deadline for the audit?",
        "What do I do for work?",
        "What do I do?",
        "What did I do this week?",
        "What have I done today?",
        "What tasks did I complete this week?",
        "Which tasks are done?",
        "Which of my tasks have we done?",
        "Who has to do the dishes?",
        "What does Lena have to do?",
        "What should I cook today?",
        "What do I like to do?",
        "What do I need?",
        "What happened this week?",
        "Is it due?",
        "Was mache ich heute?",
        "What is due in the next ² days?",
        "What was the meeting about?",
        "What is this meeting about?",
        "What do I have to do for my meeting?",
        "What is the schedule?",
        "meeting",
        "events",
        "Which tasks were done this week?",
        "Which tasks were complete last week?",
        "What are my last three appointments?",
        "What do I have to do after next week?",
        "What is due on the last day of the month?",
        "What is due in the last week of this month?",
        "What is due the last Friday of this month?",
        "",
    ],
)
def test_other_questions_ask_for_something_else(question: str) -> None:
    assert asked_due(question, NOW) is None


@pytest.mark.parametrize(
    ("text", "goal", "expected"),
    [
        ("Submit the form by 25 November.", True, 1.0),
        ("Submit the form by 25 December 2026.", True, 0.9),
        ("Submit the form on Friday.", True, 1.0),
        ("Submit the form tomorrow.", True, 1.0),
        ("The form is due on 27 November 2026.", False, 1.0),
        ("The user is going to visit their sister in the week of 30 November 2026.", True, 1.0),
        ("Steuererklärung bis zum 27. November abgeben.", True, 1.0),
        ("Die Frist ist am 27.11.2026.", False, 1.0),
        ("Submit the form by 20 November 2026.", True, 0.0),
        ("Run a marathon in October 2027.", True, 0.3),
        ("The launch is on 12 May 2027.", False, 0.0),
        ("Learn Spanish (25 November 2026).", True, 0.9),
    ],
)
def test_the_share_of_what_falls_due(text: str, goal: bool, expected: float) -> None:
    question = AskedDue(at(25), at(26, 12), named=False, undated=True)
    assert due_share(question, text, is_goal=goal, created_at=NOW, valid_until=None) == pytest.approx(
        expected, abs=0.03
    )


@pytest.mark.parametrize(
    "question", ["What do I have to do {}?", "What is due {}?", "Was muss ich {} machen?", "Was ist {} fällig?"]
)
@pytest.mark.parametrize(
    ("text", "english", "german"),
    [
        ("Ich muss morgen die Steuererklärung abgeben.", "tomorrow", "morgen"),
        ("Morgen muss ich zum Arzt.", "tomorrow", "morgen"),
        ("I have to submit the tax return tomorrow.", "tomorrow", "morgen"),
        ("Die Miete ist übermorgen fällig.", "the day after tomorrow", "übermorgen"),
        ("The rent is due the day after tomorrow.", "the day after tomorrow", "übermorgen"),
        ("Ich muss nächste Woche zum Arzt.", "next week", "nächste Woche"),
        ("I have to see the doctor next week.", "next week", "nächste Woche"),
        ("Ich muss heute noch zum Arzt.", "today", "heute"),
    ],
)
def test_either_language_finds_what_either_says(question: str, text: str, english: str, german: str) -> None:
    questions = asked_due(question.format(german if question.startswith("Was") else english), NOW)
    assert questions is not None
    assert due_share(questions, text, is_goal=False, created_at=NOW, valid_until=None) == pytest.approx(1.0)


@pytest.mark.parametrize(
    "text",
    [
        "Guten Morgen, sagte Ben.",
        "Am Morgen ist es kalt.",
        "Er ist von heute auf morgen ein anderer.",
        "Jeden morgen Tabletten nehmen.",
        "Nora hat gestern morgen angerufen.",
    ],
)
def test_the_morning_is_not_tomorrow(text: str) -> None:
    question = asked_due("Was ist morgen fällig?", NOW)
    assert question is not None
    assert not due_share(question, text, is_goal=False, created_at=NOW, valid_until=None)


def test_a_text_without_a_day_may_be_a_task_unless_a_date_is_asked_for() -> None:
    tasks, dates = asked_due("What do I have to do?", NOW), asked_due("What is due?", NOW)
    assert tasks is not None
    assert dates is not None
    text = "The roof leaks."
    assert due_share(tasks, text, is_goal=False, created_at=NOW, valid_until=None) is None
    assert due_share(dates, text, is_goal=False, created_at=NOW, valid_until=None) == 0
    assert due_share(tasks, "The roof leaked.", is_goal=False, created_at=NOW, valid_until=None) == 0


def test_what_a_named_period_leaves_out() -> None:
    week = AskedDue(at(25), at(30), named=True, undated=True)
    shares = [
        due_share(week, text, is_goal=True, created_at=NOW, valid_until=until)
        for text, until in (("Learn Spanish.", None), ("Go by 3 December.", None), ("Go.", at(27)), ("Go.", at(3, 12)))
    ]
    assert shares == pytest.approx([0.3, 0.0, 1.0, 0.0], abs=0.05)
    due = AskedDue(at(25), at(26, 12), named=False, undated=False)
    assert due_share(due, "Learn Spanish.", is_goal=True, created_at=NOW, valid_until=None) == 0


def test_what_is_overdue_is_of_a_day_that_is_over() -> None:
    question = asked_due("What is overdue?", NOW)
    assert question is not None
    shares = [
        due_share(
            question, f"Return the book by {day} November 2026.", is_goal=True, created_at=at(1), valid_until=None
        )
        for day in (20, 24, 25, 30)
    ]
    assert shares == pytest.approx([0.9, 0.9, 0.0, 0.0], abs=0.01)


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("I have to submit the tax return by 15 December.", True),
        ("The release was moved to 10 December.", True),
        ("Die Steuererklärung muss bis zum 15. Dezember abgegeben werden.", True),
        ("Lena's birthday is on 2 December.", True),
        ("The report is due on 3 December, as agreed.", True),
        ("The approved form must be sent by 3 December.", True),
        ("Ich habe am Dienstag einen Termin beim Augenarzt.", True),
        ("Wir haben bis Dienstag Zeit für das Angebot.", True),
        (f"The visa expires on 3 December. {'It is for two. ' * 20}We talked about it.", True),
        ("The kickoff was on 3 December.", False),
        ("We met on Monday.", False),
        ("Das Treffen war am Montag.", False),
        ("Wir haben uns am Montag getroffen.", False),
        ("Ich habe am Dienstag den Wagen gekauft.", False),
        ("Every Monday we have stand-up.", False),
        ("From Monday to Friday I work from the office.", False),
        ("Von Montag bis Freitag arbeite ich im Büro.", False),
        ("Anna moved to Oslo in October 2026.", False),
        ("Nora moved to Graz on 3 November.", False),
        ("Heute ist die Rechnung gekommen, fällig am 3. Dezember.", True),
        ("Der Termin ist nicht heute, sondern am 3. Dezember.", True),
        ("March figures were good.", False),
    ],
)
def test_what_is_told_in_the_past_tense_is_not_due(text: str, due: bool) -> None:
    now = 1_795_747_000_000  # 27 November 2026
    question = asked_due("What is due?", now)
    assert question is not None
    assert bool(due_share(question, text, is_goal=False, created_at=now, valid_until=None)) is due
