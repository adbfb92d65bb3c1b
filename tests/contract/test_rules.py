"""Every numbered rule and table row of the contract has a test that carries its name."""

from tests.support.rules import listed, shown


def test_every_rule_has_a_test() -> None:
    assert sorted(listed().keys() - {name for name, _ in shown()}) == []


def test_no_test_names_a_rule_that_is_not_listed() -> None:
    known = listed()
    assert sorted({(name, file) for name, file in shown() if name not in known}) == []
