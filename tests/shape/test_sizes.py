"""Modules and functions stay small, and names say what a room holds."""

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("memd", "memctl", "tui", "migrations", "tests")
MODULES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
MODULE_LINES = 300
FUNCTION_LINES = 40
VAGUE = {"utils", "util", "helpers", "helper", "manager", "managers", "common", "misc"}


def named(found: Iterable[tuple[Path, object]]) -> list[str]:
    """One readable line for each file that breaks a rule."""
    return [f"{path.relative_to(ROOT)}: {what}" for path, what in found]


def long_functions(path: Path) -> Iterator[tuple[Path, str]]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno is not None:
            lines = node.end_lineno - node.lineno + 1
            if lines > FUNCTION_LINES:
                yield path, f"{node.name} has {lines} lines"


def test_no_module_is_over_300_lines() -> None:
    lengths = ((path, len(path.read_text().splitlines())) for path in MODULES)
    assert named((path, lines) for path, lines in lengths if lines > MODULE_LINES) == []


def test_no_module_has_a_vague_name() -> None:
    assert named((path, path.stem) for path in MODULES if path.stem in VAGUE and path.parts[-2] != "tests") == []


def test_no_function_is_over_40_lines() -> None:
    modules = [path for path in MODULES if "tests" not in path.relative_to(ROOT).parts]
    assert len(modules) > 300
    assert named(found for path in modules for found in long_functions(path)) == []
