"""The base of all published types: naming, and the meaning of absent fields (contract 1.1).

Attributes are snake_case in Python and camelCase on the wire (`to_wire`). The client sends the same request models
that the daemon reads, so both sides agree by construction.
"""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler, GetJsonSchemaHandler, model_validator
from pydantic.alias_generators import to_camel
from pydantic.json_schema import JsonSchemaValue
from pydantic_core.core_schema import CoreSchema


class WireModel(BaseModel):
    """A published type: snake_case attributes, camelCase names on the wire, unknown fields ignored.

    Of a reply, every field but those with the default `absent()` is always sent, which its JSON schema says.
    """

    if TYPE_CHECKING:  # to a type checker: attributes by name, each of its own type, and no others
        model_config = ConfigDict(strict=True, validate_by_name=True, extra="forbid")
    else:
        model_config = ConfigDict(
            alias_generator=to_camel,
            validate_by_name=True,
            validate_by_alias=True,
            extra="ignore",
            defer_build=True,
            protected_namespaces=(),
            json_schema_serialization_defaults_required=True,
        )

    def to_wire(self) -> dict[str, Any]:
        """The JSON object of a reply, ready for `json.dumps`."""
        return self.model_dump(mode="json", by_alias=True)


class PatchModel(WireModel):
    """A request in which JSON null clears a field (contract 1.1.2); look at `model_fields_set`."""

    @classmethod
    def from_body(cls, body: Mapping[str, Any], context: Mapping[str, Any] | None = None) -> Self:
        """Read a JSON body; only wire names count. Raises pydantic's ValidationError."""
        return cls.model_validate(dict(body), by_alias=True, by_name=False, context=dict(context or {}))

    @classmethod
    def from_query(cls, query: Mapping[str, Any]) -> Self:
        """Read the query part of a URL: digits become integers, true/1/false/0 booleans (contract 1.1.4, 1.1.6)."""
        return cls.from_body(query, {"source": "query"})

    def to_request(self) -> dict[str, Any]:
        """The JSON object that a client sends: only the fields that were set."""
        return self.model_dump(mode="json", by_alias=True, exclude_unset=True)


class RequestModel(PatchModel):
    """A request in which JSON null means that the field is absent (contract 1.1.2), unless it is in `CLEARED_BY_NULL`."""

    CLEARED_BY_NULL: ClassVar[Collection[str]] = ()
    """The fields, by their names on the wire and as attributes, whose value null removes."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Stop at the first wrong item of a list or object: a million of them would be a million errors."""
        schema = handler(source)
        _fail_fast(schema)
        return schema

    @model_validator(mode="before")
    @classmethod
    def drop_nulls(cls, data: Any) -> Any:
        """Take fields that are null out of an object, but those that null clears; the field rules refuse everything else."""
        if isinstance(data, dict):
            fields = cast("dict[str, Any]", data)
            return {name: value for name, value in fields.items() if value is not None or name in cls.CLEARED_BY_NULL}
        return data

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Say of every optional field that it may be null."""
        schema = handler(core_schema)
        model = handler.resolve_ref_schema(schema)
        properties: dict[str, JsonSchemaValue] = model.get("properties", {})
        for name in properties.keys() - set(model.get("required", [])):
            properties[name] = _nullable(properties[name])
        return schema


def _fail_fast(schema: Any) -> None:
    """Mark every list, set and dict within a schema."""
    if isinstance(schema, dict):
        node = cast("dict[str, Any]", schema)
        if node.get("type") in {"list", "set", "dict"}:
            node["fail_fast"] = True
        for child in node.values():
            _fail_fast(child)
    elif isinstance(schema, list):
        for child in cast("list[Any]", schema):
            _fail_fast(child)


_ABOUT = ("title", "description", "default")
"""The keywords of a field's schema besides its type."""


def _nullable(schema: JsonSchemaValue) -> JsonSchemaValue:
    """The schema of a value or null; one that allows anything stays as it is."""
    form = {name: value for name, value in schema.items() if name not in _ABOUT}
    null = {"type": "null"}
    forms: list[JsonSchemaValue] = form["anyOf"] if form.keys() == {"anyOf"} else [form]
    if not form or null in forms:
        return schema
    return {name: schema[name] for name in _ABOUT if name in schema} | {"anyOf": [*forms, null]}


def absent() -> Any:
    """Default of a reply field that is left out of the JSON object when it has no value."""
    return Field(default=None, exclude_if=_is_none)


def _is_none(value: object) -> bool:
    return value is None
