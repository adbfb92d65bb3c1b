"""A word in every text field of every endpoint, and a look for it in every column of every table.

Bodies are made from the endpoints' own schemas, so a new field is filled without any change here; an endpoint that
refuses what was made fails until `GIVEN` says what it needs.
"""

from collections.abc import Mapping
from typing import Any, Final

import psycopg

from memctl.wire.time_window import TimeWindowFields
from memd.access.endpoint import Endpoint
from memd.app import endpoints
from memd.context import Services
from tests.support.dict_rows import dict_rows
from tests.support.service import TestUser

WORD: Final = "Zyxquagga"
TEXT: Final = f"We decided that {WORD} depends on Postgres and that Ann owns {WORD}"
SHORT: Final = f"{WORD} mill"
WINDOW: Final = {field.alias or name for name, field in TimeWindowFields.model_fields.items()} | {"from", "to"}
LONG: Final = 1_000
Json = dict[str, Any]

GIVEN: Final[Mapping[str, Json]] = {
    "POST /api/mcp/log": {"role": "user"},
    "POST /api/mcp/metric": {"kind": "seen", "payload": {WORD: WORD}},
    "POST /api/mcp/checkpoint": {"mode": "create"},
    "POST /api/mcp/recall": {"knowledgeBaseIds": None, "knowledgeBaseId": None},
    "POST /api/knowledge-bases/{id}/import": {"chunks": None, "delimiter": None},
    "POST /api/keys": {"scopes": ["read"]},
    "POST /api/standing": {"name": "canary", "schedule": "every 1h", "webhookUrl": None},
    "POST /api/mcp/forget": {"permanent": False},
}
"""Further fields that an endpoint needs; None leaves a field out."""

ELSEWHERE: Final = {
    "POST /api/admin/users": "made the user under test, with the word as name",
    "PATCH /api/admin/users/{id}": "called by an administrator",
    "POST /api/device/approve": "part of the device flow",
    "GET /api/admin/audit": "for administrators",
    "GET /api/admin/users": "for administrators",
    "POST /api/jobs/{name}/run": "for administrators; takes no text",
    "DELETE /api/admin/users/{id}": "what is tested",
    "GET /api/erasures/{id}": "what is tested",
    "GET /api/account/users": "for applications",
    "DELETE /api/account/users/{external_id}": "for applications; tested by itself",
    "DELETE /api/messages/{id}": "removes; tested by itself",
    "DELETE /api/sessions/{session_key}": "removes; tested by itself",
    "DELETE /api/knowledge-bases/{id}": "archives what the others need; takes no text",
    "POST /api/knowledge-bases/{id}/empty": "removes; takes no text",
    "POST /api/knowledge-bases/{id}/unarchive": "takes no text",
    "POST /api/keys/{id}/rotate": "ends the key under test; takes no text",
    "DELETE /api/memories/by-key": "archives what the others need",
    "POST /api/undo": "archives what the others need; takes no text",
    "POST /api/conflicts/{id}": "takes no text",
    "POST /api/standing/{name}/run": "takes no text",
    "GET /api/standing/{name}": "reads; takes no text",
    "DELETE /api/standing/{name}": "removes; takes no text",
    "GET /api/snapshots/{id}": "reads; takes no text",
    "GET /api/checkpoints/{id}": "reads; takes no text",
    "GET /api/messages": "reads; takes no text",
    "GET /api/sessions": "reads; takes no text",
    "DELETE /api/keys/{id}": "ends the key under test; takes no text",
}
"""Endpoints that `plant` does not call, and why."""


def planted() -> list[Endpoint]:
    """The endpoints that `plant` calls."""
    return [endpoint for endpoint in endpoints() if endpoint.name not in ELSEWHERE]


def _filled(schema: Json, defs: Json, name: str, ids: Mapping[str, Any]) -> Any:
    """A value with the word wherever free text may stand; None where none may."""
    if name in ids:
        return ids[name]
    if "$ref" in schema:
        return _filled(defs[schema["$ref"].rsplit("/", 1)[-1]], defs, name, ids)
    forms = (_filled(form, defs, name, ids) for form in schema.get("anyOf", ()))
    found = next((value for value in forms if value is not None), None)
    return _plain_value(schema, defs, name, ids) if found is None else found


