"""Modules and functions stay small, and names say what a room holds (design: house rule 9)."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("memd", "memctl", "tui", "migrations", "tests")
MODULES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
MODULE_LINES = 300
FUNCTION_LINES = 40
VAGUE = {"utils", "util", "helpers", "helper", "manager", "managers", "common", "misc"}


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_no_module_is_over_300_lines(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= MODULE_LINES


@pytest.mark.parametrize("path", [path for path in MODULES if path.parts[-2] != "tests"], ids=name_of)
def test_no_module_has_a_vague_name(path: Path) -> None:
    assert path.stem not in VAGUE


@pytest.mark.parametrize("path", [path for path in MODULES if "tests" not in path.parts], ids=name_of)
def test_no_function_is_over_40_lines(path: Path) -> None:
    long = [
        f"{node.name}: {node.end_lineno - node.lineno + 1}"
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno is not None
        and node.end_lineno - node.lineno + 1 > FUNCTION_LINES
    ]
    assert long == []
