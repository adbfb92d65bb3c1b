"""Callers: whose key this is, the user's keys, and for administrators the users."""

from collections.abc import AsyncIterator

from memctl.client.paging import pages_from
from memctl.client.paths import segment
from memctl.client.transport import Transport
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
    PatchKeyRequest,
    PatchUserRequest,
    RotateKeyRequest,
    UserCreated,
    UserList,
    UserRow,
)


class Accounts:
    """The room of contract 9.1 (auth), 9.2 and 9.4."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def whoami(self) -> AuthReply:
        """The user, tier and scopes behind the key."""
        return await self._transport.get("/api/mcp/auth", AuthReply)

    async def list_keys(self) -> KeyList:
        """The user's keys without their secrets."""
        return await self._transport.get("/api/keys", KeyList)

    async def create_key(self, request: CreateKeyRequest) -> KeyCreated:
        """A new key; its secret is shown only once."""
        return await self._transport.post("/api/keys", KeyCreated, request)

    async def change_key(self, key_id: str, request: PatchKeyRequest) -> KeyRow:
        """Change what the request sets."""
        return await self._transport.call("PATCH", f"/api/keys/{segment(key_id)}", KeyRow, json=request.to_request())

    async def rotate_key(self, key_id: str, grace_seconds: int = 0) -> KeyRotated:
        """A new secret for a key; the old one ends at once, or after `grace_seconds`."""
        request = RotateKeyRequest(grace_seconds=grace_seconds) if grace_seconds else None
        return await self._transport.post(f"/api/keys/{segment(key_id)}/rotate", KeyRotated, request)

    async def revoke_key(self, key_id: str, *, descendants: bool = False) -> KeyRevoked:
        """Revoke a key; with `descendants` also the keys that were made by it, by those and so on."""
        params = {"descendants": "true"} if descendants else None
        return await self._transport.call("DELETE", f"/api/keys/{segment(key_id)}", KeyRevoked, params=params)

    async def users(self, page_size: int = 200) -> AsyncIterator[UserRow]:
        """Every user."""
        async for page in pages_from(self._users, ListUsersRequest(limit=page_size)):
            for user in page.users:
                yield user

    async def _users(self, request: ListUsersRequest) -> UserList:
        return await self._transport.get("/api/admin/users", UserList, request)

    async def create_user(self, request: CreateUserRequest) -> UserCreated:
        """A new user and the first key, whose secret is shown only once."""
        return await self._transport.post("/api/admin/users", UserCreated, request)

    async def change_user(self, user_id: str, request: PatchUserRequest) -> UserRow:
        """Change what the request sets."""
        return await self._transport.call(
            "PATCH", f"/api/admin/users/{segment(user_id)}", UserRow, json=request.to_request()
        )
