"""No dictionaries between SQL and the services: what a store reads is of a type with fields."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2] / "memd"
STORES = sorted(ROOT.rglob("*store.py"))


def untyped_reads(source: str) -> list[str]:
    """The coroutines that return rows as dictionaries, alone or in a container."""
    return [
        node.name
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.AsyncFunctionDef)
        and node.returns is not None
        and "dict[str, Any]" in ast.unparse(node.returns)
    ]


def test_a_read_of_dictionaries_is_noticed() -> None:
    assert untyped_reads(
        "async def find(s) -> list[dict[str, Any]]: ...\nasync def count(s) -> dict[str, int]: ..."
    ) == ["find"]


def test_no_store_returns_dictionaries() -> None:
    assert len(STORES) > 40
    found = [f"{path.relative_to(ROOT)}: {name}" for path in STORES for name in untyped_reads(path.read_text())]
    assert found == []
