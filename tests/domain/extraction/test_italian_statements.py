"""What a user says to a program in Italian: which sentences become memories, in the words that were said."""

import pytest

from memd.domain.extraction.stated_secrets import contains_secret
from memd.domain.types import Category
from tests.domain.extraction.test_spanish_statements import said
from tests.domain.extraction.test_user_statements import read

pytestmark = pytest.mark.rule("11.6 method")

KEPT = (
    "In questo progetto usiamo sempre Poetry.",
    "Vivo a Torino.",
    "Mi chiamo Marco e vivo a Torino con mia moglie.",
    "Sono infermiera all'ospedale di Padova.",
    "Vivo a Bologna dal 2019.",
    "Lavoro in una banca a Milano.",
    "Sono allergica alle noci.",
    "Mia sorella vive a Palermo.",
    "Ho due figli, Nora e Matteo.",
    "Mia moglie si chiama Giulia.",
    "Preferisco le risposte brevi.",
    "Non mi piace il coriandolo.",
    "Il nostro cane si chiama Fulmine.",
    "Mi piace il tè verde.",
    "Ho un appuntamento dal dermatologo il 14 dicembre.",
    "Sono vegetariano da dieci anni.",
    "Il mio compleanno è il 3 maggio.",
    "Ricorda che non posso mangiare glutine.",
    "Abbiamo deciso di passare a Postgres.",
    "Mi sono trasferita a Firenze.",
    "Lavoro come grafico a Roma.",
)

LEFT = (
    "Scrivi un racconto: mia sorella vive a Roma.",
    "Dove vivo?",
    "Puoi aiutarmi con questo testo?",
    "Ho bisogno di una ricetta.",
    "Marco dice che vive a Roma.",
    "Credo di vivere in una simulazione.",
    "Se vivessi a Parigi, imparerei il francese.",
    "Forse mi trasferisco a Lecce.",
    "Grazie, mi hai aiutato molto.",
    "Mi piace la tua risposta.",
    "Immagina che io sia un astronauta.",
    "Ho una domanda sulle tasse.",
    "Il protagonista vive a Napoli e lavora come investigatore.",
    'Traduci: "Mi chiamo Pietro e vivo a Roma."',
    "Vorrei sapere di più.",
    "La capitale della Mongolia è Ulan Bator.",
    "Correggi il mio testo. Vivo a Roma e ho due figli.",
    "La mia password è Rosa1985!",
)


@pytest.mark.parametrize("message", KEPT)
def test_what_users_say_of_themselves_is_kept(message: str) -> None:
    assert len(said(message)) == 1


@pytest.mark.parametrize("message", LEFT)
def test_questions_requests_doubts_and_the_words_of_others_are_left(message: str) -> None:
    assert read(message) == []


def test_what_belongs_to_somebody_in_the_sentence_before_is_kept_with_it() -> None:
    assert said("Ho un cane. Si chiama Fulmine e ha quattro anni.") == [
        "Ho un cane. Si chiama Fulmine e ha quattro anni."
    ]


@pytest.mark.parametrize(
    ("message", "kept"),
    [
        ("Vivo a Torino, mi consigli una palestra?", "Vivo a Torino"),
        ("Consigliami un ristorante a Bari, sono vegetariano.", "Sono vegetariano."),
        ("Abito a Pisa e vorrei una palestra vicina.", "Abito a Pisa"),
    ],
)
def test_what_a_request_says_of_its_author_is_kept(message: str, kept: str) -> None:
    assert said(message) == [kept]


@pytest.mark.parametrize(
    ("message", "category"),
    [
        ("Sono allergica alle noci.", Category.FACT),
        ("Mia sorella vive a Palermo.", Category.PERSON),
        ("Ho un appuntamento dal dermatologo il 14 dicembre.", Category.EVENT),
        ("Abbiamo deciso di passare a Postgres.", Category.DECISION),
        ("D'ora in poi rispondimi sempre in italiano.", Category.RULE),
        ("Ricordami di pagare l'affitto il 1 dicembre.", Category.GOAL),
    ],
)
def test_a_statement_has_its_category(message: str, category: Category) -> None:
    assert [memory.category for memory in read(message)] == [category]


@pytest.mark.parametrize(
    "text", ["La mia password è Rosa1985!", "Il codice del cancello è 4471.", "La password del wifi è girasole"]
)
def test_a_secret_is_recognised(text: str) -> None:
    assert contains_secret(text)


@pytest.mark.parametrize("text", ["La password del wifi è sulla lavagna.", "La password è molto lunga."])
def test_where_a_secret_is_kept_is_none(text: str) -> None:
    assert not contains_secret(text)
