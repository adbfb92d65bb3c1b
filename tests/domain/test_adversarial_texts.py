"""No text costs much more than others of its length: policy, text analysis and everything else that reads stored text.

Costs are operations, the same on every machine: steps of the regular expressions of a rule, and calls of the
interpreter for the other readers. What neither counts, such as copies of long strings, `make bench` shows as time.
"""

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from statistics import median
from typing import Any, Final, cast

import pytest

from memd.domain.policy.content_policy import Action, Matcher, PolicyRules, Rule, evaluate
from memd.domain.types import BlockReason
from tests.support.adversarial import SHAPES
from tests.support.calls import calls_of
from tests.support.regex_repeats import Steps
from tests.support.regex_steps import SteppedPattern
from tests.support.text_readers import READERS, RULES, WARM

MAX_TIMES: Final = 50
CALLS_ALLOWED: Final = 150
"""Calls that a reader may make for each character, whatever the median: many see at once that a text is plain."""
SHORT: Final = 320
LONG: Final = 5_000
"""Characters of the texts that are judged in the suite and with `--long`: counting is a thousand times slower."""
READ: Final = 1_000
"""Characters of the texts that a reader is given in the suite."""
RECURSION: Final = 50_000
"""The counting matcher calls itself for each repetition."""
FROM_WORD_TO_WORD: Final = (
    r"\bcurl\b(?:[^\n\\]|\\[\s\S]){0,400}?(?:@|<\(|\$\(|\s-t\s|--upload-file[\s=]|--post-file[\s=])[^\s|;&]{0,20}\s{0,1}"
    r"[^\s|;&]{0,60}?(?:\.env\b|\bcredentials\b|\.netrc\b|\.pgpass\b|\.npmrc\b|\.pypirc\b|\bid_rsa\b|\bid_ed25519\b)"
)
"""Tries every pair of places; 100,000 characters of `SLOW` took seconds."""
SLOW: Final = "curl with a file"

Costs = Mapping[str, Mapping[str, int]]
"""Rule → shape → operations."""


def operations(rule: Rule, texts: Mapping[str, str]) -> dict[str, int]:
    """For each text, one for each character, in which clues are looked up, and the steps of all patterns of the rule."""
    steps = Steps()
    stepped = replace(rule, matchers=tuple(_stepped(each, steps) for each in rule.matchers))
    counts: dict[str, int] = {}
    for shape, text in texts.items():
        before = steps.count
        evaluate(PolicyRules((stepped,), "knows no word yet"), text[:500], text)
        counts[shape] = len(text) + steps.count - before
    return counts


def _stepped(matcher: Matcher, steps: Steps) -> Matcher:
    values = {field.name: getattr(matcher, field.name) for field in fields(matcher) if field.init}
    return replace(matcher, **{name: _with_steps(value, steps) for name, value in values.items()})


def _with_steps(value: Any, steps: Steps) -> Any:
    if isinstance(value, re.Pattern):
        return SteppedPattern(cast("re.Pattern[str]", value), steps)
    if isinstance(value, tuple):
        return tuple(_with_steps(each, steps) for each in cast("tuple[Any, ...]", value))
    return value


@pytest.fixture(scope="module")
def length(of_size: Callable[[int, int], int]) -> int:
    return of_size(SHORT, LONG)


@pytest.fixture(scope="module")
def costs(length: int) -> Iterator[Costs]:
    texts = {shape: make(length) for shape, make in SHAPES.items()}
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(RECURSION)
    yield {rule.threat_id: operations(rule, texts) for rule in RULES.rules}
    sys.setrecursionlimit(before)


@pytest.fixture(scope="module")
def allowed(costs: Costs) -> float:
    """Fifty times what all rules together cost for the median shape."""
    return MAX_TIMES * median([sum(rule[shape] for rule in costs.values()) for shape in SHAPES])


def test_there_are_enough_shapes() -> None:
    assert len(SHAPES) >= 40


@pytest.mark.long_form
@pytest.mark.parametrize("threat_id", [rule.threat_id for rule in RULES.rules])
def test_no_rule_costs_fifty_times_the_median_shape(threat_id: str, costs: Costs, allowed: float) -> None:
    assert {shape: count for shape, count in costs[threat_id].items() if count > allowed} == {}


def test_a_rule_that_tries_every_pair_of_places_costs_more(length: int, allowed: float) -> None:
    matcher = Matcher(re.compile(FROM_WORD_TO_WORD), literals=("curl",))
    rule = Rule("from_word_to_word", BlockReason.ILLEGAL_ACTIVITY, Action.BLOCK, (matcher,))
    assert operations(rule, {SLOW: SHAPES[SLOW](length)})[SLOW] > allowed


@pytest.mark.long_form
@pytest.mark.parametrize("name", READERS)
def test_no_shape_makes_a_reader_work_fifty_times_the_median(name: str, of_size: Callable[[int, int], int]) -> None:
    reader = READERS[name]
    length = of_size(READ, reader.characters)
    reader.read(WARM)
    counts = {shape: calls_of(reader.read, make(length)) for shape, make in SHAPES.items()}
    budget = max(CALLS_ALLOWED * length, MAX_TIMES * median(counts.values()))
    assert {shape: count for shape, count in counts.items() if count > budget} == {}
