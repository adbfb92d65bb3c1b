"""What only `it` or `them` names is read with the sentence before, or is no statement (contract 11.6)."""

from collections.abc import Sequence

import pytest

from memd.domain.extraction.extract import extract
from tests.domain.extraction.test_corrections import TODAY, window

TOGETHER = (
    ("The CI pipeline takes 14 minutes.", "We want it under 6 minutes.", "Lena wants it under 6 minutes"),
    ("We have three Grafana dashboards.", "Maria and I use them every day.", "Maria and Lena use them every day"),
    ("I bought two plants from Ikea.", "Ana and I water them every Sunday.", "Ana and Lena water them every Sunday"),
)
NAMED = (
    ("The CI pipeline takes 14 minutes.", "We want it under 6 minutes.", f"Lena wants the CI pipeline under 6 minutes{TODAY}"),
    ("Our wiki ran on Heroku.", "I moved it to Hetzner on Monday.", "Lena moved her wiki to Hetzner on 8 June 2026."),
    ("The nightly backups are slow.", "We moved them to 4:00.", f"Lena moved the nightly backups to 4:00{TODAY}"),
)  # fmt: skip
UNCLEAR = (
    ["We want it under 6 minutes."],
    ["I moved it to Hetzner on Monday."],
    ["Me and a few others use them every day at 9."],
    ["Our server runs the wiki.", "> OK", "I moved it to Hetzner on Monday."],
    ["The nightly backups are slow.", "> OK", "We want it under 6 minutes."],
    ["Is the CI pipeline slow?", "> Yes.", "We want it under 6 minutes."],
    ["My boss is in Berlin.", "> OK", "I moved it to Friday."],
)
COMPLETE = (
    ("I like it in Berlin because Anna lives there.", "Anna lives there"),
    ("I bought a house and sold it in May 2024.", "a house"),
    ("We use Redis and restart it every Monday.", "Redis"),
)


def contents(messages: Sequence[str], name: str | None = "Lena") -> list[str]:
    return [one.content for one in extract(window([*messages, "> Noted."], name))]


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize(("before", "sentence", "said"), TOGETHER)
def test_it_stays_beside_the_sentence_that_names_it(before: str, sentence: str, said: str) -> None:
    (content,) = contents([f"{before} {sentence}"])
    assert said in content
    assert content.startswith(before.replace("We have", "Lena has").replace("I bought", "Lena bought"))


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize(("before", "sentence", "content"), NAMED)
def test_what_the_sentence_before_is_about_stands_in_its_place(before: str, sentence: str, content: str) -> None:
    assert content.replace("her wiki", "their wiki") in contents([before, "> OK", sentence])


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize("messages", UNCLEAR)
@pytest.mark.parametrize("name", ["Lena", None])
def test_what_is_unclear_is_not_kept(messages: list[str], name: str | None) -> None:
    assert not [one for one in contents(messages, name) if " it " in one or " them " in one]


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize(("sentence", "words"), COMPLETE)
def test_a_sentence_that_names_it_itself_is_kept(sentence: str, words: str) -> None:
    assert any(words in one for one in contents([sentence], None))
