"""Defaults in the OpenAPI document: only those that a value of their schema could be.

A generated client would treat `default: null` as a value of the field, and `default: []` of a text as an error.
"""

from collections.abc import Mapping
from typing import Any, Final, cast

_TYPES: Final[Mapping[str, type | tuple[type, ...]]] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "array": list,
    "object": dict,
}


def without_misleading_defaults(node: Any) -> Any:
    """The document without defaults that are null or that their own schema refuses."""
    if isinstance(node, list):
        return [without_misleading_defaults(each) for each in cast("list[Any]", node)]
    if not isinstance(node, dict):
        return node
    schema = cast("dict[str, Any]", node)
    kept = {name: value for name, value in schema.items() if name != "default" or _is_sound(schema)}
    return {name: value if name == "default" else without_misleading_defaults(value) for name, value in kept.items()}


def _is_sound(schema: Mapping[str, Any]) -> bool:
    """Whether `default` is the default of a schema and a value of it; a property of that name is always kept."""
    default = schema["default"]
    if isinstance(default, dict) and ("type" in default or "anyOf" in default or "$ref" in default):
        return True
    return default is not None and any(_fits(default, form) for form in schema.get("anyOf", [schema]))


def _fits(value: Any, form: Mapping[str, Any]) -> bool:
    """Whether a value has the type of a schema and, if it is a text, its length; a reference is taken on trust."""
    if "type" not in form:
        return True
    is_type = isinstance(value, _TYPES.get(form["type"], ())) and (form["type"] == "boolean") == isinstance(value, bool)
    return is_type and not (isinstance(value, str) and len(value) < form.get("minLength", 0))
