"""German, French and Spanish statements and instructions beside a role, a place or a question."""

import pytest

from tests.domain.extraction.test_user_statements import read


@pytest.mark.parametrize(
    "statement",
    [
        "Hör auf, dich ständig zu entschuldigen",
        "Lass die Emojis weg",
        "Ich arbeite nur noch vier Tage die Woche",
        "Als Diabetiker muss ich auf Zucker achten",
        "Ich leide an Migräne",
        "Bei uns gibts keine Freitagsdeployments",
        "Pregúntame siempre antes de borrar algo",
        "Demande-moi toujours avant de supprimer un fichier",
        "Ich mag es nicht, wenn du so ausschweifend antwortest",
        "Desde marzo trabajo a media jornada",
        "Nuestra aplicación corre en Laravel 10",
        "No hagas commits sin preguntarme antes",
        "Notre appli tourne sur Symfony 6",
        "Je prépare le marathon de Paris",
        "Ne supprime rien sans me demander",
        "En mi empresa trabajamos con Java 11",
        "En nuestro equipo hacemos los despliegues los jueves",
        "Por favor, deja de usar emojis",
        "Arrête d'utiliser des emojis",
        "Chez nous on déploie le mardi",
        "Dans mon équipe on fait du TDD",
        "En tant que graphiste, j'utilise surtout Figma",
    ],
)
def test_a_statement_or_an_instruction_is_kept(statement: str) -> None:
    assert [each.content for each in read(statement)] == [f"User (18 November 2026): {statement}"]


def test_a_german_statement_in_inverted_order_before_a_question() -> None:
    made = read("Jedenfalls: als Diabetiker muss ich auf Zucker achten, welche Snacks gehen?")
    assert [each.content for each in made] == ["User (18 November 2026): Als Diabetiker muss ich auf Zucker achten"]


@pytest.mark.parametrize(
    ("message", "statement"),
    [
        ("je suis végane depuis deux ans, une idée de gâteau ?", "Je suis végane depuis deux ans"),
        ("j'ai trois enfants, on part où en vacances ?", "J'ai trois enfants"),
        ("tengo dos gatos, ¿alguna idea?", "Tengo dos gatos"),
    ],
)
def test_a_statement_before_a_question_without_a_verb_is_kept(message: str, statement: str) -> None:
    assert [each.content for each in read(message)] == [f"User (18 November 2026): {statement}"]


@pytest.mark.parametrize(
    "message",
    [
        "Im Spiel haben wir zwei Kinder.",
        "Hör auf damit.",
        "Lass das weg.",
        "Als Test muss ich das neu starten.",
        "Bei uns gibts heute Pizza.",
        "Ich leide unter dem Code.",
        "Pregúntale antes de ir.",
        "Erst kam der Zug nicht, dann war der Beamer da.",
        "Si j'ai trois enfants, on part où ?",
        "Arrête d'utiliser ce fichier.",
        "Por favor, deja de poner eso.",
        "En tant que client je veux pouvoir payer.",
    ],
)
def test_what_is_not_about_the_author_is_left(message: str) -> None:
    assert read(message) == []
