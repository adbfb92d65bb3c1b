"""German messages of several sentences: what is said of things belongs to the request, what is said of the user is kept."""

import pytest

from memd.domain.german.text import is_german
from tests.domain.extraction.test_user_statements import read


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize(
    ("message", "kept"),
    [
        (
            "Hallo! Ich heiße Tobias Kern und arbeite bei Lumen. Kannst du mir helfen? Ich gehe montags klettern.",
            ["Ich heiße Tobias Kern und arbeite bei Lumen.", "Ich gehe montags klettern."],
        ),
        (
            "Plane mir eine Reise nach Japan. Wir sind zu zweit, haben 14 Tage Zeit und mögen Natur.",
            ["Wir sind zu zweit, haben 14 Tage Zeit und mögen Natur."],
        ),
        ("Das Thema ist Weimar. Die Republik wurde 1918 gegründet und endete 1933. Stimmt das?", []),
        ("Fasse zusammen: Die Union hat 27 Mitglieder. Der Euro wurde 2002 eingeführt.", []),
        ("Mein Skript läuft in einen Timeout. Der Server antwortet mit 504. Hier ist der Code:", []),
        ("Schreib ein Gedicht. Keine Emojis!", []),
        ("Keine Emojis!", ["Keine Emojis!"]),
        ("Der Zug fährt um 8 Uhr in Köln ab. Wann ist er in Berlin?", []),
        ("Der Zug nach Köln geht am Freitag um 8 Uhr.", ["Der Zug nach Köln geht am Freitag um 8 Uhr."]),
        ("Zusammenfassung des Textes: " + "Das Schiff legte am Montag um 9 Uhr an. " * 12, []),
    ],
)
def test_what_a_message_says_of_its_author_is_kept(message: str, kept: list[str]) -> None:
    assert sorted(memory.content.split(": ", 1)[1] for memory in read(message)) == sorted(kept)


@pytest.mark.parametrize(
    "text", ["ich wohn in graz", "Meine Schwester heisst Rahel.", "bitte immer kurz antworten", "Wir nutzen Postgres."]
)
def test_few_words_show_that_a_text_is_german(text: str) -> None:
    assert is_german(text)


@pytest.mark.parametrize(
    "text",
    [
        "My timezone is IST.",
        "I love das Keyboard.",
        "im vegan",
        "The dir is /var/lib",
        "Ik woon in Utrecht en werk bij Philips.",
        "Jeg bor i Oslo og har en hund.",
        "Moro em Lisboa, das nove às cinco trabalho.",
        "J'habite à Graz.",
    ],
)
def test_other_languages_are_not_german(text: str) -> None:
    assert not is_german(text)
