"""What a user corrects in German: the note gets the value that holds; answers and other values are left alone."""

import pytest

from memd.domain.extraction.conversation_windows import ConversationWindow, SourceMessage
from memd.domain.extraction.extract import extract
from memd.domain.ids import new_id
from memd.domain.types import MessageRole
from tests.domain.extraction.test_user_statements import WEDNESDAY

pytestmark = pytest.mark.rule("11.6 method")

DENTIST = "Mein Zahnarzttermin ist am 3. Dezember."
MEETING = "Wir treffen uns am Freitag um 10 Uhr mit Petra."


def talk(*texts: str) -> list[str]:
    """What is kept of the words of a user, the odd ones, and of the answers of a program between them."""
    rows = [
        SourceMessage(
            id=new_id(),
            role=MessageRole.ASSISTANT if at % 2 else MessageRole.USER,
            content=text,
            timestamp=WEDNESDAY + at * 1000,
            created_at=WEDNESDAY,
        )
        for at, text in enumerate(texts)
    ]
    made = extract(ConversationWindow(None, None, tuple(rows)))
    return [memory.content.split("): ", 1)[1] for memory in made]


@pytest.mark.parametrize(
    ("texts", "kept"),
    [
        ((DENTIST, "Notiert.", "Nein, doch am 4. Dezember."), "Mein Zahnarzttermin ist am 4. Dezember."),
        (("Der Termin ist am Montag.", "Ok.", "Ich meinte Dienstag."), "Der Termin ist am Dienstag."),
        ((MEETING, "Ok.", "Ich meinte Donnerstag."), "Wir treffen uns am Donnerstag um 10 Uhr mit Petra."),
        ((MEETING, "Ok.", "Ach nein, doch um 11 Uhr."), "Wir treffen uns am Freitag um 11 Uhr mit Petra."),
        (("Die Miete beträgt 980 Euro.", "Ok.", "Korrektur: 890 Euro."), "Die Miete beträgt 890 Euro."),
        (("Mein Chef heißt Jonas Wirth.", "Ok.", "Ich meinte Wirt, nicht Wirth."), "Mein Chef heißt Jonas Wirt."),
        (("Ich wohne in Graz.", "Schön!", "Sorry, ich meinte Wien statt Graz."), "Ich wohne in Wien."),
        (("Meine Tochter ist 7 Jahre alt.", "Ok.", "Entschuldigung, 8."), "Meine Tochter ist 8 Jahre alt."),
        (("Ich bin 30 und wohne in Köln.", "Ok.", "Korrektur: 31."), "Ich bin 31 und wohne in Köln."),
        (("Die Miete beträgt 980 €.", "Ok.", "Korrektur: 890 Euro."), "Die Miete beträgt 890 Euro."),
        (("Ich habe 1 Kind.", "Ok.", "Korrektur: 2 Kinder."), "Ich habe 2 Kinder."),
        ((f"{DENTIST} Nein, am 4. Dezember.",), "Mein Zahnarzttermin ist am 4. Dezember."),
        (
            ("Mein Termin ist am Freitag, 4. Dezember.", "Ok.", "Nein, doch am Samstag."),
            "Mein Termin ist am Freitag, 4. Dezember. Korrektur: Samstag.",
        ),
    ],
)
def test_the_note_has_the_value_that_holds(texts: tuple[str, ...], kept: str) -> None:
    assert talk(*texts) == [kept]


@pytest.mark.parametrize(
    "texts",
    [
        (DENTIST, "Soll ich dich am 2. Dezember erinnern?", "Nein, am 1. Dezember."),
        (DENTIST, "Ich erinnere dich am 2. Dezember.", "Nein, doch am 1. Dezember."),
        (DENTIST, "Schön.", "Nein danke."),
        (DENTIST, "Und der Preis?", "Ich meinte 40 Euro."),
        (DENTIST, "Ok.", "Nein, Wien."),
    ],
)
def test_answers_and_other_values_change_nothing(texts: tuple[str, ...]) -> None:
    assert talk(*texts) == [DENTIST]


def test_an_amount_of_another_unit_is_no_correction() -> None:
    assert talk("Meine Miete beträgt 800 Euro.", "Notiert.", "Moment, 5 Minuten.") == ["Meine Miete beträgt 800 Euro."]
