"""JSON schemas of tools, made from the wire types: what a tool takes and what it gives back."""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final, cast

from pydantic import BaseModel

Schema = dict[str, Any]
_LISTS: Final = ("anyOf", "oneOf", "allOf", "prefixItems")
_SINGLES: Final = ("items", "additionalProperties", "not")
_SILENT: Final = frozenset(
    {
        "readOnly",
        "pattern",
        "minLength",
        "maxLength",
        "minItems",
        "maxItems",
        "examples",
        "format",
        "minimum",
        "maximum",
    }
)
_NO_DEFAULTS: Final[tuple[object, ...]] = (None, False, [])


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
    """The top-level fields of an answer and their types.

    No more: clients check failures against it too, and it costs tokens.
    """
    properties = argument_schemas(model)
    return {"type": "object", "properties": {name: _type(field) for name, field in properties.items()}}


def _type(field: Schema) -> Schema:
    return {"type": field["type"]} if "type" in field else {}


def _plain(schema: Schema) -> Schema:
    """Without what a model does not read: titles, patterns, lengths, and defaults that mean nothing."""
    kept: Schema = {}
    for key, value in schema.items():
        if (
            key in _SILENT
            or (key == "title" and isinstance(value, str))
            or (key == "default" and value in _NO_DEFAULTS)
        ):
            continue
        if key in {"properties", "$defs"}:
            kept[key] = {name: _plain(part) for name, part in cast("dict[str, Schema]", value).items()}
        elif key in _LISTS:
            kept[key] = [_plain(part) for part in cast("list[Schema]", value)]
        elif key in _SINGLES and isinstance(value, dict):
            inner = _plain(cast("Schema", value))
            inner.pop("description", None)
            kept[key] = inner
        else:
            kept[key] = value
    return kept


def _resolved(schema: Schema, definitions: Mapping[str, Schema]) -> Schema:
    """A schema with the fields of the type that it refers to, without the type's description: that is for readers of code."""
    if "$ref" not in schema:
        return schema
    target = definitions[str(schema["$ref"]).rsplit("/", 1)[-1]]
    own = {key: value for key, value in schema.items() if key != "$ref"}
    return {key: value for key, value in target.items() if key not in {"$ref", "description"}} | own


def _inlined(schema: Schema, definitions: Mapping[str, Schema]) -> Schema:
    """A schema without references; an optional field is described as if it were present."""
    schema = _resolved(schema, definitions)
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
            inlined[key] = {
                name: part for name, part in _inlined(inlined[key], definitions).items() if name != "description"
            }
    if "properties" in inlined:
        inlined["properties"] = {name: _inlined(part, definitions) for name, part in inlined["properties"].items()}
    return inlined
