"""Every statement on a user's rows names user_id, so that tables can be spread by user and the wall is the second one.

A statement may leave it out only under the system role (the function takes a `SystemSession`), or when all it does is
to call one of memd's own guarded functions.
"""

import ast
import re
from pathlib import Path

import pytest

from memd.db.schema.catalogue import METADATA

ROOT = Path(__file__).parents[2] / "memd"
STORES = sorted(path for path in ROOT.rglob("*.py") if path.name.endswith("store.py") or path.name == "insertion.py")
OF_USERS = [table.name for table in METADATA.sorted_tables if "user_id" in table.primary_key.columns]
TOUCHES = re.compile(rf"\b(?:FROM|JOIN|INTO|UPDATE)\s+(?:{'|'.join(OF_USERS)})\b")


def constants(module: ast.Module) -> dict[str, str]:
    """The texts of a module's constants, with those that they are made of."""
    found: dict[str, str] = {}
    for node in module.body:
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        value = getattr(node, "value", None)
        if isinstance(target, ast.Name) and isinstance(value, ast.expr):
            found[target.id] = written(value, found)
    return found


def written(node: ast.AST, known: dict[str, str]) -> str:
    """All text inside a node, named constants included."""
    parts = [
        known.get(each.id, "") if isinstance(each, ast.Name) else str(each.value)
        for each in ast.walk(node)
        if isinstance(each, ast.Name) or (isinstance(each, ast.Constant) and isinstance(each.value, str))
    ]
    return "\n".join(parts)


def works_for_the_system(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any(
        argument.annotation is not None and "SystemSession" in ast.unparse(argument.annotation)
        for argument in function.args.args
    )


@pytest.mark.parametrize("path", STORES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_statement_on_rows_of_users_names_the_user(path: Path) -> None:
    module = ast.parse(path.read_text())
    known = constants(module)
    functions = [node for node in ast.walk(module) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    offenders = [
        function.name
        for function in functions
        if not works_for_the_system(function)
        and TOUCHES.search(text := written(function, known))
        and "user_id" not in text
    ]
    assert offenders == []


def test_there_are_statements_to_look_at() -> None:
    texts = "\n".join(path.read_text() for path in STORES)
    assert len(TOUCHES.findall(texts)) > 40
