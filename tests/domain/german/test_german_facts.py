"""Facts that German sentences state, and which of them contradict each other (contract 17.5)."""

import pytest

from memd.domain.facts.facts import certainty, find_facts
from memd.domain.german.cues import may_state_in_german
from memd.domain.text.sentences import sentences

pytestmark = pytest.mark.rule("17.5 conflicts")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Das Budget für Projekt Lindenhof beträgt 40.000 Euro.", "projekt-lindenhof budget 40000-euro"),
        ("Wir haben das Budget von 40.000 auf 55.000 Euro erhöht.", "budget budget 55000-euro changed"),
        ("Die Miete wurde auf 950 Euro erhöht.", "miete rent 950-euro changed"),
        ("Katrins Gehalt beträgt 4.000 Euro im Monat.", "katrin salary 4000-euro-im-monat"),
        ("Das Kabel kostet 3,50 Euro.", "kabel price 3-50-euro"),
        ("Die Version von Postgres ist 16.2.", "postgres version 16-2"),
        ("Das Limit liegt bei 250 Anfragen pro Minute.", "limit limit 250-anfragen-pro-minute"),
        ("Der Server läuft jetzt auf Port 9090.", "server port 9090 changed"),
        ("Das Treffen mit Lena ist am 3. Mai.", "treffen-mit-lena date 3-may"),
        ("Die Sitzung findet am 05.06.2026 um 10 Uhr statt.", "sitzung date 5-june-2026"),
        ("Die Frist für das Audit ist der 3. Mai.", "audit date 3-may"),
        ("Der Abgabetermin wurde auf den 20. März verschoben.", "abgabetermin date 20-march changed"),
        ("Die Besprechung beginnt um 9 Uhr 30.", "besprechung time 9-30"),
        ("Ab Januar beträgt die Miete 950 Euro.", "miete rent 950-euro changed"),
        ("Die Miete beträgt 900 Euro kalt.", "miete rent-kalt 900-euro"),
        ("Seit Mai wohnt Lena in Köln.", "lena residence köln"),
        ("Ich bin wieder bei Siemens.", "user employer siemens changed"),
        ("Ich bin gegen Nüsse allergisch.", "user allergy nüsse"),
        ("Ich bin nicht mehr gegen Nüsse allergisch.", "user allergy not-nüsse changed"),
        ("Ich bin Vegetarierin.", "user diet vegetarian"),
        ("Ich bin keine Vegetarierin mehr.", "user diet not-vegetarian changed"),
        ("Inzwischen läuft der Server auf Port 9090.", "server port 9090 changed"),
        ("Lena wohnt in Bonn.", "lena residence bonn"),
        ("Ich wohne seit Mai in Köln.", "user residence köln"),
        ("Meine Schwester Lena ist im Mai nach Köln gezogen.", "lena residence köln changed"),
        ("Lena wohnt wieder in Köln.", "lena residence köln"),
        ("Lena ist letzte Woche zurück nach Köln gezogen.", "lena residence köln changed"),
        ("Unsere Nachbarn wohnen jetzt in Jena.", "nachbarn residence jena changed"),
        ("Lena arbeitet bei der Post als Leiterin.", "lena employer post"),
        ("Bob ist bei Siemens angestellt.", "bob employer siemens"),
        ("Bob ist jetzt bei der Post beschäftigt", "bob employer post changed"),
        ("Bob ist angestellt bei Siemens", "bob employer siemens"),
        ("Bob ist nicht mehr bei Siemens angestellt", "bob employer not-siemens changed"),
        ("Ich bin bei Siemens angestellt.", "user employer siemens"),
        ("Ben hat eine Stelle bei Rabcat in Wien bekommen.", "ben employer rabcat changed"),
        ("Ich habe einen neuen Job bei Bosch gefunden.", "user employer bosch changed"),
        ("Die Miete kostet 900 Euro", "miete rent 900-euro"),
        ("Petra hat bei Siemens gekündigt.", "petra employer not-siemens changed"),
        ("Ich habe zum 31. Januar bei Bosch gekündigt.", "user employer not-bosch changed"),
        ("Frau Yilmaz ist meine Steuerberaterin.", "user accountant yilmaz"),
        ("Seit Mai ist Jonas Wirth mein Chef.", "user boss jonas-wirth changed"),
        ("Frau Kern ist jetzt unsere Vermieterin.", "user landlord kern changed"),
        ("Der Termin kostet 50 Euro.", "termin price 50-euro"),
        ("Lena arbeitet nicht mehr bei Siemens.", "lena employer not-siemens changed"),
    ],
)
def test_a_german_sentence_states_a_fact(text: str, expected: str) -> None:
    (fact,) = find_facts(text)
    denied, changed = "not-" if fact.denied else "", " changed" if fact.changed else ""
    assert f"{fact.subject_key} {fact.attribute} {denied}{fact.value_key}{changed}" == expected


