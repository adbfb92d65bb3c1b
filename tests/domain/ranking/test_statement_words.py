"""What the words of a statement say (contract 11.2, conflictBoost)."""

import pytest

from memd.domain.ranking.endings import replaced_stems
from memd.domain.ranking.statement_words import (
    compounds_among,
    in_parts,
    is_about_now,
    said_at,
    stems_of,
    without_day,
    words_of,
)


def test_stems_are_those_of_words_with_a_meaning() -> None:
    assert words_of("The team's CI/CD runs v3.0.1, daily.") == ("the", "team's", "ci/cd", "runs", "v3.0.1", "daily")
    assert stems_of("The bills are currently made by Stripe") == {"bill", "make", "stripe"}
    assert stems_of("Die Müllabfuhr tagt jetzt") == {"müllabfuhr", "tagt"}
    assert stems_of("She's at the pool, it'll rain") == {"pool", "rain"}
    assert stems_of("¿Dónde está la tienda de Lola?") == {"tienda", "lola"}
    assert stems_of("L'équipe est à Lyon") == {"équip", "lyon"}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("writes", "written"),
        ("goes", "went"),
        ("raucht", "rauchen"),
        ("putzt", "geputzt"),
        ("probte", "proben"),
        ("fuma", "fumar"),
        ("fume", "fumer"),
        ("Logs", "log"),
        ("fährt", "fahren"),
        ("juega", "jugar"),
        ("boit", "boire"),
    ],
)
def test_forms_of_a_word_have_one_stem(one: str, other: str) -> None:
    assert stems_of(one) == stems_of(other) != set()


def test_a_verb_has_another_stem_than_a_word_that_is_its_beginning() -> None:
    assert stems_of("the plant") != stems_of("the plan")


def test_a_compound_has_the_stems_of_its_two_words_where_both_are_words() -> None:
    words = {"zahnarzttermin", "termin", "zahnarzt", "geburtstagsfeier", "geburtstag", "am"}
    compounds = compounds_among(words)
    assert in_parts(stems_of("Zahnarzttermin am Freitag"), compounds) == stems_of("Zahnarzt Termin Freitag")
    assert in_parts(stems_of("Geburtstagsfeier"), compounds) == stems_of("Geburtstagsfeier")
    assert in_parts(stems_of("Geburtstagsfeier"), compounds_among(words | {"feier"})) == stems_of("Geburtstag Feier")


@pytest.mark.rule("11.2 conflictBoost")
@pytest.mark.parametrize(
    ("query", "about_now"),
    [
        ("what changed about the CI?", True),
        ("where do we host it these days?", True),
        ("wo hosten wir das derzeit?", True),
        ("do we still host it in Graz?", True),
        ("hosten wir das noch in Graz?", True),
        ("wird das noch nicht in Graz gehostet?", False),
        ("wer hat noch einen Server?", False),
        ("where do we host it?", False),
        ("what do you know about hosting?", False),
    ],
)
def test_a_question_may_ask_about_now(query: str, *, about_now: bool) -> None:
    assert is_about_now(query) is about_now


@pytest.mark.rule("11.2 conflictBoost")
@pytest.mark.parametrize(
    ("statement", "replaced"),
    [
        ("Trunk-based development replaces git-flow.", "git-flow"),
        ("Lotse was migrated from MariaDB to Postgres.", "mariadb"),
        ("We write tests in pytest instead of the unittest module.", "unittest module"),
        ("CI for Lotse is GitHub Actions; Jenkins was switched off.", "jenkin"),
        ("Wir nutzen Postgres statt MariaDB.", "mariadb"),
        ("Nadia leads the mobile team since Oskar left.", "oskar"),
        ("We gave up Jenkins; nightly builds run on Buildkite.", "jenkin"),
        ("Nina took over the newsletter from Paul.", "Paul"),
        ("Nina übernimmt den Newsletter von Paul.", "Paul"),
        ("Diego sustituye a Carmen en la tienda.", "Carmen"),
        ("Nous livrons en Combo au lieu du Kangoo.", "Kangoo"),
        ("Hugo remplace Camille au magasin.", "Camille"),
        ("Jenkins was retired.", "jenkin"),
        ("Vault has been removed.", "vault"),
        ("Max runs it since Oskar resigned.", "oskar"),
        ("We upgraded from Django 4 to Django 5.", "django 4"),
        ("We went from Zulip to Slack.", "zulip"),
        ("We moved away from Jenkins.", "jenkin"),
        ("We use pytest rather than nose.", "nose"),
        ("Mia succeeds Paul.", "paul"),
        ("We stopped using Vault.", "vault"),
        ("Slack ersetzt Zulip.", "zulip"),
        ("Wir nutzen Slack anstelle von Zulip.", "zulip"),
        ("Usamos Slack en vez de Zulip.", "zulip"),
        ("Hugo succède à Camille.", "camille"),
        ("We talk in Slack, not only in Zulip.", ""),
        ("We talk in Slack, not in Zulip.", "zulip"),
        ("We used to write tests in pytest instead of unittest.", ""),
        ("Antes usábamos Slack en vez de Zulip.", ""),
        ("We write tests in pytest.", ""),
    ],
)
def test_a_statement_may_say_what_it_replaces(statement: str, replaced: str) -> None:
    assert replaced_stems(statement) == stems_of(replaced)


def test_a_statement_may_end_with_the_day_on_which_it_was_said() -> None:
    """3 June 2026 begins at 1,780,444,800,000 ms UTC."""
    statement = "The refund window is 14 days (3 June 2026)."
    assert without_day(statement) == "The refund window is 14 days."
    assert said_at(statement) == 1_780_444_800_000
    assert said_at("The refund window is 14 days (31 June 2026).") is None
    assert said_at("The refund window is 14 days (at least).") is None
