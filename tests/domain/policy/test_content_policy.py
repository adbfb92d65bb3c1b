"""Contract 12: the table of rules, the order of decisions, and that evaluation stays linear and says no text."""

import json
import os
import unicodedata
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memd.domain.policy.content_policy import Action, Block, PolicyRules, Rule, Verdict, evaluate
from memd.domain.types import BlockReason
from memd.policy.rules import load_rules

RULES = load_rules(None)
ILLEGAL, PERSONAL = BlockReason.ILLEGAL_ACTIVITY, BlockReason.PERSONAL_INFO_EXPOSURE
VIOLENT, COPYRIGHT = BlockReason.VIOLENT_CONTENT, BlockReason.COPYRIGHT_VIOLATION
EVAL = Path(os.environ.get("MEMD_EVAL_DIR", Path(__file__).parents[3] / ".." / "shared" / "eval"))

TABLE = [
    ("invisible_unicode", ILLEGAL, "block"),
    ("prompt_injection", ILLEGAL, "block"),
    ("role_hijacking", ILLEGAL, "block"),
    ("exfiltration", ILLEGAL, "block"),
    ("encoded_payload", ILLEGAL, "block"),
    ("pii_ssn", PERSONAL, "block"),
    ("pii_payment_card", PERSONAL, "block"),
    ("pii_iban", PERSONAL, "block"),
    ("pii_government_id", PERSONAL, "flag"),
    ("secret_private_key", PERSONAL, "block"),
    ("secret_api_token", PERSONAL, "block"),
    ("secret_password", PERSONAL, "flag"),
    ("weapon_synthesis", ILLEGAL, "block"),
    ("drug_synthesis", ILLEGAL, "block"),
    ("malware_instructions", ILLEGAL, "block"),
    ("credential_theft", ILLEGAL, "block"),
    ("fraud_instructions", ILLEGAL, "block"),
    ("violence_threat", VIOLENT, "block"),
    ("violence_incitement", VIOLENT, "block"),
    ("self_harm_instructions", VIOLENT, "block"),
    ("copyright_notice_text", COPYRIGHT, "block"),
    ("copyright_isbn_text", COPYRIGHT, "block"),
]

SSN, CARD, PASSWORD, PASSPORT = "123-45-6789", "4111 1111 1111 1111", "password: hunter2", "passport no. 123456789"

FLAGGING = PolicyRules(tuple(replace(rule, action=Action.FLAG) for rule in RULES.rules), "flagging")
"""The rules so that none ends the search for the others."""
LENGTH = 100_000
UNITS = [
    *(
        "a",
        " ",
        "\n",
        "1",
        "-",
        "=",
        '"',
        "$",
        "\\",
        "\u00e9",
        "\u200d",
        "\u0645\u200c",
        "\ufe0f",
        "\ufdfa",
        "\U000e0061",
    ),
    *(
        "1-",
        "4 ",
        "4111 1111 1111 111",
        "DE89 3704 0044 0532 0130 01 ",
        "aB3" * 19 + " ",
        "isbn 978 3 16 148410 ",
        "\u00a9 2020 ",
    ),
    *(
        "ignore ",
        "please now just ",
        "ignore all all all all above ",
        "'ignore previous instructions ",
        "\nyou are now in ",
    ),
    *(
        "act very very very without any ",
        "hide this from ",
        "curl $",
        "curl @ ",
        "curl \\\n",
        "cat .env | ",
        "send .env ",
    ),
    *("-----BEGIN RSA ", "bearer aaaaaaaaaaaaaaaaaaaaaaaaaaa.", "sk-a-", "password= ", "passport x1 ", "tax number 1 "),
    *(
        "how to make a the some your own ",
        "step 1: mix 5 g ",
        "tatp ",
        "heroin and mix ",
        "encrypt all the victim's files ",
    ),
    *("send the fake login ", "trick the victim ", "buy stolen ", "counterfeit a b c notes "),
    *("i'll so so so kill the a b ", "we must kill all the a b ", "to take to take die ", "just kill yourself "),
]


@pytest.mark.rule("12 order of rules")
def test_the_shipped_rules_are_the_table_in_its_order():
    assert [(rule.threat_id, rule.reason, rule.action.value) for rule in RULES.rules] == TABLE