def _plain_value(schema: Json, defs: Json, name: str, ids: Mapping[str, Any]) -> Any:
    bound = {"enum", "const", "format"} & schema.keys() or schema.get("pattern", r"\S") != r"\S"
    kind = None if bound else schema.get("type")
    if kind == "string":
        return TEXT if schema.get("maxLength", 100_000) >= LONG and name != "sessionKey" else SHORT
    if kind == "array":
        item = _filled(schema.get("items", {}), defs, "", ids)
        return None if item is None else [item]
    if kind == "object":
        return _object(schema, defs, ids) if "properties" in schema else {WORD: [WORD, {"deep": WORD}]}
    return None


def _object(schema: Json, defs: Json, ids: Mapping[str, Any]) -> Json:
    values = {
        name: _filled(field, defs, name, ids)
        for name, field in schema.get("properties", {}).items()
        if name not in WINDOW
    }
    return {name: value for name, value in values.items() if value is not None}


def body_of(endpoint: Endpoint, ids: Mapping[str, Any]) -> Json:
    """A body with the word in every text field."""
    schema = endpoint.body.model_json_schema()
    body = _object(schema, schema.get("$defs", {}), ids) | GIVEN.get(endpoint.name, {})
    return {name: value for name, value in body.items() if value is not None}


async def plant(user: TestUser) -> dict[str, str]:
    """Call every endpoint as the user with the word in every text field; the newest memory and knowledge base."""
    ids = {"memory": "", "base": "", "key": ""}
    for endpoint in planted():
        named = {"memoryId": ids["memory"], "oldMemoryId": ids["memory"], "memoryIds": [ids["memory"]]}
        body = body_of(endpoint, named)
        owner = {"keys": "key", "memories": "memory"}.get(endpoint.path.split("/")[2], "base")
        path = endpoint.path.replace("{id}", ids[owner])
        if endpoint.method == "GET":
            query = {name: value for name, value in body.items() if isinstance(value, str)}
            reply = await user.http.request("GET", path, params=query)
        else:
            reply = await user.http.request(endpoint.method, path, json=body)
        assert reply.status_code < 300, f"{endpoint.name} {body}: {reply.status_code} {reply.text}"
        if endpoint.path in {"/api/mcp/capture", "/api/mcp/supersede", "/api/mcp/supercede"}:
            ids["memory"] = reply.json()["id"]
        elif endpoint.name == "POST /api/keys":
            ids["key"] = reply.json()["id"]
        elif endpoint.name == "POST /api/knowledge-bases":
            ids["base"] = reply.json()["id"]
    return ids


SCANNED: Final = """
SELECT c.relname AS name,
       CASE WHEN c.relname = 'procrastinate_jobs' THEN '(args->>''user_id'')::uuid'
            WHEN EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'user_id') THEN 'user_id'
       END AS owner
FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') ORDER BY c.relname
"""
"""The tables, and what says whose a row is, where there is such a thing."""


async def tables_with(services: Services, word: str, *, spared: TestUser | None = None) -> dict[str, int]:
    """Tables of which a row holds the word in any column (as text, in any case), and how many rows.

    Rows that belong to `spared` do not count.
    """
    found: dict[str, int] = {}
    async with services.database.system() as session:
        tables = await dict_rows(session, SCANNED)
    with psycopg.connect(services.database.pools.logins.owner) as owner:
        for table in tables:
            whose = f"AND {table['owner']} IS DISTINCT FROM %(spared)s" if spared is not None and table["owner"] else ""
            row = owner.execute(
                f"SELECT count(*) FROM {table['name']} AS looked_at WHERE looked_at::text ILIKE %(word)s {whose}",
                {"word": f"%{word}%", "spared": spared.id if spared else None},
            ).fetchone()
            if row and row[0]:
                found[table["name"]] = row[0]
    return found
