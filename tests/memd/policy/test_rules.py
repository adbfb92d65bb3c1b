"""Contract 12: rules ship as data; an operator adds, disables, sets block or flag; complaints name file and key."""

import subprocess
import sys
import textwrap

import pytest

from memd.domain.policy.content_policy import Block, Verdict, evaluate
from memd.domain.types import BlockReason
from memd.policy.parsing import PolicyRulesError
from memd.policy.rules import load_rules

NEW_RULE = r"""
    [words]
    bird = ["king ?fisher", "heron"]
    colour = ["blue {bird}", "grey {bird}"]

    [[rule]]
    threat_id = "project_name"
    reason = "copyright_violation"
    action = "ACTION"

    [[rule.match]]
    literals = ["fisher", "heron"]
    pattern = '\b{colour}\b'
"""


def new_rule(action="block"):
    return NEW_RULE.replace("ACTION", action)


@pytest.fixture
def operator(tmp_path):
    def write(name, text):
        (tmp_path / name).write_text(textwrap.dedent(text), encoding="utf-8")
        return tmp_path

    return write


def test_an_empty_directory_changes_nothing(tmp_path):
    assert load_rules(tmp_path) == load_rules(None)


@pytest.mark.rule("12 rules are data")
def test_a_rule_can_be_added_behind_the_shipped_ones(operator):
    rules = load_rules(operator("own.toml", new_rule()))
    assert rules.rules[-1].threat_id == "project_name"
    assert len(rules.rules) == 23
    blocked = evaluate(rules, "Note", "the Blue\nKing  Fisher ships in May").blocked
    assert blocked == Block(BlockReason.COPYRIGHT_VIOLATION, "project_name")


@pytest.mark.rule("12 rules are data")
def test_an_added_rule_can_flag(operator):
    text = new_rule("flag")
    rules = load_rules(operator("own.toml", text))
    assert evaluate(rules, "Note", "grey heron") == Verdict(None, ("project_name",))


@pytest.mark.rule("12 rules are data")
def test_a_rule_can_be_disabled(operator):
    rules = load_rules(operator("own.toml", '[[rule]]\nthreat_id = "pii_ssn"\nenabled = false\n'))
    assert "pii_ssn" not in [rule.threat_id for rule in rules.rules]
    assert evaluate(rules, "Note", "123-45-6789").blocked is None


@pytest.mark.rule("12 rules are data")
def test_block_can_become_flag_and_flag_block(operator):
    rules = load_rules(
        operator(
            "own.toml",
            """
            [[rule]]
            threat_id = "pii_ssn"
            action = "flag"

            [[rule]]
            threat_id = "secret_password"
            action = "block"
            """,
        )
    )
    assert evaluate(rules, "Note", "123-45-6789") == Verdict(None, ("pii_ssn",))
    blocked = evaluate(rules, "Note", "password: hunter2").blocked
    assert blocked == Block(BlockReason.PERSONAL_INFO_EXPOSURE, "secret_password")


def test_a_changed_action_keeps_the_place_in_the_table(operator):
    rules = load_rules(operator("own.toml", '[[rule]]\nthreat_id = "pii_ssn"\naction = "flag"\n'))
    assert [rule.threat_id for rule in rules.rules] == [rule.threat_id for rule in load_rules(None).rules]


def test_files_apply_in_the_order_of_their_names(operator):
    operator("20_off.toml", '[[rule]]\nthreat_id = "pii_ssn"\nenabled = false\n')
    rules = load_rules(operator("30_on.toml", '[[rule]]\nthreat_id = "pii_ssn"\nenabled = true\n'))
    assert "pii_ssn" in [rule.threat_id for rule in rules.rules]


def test_other_files_are_not_read(operator):
    assert load_rules(operator("notes.txt", "not a rule")) == load_rules(None)


