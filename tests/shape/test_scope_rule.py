"""Reads of rows that have scopes take the scopes and use them, or a session that says it has none (house rule 3).

`scoped_reads.txt` lists every function of a store that reads such rows: under which session, with how many scope
conditions. A condition that is removed from any of them is noticed. `MEMD_PIN=1` writes it anew.
"""

import ast
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2] / "memd"
PINNED = Path(__file__).parent / "scoped_reads.txt"
ROOMS = {
    "memories",
    "messages",
    "recall",
    "knowledge_bases",
    "graph",
    "sessions",
    "extraction",
    "lifecycle",
    "reflection",
}
STORES = sorted(path for path in ROOT.rglob("*store.py") if path.relative_to(ROOT).parts[0] in ROOMS)
SCOPED = re.compile(r"\b(?:FROM|JOIN) (?:memory|message|trigger|checkpoint|snapshot)(?:_index|_vector)?\b")
CONDITIONS = {
    "channel_condition",
    "memory_condition",
    "scope_condition",
    "condition",
    "within",
    "admits",
    "sees",
    "kb",
    "_seen",
    "_lanes",
}
"""Functions and methods that render a scope to SQL or apply it to a row."""
UNSCOPED = {
    "memories/keyed/store.py find": "an id, whose row the caller tests",
    "memories/store.py snapshot_exists": "yes or no",
    "memories/store.py vector": "of a row that the caller was admitted to",
    "sessions/checkpoint_store.py count": "a number",
    "sessions/store.py length": "a number, of the session and channel of a message that the request saw",
}
"""Reads under a ReadSession that need no condition, and why."""


def functions(module: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (node for node in ast.walk(module) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def session_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """The type of its session; a builder of statements has none."""
    found = (arg.annotation for arg in function.args.args if arg.arg == "session" and arg.annotation is not None)
    return next((ast.unparse(annotation) for annotation in found), "builder")


def conditions(function: ast.AST) -> list[ast.Call]:
    """The calls inside a function that put a scope into effect."""
    return [node for node in ast.walk(function) if isinstance(node, ast.Call) and name_of(node) in CONDITIONS]


def name_of(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def listed(path: Path, module: ast.Module) -> Iterator[str]:
    """A line for each function of a module that reads rows with scopes or renders a scope."""
    for function in functions(module):
        used = len(conditions(function))
        if used or SCOPED.search(ast.unparse(function)):
            yield f"{path.relative_to(ROOT)} {function.name} {session_of(function)} {used}"


def everything() -> list[str]:
    return [line for path in STORES for line in listed(path, ast.parse(path.read_text()))]


def lost(recorded: list[str], found: list[str]) -> list[str]:
    """The functions on record that have fewer conditions now or are gone; new ones do not count."""
    now = {tuple(line.split()[:2]): int(line.split()[3]) for line in found}
    return [line for line in recorded if now.get((*line.split()[:2],), 0) < int(line.split()[3])]


def test_no_scoped_read_has_lost_a_condition() -> None:
    if os.environ.get("MEMD_PIN"):
        PINNED.write_text("".join(f"{line}\n" for line in everything()))
    found = lost(PINNED.read_text().splitlines(), everything())
    assert found == [], "run MEMD_PIN=1 pytest tests/shape/test_scope_rule.py after a wanted change"


@pytest.mark.parametrize("path", STORES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_condition_removed_from_any_function_is_noticed(path: Path) -> None:
    before = list(listed(path, ast.parse(path.read_text())))
    for index in range(len(conditions(ast.parse(path.read_text())))):
        mutant = ast.parse(path.read_text())
        call = conditions(mutant)[index]
        call.func, call.keywords = ast.Name("str", ast.Load()), []
        call.args = [ast.Constant("true")]
        assert lost(before, list(listed(path, mutant))), f"line {call.lineno}"


def test_a_read_session_never_reads_without_a_condition() -> None:
    fields = [line.split() for line in everything()]
    bare = {f"{file} {name}" for file, name, session, used in fields if session == "ReadSession" and used == "0"}
    assert bare - set(UNSCOPED) == set()


def test_no_scope_is_taken_and_dropped() -> None:
    assert [str(path.relative_to(ROOT)) for path in ROOT.rglob("*.py") if "del scopes" in path.read_text()] == []


def test_commit_happens_in_the_session_module_only() -> None:
    # db/statements.py ends the read-only transactions that carry settings to the nodes of a cluster.
    offenders = [
        str(path.relative_to(ROOT))
        for path in ROOT.rglob("*.py")
        if path.name not in {"session.py", "job_queue.py", "statements.py"}
        and (".commit()" in path.read_text() or '"COMMIT"' in path.read_text())
    ]
    assert offenders == []


def test_sql_stays_in_stores() -> None:
    homes = {"store.py", "insertion.py", "models.py", "leader.py", "backup.py", "doctor_checks.py"}
    offenders = [
        str(path.relative_to(ROOT))
        for path in ROOT.rglob("*.py")
        if not (path.name in homes or path.name.endswith("_store.py") or path.relative_to(ROOT).parts[0] == "db")
        and any(word in path.read_text() for word in ("SELECT ", "INSERT INTO", "DELETE FROM", "UPDATE memory"))
    ]
    assert offenders == []
