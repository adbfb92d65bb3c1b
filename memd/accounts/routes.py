"""Callers, keys and users over HTTP (contract 9.1 auth, 9.2, 9.4)."""

from typing import Any
from uuid import UUID

from memctl.wire.accounts import (
    AuthReply,
    CreateKeyRequest,
    CreateUserRequest,
    KeyCreated,
    KeyList,
    KeyRevoked,
    KeyRotated,
    KeyRow,
    ListUsersRequest,
    PatchUserRequest,
    UserCreated,
    UserList,
    UserRow,
)
from memd.access.endpoint import Call, NoBody, Room
from memd.access.pages import page_cursor, page_position
from memd.accounts import keys, users
from memd.db.session import Row
from memd.domain.ids import MalformedIdentifierError, decode, encode
from memd.domain.types import KeyScope
from memd.errors import InvalidIdentifier

room = Room("accounts")
_USERS = "users"


def _path_id(prefix: str, text: str) -> UUID:
    """The key or user that a path names."""
    try:
        return decode(prefix, text)
    except MalformedIdentifierError:
        raise InvalidIdentifier("id") from None


async def auth(call: Call[NoBody]) -> AuthReply:
    """Who the key belongs to and what it may do."""
    caller = call.context.principal
    return AuthReply(
        user_id=encode("usr", caller.user_id),
        key_id=encode("key", caller.key_id) if caller.key_id else None,
        scopes=[scope for scope in KeyScope if scope in caller.scopes],
        tier=caller.tier,
        policy=caller.policy,
        admin=caller.admin,
    )


for _path in ("/api/mcp/auth", "/api/mcp-auth"):
    for _method in ("GET", "POST"):
        room.endpoint(_method, _path, credits=1, scope=KeyScope.READ, reply=AuthReply)(auth)


@room.endpoint("GET", "/api/keys", credits=1, scope=KeyScope.READ, reply=KeyList)
async def list_keys(call: Call[NoBody]) -> KeyList:
    """The caller's keys without their secrets."""
    rows = await keys.list_keys(call.context)
    return KeyList(keys=[_key_row(row, call.context.principal.key_id) for row in rows])


def _key_row(row: Row, current: UUID | None) -> KeyRow:
    return KeyRow(
        id=encode("key", row["id"]),
        label=row["label"],
        scopes=row["scopes"],
        created_at=row["created_at"],
        last_used_at=row["last_used_at"],
        expires_at=row["expires_at"],
        active=row["active"],
        current=row["id"] == current,
    )


@room.endpoint(
    "POST", "/api/keys", credits=1, scope=KeyScope.WRITE, body=CreateKeyRequest, reply=KeyCreated, status=201
)
async def create_key(call: Call[CreateKeyRequest]) -> KeyCreated:
    """Make a key; its secret is shown this once."""
    body = call.body
    scopes = body.scopes if "scopes" in body.model_fields_set else None
    key = await keys.create(call.context, body.label, scopes, body.expires_at)
    return KeyCreated(
        id=encode("key", key.id), api_key=key.secret, label=key.label, scopes=key.scopes, expires_at=key.expires_at
    )


@room.endpoint("POST", "/api/keys/{id}/rotate", credits=1, scope=KeyScope.WRITE, reply=KeyRotated, errors=(404,))
async def rotate_key(call: Call[NoBody]) -> KeyRotated:
    """Give a key a new secret; the old one is dead at once."""
    secret = await keys.rotate(call.context, _path_id("key", call.path["id"]))
    return KeyRotated(id=call.path["id"], api_key=secret)


@room.endpoint("DELETE", "/api/keys/{id}", credits=1, scope=KeyScope.WRITE, reply=KeyRevoked, errors=(404, 409))
async def revoke_key(call: Call[NoBody]) -> KeyRevoked:
    """End a key."""
    await keys.revoke(call.context, _path_id("key", call.path["id"]))
    return KeyRevoked(id=call.path["id"])


@room.endpoint("GET", "/api/admin/users", credits=1, scope=KeyScope.ADMIN, body=ListUsersRequest, reply=UserList)
async def list_users(call: Call[ListUsersRequest]) -> UserList:
    """All users in the order of their making."""
    rows = await users.list_users(call.context, page_position(_USERS, call.body.cursor), call.body.limit)
    page, more = rows[: call.body.limit], len(rows) > call.body.limit
    return UserList(
        users=[UserRow(**_user_fields(row)) for row in page],
        is_done=not more,
        continue_cursor=page_cursor(_USERS, {**page[-1], "id": page[-1]["user_id"]}) if more else "",
    )


@room.endpoint(
    "POST", "/api/admin/users", credits=1, scope=KeyScope.ADMIN, body=CreateUserRequest, reply=UserCreated, status=201
)
async def create_user(call: Call[CreateUserRequest]) -> UserCreated:
    """Make a user and a first key, whose secret is shown this once."""
    body = call.body
    user, key = await users.create(call.context, name=body.name, tier=body.tier, policy=body.policy, admin=body.admin)
    return UserCreated(**_user_fields(user.model_dump()), api_key=key.secret)


@room.endpoint(
    "PATCH",
    "/api/admin/users/{id}",
    credits=1,
    scope=KeyScope.ADMIN,
    body=PatchUserRequest,
    reply=UserRow,
    errors=(404, 409),
)
async def change_user(call: Call[PatchUserRequest]) -> UserRow:
    """Change what the request sets."""
    changes = {name: getattr(call.body, name) for name in call.body.model_fields_set}
    return UserRow(**_user_fields(await users.change(call.context, _path_id("usr", call.path["id"]), changes)))


def _user_fields(row: Row) -> dict[str, Any]:
    fields = ("name", "tier", "policy", "admin", "active", "created_at")
    values = {name: row[name] for name in fields}
    return values | {"id": encode("usr", row["user_id"]), "memory_count": row.get("memory_count") or 0}
