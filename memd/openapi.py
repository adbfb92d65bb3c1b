"""The OpenAPI document, made from the endpoints as they are declared."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from memctl.wire.errors import ErrorBody
from memctl.wire.fields import Identifier
from memd.access.endpoint import Endpoint, NoBody, OpenEndpoint
from memd.openapi_defaults import without_misleading_defaults
from memd.openapi_links import links_of, operation_id
from memd.version import VERSION

_REF = "#/components/schemas/{model}"
COMMON_ERRORS = (400, 401, 403, 413, 429, 500, 503)
_PREFIXES = {
    "/api/knowledge-bases": "kb",
    "/api/keys": "key",
    "/api/admin/users": "usr",
    "/api/erasures": "era",
    "/api/messages": "msg",
    "/api/memories": "mem",
    "/api/snapshots": "snap",
    "/api/conflicts": "conf",
    "/api/checkpoints": "ckpt",
}
"""The kind of identifier that follows a path."""
AnyEndpoint = Endpoint | OpenEndpoint
Schemas = Mapping[Any, dict[str, Any]]


def document(endpoints: Sequence[AnyEndpoint]) -> dict[str, Any]:
    """OpenAPI 3.1 of all endpoints."""
    models: list[tuple[type[BaseModel], JsonSchemaMode]] = [(ErrorBody, "serialization")]
    for endpoint in endpoints:
        models.append((endpoint.body, "validation"))
        models.append((endpoint.reply, "serialization"))
        if endpoint.query is not None:
            models.append((endpoint.query, "validation"))
    schemas, definitions = models_json_schema(models, ref_template=_REF, by_alias=True)
    components: dict[str, Any] = definitions.get("$defs", {})
    paths: dict[str, dict[str, Any]] = {}
    for endpoint in endpoints:
        paths.setdefault(endpoint.template, {})[endpoint.method.lower()] = _operation(endpoint, schemas, components)
    made: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {"title": "memd", "version": VERSION, "description": "Long-term memory for agents."},
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer", "description": "An API key of memd"}},
        },
        "security": [{"key": []}],
    }
    return without_misleading_defaults(made)


def _operation(endpoint: AnyEndpoint, schemas: Schemas, components: dict[str, Any]) -> dict[str, Any]:
    room = endpoint.handler.__module__.split(".")[1]
    summary = (endpoint.handler.__doc__ or endpoint.name).strip().splitlines()[0]
    operation: dict[str, Any] = {
        "operationId": operation_id(endpoint.name),
        "tags": [room],
        "summary": summary,
        "description": _price(endpoint),
        "responses": _responses(endpoint, schemas),
    }
    if isinstance(endpoint, OpenEndpoint):
        operation["security"] = list[Any]()
    parameters = [_path_parameter(endpoint.template, name) for name in _path_names(endpoint.template)]
    url_model = endpoint.body if endpoint.method == "GET" else endpoint.query
    if url_model is not None:
        parameters += _query_parameters(schemas[url_model, "validation"], components)
    if parameters:
        operation["parameters"] = parameters
    if endpoint.method not in {"GET", "DELETE"} and endpoint.body is not NoBody:
        schema = schemas[endpoint.body, "validation"]
        required = bool(_resolved(schema, components).get("required"))
        operation["requestBody"] = {"required": required, "content": {"application/json": {"schema": schema}}}
    return operation


def _price(endpoint: AnyEndpoint) -> str:
    if isinstance(endpoint, OpenEndpoint):
        return "Costs nothing; needs no key."
    scopes = f"`{endpoint.scope}`" + (f" or `{endpoint.alternative_scope}`" if endpoint.alternative_scope else "")
    return f"Costs {endpoint.credits} credits; needs a key with scope {scopes}."


def _responses(endpoint: AnyEndpoint, schemas: Schemas) -> dict[str, Any]:
    error = {"application/json": {"schema": schemas[ErrorBody, "serialization"]}}
    reply = {"application/json": {"schema": schemas[endpoint.reply, "serialization"]}}
    done: dict[str, Any] = {"description": "Done", "content": reply}
    links = links_of(endpoint.name)
    responses: dict[str, Any] = {str(endpoint.status): done | ({"links": links} if links else {})}
    for status in sorted({*COMMON_ERRORS, *endpoint.errors}):
        responses[str(status)] = {"description": "An error of contract 1.5", "content": error}
    return responses


def _path_names(path: str) -> list[str]:
    return [part[1:-1] for part in path.split("/") if part.startswith("{")]


def _path_parameter(path: str, name: str) -> dict[str, Any]:
    prefix = _PREFIXES.get(path.split("/{", 1)[0])
    schema = Identifier(prefix).json_schema() if prefix else {"type": "string", "minLength": 1}
    return {"name": name, "in": "path", "required": True, "schema": schema}


def _query_parameters(schema: dict[str, Any], components: dict[str, Any]) -> list[dict[str, Any]]:
    model = _resolved(schema, components)
    required: list[str] = model.get("required", [])
    properties: dict[str, dict[str, Any]] = model.get("properties", {})
    return [_query_parameter(name, value, required=name in required) for name, value in properties.items()]


def _query_parameter(name: str, schema: dict[str, Any], *, required: bool) -> dict[str, Any]:
    """A URL has no null; a list is one text with commas, an object one text in JSON."""
    forms = [form for form in schema.get("anyOf", ()) if form != {"type": "null"}]
    if any(form.get("type") == "string" for form in forms):
        forms = [form for form in forms if form.get("type") != "array"]
    if forms:
        about = {key: value for key, value in schema.items() if key != "anyOf" and value is not None}
        schema = about | (forms[0] if len(forms) == 1 else {"anyOf": forms})
    if schema.get("type") == "object":
        about = {key: value for key, value in schema.items() if key != "additionalProperties"}
        schema = about | {"type": "string", "contentMediaType": "application/json", "description": "A JSON object"}
    style = {"style": "form", "explode": False} if schema.get("type") == "array" else {}
    return {"name": name, "in": "query", "required": required, "schema": schema, **style}


def _resolved(schema: dict[str, Any], components: dict[str, Any]) -> dict[str, Any]:
    reference: str = schema.get("$ref", "")
    return components[reference.rsplit("/", 1)[-1]] if reference else schema