def test_the_version_is_the_same_in_every_process():
    program = "from memd.policy.rules import load_rules; print(load_rules(None).version)"
    other = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert other.stdout.strip() == load_rules(None).version


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('[[rule]]\nthreat_id = "pii_ssn"\nenabled = false\n', id="disabled"),
        pytest.param('[[rule]]\nthreat_id = "pii_ssn"\naction = "flag"\n', id="action"),
        pytest.param(new_rule(), id="added"),
    ],
)
def test_the_version_changes_with_the_effective_rules(operator, text):
    assert load_rules(operator("own.toml", text)).version != load_rules(None).version


def test_the_version_changes_with_a_pattern_alone(operator):
    text = new_rule()
    first = load_rules(operator("own.toml", text)).version
    assert load_rules(operator("own.toml", text.replace("grey", "gray"))).version != first


def test_an_entry_that_says_nothing_new_keeps_the_version(operator):
    rules = load_rules(operator("own.toml", '[[rule]]\nthreat_id = "pii_ssn"\naction = "block"\nenabled = true\n'))
    assert rules.version == load_rules(None).version


MATCH = "[[rule.match]]\npattern = 'x'\n"
ADDED = '[[rule]]\nthreat_id = "own"\nreason = "illegal_activity"\n'


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("not toml", "own.toml: is not readable as TOML"),
        ("rules = 1", "own.toml: rules: unknown key"),
        ("rule = 1", "own.toml: rule: must be tables"),
        ("words = 1", "own.toml: words: must be a table"),
        ("[words]\nbird = []", "own.toml: words.bird: must hold at least one word"),
        ("[words]\nbird = ['{egg}']", "own.toml: words.bird: no word list above is named egg"),
        ("[[rule]]\naction = 'flag'", "own.toml: rule[0].threat_id: must be a name"),
        ("[[rule]]\nthreat_id = 'No Name'", "own.toml: rule[0].threat_id: must be a name"),
        ("[[rule]]\nthreat_id = 'nobody'\naction = 'flag'", "own.toml: rule[0].threat_id: no rule is named nobody"),
        ("[[rule]]\nthreat_id = 'pii_ssn'\naction = 'drop'", "own.toml: rule[0].action: must be one of block, flag"),
        ("[[rule]]\nthreat_id = 'pii_ssn'\nenabled = 'no'", "own.toml: rule[0].enabled: must be true or false"),
        ("[[rule]]\nthreat_id = 'pii_ssn'\nlevel = 3", "own.toml: rule[0].level: unknown key"),
        (ADDED, "own.toml: rule[0].match: a new rule needs at least one"),
        (ADDED.replace("illegal_activity", "rude") + MATCH, "own.toml: rule[0].reason: must be one of"),
        (ADDED.replace("own", "pii_ssn") + MATCH, "own.toml: rule[0].threat_id: pii_ssn exists"),
        (ADDED + "[[rule.match]]\nliterals = ['x']", "own.toml: rule[0].match[0].pattern: is missing"),
        (ADDED + MATCH + "[[rule.match]]\npattern = '('", "own.toml: rule[0].match[1].pattern: is not a regular"),
        (ADDED + "[[rule.match]]\npattern = 'x*'", "own.toml: rule[0].match[0].pattern: matches the empty text"),
        (
            ADDED + "[[rule.match]]\npattern = '{bird}'",
            "own.toml: rule[0].match[0].pattern: no word list above is named",
        ),
        (ADDED + MATCH + "check = 'magic'", "own.toml: rule[0].match[0].check: must be one of"),
        (ADDED + MATCH + "near = 'y'", "own.toml: rule[0].match[0].near: must be a list"),
        (ADDED + MATCH + "window = -1", "own.toml: rule[0].match[0].window: must be a whole number"),
        (ADDED + MATCH + "lead = ''", "own.toml: rule[0].match[0].lead: must be a string that is not empty"),
    ],
)
def test_a_mistake_names_the_file_and_the_key(operator, text, complaint):
    directory = operator("own.toml", text)
    with pytest.raises(PolicyRulesError) as caught:
        load_rules(directory)
    assert str(caught.value).startswith(complaint)


def test_a_directory_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(PolicyRulesError, match="is not a directory"):
        load_rules(tmp_path / "absent")
