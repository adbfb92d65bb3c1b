"""Tools in use: somebody may use several, and a change replaces only the one that it names (contract 17.5)."""

import pytest

from memd.domain.facts.facts import certainty, find_facts


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("I switched from fish to nushell", ["nushell", "not fish"]),
        ("I switched back to fish.", ["fish"]),
        ("I switched to Zed from Helix.", ["Zed", "not Helix"]),
        ("I switched to Zed from Helix last month.", ["Zed", "not Helix"]),
        ("I use Helix as my editor.", ["Helix"]),
        ("I now use Zed as my editor.", ["Zed"]),
        ("The team uses Redis as a cache.", ["Redis"]),
        ("Ana uses parts from Bosch.", ["parts from Bosch"]),
        ("We replaced Jenkins with GitLab in our CI.", ["GitLab", "not Jenkins"]),
        ("We migrated the billing service from MySQL to Postgres.", ["Postgres", "not MySQL"]),
        ("The team switched to Kafka from 1 May 2026.", ["Kafka"]),
    ],
)
def test_a_change_says_what_is_used_and_what_no_longer(text: str, values: list[str]) -> None:
    assert [fact.shown_value for fact in find_facts(text)] == values
    assert {fact.attribute for fact in find_facts(text)} == {"uses"}


@pytest.mark.parametrize(
    ("old", "new", "is_conflict"),
    [
        ("I use fish.", "I switched from fish to nushell.", True),
        ("I use fish as my shell.", "I switched from fish to nushell.", True),
        ("I switched from fish to nushell.", "I use Helix as my editor.", False),
        ("I switched from fish to nushell.", "I switched to Zed from Helix.", False),
        ("I use Helix as my editor.", "I switched to Zed from Helix.", True),
        ("I use Helix as my editor.", "I switched from fish to nushell.", False),
        ("I switched to Zed from Helix.", "I switched from Zed to Vim.", True),
        ("I use nushell.", "I no longer use nushell.", True),
    ],
)
def test_a_change_contradicts_only_what_it_replaces(old: str, new: str, is_conflict: bool) -> None:
    found = [certainty(one, two) for one in find_facts(old) for two in find_facts(new)]
    assert any(value is not None for value in found) is is_conflict
