"""Whether a question asks for an earlier value (contract 11.2, conflictBoost)."""

import pytest

from memd.domain.questions.earlier import asks_for_earlier
from memd.domain.questions.facts import asked_fact


@pytest.mark.rule("11.2 conflictBoost")
@pytest.mark.parametrize(
    "question",
    [
        "Where did Ana live before Oslo?",
        "what did we use before Postgres",
        "Which database did we use before the migration?",
        "Where have we hosted it before?",
        "Who was my previous dentist?",
        "What was Ana's former employer?",
        "What was the original release date?",
        "what was our payment provider before?",
        "what was the first payment provider?",
        "what payment provider did we once have?",
        "Where did I use to live?",
        "who used to manage Ben",
        "what is my old phone number",
        "what was the oldest price of the plan?",
        "what was the earlier deadline?",
        "can you tell me my previous address?",
        "Wo habe ich früher gewohnt?",
        "Wie hieß der vorherige Anbieter?",
        "Was haben wir zuerst benutzt?",
        "Wie war der ursprüngliche Termin?",
        "Was war meine alte Adresse?",
        "Wer war vor Frau Yilmaz mein Steuerberater?",
        "Welche Datenbank hatten wir vor Postgres?",
        "Wo haben wir vor dem Umzug gehostet?",
        "Was haben wir vor Postgres benutzt?",
        "Was hat Ana vor Oslo verwendet?",
        "Welchen Anbieter haben wir vor Adyen empfohlen?",
        "Was war die erste Frist?",
        "¿Dónde vivía antes?",
        "Onde eu morava antes?",
    ],
)
def test_a_question_asks_for_an_earlier_value(question: str) -> None:
    assert asks_for_earlier(question, asked_fact(question))


@pytest.mark.rule("11.2 conflictBoost")
@pytest.mark.parametrize(
    "question",
    [
        "what is our payment provider?",
        "how old is my daughter?",
        "how old was Ana?",
        "who is older, Ana or Ben?",
        "what should I do first?",
        "what is Ana's first name?",
        "what was Ana's first name?",
        "how often do backups run, once a day?",
        "what is due before the audit?",
        "what must I finish before Friday?",
        "what does the lease cost before VAT?",
        "What was Ana's salary before tax?",
        "who was hired before May?",
        "which tool is used to deploy the site?",
        "what are the initials of my boss?",
        "where is the browser history stored?",
        "can the meeting be earlier?",
        "where is the original of the contract?",
        "when does the first train leave?",
        "Wie alt ist meine Tochter?",
        "Welches Alter hat Ben?",
        "Was soll ich zuerst erledigen?",
        "Was ist vor dem Audit fällig?",
        "Was muss ich vorher wissen?",
        "Was hat Ana vor?",
        "Was haben wir vor dem Audit zu erledigen?",
        "Welche Pakete hat der alte Server?",
    ],
)
def test_other_questions_do_not(question: str) -> None:
    assert not asks_for_earlier(question, asked_fact(question))
