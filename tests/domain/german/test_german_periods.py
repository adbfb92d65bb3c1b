"""When a German statement is true, read from its text (contract 17.5); written on Wednesday, 15 May 2024."""

from datetime import UTC, datetime

import pytest

from memctl.wire.instants import to_ms
from memd.domain.periods.validity import Period, stated_period

pytestmark = pytest.mark.rule("17.5 validFrom, validUntil")
WRITTEN = to_ms(datetime(2024, 5, 15, 12, tzinfo=UTC))


def ms(day: str | None) -> int | None:
    return None if day is None else to_ms(datetime.fromisoformat(day).replace(tzinfo=UTC))


@pytest.mark.parametrize(
    ("text", "begin", "end"),
    [
        ("Ana arbeitet seit März bei Acme.", "2024-03-01", None),
        ("Ana arbeitet seit Juni bei Acme.", "2023-06-01", None),
        ("Seit 2019 nutzt das Team Postgres.", "2019-01-01", None),
        ("Der Build ist seit Montag grün.", "2024-05-13", None),
        ("Es ist so seit dem 3. Mai 2023.", "2023-05-03", None),
        ("Ana ist seit 2021 Projektleiterin.", "2021-01-01", None),
        ("Ana ist seit dem 03.05.2023 dabei.", "2023-05-03", None),
        ("Das Tor ist seit gestern zu.", "2024-05-14", None),
        ("Der Rabatt gilt bis Jahresende.", None, "2025-01-01"),
        ("Das Büro ist bis Ende des nächsten Monats geschlossen.", None, "2024-07-01"),
        ("Das Büro ist bis Ende dieser Woche geschlossen.", None, "2024-05-20"),
        ("Ana ist seit letzter Woche krank.", "2024-05-06", None),
        ("Ana und Ben wohnen seit März in Oslo.", "2024-03-01", None),
        ("Wir nutzen seit Mai 2023 Postgres und Redis.", "2023-05-01", None),
        ("Ab 2019 gilt der neue Tarif.", "2019-01-01", None),
        ("Ab heute gilt der neue Tarif.", "2024-05-15", None),
        ("Das Büro ist bis Freitag geschlossen.", None, "2024-05-18"),
        ("Das Büro ist bis Sonntag geschlossen.", None, "2024-05-20"),
        ("Das Büro ist bis nächsten Freitag geschlossen.", None, "2024-05-18"),
        ("Das Büro ist bis Freitag, den 27. November, geschlossen.", None, None),
        ("Das Büro ist bis Freitag, den 27. November geschlossen.", None, "2024-11-28"),
        ("Das Büro und die Kantine sind bis zum 31. Mai geschlossen.", None, "2024-06-01"),
        ("Das Büro bleibt bis März zu.", None, "2025-04-01"),
        ("Das Angebot gilt bis Ende Mai.", None, "2024-06-01"),
        ("Das Angebot gilt bis Ende Juni 2024.", None, "2024-07-01"),
        ("Die Lizenz läuft bis 31.12.2025.", None, "2026-01-01"),
        ("Kantine bis Montag geschlossen", None, "2024-05-21"),
        ("Ana ist bis Freitag im Urlaub.", None, "2024-05-18"),
        ("Ana ist bis Freitag weg.", None, "2024-05-18"),
        ("Ana arbeitet bis Ende Juni bei Acme.", None, "2024-07-01"),
        ("Ana arbeitet von 2019 bis heute bei Acme.", "2019-01-01", None),
        ("Ana ist von März 2021 bis heute Teamleiterin.", "2021-03-01", None),
        ("Das Büro ist vom 13. bis 17. Mai geschlossen.", "2024-05-13", "2024-05-18"),
        ("Der Freeze ist vom 20. Dezember bis 6. Januar 2024.", "2023-12-20", "2024-01-07"),
        ("Ana lebte dort von März bis Juni 2022.", "2022-03-01", "2022-07-01"),
        ("Wir haben bis morgen Bereitschaft.", None, "2024-05-17"),
        ("Ana arbeitet seit 2020 dort und bleibt bis 2026.", "2020-01-01", "2027-01-01"),
        ("Ben war von 2019 bis 2022 Projektleiter bei Acme.", "2019-01-01", "2023-01-01"),
        ("Der Freeze ist von März bis Juni.", "2024-03-01", "2024-07-01"),
        ("Die Messe ist vom 3. bis 7. August.", None, "2024-08-08"),
        ("Die Messe dauert vom 3.-7. August 2024.", "2024-08-03", "2024-08-08"),
        ("Die Messe ist vom 3.8. bis 7.8.2024.", "2024-08-03", "2024-08-08"),
        ("Urlaub vom 20. Dezember bis 6. Januar", None, "2025-01-07"),
        ("Der Pool ist ab 1. Juni bis 31. August geöffnet.", None, "2024-09-01"),
        ("Ana ist 2023 nach Oslo gezogen.", "2023-01-01", None),
        ("Ana zog im Jahr 2023 nach Oslo.", "2023-01-01", None),
        ("Ana ist im März 2024 nach Oslo gezogen.", "2024-03-01", None),
        ("Ana ist am 3. Mai nach Oslo gezogen.", "2024-05-03", None),
        ("Im März 2022 wechselte Ben zum Team von Ana.", "2022-03-01", None),
        ("Der Laden wurde 2019 gegründet.", "2019-01-01", None),
        ("Ana hat im März 2024 ein Café eröffnet.", "2024-03-01", None),
    ],
)
def test_a_german_statement_names_its_period(text: str, begin: str | None, end: str | None) -> None:
    assert stated_period(text, WRITTEN) == Period(ms(begin), ms(end))


