"""Writes `memctl/client/sync.pyi`: the signatures of the asynchronous client without `async`."""

import ast
import builtins
from collections.abc import Iterator
from pathlib import Path
from typing import TypeGuard

from memctl.client import MemdClient

CLIENT = Path(__file__).parents[2] / "memctl" / "client"
STUB = CLIENT / "sync.pyi"
HEAD = """\
# Written by tests/memctl/client/test_sync.py from the asynchronous client (MEMD_PIN=1); not to be edited.
from collections.abc import Iterator
from types import TracebackType
from typing import Self

import httpx

"""
CLIENT_CLASS = """\
class SyncMemdClient:
    url: str
{rooms}
    def __init__(
        self,
        url: str,
        api_key: str | None,
        transport: httpx.AsyncBaseTransport | None = None,
        *,
        socket: str | None = None,
        end_user: str | None = None,
        retries: int = 2,
        timeout: float | None = None,
    ) -> None: ...
    @classmethod
    def from_environment(cls, *, retries: int = 2, timeout: float | None = None) -> Self: ...
    def acting_for(self, end_user: str) -> Self: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
    def close(self) -> None: ...
    @property
    def credits(self) -> Credits | None: ...
"""


def stub() -> str:
    """The text of the stub; neither sorted nor formatted."""
    rooms = dict(MemdClient.__annotations__)
    imports, classes = {"from memctl.client.transport import Credits"}, list[str]()
    for name in rooms:
        module = ast.parse((CLIENT / f"{name}.py").read_text())
        for node in filter(_is_room, module.body):
            classes.append(_class(node))
            imports |= set(_imports(name, module, classes[-1]))
    attributes = "".join(f"    {name}: {kind}\n" for name, kind in rooms.items())
    return HEAD + "\n\n".join(["\n".join(sorted(imports)), *classes, CLIENT_CLASS.format(rooms=attributes)])


def _imports(room: str, module: ast.Module, text: str) -> Iterator[str]:
    """The imports of the names of a class: from where the module of the room has them, or the module itself."""
    known = {
        alias.name: node.module for node in module.body if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    used = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
    for name in used - set(dir(builtins)) - {"Iterator"}:
        yield f"from {known.get(name, f'memctl.client.{room}')} import {name}"


def _is_room(node: ast.stmt) -> TypeGuard[ast.ClassDef]:
    return isinstance(node, ast.ClassDef) and node.name in MemdClient.__annotations__.values()


def _class(node: ast.ClassDef) -> str:
    methods = [member for member in node.body if isinstance(member, ast.AsyncFunctionDef)]
    public = [method for method in methods if not method.name.startswith("_") or method.name == "__call__"]
    return f"class {node.name}:\n" + "\n".join(f"    {_method(method)}" for method in public)


def _method(method: ast.AsyncFunctionDef) -> str:
    returned = ast.unparse(method.returns) if method.returns else "None"
    returned = returned.replace("AsyncIterator[", "Iterator[")
    return f"def {method.name}({ast.unparse(method.args)}) -> {returned}: ..."
