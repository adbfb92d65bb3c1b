"""What is said of another thing than the question names is no newer value (contract 11.2, conflictBoost)."""

import pytest

from tests.domain.ranking.test_updates import Memory, found


@pytest.mark.rule("11.2 conflictBoost")
@pytest.mark.parametrize(
    ("older", "newer", "query"),
    [
        (
            "Room 12 is booked for Amira on 3 May.",
            "Room 14 is booked for Jonas on 12 May.",
            "Who is room 12 booked for?",
        ),
        (
            "Pump 46 fills tank 51 through line 17.",
            "Pump 13 fills tank 46 through line 51.",
            "Which tank does pump 46 fill?",
        ),
        (
            "Invoice 7 comes to 310 euros, due in 14 days.",
            "Invoice 9 comes to 550 euros, due in 7 days.",
            "What does invoice 7 come to?",
        ),
        (
            "Zimmer 12 ist für Anna reserviert, am 3. Mai.",
            "Zimmer 14 ist für Jonas reserviert, am 12. Mai.",
            "Für wen ist Zimmer 12 reserviert?",
        ),
        (
            "The dentist appointment of Mia is on 12 June.",
            "The dentist appointment of Tom is on 19 June, Mia comes along.",
            "When is Mia's dentist appointment?",
        ),
        (
            "Team Red meets on Mondays at 10.",
            "Team Blue meets on Tuesdays at 11, in the room of Team Red.",
            "When does Team Red meet?",
        ),
        (
            "Anna Lang's visa is valid until 2027.",
            "Tim Roth's visa is valid until 2029, he travels with Anna Lang.",
            "Until when is Anna Lang's visa valid?",
        ),
        (
            "The staging server has 16 GB of memory.",
            "The production server has 64 GB of memory; staging is next.",
            "How much memory does the staging server have?",
        ),
        (
            "Der Hund von Lisa heißt Bello.",
            "Der Hund von Max heißt Rocky und spielt oft mit Lisa.",
            "Wie heißt der Hund von Lisa?",
        ),
        (
            "The blue valve of unit 17 opens at 51 bar. Kwame checks it every 5 months.",
            "The blue valve of unit 18 opens at 17 bar. Jonas checks it every 9 months.",
            "Which pressure for the blue valve of unit 17?",
        ),
        (
            "L'anniversaire de Zoé est le 5 mai.",
            "L'anniversaire de Léo est le 8 mai, Zoé fait le gâteau.",
            "Quand est l'anniversaire de Zoé ?",
        ),
    ],
)
def test_the_same_of_another_thing_is_no_update(older: str, newer: str, query: str) -> None:
    assert found(query, Memory(older, 60, 0.82), Memory(newer, 3, 0.8)) == []


@pytest.mark.rule("11.2 conflictBoost")
@pytest.mark.parametrize(
    ("older", "newer", "query"),
    [
        (
            "Room 12 is booked for Amira on 3 May.",
            "Room 12 is booked for Jonas on 12 May.",
            "Who is room 12 booked for?",
        ),
        (
            "Logs are kept for 30 days on 4 hosts.",
            "Logs are kept for 90 days on 4 hosts.",
            "Do we still keep logs for 30 days?",
        ),
        ("The 3 servers have 16 GB.", "The 3 servers have 32 GB.", "How much memory do our 3 machines have?"),
        (
            "The backup of the wiki runs at 2:00.",
            "The backup of the wiki runs at 4:00, after the backup of the shop.",
            "When does the backup of the wiki run?",
        ),
        (
            "Mia takes 20 mg of the medicine.",
            "Dr. Berg raised it: Mia takes 40 mg of the medicine.",
            "How much of the medicine does Mia take?",
        ),
    ],
)
def test_another_value_of_the_thing_that_is_asked_for_is_an_update(older: str, newer: str, query: str) -> None:
    assert found(query, Memory(older, 60, 0.82), Memory(newer, 3, 0.8)) == [(1, 0)]
