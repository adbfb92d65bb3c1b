"""Which attribute a question asks for, and which rows state it (contract 11.2, context)."""

import pytest

from memd.domain.facts.succession import DatedStatement
from memd.domain.questions.facts import asked_fact, stated_shares


@pytest.mark.parametrize(
    ("question", "subject", "attribute"),
    [
        ("Where do I live?", "user", "residence"),
        ("what's my name?", "user", "name"),
        ("Who is my manager?", "user", "manager"),
        ("What am I allergic to?", "user", "allergy"),
        ("Where do we work?", "user", "employer"),
        ("Which languages does Ana speak?", "ana", "language"),
        ("Where does Ana live?", "ana", "residence"),
        ("which city did Ana Adler live in in March 2025?", "ana-adler", "residence"),
        ("Where is Ben currently based?", "ben", "residence"),
        ("Who does Ben work for now?", "ben", "employer"),
        ("Which company employs Ben?", "ben", "employer"),
        ("Who does the platform team report to?", "platform-team", "manager"),
        ("Who owns the billing service?", "billing-service", "owner"),
        ("When is the release scheduled for?", "release", "date"),
        ("How much does the kit cost?", "kit", "price"),
        ("When is the exam?", "exam", "date"),
        ("When will the next town meeting be?", "next-town-meeting", "date"),
        ("What is the refund limit?", "refund", "limit"),
        ("How high is the rate limit for free customers?", "free-customers", "rate-limit"),
        ("What's the deadline for the audit?", "audit", "date"),
        ("What is Ana's phone number?", "ana", "phone-number"),
        ("What's the budget of project Kite?", "project-kite", "budget"),
        ("Who is Ana's new boss?", "ana", "manager"),
        ("In what town is the home of Ana Adler?", "ana-adler", "residence"),
        ("Tell me the current employer of Ben.", "ben", "employer"),
        ("Which database does the team use?", "team", "uses"),
        ("What does Ana do for a living?", "ana", "role"),
        ("what is Ana doing for a living", "ana", "employer"),
        ("What phone number does Ana have?", "ana", "phone-number"),
    ],
)
def test_a_question_asks_for_an_attribute(question: str, subject: str, attribute: str) -> None:
    questions = asked_fact(question)
    assert questions is not None
    assert questions.subject_key == subject
    assert attribute in questions.attributes


@pytest.mark.parametrize(
    "question",
    [
        "",
        "Ana lives in Oslo.",
        "What did Ana say about Oslo?",
        "Why did Ben leave?",
        "What is the plan?",
        "When did the exam start?",
        "What did Ben do at work?",
        "Who lives with Ana?",
        "With whom does Ana live?",
        "Who reports to Ana?",
        "Who is managed by Ana?",
        "When did Ana get married?",
        "Which phone does Ana have?",
        "live " * 100,
    ],
)
def test_other_questions_ask_for_none(question: str) -> None:
    assert asked_fact(question) is None


def stating(*recorded: int | None) -> list[DatedStatement | None]:
    return [None if at is None else DatedStatement(at) for at in recorded]


def test_the_current_row_of_those_that_had_begun_states_it() -> None:
    question = asked_fact("Where does Ana live?")
    assert stated_shares(question, stating(10, 30, None, 20), 25) == [0, 0, 0, 1]
    assert stated_shares(question, stating(10, 30, None, 20), 99) == [0, 1, 0, 0]
    assert stated_shares(question, stating(10, None), 5) == [0, 0]
    assert stated_shares(None, stating(10, None), 99) == [0, 0]


def test_what_was_recorded_later_is_current_though_it_began_before_that() -> None:
    question = asked_fact("Where does Ana live?")
    assert stated_shares(question, [DatedStatement(30), DatedStatement(40, valid_from=20, changed=True)], 99) == [0, 1]


@pytest.mark.parametrize(
    "question",
    ["Where did Ana live before?", "Who was Ana's manager previously?", "What did the milk cost before?"],
)
def test_the_last_row_before_the_current_one_states_the_earlier_value(question: str) -> None:
    asked = asked_fact(question)
    assert asked is not None
    assert not asked.is_all
    assert stated_shares(asked, stating(10, 30, None, 20), 99) == [0.5, 0.5, 0, 1]


@pytest.mark.parametrize(
    ("question", "subject", "attribute", "before"),
    [
        ("Who was my accountant before Grace?", "user", "accountant", "grace"),
        ("Where did Ana live before Oslo?", "ana", "residence", "oslo"),
        ("Where did Ana work before Blue Harbour?", "ana", "employer", "blue harbour"),
        ("Wer war vor Frau Yilmaz mein Steuerberater?", "user", "accountant", "yilmaz"),
        ("Wer war mein Hausarzt vor Dr. Kern?", "user", "doctor", "kern"),
        ("Who was my landlord before May?", "user", "landlord", ""),
        ("Where did Ana work before Ben was born?", "ana", "employer", ""),
        ("What does the lease cost before VAT?", "lease", "price", ""),
        ("How much does the lease cost before Sales Tax?", "lease", "price", ""),
        ("What was Ana's salary before Tax?", "ana", "salary", ""),
    ],
)
def test_a_question_may_name_the_value_that_followed(question: str, subject: str, attribute: str, before: str) -> None:
    asked = asked_fact(question)
    assert asked is not None
    assert (asked.subject_key, asked.attributes[0], asked.before) == (subject, attribute, before)
    assert asked.is_current


@pytest.mark.parametrize("question", ["Who was my previous accountant?", "What was Ana's former employer?"])
def test_a_former_value_is_an_earlier_one(question: str) -> None:
    asked = asked_fact(question)
    assert asked is not None
    assert not asked.is_current


def test_a_question_for_a_version_is_not_one_for_everything_that_is_used() -> None:
    assert asked_fact("Which version of Go do we use?") is None
    assert asked_fact("Which database do we use?") is not None


def test_each_row_states_an_attribute_with_many_values() -> None:
    assert stated_shares(asked_fact("What does the team use?"), stating(10, 30, None), 20) == [0.5, 0, 0]


@pytest.mark.parametrize(
    ("question", "subject", "attribute"),
    [
        ("Wo wohne ich?", "user", "residence"),
        ("In welcher Stadt wohnt Lena Kern?", "lena-kern", "residence"),
        ("Wo arbeite ich eigentlich?", "user", "employer"),
        ("Bei welcher Firma arbeitet Lena?", "lena", "employer"),
        ("Wie heißt meine Schwiegermutter?", "user", "mother-in-law"),
        ("wie heisst mein chef", "user", "boss"),
        ("Wer ist meine Zahnärztin?", "user", "dentist"),
        ("Wie heiße ich?", "user", "name"),
        ("Wo ist mein Büro?", "user", "office"),
        ("Was ist meine Zeitzone?", "user", "time-zone"),
    ],
)
def test_a_german_question_asks_for_the_same(question: str, subject: str, attribute: str) -> None:
    questions = asked_fact(question)
    assert questions is not None
    assert (questions.subject_key, questions.attributes[0]) == (subject, attribute)


@pytest.mark.parametrize(
    "question", ["Wo wohnte ich früher?", "Wo wohnt er?", "Wie heißt das Lied?", "Wo ist der Schlüssel?"]
)
def test_other_german_questions_ask_for_none(question: str) -> None:
    assert asked_fact(question) is None
