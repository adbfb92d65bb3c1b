"""A quantifier in an f-string has double braces: with single ones, `{1,3}` is a tuple and the pattern never matches."""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.shape.test_sizes import MODULES, named


def tuples(source: str) -> Iterator[int]:
    """The lines of f-strings that insert a tuple."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FormattedValue) and isinstance(node.value, ast.Tuple):
            yield node.lineno


def test_a_quantifier_with_single_braces_is_found() -> None:
    assert list(tuples('PATTERN = rf"a{1,3}{b}"')) == [1]
    assert list(tuples('PATTERN = rf"a{{1,3}}{b}"')) == []


def test_no_pattern_has_one() -> None:
    found: Iterator[tuple[Path, int]] = ((path, line) for path in MODULES for line in tuples(path.read_text()))
    assert named(found) == []
