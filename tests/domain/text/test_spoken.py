"""Words that are kept as they were said, in German: facts, periods and due days are read through their heading."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest

from memd.domain.dates.time_window import DAY_MS
from memd.domain.extraction.conversation_windows import ConversationWindow, SourceMessage
from memd.domain.extraction.extract import extract
from memd.domain.facts.facts import certainty, find_facts
from memd.domain.periods.validity import Period, stated_period
from memd.domain.questions.due import AskedDue
from memd.domain.ranking.due import due_share
from memd.domain.text.sentences import sentences
from memd.domain.text.spoken import heading, spoken
from memd.domain.types import MessageRole

SAID = int(datetime(2026, 11, 27, 9, tzinfo=UTC).timestamp() * 1000)
LATER = SAID + 3 * DAY_MS
USER = heading("User", SAID)


def day(month: int, number: int, year: int = 2026) -> int:
    return int(datetime(year, month, number, tzinfo=UTC).timestamp() * 1000)


def said(*texts: str, speaker: str | None = None, role: MessageRole = MessageRole.USER) -> list[str]:
    """The contents of what extraction makes of these messages, each answered by a program."""
    rows = [
        SourceMessage(uuid4(), who, text, SAID + at * 60_000, SAID, name)
        for at, each in enumerate(texts)
        for who, text, name in ((role, each, speaker), (MessageRole.ASSISTANT, "Okay.", None))
    ]
    return [memory.content for memory in extract(ConversationWindow(None, None, tuple(rows)))]


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("Ich wohne in Graz.", "Ich wohne in Graz."),
        ("Übrigens, ich wohne in Graz.", "Ich wohne in Graz."),
        ("Ich wohne in Graz, was kann man dort machen?", "Ich wohne in Graz"),
        ("Buch mir ein Hotel, ich mag ruhige Zimmer.", "Ich mag ruhige Zimmer."),
        (
            "Meine Tochter Maya ist 7. Sie geht in die 2. Klasse.",
            "Meine Tochter Maya ist 7. Sie geht in die 2. Klasse.",
        ),
        ("Kannst du mich am Freitag an den Anruf erinnern?", "Kannst du mich am Freitag an den Anruf erinnern"),
    ],
)
def test_the_words_are_kept_under_speaker_and_day(text: str, content: str) -> None:
    assert said(text) == [USER + content]


def test_a_user_with_a_name_who_talks_to_a_program_is_the_speaker() -> None:
    assert said("Ich wohne in Graz.", speaker="Lena") == [heading("Lena", SAID) + "Ich wohne in Graz."]


def test_what_a_program_says_in_german_is_not_kept() -> None:
    assert said("Ich wohne in Graz.", role=MessageRole.ASSISTANT) == []


@pytest.mark.rule("17.5 conflicts")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("Meine Schwiegermutter heißt Fernanda.", "user mother-in-law fernanda"),
        ("Meine Schwiegermutter heisst Fernanda.", "user mother-in-law fernanda"),
        ("Mein Chef ist Jonas Wirth.", "user boss jonas-wirth"),
        ("Meine neue Chefin heißt Frau Roth.", "user boss roth changed"),
        ("Meine Frau Lena ist Zahnärztin.", "user wife lena"),
        ("Mein Büro ist jetzt im 5. Stock.", "user office im-5-stock changed"),
        ("Ich wohne in Graz.", "user residence graz"),
        ("Seit Mai wohne ich in Köln.", "user residence köln"),
        ("Letztes Jahr bin ich nach Wien gezogen.", "user residence wien changed"),
        ("Inzwischen arbeite ich bei Bosch.", "user employer bosch changed"),
        ("Ich bin Backend-Entwickler bei Lumen in Leipzig.", "user employer lumen"),
        ("Ich heiße Tobias Kern.", "user name tobias-kern"),
    ],
)
def test_the_first_person_after_a_heading_is_the_user(words: str, expected: str) -> None:
    (fact,) = find_facts(USER + words)
    assert f"{fact.subject_key} {fact.attribute} {fact.value_key}{' changed' * fact.changed}" == expected


def test_the_first_person_of_somebody_with_a_name_is_that_person() -> None:
    (fact,) = find_facts(heading("Lena Kern", SAID) + "Ich wohne in Graz.")
    assert (fact.subject, fact.attribute, fact.value) == ("Lena Kern", "residence", "Graz")


@pytest.mark.parametrize(
    "words", ["Mein Chef ist Österreicher.", "Meine Frau ist Ärztin.", "Mein Auto ist kaputt.", "Wohne ich in Graz?"]
)
def test_a_profession_or_a_state_is_no_name(words: str) -> None:
    assert find_facts(USER + words) == []


@pytest.mark.rule("17.5 conflicts")
@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("Ich wohne in Graz.", "Ich bin nach Wien gezogen.", 0.95),
        ("Mein Chef heißt Jonas Wirth.", "Mein neuer Chef heißt Paul Adler.", 0.95),
        ("Mein Chef heißt Jonas Wirth.", "Mein Chef ist Herr Wirth.", None),
        ("Meine Schwiegermutter heißt Fernanda.", "Meine Schwiegermutter heißt Gisela.", 0.9),
        ("Meine Schwester heißt Rahel.", "Meine Schwester heißt Judith.", None),
    ],
)
def test_a_later_statement_contradicts(old: str, new: str, expected: float | None) -> None:
    ((before,), (after,)) = find_facts(USER + old), find_facts(heading("User", LATER) + new)
    assert certainty(before, after) == expected


@pytest.mark.rule("17.5 validFrom, validUntil")
@pytest.mark.parametrize(
    ("words", "period"),
    [
        ("Ich wohne seit März 2024 in Graz.", Period(day(3, 1, 2024), None)),
        ("Ich bin bis Freitag, den 4. Dezember im Urlaub.", Period(None, day(12, 5))),
        ("Ich wohne in Graz.", Period()),
    ],
)
def test_a_period_is_that_of_the_words(words: str, period: Period) -> None:
    assert stated_period(USER + words, LATER) == period


@pytest.mark.parametrize(
    ("words", "due"),
    [
        ("Morgen um 15 Uhr habe ich einen Zahnarzttermin.", day(11, 28)),
        ("Erinnere mich daran, den Pass vor dem 3. März zu verlängern.", day(3, 3, 2027)),
    ],
)
def test_a_day_is_counted_from_the_one_of_the_heading(words: str, due: int) -> None:
    question = AskedDue(due, due + DAY_MS, named=True, undated=False)
    assert due_share(question, USER + words, is_goal=True, created_at=LATER, valid_until=None) == 1


def test_a_text_without_a_heading_was_said_when_it_was_written() -> None:
    assert spoken("Ich wohne in Graz.", SAID) == ("Ich wohne in Graz.", SAID)
    assert spoken("User (31 February 2026): Ja.", SAID) == ("Ja.", SAID)


def test_an_ordinal_does_not_end_a_sentence() -> None:
    assert sentences("Mein Büro ist im 4. Stock. Es hat z.B. ein Fenster.") == [
        "Mein Büro ist im 4. Stock.",
        "Es hat z.B. ein Fenster.",
    ]
    assert sentences("Version 3. The next one.") == ["Version 3.", "The next one."]