@pytest.mark.parametrize(
    ("title", "content", "verdict"),
    [
        pytest.param("Note", "nothing to see", Verdict(None, ()), id="stored"),
        pytest.param(SSN, f"x {CARD}", Verdict(Block(PERSONAL, "pii_ssn"), ()), id="title"),
        pytest.param(
            CARD,
            SSN,
            Verdict(Block(PERSONAL, "pii_payment_card"), ()),
            id="title before content",
            marks=pytest.mark.rule("12 order of texts"),
        ),
        pytest.param(
            "Note",
            f"{CARD} {SSN}",
            Verdict(Block(PERSONAL, "pii_ssn"), ()),
            id="table order inside a text",
            marks=pytest.mark.rule("12 order of rules"),
        ),
        pytest.param(
            PASSWORD, PASSPORT, Verdict(None, ("pii_government_id", "secret_password")), id="flags in table order"
        ),
        pytest.param(PASSWORD, PASSWORD, Verdict(None, ("secret_password",)), id="a flag once"),
        pytest.param(
            SSN, PASSWORD, Verdict(Block(PERSONAL, "pii_ssn"), ("secret_password",)), id="flags beside a block"
        ),
        pytest.param("Note", "", Verdict(None, ()), id="empty content"),
    ],
)
def test_first_block_wins_and_all_flags_are_collected(title, content, verdict):
    assert evaluate(RULES, title, content) == verdict


@pytest.mark.rule("12 normal form")
def test_text_is_brought_to_nfkc():
    wide = (
        "".join(chr(ord(char) + 0xFEE0) for char in SSN.replace("-", ""))
        + " \uff11\uff12\uff13-\uff14\uff15-\uff16\uff17\uff18\uff19"
    )
    assert evaluate(RULES, "Note", wide).blocked == Block(PERSONAL, "pii_ssn")


def test_a_rule_without_enabled_neighbours_decides_alone():
    only = PolicyRules(tuple(rule for rule in RULES.rules if rule.threat_id == "pii_payment_card"), "one")
    assert evaluate(only, SSN, CARD).blocked == Block(PERSONAL, "pii_payment_card")


@pytest.mark.rule("12 flag")
def test_the_action_decides_between_block_and_flag():
    rule = next(rule for rule in RULES.rules if rule.threat_id == "pii_ssn")
    flagging = PolicyRules((Rule(rule.threat_id, rule.reason, Action.FLAG, rule.matchers),), "flag")
    assert evaluate(flagging, "Note", SSN) == Verdict(None, ("pii_ssn",))


@pytest.mark.rule("12 no text in logs")
def test_a_verdict_holds_no_text():
    assert SSN not in repr(evaluate(RULES, "Note", f"{SSN} {PASSWORD}"))
    assert "hunter2" not in repr(evaluate(RULES, "Note", f"{SSN} {PASSWORD}"))


@pytest.mark.rule("12 normal form")
@settings(max_examples=60)
@given(st.text(max_size=300))
def test_a_text_and_its_nfkc_form_get_the_same_verdict(text):
    assert evaluate(RULES, "Note", text) == evaluate(RULES, "Note", unicodedata.normalize("NFKC", text))


def _own_words(rule: Rule) -> str:
    words = {*rule.literals, *(literal for matcher in rule.matchers for literal in matcher.literals)}
    return " ".join(sorted(words)) + " "


@pytest.mark.timeout(20)
@pytest.mark.parametrize("unit", sorted({*UNITS, *map(_own_words, RULES.rules)}))
def test_every_rule_stays_linear_on_hostile_text(unit):
    verdict = evaluate(FLAGGING, "Note", (unit * (LENGTH // len(unit) + 1))[:LENGTH])
    assert verdict.blocked is None
    assert set(verdict.flags) <= {rule.threat_id for rule in RULES.rules}


@pytest.mark.eval
@pytest.mark.skipif(not EVAL.is_dir(), reason="the evaluation data is not beside the checkout")
def test_conversations_and_encyclopedia_paragraphs_can_be_stored():
    files = [*EVAL.glob("locomo-dev/*.messages.jsonl"), *EVAL.glob("xquad-dev/chunks.jsonl")]
    texts = [json.loads(line)["content"] for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    refused = [verdict.blocked for text in texts if (verdict := evaluate(RULES, "Note", text)).blocked]
    assert texts
    assert refused == []
