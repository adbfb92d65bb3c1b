"""JSON schemas of tools, made from the wire types: what a tool takes and what it gives back."""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final, cast

from pydantic import BaseModel

from memctl.wire.errors import ErrorBody

Schema = dict[str, Any]
FAILURE: Final = "Failure"
_LISTS: Final = ("anyOf", "oneOf", "allOf", "prefixItems")
_SINGLES: Final = ("items", "additionalProperties", "not")


@cache
def argument_schemas(model: type[BaseModel]) -> dict[str, Schema]:
    """The schema of each field of a request, or of an error, by its wire name; nothing is referred to, null is not offered."""
    whole = model.model_json_schema(by_alias=True)
    definitions: dict[str, Schema] = whole.get("$defs", {})
    return {name: _inlined(value, definitions) for name, value in whole.get("properties", {}).items()}


def input_schema(properties: Mapping[str, Schema], required: tuple[str, ...]) -> Schema:
    """An object with these properties and no others."""
    schema: Schema = {"type": "object", "properties": dict(properties)}
    return schema | ({"required": list(required)} if required else {}) | {"additionalProperties": False}


@cache
def output_schema(model: type[BaseModel]) -> Schema:
    """The reply, or the body of an error with its status: clients hold failures to the schema of the tool too.

    Every object that names its fields has no others, the whole included: it may have those of any of its shapes.
    """
    whole = _plain(model.model_json_schema(by_alias=True, mode="serialization"))
    definitions: dict[str, Schema] = whole.pop("$defs", {}) | {FAILURE: _failure()}
    if set(whole) <= {"anyOf", "description"}:
        names = [str(shape["$ref"]).rsplit("/", 1)[-1] for shape in whole["anyOf"]]
    else:
        names = [model.__name__]
        definitions[model.__name__] = whole
    shapes = [*names, FAILURE]
    return {
        "type": "object",
        "properties": {field: {} for shape in shapes for field in definitions[shape]["properties"]},
        "additionalProperties": False,
        "anyOf": [{"$ref": f"#/$defs/{shape}"} for shape in shapes],
        "$defs": {name: _closed(definition) for name, definition in definitions.items()},
    }


def _failure() -> Schema:
    """Why a call failed: the error's body as HTTP has it, and the status that the endpoint would have had."""
    fields = argument_schemas(ErrorBody) | {"status": {"type": "integer"}}
    return {
        "type": "object",
        "description": "Why the call failed (only with isError), with the HTTP status that the endpoint would have had.",
        "properties": fields,
        "required": ["error", "status"],
    }


def _closed(definition: Schema) -> Schema:
    return {"additionalProperties": False} | definition if "properties" in definition else definition


def _plain(schema: Schema) -> Schema:
    """Without the titles that pydantic makes of names, without null defaults and marks that tell nothing."""
    kept: Schema = {}
    for key, value in schema.items():
        if (key == "title" and isinstance(value, str)) or key == "readOnly" or (key == "default" and value is None):
            continue
        if key in {"properties", "$defs"}:
            kept[key] = {name: _plain(part) for name, part in cast("dict[str, Schema]", value).items()}
        elif key in _LISTS:
            kept[key] = [_plain(part) for part in cast("list[Schema]", value)]
        elif key in _SINGLES and isinstance(value, dict):
            kept[key] = _plain(cast("Schema", value))
        else:
            kept[key] = value
    return kept


def _inlined(schema: Schema, definitions: Mapping[str, Schema]) -> Schema:
    """A schema that stands by itself; an optional field is described as if it were sent."""
    if "$ref" in schema:
        target = definitions[str(schema["$ref"]).rsplit("/", 1)[-1]]
        schema = {**target, **{key: value for key, value in schema.items() if key != "$ref"}}
    choices = [part for part in cast("list[Schema]", schema.get("anyOf", [])) if part.get("type") != "null"]
    if len(choices) == 1:
        rest = {key: value for key, value in schema.items() if key != "anyOf"}
        return _inlined({**rest, **choices[0]}, definitions)
    inlined = _plain({**schema, **({"anyOf": choices} if choices else {})})
    for key in _LISTS:
        if key in inlined:
            inlined[key] = [_inlined(part, definitions) for part in inlined[key]]
    for key in _SINGLES:
        if isinstance(inlined.get(key), dict):
            inlined[key] = _inlined(inlined[key], definitions)
    if "properties" in inlined:
        inlined["properties"] = {name: _inlined(part, definitions) for name, part in inlined["properties"].items()}
    return inlined
