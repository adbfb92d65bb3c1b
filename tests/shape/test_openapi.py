"""The OpenAPI document is pinned: a change of the wire is seen in review."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from memd import openapi
from memd.app import endpoints, open_endpoints

SNAPSHOT = Path(__file__).parents[2] / "docs" / "openapi.json"


def test_openapi_is_the_one_on_record() -> None:
    document = json.dumps(openapi.document([*endpoints(), *open_endpoints()]), indent=1, sort_keys=True) + "\n"
    if os.environ.get("MEMD_PIN"):
        SNAPSHOT.write_text(document)
    assert SNAPSHOT.read_text() == document, "run MEMD_PIN=1 pytest tests/shape/test_openapi.py after a wanted change"


def test_every_operation_has_an_id_of_its_own() -> None:
    paths = openapi.document([*endpoints(), *open_endpoints()])["paths"]
    ids = [operation["operationId"] for path in paths.values() for operation in path.values()]
    assert len(ids) == len(set(ids))


def schemas(node: Any) -> Iterator[dict[str, Any]]:
    """Every object of the document that has a default."""
    if isinstance(node, dict):
        if "default" in node and not isinstance(node["default"], dict):
            yield node
        for child in node.values():
            yield from schemas(child)
    elif isinstance(node, list):
        for child in node:
            yield from schemas(child)


def test_a_default_is_a_value_of_its_schema() -> None:
    document = openapi.document([*endpoints(), *open_endpoints()])
    components = {"components": document["components"]}
    found = list(schemas(document))
    assert len(found) > 100
    for schema in found:
        Draft202012Validator(schema | components).validate(schema["default"])
        assert schema["default"] is not None


def test_no_parameter_is_an_object() -> None:
    """Clients would send its members as parameters of their own, which memd ignores: `where` is JSON text in a URL."""
    paths = openapi.document([*endpoints(), *open_endpoints()])["paths"]
    parameters = [
        parameter for path in paths.values() for each in path.values() for parameter in each.get("parameters", [])
    ]
    assert [each["name"] for each in parameters if each["schema"].get("type") == "object"] == []
    (where,) = [each["schema"] for each in parameters if each["name"] == "where"]
    assert (where["type"], where["contentMediaType"]) == ("string", "application/json")


def test_operations_are_grouped_by_room() -> None:
    """Generated clients make a module of each tag: moving a handler within its room must not move its operation."""
    paths = openapi.document([*endpoints(), *open_endpoints()])["paths"]
    tags = {tag for path in paths.values() for operation in path.values() for tag in operation["tags"]}
    rooms = {folder.name for folder in (Path(__file__).parents[2] / "memd").iterdir() if folder.is_dir()}
    assert tags <= rooms
