"""Values that no endpoint may fail on, and requests that carry them in every field of the OpenAPI document."""

import itertools
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote
from zlib import crc32

Json = dict[str, Any]
PLACE: Final = "\ufff0place\ufff0"
PLAIN: Final = "as the document says"
MEGABYTE: Final = 1_000_000
SHORT: Final = 10_000
TOO_LONG: Final = "1 MB of one letter"


def nested(opening: str, closing: str, levels: int) -> str:
    """JSON of this many levels."""
    return opening * levels + "1" + closing * levels


def text(piece: str, characters: int = MEGABYTE) -> str:
    """A JSON string of this many characters."""
    return json.dumps(piece * (characters // len(piece)), ensure_ascii=False)


SMALL: Final[Mapping[str, str]] = {
    "lone surrogate": r'"mill \ud800"',
    "lone surrogate in a name": r'{"\udfff": 1}',
    "NUL": r'"mill \u0000"',
    "NUL in a list": r'["mill \u0000"]',
    "60 arrays": nested("[", "]", 60),
    "60 objects": nested('{"a":', "}", 60),
    "64 arrays": nested("[", "]", 64),
    "64 objects": nested('{"a":', "}", 64),
    "3,000 arrays": nested("[", "]", 3_000),
    "integer of 400 digits": "9" * 400,
    "negative integer of 400 digits": "-" + "9" * 400,
    "integer of 5,000 digits": "9" * 5_000,
    "integer of 400 digits in an object": '{"a": [' + "9" * 400 + "]}",
    "number beyond a double": "1e400",
    "number beyond a double in an object": '{"a": -1e400}',
    "largest double": "1.7976931348623157e308",
    "smallest double": "5e-324",
    "9 bytes": str(2**63),
    "negative 9 bytes": str(-(2**63) - 1),
    "5 bytes": str(2**31),
    "minus one": "-1",
    "a half": "0.5",
    "NaN": "NaN",
    "true": "true",
    "empty text": '""',
    "blank": '" \\t\\n "',
    "line separators": r'"a\u2028b\u2029c\u0085d"',
    "empty list": "[]",
    "empty object": "{}",
    "list of nulls": "[null, null]",
    "wild cards": r'"%_\\%\\_*?[a-z]"',
    "tsquery": '"mill:* & !river | (a <-> b) \'"',
    "cursor": '"eyJhIjogWzFdfQ=="',
}
LARGE: Final[Mapping[str, str]] = {
    TOO_LONG: text("a"),
    "1 MB of underscores": text("_"),
    "100 KB of letters and underscores": text("a_", 100_000),
    "100 KB of words": text("mill river ", 100_000),
    "100 KB of digits and dots": text("1.", 100_000),
    "100 KB of slashes": text("/a", 100_000),
    "100 KB of at signs": text("a@b.", 100_000),
    "100 KB of emoji": text("🏞️", 100_000),
    "list of 20,000": json.dumps(["mill"] * 20_000),
}

BRACKETS: Final[Mapping[str, str]] = {
    "70 empty lists": json.dumps([[]] * 70),
    "70 empty objects": json.dumps([{}] * 70),
    "a text of 70 brackets": json.dumps("[" * 70),
    "an open list": "[" * 70,
}

MESSAGES: Final = tuple(
    (f"{about} in {place}", template.replace(json.dumps(PLACE), value).encode())
    for place, template in {
        "the message": json.dumps(PLACE),
        "a list": f"[{json.dumps(PLACE)}]",
        "jsonrpc": json.dumps({"jsonrpc": PLACE, "id": 1, "method": "tools/list"}),
        "id": json.dumps({"jsonrpc": "2.0", "id": PLACE, "method": "tools/list"}),
        "method": json.dumps({"jsonrpc": "2.0", "id": 1, "method": PLACE}),
        "params": json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": PLACE}),
        "a parameter": json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"cursor": PLACE}}),
        "the name of a tool": json.dumps(
            {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": PLACE}}
        ),
        "arguments": json.dumps(
            {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "stats", "arguments": PLACE}}
        ),
        "_meta": json.dumps(
            {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "stats", "_meta": PLACE}}
        ),
    }.items()
    for about, value in {**SMALL, **LARGE, **BRACKETS}.items()
)
"""Bodies of POST /mcp with a hostile value in each part of a message that is not a tool's argument."""


