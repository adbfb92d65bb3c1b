"""What a user corrects in Spanish, French, Italian or Portuguese: the note gets the value that holds."""

import pytest

from tests.domain.german.test_german_corrections import talk

pytestmark = pytest.mark.rule("11.6 method")

DENTIST = "Mi cita con el dentista es el 3 de diciembre."


@pytest.mark.parametrize(
    ("texts", "kept"),
    [
        (
            ("Mi cita con el dentista es el lunes.", "Ok.", "No, perdón, es el martes."),
            "Mi cita con el dentista es el martes.",
        ),
        (
            ("Tengo cita con el médico el 14 de diciembre. No, perdón, el 15 de diciembre.",),
            "Tengo cita con el médico el 15 de diciembre.",
        ),
        (
            ("Tengo reunión con Marta el jueves.", "Ok.", "Quería decir el viernes."),
            "Tengo reunión con Marta el viernes.",
        ),
        (
            ("J'ai rendez-vous chez le dentiste lundi.", "Ok.", "Je voulais dire mardi."),
            "J'ai rendez-vous chez le dentiste mardi.",
        ),
        (
            ("J'ai rendez-vous chez le médecin le 3 décembre.", "Ok.", "Non, pardon, le 4 décembre."),
            "J'ai rendez-vous chez le médecin le 4 décembre.",
        ),
        (("Mi hermana vive en Sevilla.", "Ok.", "Perdón, en Málaga, no en Sevilla."), "Mi hermana vive en Málaga."),
        (("Ma sœur habite à Lyon.", "Ok.", "Pardon, à Nantes, pas à Lyon."), "Ma sœur habite à Nantes."),
        (
            ("Ho appuntamento dal dentista lunedì.", "Ok.", "No, scusa, martedì."),
            "Ho appuntamento dal dentista martedì.",
        ),
        (
            ("Tenho consulta no dentista na segunda-feira.", "Ok.", "Não, desculpa, na terça-feira."),
            "Tenho consulta no dentista na terça-feira.",
        ),
        (("Mi alquiler cuesta 900 euros.", "Ok.", "Corrección: 950 euros."), "Mi alquiler cuesta 950 euros."),
        (
            ("Mi cita con el dentista es el lunes, 3 de mayo.", "Ok.", "No, perdón, el martes."),
            "Mi cita con el dentista es el lunes, 3 de mayo. Corrección: martes.",
        ),
    ],
)
def test_the_note_has_the_value_that_holds(texts: tuple[str, ...], kept: str) -> None:
    assert talk(*texts) == [kept]


@pytest.mark.parametrize(
    "texts",
    [
        (DENTIST, "¿Te lo recuerdo el 2 de diciembre?", "No, el 1 de diciembre."),
        (DENTIST, "Bien.", "No, gracias."),
        (DENTIST, "¿Y el precio?", "Quería decir 40 euros."),
        (DENTIST, "Ok.", "No, el martes voy a nadar."),
        (DENTIST, "Ok.", "No, Sevilla."),
    ],
)
def test_answers_and_other_values_change_nothing(texts: tuple[str, ...]) -> None:
    assert DENTIST in talk(*texts)
