"""People have a residence, things a location (contract 17.5)."""

import pytest

from memd.domain.facts.facts import find_facts

pytestmark = pytest.mark.rule("17.5 profile")


@pytest.mark.parametrize(
    "text",
    [
        "Our passwords live in Bitwarden.",
        "Passwords live in Bitwarden.",
        "The user's passwords live in Bitwarden.",
        "My mother's passwords live in Bitwarden.",
        "The passwords of Lena live in Bitwarden.",
        "API docs live in Confluence.",
        "The config lives in Vault.",
        "Our backups moved to S3.",
        "The backups live in the blue cabinet.",
        "The warehouse relocated to Gent.",
    ],
)
def test_things_have_a_location(text: str) -> None:
    assert [fact.attribute for fact in find_facts(text)] == ["location"]


@pytest.mark.parametrize(
    "text",
    [
        "My mother lives in Cork.",
        "Lena lives in Bonn.",
        "lena lives in bonn.",
        "James lives in Bonn.",
        "Ana and Ben live in Oslo.",
        "The user lives in Bonn.",
        "The user's parents live in Cork.",
        "Ana's older sister lives in Graz.",
        "The Millers live in Bonn.",
        "The mother of Lena lives in Cork.",
        "My colleague from the lab lives in Jena.",
        "Our CEO lives in Bonn.",
        "I live in Bremen.",
        "Kim moved to an apartment in Oslo.",
    ],
)
def test_people_have_a_residence(text: str) -> None:
    assert [fact.attribute for fact in find_facts(text)] == ["residence"]
