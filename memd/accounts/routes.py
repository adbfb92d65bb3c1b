"""Callers and users over HTTP (contract 9.1 auth, 9.4)."""

from typing import Any

from memctl.wire.accounts import (
    AuthReply,
    CreateUserRequest,
    ListUsersRequest,
    PatchUserRequest,
    UserCreated,
    UserList,
    UserRow,
)
from memd.access.endpoint import Call, NoBody, Room
from memd.access.request.list_cursors import page_cursor, page_position
from memd.access.request.path_ids import path_id
from memd.accounts import users
from memd.accounts.users import CountedUser
from memd.domain.ids import encode
from memd.domain.types import KeyScope

room = Room("accounts")
_USERS = "users"


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
        account_id=encode("usr", caller.account.user_id) if caller.account else None,
        external_id=caller.external_id,
    )


for _path in ("/api/mcp/auth", "/api/mcp-auth"):
    for _method in ("GET", "POST"):
        room.endpoint(_method, _path, credits=1, scope=KeyScope.READ, reply=AuthReply)(auth)


@room.endpoint("GET", "/api/admin/users", credits=1, scope=KeyScope.ADMIN, body=ListUsersRequest, reply=UserList)
async def list_users(call: Call[ListUsersRequest]) -> UserList:
    """All users in creation order."""
    rows = await users.list_users(call.context, page_position(_USERS, call.body.cursor), call.body.limit)
    page, more = rows[: call.body.limit], len(rows) > call.body.limit
    return UserList(
        users=[_user_row(row) for row in page],
        is_done=not more,
        continue_cursor=page_cursor(_USERS, page[-1].created_at, page[-1].user_id) if more else "",
    )


@room.endpoint(
    "POST", "/api/admin/users", credits=1, scope=KeyScope.ADMIN, body=CreateUserRequest, reply=UserCreated, status=201
)
async def create_user(call: Call[CreateUserRequest]) -> UserCreated:
    """Create a user and its first key, whose secret is shown only now."""
    body = call.body
    user, key = await users.create(call.context, name=body.name, tier=body.tier, policy=body.policy, admin=body.admin)
    return UserCreated(**_shown(user), api_key=key.secret)


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
    return _user_row(await users.change(call.context, path_id("usr", call.path["id"]), changes))


def _user_row(user: CountedUser) -> UserRow:
    return UserRow(**_shown(user))


def _shown(user: CountedUser) -> dict[str, Any]:
    fields = ("name", "tier", "policy", "admin", "active", "created_at")
    shown = {name: getattr(user, name) for name in fields}
    of_account = {
        "account_id": encode("usr", user.account_id) if user.account_id else None,
        "external_id": user.external_id,
    }
    return shown | of_account | {"id": encode("usr", user.user_id), "memory_count": user.memory_count or 0}
