"""The contract's rules and the tests that show them.

`tests/contract/rules/*.toml` lists every numbered rule and table row by name. A test carries the names of what it shows:
`@pytest.mark.rule("6.2.3", ...)`, on the function or on one row of a table (`pytest.param(..., marks=...)`).
`pytest --rule 6.2` runs the tests of the rules whose names begin so.
"""

import ast
import tomllib
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
LISTS = TESTS / "contract" / "rules"


def listed() -> dict[str, str]:
    """Name of each rule and what it asks, from all the lists; a name that is listed twice is an error."""
    rules: dict[str, str] = {}
    for file in sorted(LISTS.glob("*.toml")):
        for name, text in tomllib.loads(file.read_text()).items():
            if name in rules:
                raise ValueError(f"{file.name} lists {name!r} again")
            rules[name] = text
    return rules


@cache
def shown() -> frozenset[tuple[str, str]]:
    """(name of a rule, file that has a test for it), read from the sources without importing them."""
    found: set[tuple[str, str]] = set()
    for file in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "rule":
                found |= {(ast.literal_eval(name), str(file.relative_to(TESTS))) for name in node.args}
    return frozenset(found)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rule", metavar="NAME", help="only the tests of the contract's rules whose names begin so")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    prefix: str | None = config.getoption("--rule")
    if prefix is None:
        return
    chosen = [item for item in items if any(n.startswith(prefix) for m in item.iter_markers("rule") for n in m.args)]
    config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
    items[:] = chosen