@pytest.mark.parametrize(
    "text",
    [
        "Sie wohnt in Bonn.",
        "Wohnt Lena in Bonn?",
        "Lena wohnt nicht in Bonn.",
        "Lena wohnt in einer WG.",
        "Ich bin wieder bei Kräften.",
        "Lena wohnt in Untermiete.",
        "Lena hat eine Stelle in Wien gefunden.",
        "Lena lebt in Scheidung.",
        "Lena wohnt in der Hauptstraße 5.",
        "Vielleicht wohnt Lena in Köln.",
        "Wenn Lena in Köln wohnt, ist es weit.",
        "Lena sollte nach Köln ziehen.",
        "Ihr Gehalt ist 3.000 Euro.",
        "Lena ist 40 Jahre alt.",
        "Das Projekt ist am 3. Mai fertig.",
        "Die Wohnung ist 3 Zimmer groß.",
        "Das Budget ist zu klein.",
        "Das Budget beträgt nicht 40.000 Euro.",
        "Das ist 3 Euro wert.",
        "Lena war am 3. Mai in Bonn.",
        "Ist die Frist am 3. Mai?",
        "Der Zug hat 3 Wagen.",
        "Die Miete ist 20 % höher als letztes Jahr.",
        "Die Kosten sind 20 Prozent gestiegen.",
        "Der Preis ist 100 Euro zu hoch.",
        "Das Ticket kostet 30 Euro mehr als letztes Jahr.",
        "Das Ziel ist 10 km entfernt.",
        "Ich arbeite bei Nacht.",
        "Ich arbeite bei Kerzenlicht.",
        "Ich arbeite für Geld.",
        "Anna lebt in Elternzeit.",
        "Keiner wohnt in Wien.",
        "Kein Mensch wohnt in Wien.",
    ],
)
def test_other_german_sentences_state_none(text: str) -> None:
    assert find_facts(text) == []


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "Das Budget für Projekt Lindenhof beträgt 40.000 Euro.",
            "Das Budget für Projekt Lindenhof beträgt 55.000 Euro.",
            0.9,
        ),
        ("Die Miete ist 900 Euro", "Die Miete ist jetzt 950 Euro", 0.95),
        ("Die Miete kostet 900 Euro", "Die Miete wurde auf 950 Euro erhöht", 0.95),
        ("Bob arbeitet bei Siemens.", "Bob ist bei Bosch angestellt.", 0.85),
        ("Der Server läuft auf Port 8080", "Der Server läuft auf Port 9090", 0.9),
        ("Lena wohnt in Bonn", "Lena wohnt jetzt in Köln", 0.95),
        ("Lena wohnt in Bonn", "Lena wohnt nicht mehr in Bonn", 0.95),
        ("Lena lives in Bonn.", "Lena ist nach Köln gezogen.", 0.95),
        ("Das Audit ist am 3. Mai.", "Das Audit wurde auf den 10. Mai verschoben.", 0.95),
        ("Der Termin ist am 3. Mai.", "Der Termin wurde auf den 10. Mai verschoben.", 0.95),
        ("Lena arbeitet bei Siemens.", "Lena arbeitet bei Bosch.", 0.85),
        ("Lenas Gehalt ist 3.000 Euro.", "Das Gehalt von Lena beträgt 3.500 Euro.", 0.9),
        ("The budget of Lindenhof is 40,000 euros.", "The budget for Lindenhof is 55,000 euros.", 0.9),
        ("The timeout is 30ms.", "The timeout is 30m.", 0.9),
        ("Der Urlaub endet am 17. August.", "Der Urlaub endet am 20. August.", 0.85),
        ("Die Frist für das Audit ist der 3. Mai.", "Die Frist für das Audit endet am 5. Mai.", 0.85),
    ],
)
def test_another_value_of_the_same_contradicts(old: str, new: str, expected: float) -> None:
    ((before,), (after,)) = find_facts(old), find_facts(new)
    assert certainty(before, after) == expected


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Raum 3 kostet 50 Euro.", "Raum 4 kostet 60 Euro."),
        ("Die Miete für Raum A ist 500 Euro.", "Die Miete für Raum B ist 700 Euro."),
        ("Die Kaltmiete ist 900 Euro.", "Die Warmmiete ist 1.150 Euro."),
        ("Lena wohnt in Bonn.", "Tom wohnt in Köln."),
        ("Lena wohnt in Hamburg.", "Lena wohnt in Hamburg-Altona."),
        ("Das Treffen mit Lena ist am 3. Mai.", "Das Treffen mit Tom ist am 5. Mai."),
        ("Mein Termin ist am 3. Mai.", "Mein Termin ist am 12. Juni."),
        ("The meeting is on 3 May.", "The meeting is on 12 June."),
        ("Die Miete beträgt 900 Euro kalt.", "Die Miete beträgt 1.150 Euro warm."),
        ("Der Zahnarzttermin ist am 3. Mai.", "Der Frisörtermin ist am 5. Mai."),
        ("Die Sitzung ist am Montag.", "Die Sitzung ist am Dienstag."),
        ("Die Sitzung ist am 3. Mai.", "Die Sitzung ist am 03.05.2026."),
        ("Die Sitzung ist am 3. Mai.", "Die Sitzung ist um 10 Uhr."),
        ("Das Budget beträgt 40.000 Euro.", "Das Budget ist 40000 Euro."),
        ("The budget of Lindenhof is 40,000 euros.", "Das Budget von Lindenhof beträgt 40.000 Euro."),
        ("Das Budget für Phase 1 beträgt 10.000 Euro.", "Das Budget für Phase 2 beträgt 20.000 Euro."),
        ("Der Urlaub beginnt am 3. August.", "Der Urlaub endet am 17. August."),
        ("Der Kurs beginnt um 18 Uhr.", "Der Kurs endet um 20 Uhr."),
        ("Die Frist beginnt am 1. Juni.", "Die Frist endet am 30. Juni."),
        ("Die Frist für das Audit beginnt am 1. Juni.", "Die Frist für das Audit endet am 30. Juni."),
        ("Der Kurs endet am Montag.", "Der Kurs endet am Dienstag."),
        ("1. Äpfel: 3 Stück", "1. Birnen: 5 Stück"),
        ("- Mehl, 500 Gramm", "- Zucker, 200 Gramm"),
        ("The budget of Lindenhof is 40,000 euros.", "The budget for Lindenhof phase one is 55,000 euros."),
    ],
)
def test_what_may_both_be_true_contradicts_nothing(old: str, new: str) -> None:
    assert {certainty(one, two) for one in find_facts(old) for two in find_facts(new)} <= {None}