@pytest.mark.parametrize(
    "text",
    [
        "Seitdem März ist es kalt.",
        "Der Raum fasst bis zu 5 Personen.",
        "Ana holt das Paket am Freitag ab.",
        "Am 3. Mai 2024 reist Ana ab.",
        "Ab und zu ist Ana in Rom.",
        "Ab 2000 Aktien gibt es Rabatt.",
        "Ana hat 2000 Aktien gekauft.",
        "Das gibt es seit 2000 Jahren.",
        "Das kostet von 1950 bis 2000 Euro.",
        "Das Treffen geht von 9 bis 12 Uhr.",
        "Der Zug von Oslo bis Bergen ist langsam.",
        "Ana wohnt bis heute in Oslo.",
        "Arbeitet Ana seit März dort?",
        "Die seit 1970 gerodete Fläche liegt brach.",
        "Contrecœur verließ das Fort am 5. April 1754.",
        "Der Test begann am Morgen.",
        "Im Mai eröffnet Ana ein Café.",
        "Das Café wird im März eröffnet.",
        "Bis dann!",
        "bis 2020 seit 2022",
    ],
)
def test_what_only_looks_like_a_german_period_is_left_alone(text: str) -> None:
    assert stated_period(text, WRITTEN) == Period()


@pytest.mark.parametrize(
    "text",
    [
        "Steuererklärung bis zum 27. November abgeben.",
        "Ana liefert den Bericht bis Freitag.",
        "Ana schickt das Paket bis Freitag zu Ben.",
        "Ana schickt das Paket bis Freitag weg.",
        "Der Bericht ist bis Freitag fertig.",
        "Der Bericht ist bis Monatsende fertig.",
        "Wir haben bis Dienstag Zeit.",
        "Rechnungen müssen bis 31. März bezahlt werden.",
        "Rechnungen sind bis 31. März zu bezahlen.",
        "Büro bis Freitag offen lassen",
        "Wir haben den Release bis 3. Februar verschoben.",
    ],
)
def test_what_is_to_be_done_by_a_day_does_not_end_on_it(text: str) -> None:
    assert stated_period(text, WRITTEN) == Period()


