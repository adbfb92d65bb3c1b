"""Creating keys: 32 random bytes, shown once; only their SHA-256 is stored (contract 1.6.2)."""

import hashlib
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from memd.accounts import store
from memd.db.session import SystemSession
from memd.domain.ids import new_id
from memd.domain.types import KeyScope


@dataclass(frozen=True, slots=True)
class NewKey:
    """A new key, with the secret that is shown only now."""

    id: UUID
    secret: str
    label: str | None
    scopes: list[KeyScope]
    expires_at: int | None
    allowed_addresses: list[str]

    @property
    def powers(self) -> dict[str, Any]:
        """The rights of the key, until when and from where, as the audit log keeps them."""
        addresses = {"allowedAddresses": self.allowed_addresses} if self.allowed_addresses else {}
        return {"scopes": [scope.value for scope in self.scopes], "expiresAt": self.expires_at} | addresses


def hash_key(key: str) -> str:
    """The stored form of a key: its SHA-256 in hex."""
    return hashlib.sha256(key.encode()).hexdigest()


def new_key() -> str:
    """A fresh key: 32 random bytes as 64 hexadecimal characters."""
    return secrets.token_hex(32)


async def add_key(
    session: SystemSession,
    user_id: UUID,
    *,
    label: str | None,
    scopes: Iterable[KeyScope],
    now: int,
    expires_at: int | None = None,
    allowed_addresses: Sequence[str] = (),
    created_by: UUID | None = None,
) -> NewKey:
    """Make a key for a user; only the hash of its secret is written. `created_by` is another key of this user."""
    from memd.accounts.tables import ApiKey

    requested = set(scopes)
    sorted_scopes = [scope for scope in KeyScope if scope in requested]
    made = NewKey(new_id(), new_key(), label, sorted_scopes, expires_at, list(allowed_addresses))
    row = ApiKey(
        user_id=user_id,
        id=made.id,
        key_hash=hash_key(made.secret),
        label=label,
        scopes=[scope.value for scope in made.scopes],
        created_at=now,
        active=True,
        expires_at=expires_at,
        allowed_addresses=made.allowed_addresses,
        created_by=created_by,
    )
    await store.insert_key(session, row)
    return made
