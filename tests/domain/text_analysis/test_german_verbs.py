"""A German query finds regular verbs in forms to which Snowball gives other stems (contract 11.2, lexemes in any language)."""

import pytest

from memd.domain.text_analysis.analysis import analyse
from memd.domain.text_analysis.language import Language
from memd.domain.text_analysis.query import read_query


def holds(text: str, word: str) -> bool:
    """Whether a German row of this text holds the word, as a German query looks for it."""
    row = analyse([text], [], Language.GERMAN)
    (read,) = read_query(word, Language.GERMAN)
    return any(form in row.lexemes for form in read.forms)


@pytest.mark.rule("11.2 lexemes in any language")
@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("gekauft", "Anna will am Samstag ein Fahrrad kaufen."),
        ("kaufte", "Anna hat das Fahrrad gekauft."),
        ("wohnt", "Anna wollte in Kiel wohnen."),
        ("wohnte", "Anna hat in Kiel gewohnt."),
        ("gebaut", "Im Sommer bauen wir den Schuppen."),
        ("speichert", "Wir sollen die Bilder auf dem Server speichern."),
        ("verhindern", "Der Filter verhindert das."),
        ("klassifiziert", "Das Modell soll die Bilder klassifizieren."),
        ("gewandelt", "Der Wald wird sich wandeln."),
        ("öffnet", "Der Laden ist ab neun geöffnet."),
        ("gerechnet", "Damit kann man rechnen."),
    ],
)
def test_a_regular_verb_is_found_in_its_other_forms(word: str, text: str) -> None:
    assert holds(text, word)


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("Markt", "Das Heft kostet eine Mark."),
        ("Marken", "Der Markt ist am Samstag."),
        ("Punkte", "Er hört gern Punk."),
        ("Schach", "Der Schacht ist tief."),
        ("Geschichte", "Die Schicht beginnt um sechs."),
        ("Geschäft", "Die Schafe sind auf der Wiese."),
        ("gehören", "Er kann nichts hören."),
    ],
)
def test_a_form_of_a_verb_is_no_other_word(word: str, text: str) -> None:
    assert not holds(text, word)


def test_an_english_query_has_no_german_forms() -> None:
    (read,) = read_query("talent", Language.ENGLISH, {Language.GERMAN})
    assert not any(form.startswith("ge") for form in read.forms)
