"""The address of a chunk's source is judged by the rules that make sense for addresses (contract 12)."""

import pytest

from memd.domain.policy.content_policy import evaluate
from memd.policy.rules import load_rules

RULES = load_rules(None)
ENCODED = "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo" * 20


@pytest.mark.parametrize(
    "url",
    [
        f"https://example.com/state?token={ENCODED}",
        "https://shop.example.com/orders?id=4111111111111111",
        "https://example.com/219-09-9999",
        "https://bank.example.com/DE89370400440532013000",
    ],
)
def test_long_runs_and_numbers_are_ordinary_in_an_address(url: str) -> None:
    assert evaluate(RULES, "Mill", "The mill stands by the river.", url=url).blocked is None
    assert evaluate(RULES, "Mill", url).blocked is not None


@pytest.mark.parametrize(
    ("url", "threat_id"),
    [
        ("postgres://ann:Zx81kQpl93@db.internal.corp/mill", "secret_api_token"),
        ("https://example.com/?key=AKIAQ7XK2M4PZ5T6W8YB", "secret_api_token"),
        ("https://example.com/\U000e0041\U000e0042", "invisible_unicode"),
    ],
)
def test_a_secret_in_an_address_is_refused(url: str, threat_id: str) -> None:
    verdict = evaluate(RULES, "Mill", "The mill stands by the river.", url=url)
    assert verdict.blocked is not None
    assert verdict.blocked.threat_id == threat_id
