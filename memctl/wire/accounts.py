"""Wire types of callers: auth, keys and users (contract 9.1, 9.2, 9.4)."""

from ipaddress import ip_network
from typing import Annotated, Literal

from pydantic import AfterValidator, StringConstraints, WithJsonSchema

from memctl.wire.base import PatchModel, RequestModel, WireModel, absent
from memctl.wire.enums import KeyScope, Policy, Tier
from memctl.wire.fields import AnyText, Cursor, Flag, Integer, Limit, RequiredText, unique_within
from memctl.wire.limits import ADDRESSES_MAX
from memctl.wire.refusals import wrong_type
from memctl.wire.times import EpochMs


def _network(value: str) -> str:
    try:
        return str(ip_network(value))
    except ValueError:
        raise wrong_type("an IP address or a network in CIDR form") from None


UserName = Annotated[str, RequiredText(200)]
AddressList = Annotated[
    list[
        Annotated[
            AnyText, AfterValidator(_network), WithJsonSchema({"type": "string", "format": "cidr"}, mode="validation")
        ]
    ],
    AfterValidator(unique_within(ADDRESSES_MAX)),
]
"""Networks in CIDR form, or single addresses; kept in CIDR form."""


class AuthReply(WireModel):
    """GET or POST /api/mcp/auth: who the key belongs to, or for which end user of the account it acts."""

    ok: Literal[True] = True
    user_id: str
    key_id: str | None = None
    scopes: list[KeyScope]
    tier: Tier
    policy: Policy
    admin: bool
    account_id: str | None = absent()
    external_id: str | None = absent()


class KeyRow(WireModel):
    """An API key without its secret."""

    id: str
    label: str | None = None
    scopes: list[KeyScope]
    created_at: int
    last_used_at: int | None = None
    expires_at: int | None = None
    active: bool
    current: bool
    created_by: str | None = absent()
    allowed_addresses: list[str] | None = absent()
    previous_until: int | None = absent()


class KeyList(WireModel):
    """GET /api/keys."""

    keys: list[KeyRow] = []


class CreateKeyRequest(RequestModel):
    """POST /api/keys; the scopes may not exceed the caller's."""

    label: Annotated[str, StringConstraints(strict=True, max_length=100)] | None = None
    scopes: list[KeyScope] = [KeyScope.READ, KeyScope.WRITE]
    expires_at: EpochMs | None = None
    allowed_addresses: AddressList = []


class PatchKeyRequest(PatchModel):
    """PATCH /api/keys/:id; null clears a field. The reply is a KeyRow."""

    label: Annotated[str, StringConstraints(strict=True, max_length=100)] | None = None
    expires_at: EpochMs | None = None
    allowed_addresses: AddressList | None = None


class KeyCreated(WireModel):
    """A new key; its secret is shown only once."""

    id: str
    api_key: str
    label: str | None = None
    scopes: list[KeyScope]
    expires_at: int | None = None
    allowed_addresses: list[str] | None = absent()


class RotateKeyRequest(RequestModel):
    """POST /api/keys/:id/rotate; both secrets work for `grace_seconds`."""

    grace_seconds: Annotated[int, Integer(0, 86_400)] = 0


class KeyRotated(WireModel):
    """The same key with a new secret, shown only once; the old one works until `previous_until` (epoch ms)."""

    id: str
    api_key: str
    previous_until: int | None = absent()


class RevokeKeyRequest(RequestModel):
    """The URL of DELETE /api/keys/:id."""

    descendants: Flag = False


class KeyRevoked(WireModel):
    """A key that no longer works; with `descendants` all keys that ended by this request."""

    id: str
    active: Literal[False] = False
    revoked: list[str] | None = absent()


class ListUsersRequest(RequestModel):
    """GET /api/admin/users."""

    limit: Annotated[int, Limit(1, 200)] = 50
    cursor: Cursor | None = None


class UserRow(WireModel):
    """A user as the administration sees it; never any content. An end user has the account of its application."""

    id: str
    name: str | None = None
    tier: Tier
    policy: Policy | None = None
    admin: bool
    active: bool
    created_at: int
    memory_count: int = 0
    account_id: str | None = absent()
    external_id: str | None = absent()


class UserList(WireModel):
    """One page of users; the cursor is blank when `is_done` is true."""

    users: list[UserRow] = []
    is_done: bool
    continue_cursor: str = ""


class CreateUserRequest(RequestModel):
    """POST /api/admin/users."""

    name: UserName
    tier: Tier = Tier.FREE
    policy: Policy | None = None
    admin: Flag = False


class UserCreated(UserRow):
    """A new user and the first key, whose secret is shown only once."""

    api_key: str


class PatchUserRequest(PatchModel):
    """PATCH /api/admin/users/:id; null clears name and policy. The reply is a UserRow."""

    name: UserName | None = None
    tier: Tier = Tier.FREE
    policy: Policy | None = None
    admin: Flag = False
    active: Flag = True
