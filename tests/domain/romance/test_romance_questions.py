"""Questions for facts in Spanish, French, Italian and Portuguese (contract 11.2): the current and the earlier value."""

import pytest

from memd.domain.questions.facts import asked_fact

pytestmark = pytest.mark.rule("11.2 fact")

LIVE = "residence location country"


@pytest.mark.parametrize(
    ("question", "subject", "attributes", "earlier"),
    [
        ("Quel est mon plat préféré ?", "user", "favorite-dish", ""),
        ("Dans quel pays j'habite ?", "user", LIVE, ""),
        ("¿Dónde vivo?", "user", LIVE, ""),
        ("¿Dónde vivo ahora?", "user", LIVE, ""),
        ("¿Dónde vivía antes?", "user", LIVE, "earlier"),
        ("donde trabajo", "user", "employer", ""),
        ("¿Para quién trabajo?", "user", "employer", ""),
        ("¿Cómo se llama mi mujer?", "user", "wife", ""),
        ("¿Quién es mi jefa?", "user", "boss", ""),
        ("¿Cuál es mi color favorito?", "user", "favorite-color", ""),
        ("¿Cuál es mi número de teléfono?", "user", "phone-number mobile-number", ""),
        ("¿A qué soy alérgico?", "user", "allergy", ""),
        ("¿Dónde vivía antes de Sevilla?", "user", LIVE, "sevilla"),
        ("¿Quién era mi jefa antes?", "user", "boss", "earlier"),
        ("¿Cuándo es mi cumpleaños?", "birthday", "date", ""),
        ("Où est-ce que j'habite ?", "user", LIVE, ""),
        ("Où j'habite ?", "user", LIVE, ""),
        ("Où habitais-je avant ?", "user", LIVE, "earlier"),
        ("Chez qui est-ce que je travaille ?", "user", "employer", ""),
        ("Où est-ce que je travaillais avant ?", "user", "employer", "earlier"),
        ("Comment s'appelle ma femme ?", "user", "wife", ""),
        ("Qui est mon chef ?", "user", "boss", ""),
        ("Quelle est ma couleur préférée ?", "user", "favorite-color", ""),
        ("À quoi suis-je allergique ?", "user", "allergy", ""),
        ("Quand est mon anniversaire ?", "birthday", "date", ""),
        ("Où habite Ana ?", "ana", LIVE, ""),
        ("¿Dónde vive Ana?", "ana", LIVE, ""),
        ("Dove vivo?", "user", LIVE, ""),
        ("Dove abitavo prima?", "user", LIVE, "earlier"),
        ("Come si chiama mia moglie?", "user", "wife", ""),
        ("Onde moro?", "user", LIVE, ""),
        ("Onde eu morava antes?", "user", LIVE, "earlier"),
        ("Como se chama a minha mulher?", "user", "wife", ""),
    ],
)
def test_a_question_asks_for_an_attribute(question: str, subject: str, attributes: str, earlier: str) -> None:
    asked = asked_fact(question)
    assert asked is not None
    assert (asked.subject_key, " ".join(asked.attributes)) == (subject, attributes)
    assert (asked.before or "earlier" * (not asked.is_current)) == earlier


@pytest.mark.parametrize(
    "question",
    [
        "¿Dónde vivo mejor?",
        "¿Dónde puedo vivir?",
        "Où habiter en France ?",
        "¿Cómo se llama la película?",
        "Où est-ce que je peux travailler ?",
        "Dove vivono i pinguini?",
        "¿Quién es mi mejor opción?",
    ],
)
def test_other_questions_ask_for_none(question: str) -> None:
    assert asked_fact(question) is None