def test_the_day_before_a_month_ends_no_sentence() -> None:
    assert sentences("Das Audit ist am 3. Mai. Lena kommt am 12. Dezember.") == [
        "Das Audit ist am 3. Mai.",
        "Lena kommt am 12. Dezember.",
    ]
    assert sentences("It took 3. Mail arrived. The answer is 42. Mai came. Since 1945. March was cold.") == [
        "It took 3.",
        "Mail arrived.",
        "The answer is 42.",
        "Mai came.",
        "Since 1945.",
        "March was cold.",
    ]


@pytest.mark.rule("17.5 conflicts")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ich wohne in Graz und arbeite bei Siemens.", ["user residence Graz", "user employer Siemens"]),
        ("Ich heiße Tom, wohne in Ulm und arbeite für Zeiss.", ["user name Tom", "user residence Ulm", "user employer Zeiss"]),
        ("Meine Schwester Lena wohnt in Wien und arbeitet bei Bosch.", ["Lena residence Wien", "Lena employer Bosch"]),
        ("Ich bin Katharina und wohne in Graz.", ["user residence Graz"]),
        ("Ich arbeite bei Siemens und meine Frau arbeitet bei Bosch.", ["user employer Siemens"]),
        ("Max, der in Wien wohnt, arbeitet und lebt gern.", []),
        ("Herr Groß ist in Rente; unser Steuerberater ist jetzt Frau Kim.", ["user accountant Kim"]),
        ("Dr. Falk ist umgezogen, mein neuer Zahnarzt ist Dr. Amari.", ["user dentist Dr. Amari"]),
        ("Ben sagt, mein Zahnarzt ist Dr. Amari.", []),
        ("Wenn Dr. Falk geht, mein Zahnarzt ist Dr. Amari.", []),
    ],
)  # fmt: skip
def test_further_clauses_about_the_same_subject_are_read(text: str, expected: list[str]) -> None:
    assert [f"{fact.subject} {fact.attribute} {fact.value}" for fact in find_facts(text)] == expected


@pytest.mark.parametrize(
    ("sentence", "may"),
    [
        ("The billing service sends its invoices through the queue every night at ten.", False),
        ("Her sister lives in Lisbon, and the magazine has a binary index.", False),
        ("Ich heiße Tom.", True),
        ("Meine Frau isst kein Fleisch.", True),
        ("Ab Januar beträgt die Miete 950 Euro.", True),
    ],
)
def test_only_sentences_with_a_german_verb_are_read_as_german(sentence: str, may: bool) -> None:
    assert may_state_in_german(sentence) is may
