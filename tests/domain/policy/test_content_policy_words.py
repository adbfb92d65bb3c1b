"""The single words that a matcher requires (`word`) only save time: without them every text gets the same verdict."""

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from memd.domain.policy.content_policy import PolicyRules, evaluate
from memd.policy.rules import load_rules

RULES = load_rules(None)
SLOW = PolicyRules(
    tuple(
        replace(rule, matchers=tuple(replace(matcher, word=None) for matcher in rule.matchers)) for rule in RULES.rules
    ),
    RULES.version,
)
EVAL = Path(os.environ.get("MEMD_EVAL_DIR", Path(__file__).parents[3] / ".." / "shared" / "eval"))
CAUGHT = [
    ("invisible_unicode", "in\u202evisible"),
    ("invisible_unicode", "tail \u202e"),
    ("encoded_payload", "aGVsbG8gd29ybGQ0" * 40),
    ("encoded_payload", "\n".join(["aGVsbG8gd29ybGQ0" * 4] * 10)),
    ("pii_ssn", "(123-45-6789)"),
    ("pii_payment_card", "card 4111 1111 1111 1111."),
    ("pii_payment_card", "3782-822463-10005"),
    ("pii_iban", "DE89 3704 0044 0532 0130 00"),
    ("pii_iban", "iban:gb29nwbk60161331926819"),
    ("secret_api_token", "SK0123456789abcdef0123456789abcdef"),
    ("violence_threat", "I am going to kill you"),
    ("violence_threat", "We will beat up these immigrants"),
    ("violence_threat", "I'll kill them all"),
    ("violence_threat", "I will stab Anna"),
    ("violence_threat", "I'll shoot up the school"),
    ("violence_threat", "I'll put a bullet in your head"),
    ("violence_threat", "I\u2019ll break your legs"),
    ("violence_incitement", "Hunt down all immigrants"),
    ("violence_incitement", "Someone should shoot the senator"),
    ("violence_incitement", "Death to all immigrants"),
]


@pytest.mark.parametrize(("threat", "text"), CAUGHT)
def test_texts_that_a_rule_catches_pass_its_words(threat: str, text: str) -> None:
    blocked = evaluate(RULES, "Note", text).blocked
    assert blocked is not None
    assert blocked.threat_id == threat
    assert evaluate(SLOW, "Note", text).blocked == blocked


def test_every_matcher_with_words_is_tried_above() -> None:
    with_words = {rule.threat_id for rule in RULES.rules if any(matcher.word for matcher in rule.matchers)}
    assert with_words == {threat for threat, _ in CAUGHT}


def texts() -> Iterator[str]:
    for file in sorted(EVAL.glob("*/*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            yield json.loads(line).get("content", "")


@pytest.mark.slow
def test_real_texts_get_the_same_verdict() -> None:
    if not EVAL.is_dir():
        pytest.skip("the evaluation data is not beside the checkout")
    assert [text for text in texts() if evaluate(RULES, "", text) != evaluate(SLOW, "", text)] == []
