"""Scope is a type: whatever reads a user's rows for a request takes VisibleScopes (design: house rule 3)."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2] / "memd"
STORES = sorted(path for path in ROOT.rglob("*store.py"))
SCOPED_TABLES = ("FROM memory", "FROM message", "JOIN memory", "JOIN message", "FROM knowledge_base", "FROM trigger")
ROOMS = {"memories", "messages", "recall", "knowledge_bases", "graph", "sessions"}

BY_ROW = {"find_duplicate", "vector", "exists_elsewhere", "totals", "linked_nodes", "link_confidence"}
"""Reads about rows that the caller already has, or that tell no text."""


def reads(function: ast.AsyncFunctionDef) -> bool:
    """Whether a function selects rows of a user's texts through a read session."""
    session = next((arg for arg in function.args.args if arg.arg == "session"), None)
    annotation = ast.unparse(session.annotation) if session and session.annotation else ""
    if annotation != "ReadSession" or (function.returns and ast.unparse(function.returns) in {"int", "bool"}):
        return False
    text = ast.unparse(function)
    return "SELECT" in text and any(table in text for table in SCOPED_TABLES)


def takes_scopes(function: ast.AsyncFunctionDef) -> bool:
    arguments = [*function.args.args, *function.args.kwonlyargs]
    return any(arg.annotation is not None and "Scope" in ast.unparse(arg.annotation) for arg in arguments)


@pytest.mark.parametrize("path", [path for path in STORES if path.parent.name in ROOMS], ids=lambda path: path.stem)
def test_every_read_of_a_store_takes_the_scopes(path: Path) -> None:
    functions = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.AsyncFunctionDef)]
    unscoped = [function.name for function in functions if reads(function) and not takes_scopes(function)]
    assert [name for name in unscoped if name not in BY_ROW] == []


def test_commit_happens_in_the_session_module_only() -> None:
    offenders = [
        str(path.relative_to(ROOT))
        for path in ROOT.rglob("*.py")
        if path.name not in {"session.py", "board.py"}
        and (".commit()" in path.read_text() or '"COMMIT"' in path.read_text())
    ]
    assert offenders == []


def test_sql_stays_in_stores() -> None:
    homes = {"store.py", "insertion.py", "models.py", "leader.py", "backup.py", "inspection.py"}
    offenders = [
        str(path.relative_to(ROOT))
        for path in ROOT.rglob("*.py")
        if not (path.name in homes or path.name.endswith("_store.py") or path.parent.name == "db")
        and any(word in path.read_text() for word in ("SELECT ", "INSERT INTO", "DELETE FROM", "UPDATE memory"))
    ]
    assert offenders == []