@dataclass(frozen=True, slots=True)
class Request:
    """One request with a hostile value in one place; `about` names operation, place and value."""

    about: str
    method: str
    path: str
    body: bytes | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Document:
    """The OpenAPI document, and what it does not say of a valid request.

    `known` has values by name of field, and the identifier in a path by the path before it; `variants` the optional
    fields without which the body of a path is refused. With a `share` of n every place gets one n-th of the values, places
    different ones, so that every value is still sent to many places.
    """

    openapi: Json
    known: Mapping[str, Any]
    variants: Mapping[str, tuple[tuple[str, ...], ...]]
    share: int = 1

    def resolved(self, schema: Json) -> Json:
        """A schema without reference and without null."""
        if isinstance(schema.get("type"), list):
            return schema | {"type": schema["type"][0]}
        if "$ref" in schema:
            schema = self.openapi["components"]["schemas"][schema["$ref"].rsplit("/", 1)[-1]]
        forms = [form for form in schema.get("anyOf", ()) if form != {"type": "null"}]
        return self.resolved(forms[0]) if forms else schema

    def sample(self, name: str, schema: Json) -> Any:
        """A value that the schema allows, of fields that have to be there."""
        schema = self.resolved(schema)
        if name in self.known:
            return self.known[name]
        if "enum" in schema or "const" in schema:
            return schema.get("const") or schema["enum"][0]
        if schema.get("type") == "object":
            required = schema.get("required", ())
            return {field: self.sample(field, schema["properties"][field]) for field in required}
        if schema.get("type") == "array":
            return [self.sample(name, schema.get("items", {}))]
        return {"integer": 1, "number": 0.5, "boolean": True}.get(schema.get("type", ""), f"The mill {name}")

    def places(self, schema: Json, sample: Any) -> Iterator[tuple[str, Any, Json]]:
        """Every field of a body, also inside objects and lists: its name, the body with PLACE in it, and its schema."""
        schema = self.resolved(schema)
        if isinstance(sample, list):
            items = schema.get("items", {})
            yield "[]", [PLACE], items
            for name, value, inner in self.places(items, self.sample("", items)):
                yield name, [value], inner
        elif isinstance(sample, dict):
            for field, inner in schema.get("properties", {}).items():
                yield field, sample | {field: PLACE}, inner
                for name, value, innermost in self.places(inner, self.sample(field, inner)):
                    yield f"{field}.{name}", sample | {field: value}, innermost

    def values(self, schema: Json) -> Mapping[str, str]:
        """The values for a field; of the large ones only one where length or kind refuse all."""
        schema = self.resolved(schema)
        refused = schema.get("maxLength", MEGABYTE) < SHORT or schema.get("type") in {"boolean", "integer", "number"}
        return {**SMALL, **({TOO_LONG: LARGE[TOO_LONG]} if refused or "enum" in schema else LARGE)}

    def chosen(self, values: Mapping[str, str], place: str) -> Iterator[tuple[str, str]]:
        """The share of the values that is sent to a place."""
        first = crc32(place.encode()) % self.share
        yield from itertools.islice(values.items(), first, None, self.share)

    def bodies(self, about: str, schema: Json, fields: Iterable[str] = ()) -> Iterator[tuple[str, str]]:
        """Bodies as JSON with these optional fields, and where the hostile value is; first the body without one."""
        schema = self.resolved(schema)
        sample = self.sample("", schema) | {name: self.sample(name, schema["properties"][name]) for name in fields}
        yield PLAIN, json.dumps(sample)
        for field, body, inner in [("body", PLACE, schema), *self.places(schema, sample)]:
            template = json.dumps(body)
            for name, value in self.chosen(self.values(inner), f"{about} {field}"):
                yield f"{field}: {name}", template.replace(json.dumps(PLACE), value)

    def requests(self, method: str, path: str) -> Iterator[Request]:
        """The requests of one operation."""
        operation = self.openapi["paths"][path][method]
        about, verb = f"{method.upper()} {path}", method.upper()
        real = re.sub(r"{\w+}", self.known.get(path.split("/{", 1)[0], ""), path)
        content = operation.get("requestBody", {}).get("content", {}).get("application/json")
        for fields in self.variants.get(path, ((),)) if content else ():
            for place, body in self.bodies(about, content["schema"], fields):
                yield Request(f"{about} {place}", verb, real, body.encode())
        for parameter in operation.get("parameters", ()):
            for name, value in self.chosen(URL_VALUES, f"{about} {parameter['name']}"):
                if parameter["in"] == "path":
                    yield Request(f"{about} path: {name}", verb, path.replace(f"{{{parameter['name']}}}", value))
                else:
                    yield Request(f"{about} ?{parameter['name']}: {name}", verb, f"{real}?{parameter['name']}={value}")


URL_VALUES: Final[Mapping[str, str]] = {
    "NUL": "%00",
    "lone surrogate": "%ED%A0%80",
    "no UTF-8": "%FF%FE",
    "integer of 400 digits": "9" * 400,
    "number beyond a double": "1e400",
    "60 KB": "a" * 60_000,
    "60 KB of underscores": "a_" * 30_000,
    "list": quote("a,b,,\u2028"),
    "JSON": quote('{"a": [1]}'),
    "minus one": "-1",
    "blank": "%20%09",
}
