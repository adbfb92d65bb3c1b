"""API keys over HTTP (contract 9.2, 17.7)."""

from typing import Any, Final

from memctl.wire.accounts import (
    CreateKeyRequest,
    KeyCreated,
    KeyList,
    KeyRevoked,
    KeyRotated,
    KeyRow,
    PatchKeyRequest,
    RevokeKeyRequest,
    RotateKeyRequest,
)
from memd.access.endpoint import Call, NoBody, Room
from memd.access.request.path_ids import path_id
from memd.accounts.keys import service
from memd.accounts.keys.service import RequestedKey, StoredKey
from memd.context import Context
from memd.domain.ids import encode
from memd.domain.types import KeyScope

room = Room("keys")
_EMPTY: Final[dict[str, Any]] = {"label": None, "expires_at": None, "allowed_addresses": []}


@room.endpoint("GET", "/api/keys", credits=1, scope=KeyScope.READ, reply=KeyList, alternative_scope=KeyScope.KEYS)
async def list_keys(call: Call[NoBody]) -> KeyList:
    """The caller's keys without their secrets."""
    rows = await service.list_keys(call.context)
    return KeyList(keys=[_key_row(row, call.context) for row in rows])


@room.endpoint(
    "POST",
    "/api/keys",
    credits=1,
    scope=KeyScope.WRITE,
    body=CreateKeyRequest,
    reply=KeyCreated,
    status=201,
    errors=(409,),
    alternative_scope=KeyScope.KEYS,
)
async def create_key(call: Call[CreateKeyRequest]) -> KeyCreated:
    """Create a key; its secret is shown only now."""
    body = call.body
    requested = RequestedKey(
        body.label,
        body.scopes if "scopes" in body.model_fields_set else None,
        body.expires_at,
        body.allowed_addresses if "allowed_addresses" in body.model_fields_set else None,
    )
    key = await service.create(call.context, requested)
    return KeyCreated(
        id=encode("key", key.id),
        api_key=key.secret,
        label=key.label,
        scopes=key.scopes,
        expires_at=key.expires_at,
        allowed_addresses=key.allowed_addresses or None,
    )


@room.endpoint(
    "PATCH",
    "/api/keys/{id}",
    credits=1,
    scope=KeyScope.WRITE,
    body=PatchKeyRequest,
    reply=KeyRow,
    errors=(404, 409),
    alternative_scope=KeyScope.KEYS,
)
async def change_key(call: Call[PatchKeyRequest]) -> KeyRow:
    """Change what the request sets; null clears it."""
    sent = {name: getattr(call.body, name) for name in call.body.model_fields_set}
    changes = {name: _EMPTY[name] if value is None else value for name, value in sent.items()}
    key = await service.change(call.context, path_id("key", call.path["id"]), changes)
    return _key_row(key, call.context)


@room.endpoint(
    "POST",
    "/api/keys/{id}/rotate",
    credits=1,
    scope=KeyScope.WRITE,
    body=RotateKeyRequest,
    reply=KeyRotated,
    errors=(404,),
    alternative_scope=KeyScope.KEYS,
)
async def rotate_key(call: Call[RotateKeyRequest]) -> KeyRotated:
    """Give a key a new secret; the old one ends at once, or after `graceSeconds`."""
    secret, until = await service.rotate(call.context, path_id("key", call.path["id"]), call.body.grace_seconds)
    return KeyRotated(id=call.path["id"], api_key=secret, previous_until=until)


@room.endpoint(
    "DELETE",
    "/api/keys/{id}",
    credits=1,
    scope=KeyScope.WRITE,
    query=RevokeKeyRequest,
    reply=KeyRevoked,
    errors=(404, 409),
    alternative_scope=KeyScope.KEYS,
)
async def revoke_key(call: Call[NoBody]) -> KeyRevoked:
    """Revoke a key; with `descendants` also the keys created with it, directly or not."""
    with_descendants = RevokeKeyRequest.from_query(call.query).descendants
    ended = await service.revoke(call.context, path_id("key", call.path["id"]), with_descendants=with_descendants)
    revoked = [encode("key", each) for each in ended] if with_descendants else None
    return KeyRevoked(id=call.path["id"], revoked=revoked)


def _key_row(key: StoredKey, context: Context) -> KeyRow:
    in_overlap = key.previous_until is not None and key.previous_until > context.now
    return KeyRow(
        id=encode("key", key.id),
        label=key.label,
        scopes=[KeyScope(scope) for scope in key.scopes],
        created_at=key.created_at,
        last_used_at=key.last_used_at,
        expires_at=key.expires_at,
        active=key.active,
        current=key.id == context.principal.key_id,
        created_by=encode("key", key.created_by) if key.created_by else None,
        allowed_addresses=key.allowed_addresses or None,
        previous_until=key.previous_until if in_overlap else None,
    )
