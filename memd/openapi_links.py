"""Which reply of the OpenAPI document names what another operation asks for."""

from collections.abc import Mapping
from typing import Any, Final

_ID: Final = "$response.body#/id"
_BASE: Final = "/api/knowledge-bases/{id}"

BODY_LINKS: Final[Mapping[str, Mapping[str, Mapping[str, str]]]] = {
    "POST /api/mcp/capture": {
        "POST /api/mcp/memory": {"memoryId": _ID},
        "POST /api/mcp/update": {"memoryId": _ID},
        "POST /api/mcp/supersede": {"oldMemoryId": _ID},
        "POST /api/mcp/trace": {"memoryId": _ID},
        "POST /api/mcp/forget": {"memoryId": _ID},
    },
    "POST /api/mcp/snapshot": {"POST /api/mcp/capture": {"sourceSnapshotId": _ID}},
}
"""From an operation to others, with the fields of their bodies."""

ID_LINKS: Final[Mapping[str, tuple[str, ...]]] = {
    "POST /api/knowledge-bases": (
        f"POST {_BASE}/import",
        f"POST {_BASE}/bulk-insert",
        f"POST {_BASE}/query",
        f"GET {_BASE}/memories",
        f"POST {_BASE}/empty",
        f"GET {_BASE}",
        f"PATCH {_BASE}",
        f"DELETE {_BASE}",
        f"POST {_BASE}/unarchive",
    ),
    "POST /api/keys": ("POST /api/keys/{id}/rotate", "DELETE /api/keys/{id}"),
    "POST /api/admin/users": ("PATCH /api/admin/users/{id}",),
}
"""From an operation to others whose path takes the id of its reply."""


def links_of(name: str) -> dict[str, Any]:
    """The OpenAPI links of the operation `name` (`POST /api/mcp/capture`), by the name of the other operation."""
    by_body = {
        operation_id(target): {"operationId": operation_id(target), "requestBody": dict(fields)}
        for target, fields in BODY_LINKS.get(name, {}).items()
    }
    by_path = {
        operation_id(target): {"operationId": operation_id(target), "parameters": {"id": _ID}}
        for target in ID_LINKS.get(name, ())
    }
    return by_body | by_path


def operation_id(name: str) -> str:
    """The operation's id: its name in one word."""
    method, path = name.split(" ")
    return method.lower() + path.translate(_IN_ONE_WORD)


_IN_ONE_WORD: Final = str.maketrans({"/": "_", "{": None, "}": None})