@pytest.mark.parametrize(
    "text",
    [
        "Bob wohnt in Oslo und arbeitet bis März bei Foo.",
        "Bob wohnt in Oslo und Ana unterrichtet bis Freitag Mathe.",
        "Bob und Ana wohnen in Oslo und arbeiten bis März bei Foo.",
        "Die Regel, die bis März gilt, ist streng.",
        "Wenn es regnet, fällt die Tour bis Freitag aus.",
        "Ruf Bob an. Er ist bis Freitag weg.",
        "Der Test begann am 3. Mai 2023 und wurde zum Problem.",
        "Ana lebte von 2015 bis 2018 in Oslo und von 2018 bis 2020 in Rom.",
        "Ana wohnte bis März dort.",
        "Jeden Sommer ist der Kiosk bis 9. September geschlossen.",
        "Der Laden ist von Montag bis Freitag geöffnet.",
    ],
)
def test_a_german_period_that_is_not_that_of_the_whole_text_is_left_alone(text: str) -> None:
    assert stated_period(text, WRITTEN) == Period()


@pytest.mark.parametrize(
    "text",
    [
        "Die Rechnungen für Kunde Meier von Januar bis März 2024 liegen im blauen Ordner.",
        "Ich brauche die Kontoauszüge vom 1. Januar bis 31. März 2024.",
        "Kontoauszüge von Januar bis März 2024",
        "Die Daten von 2019 bis 2022 liegen auf dem NAS.",
        "Die Fotos von 2015 bis 2018 sind auf der alten Platte.",
        "Die Ports laufen von 2000 bis 2010.",
        "Der Urlaubsantrag vom 3. bis 7. Juni ist genehmigt.",
        "Die Heizung läuft von Oktober bis April.",
        "The dashboards cover sales from March to June 2022.",
        "Ana worked at Acme from 2019 to today.",
        "Ana was ill from January to yesterday.",
    ],
)
def test_a_range_that_describes_a_noun_or_passes_is_left_alone(text: str) -> None:
    assert stated_period(text, WRITTEN) == Period()


@pytest.mark.parametrize(
    "text",
    [
        "Der Antrag geht bis Freitag raus.",
        "Die Bewerbung geht bis 31. Mai an die Uni.",
        "Die Logs gehen bis Januar 2023 zurück.",
        "Anna arbeitet bis Freitag den Bericht aus.",
        "Anna arbeitet bis Montag Max ein.",
        "Tom leitet bis Freitag die Mail weiter.",
        "Die Präsentation läuft bis Freitag durch.",
        "Bis Freitag läuft der neue Server.",
        "Bis Ende Juni laufen alle Dienste auf Kubernetes.",
        "Der Fix ist bis Freitag in Produktion.",
        "Das Paket ist bis Dienstag in Hamburg.",
        "Das Paket ist bis Freitag weg.",
        "Wir sind bis Ende Juni auf Postgres.",
        "Das Team hat bis Juni einen neuen Chef.",
        "Ich habe bis Montag die Zahlen.",
        "Bis Montag ist die Website wieder verfügbar.",
        "Alle Tickets sind bis Freitag zu.",
        "Der Tisch ist bis Freitag gebucht.",
    ],
)
def test_what_is_reached_by_a_day_does_not_end_on_it(text: str) -> None:
    assert stated_period(text, WRITTEN) == Period()


@pytest.mark.parametrize(
    "text",
    [
        "Das Angebot gilt nicht bis Ende Mai.",
        "Das Angebot gilt mindestens bis Freitag.",
        "Der Server ist frühestens bis Freitag gesperrt.",
        "Tom ist wahrscheinlich bis Ende Juni weg.",
        "Die Lieferung dauert voraussichtlich bis 3. Juni.",
        "Ben ist 2023 nicht nach Oslo gezogen.",
    ],
)
def test_what_is_denied_or_uncertain_names_no_period(text: str) -> None:
    assert stated_period(text, WRITTEN) == Period()


@pytest.mark.parametrize("text", ["Der Freeze gilt bis nächsten Mittwoch.", "The freeze lasts until next Wednesday."])
def test_the_next_weekday_is_not_today(text: str) -> None:
    assert stated_period(text, WRITTEN) == Period(None, ms("2024-05-23"))
