"""A user's keys: list, create, change, rotate, revoke (contract 9.2, 17.7); a secret is shown once and never stored.

No key makes, changes, rotates or revokes one with a right that it lacks itself. Every change locks all keys of the
user, the acting one included, so that a key that is being revoked makes no further ones.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final
from uuid import UUID

from memd.accounts import store as accounts
from memd.accounts.keys import store
from memd.accounts.keys.store import StoredKey
from memd.accounts.new_keys import NewKey, add_key, hash_key, new_key
from memd.audit.recording import record
from memd.context import Context
from memd.db.session import SystemSession
from memd.domain.accounts.key_rules import Grant, address_allowed, descendants, earliest, forgettable, networks_of
from memd.domain.dates.time_window import DAY_MS
from memd.domain.ids import encode
from memd.domain.types import KeyScope
from memd.errors import BadRequest, Conflict, Forbidden, LastAdminKey, NotFound, Unauthorized

DEFAULT_SCOPES = (KeyScope.READ, KeyScope.WRITE)
MAX_KEYS: Final = 1_000
"""Keys of a user that are kept: live ones, those that these descend from, and as many ended ones as there is room for."""


class KeyLimitReached(Conflict):
    """409: the user has as many live keys, or keys that these descend from, as one may have."""

    error = "Too many keys"


async def list_keys(context: Context) -> list[StoredKey]:
    """The caller's keys, oldest first, without secrets."""
    async with context.database.read(context.user_id) as session:
        return await store.keys(session)


@dataclass(frozen=True, slots=True)
class RequestedKey:
    """The fields of a new key; None = the default.

    The defaults are read and write, as far as the acting key has them, and the acting key's own end and networks.
    """

    label: str | None = None
    scopes: Iterable[KeyScope] | None = None
    expires_at: int | None = None
    allowed_addresses: Iterable[str] | None = None


async def create(context: Context, requested: RequestedKey) -> NewKey:
    """A new key of the caller; `Forbidden` for a right that the caller's own key lacks, `KeyLimitReached`."""
    if requested.expires_at is not None:
        _check_end(context, requested.expires_at)
    async with context.database.system() as session:
        acting = await _lock(context, session)
        grant = _requested_grant(requested, acting.grant, latest_end(context))
        if not grant.scopes:
            raise BadRequest("Missing required field: scopes")
        if not acting.grant.covers(grant) or _act_as_without_admin(grant, acting.grant):
            raise Forbidden
        await _make_room(session, context, acting.keys.values())
        key = await add_key(
            session,
            context.user_id,
            label=requested.label,
            scopes=grant.scopes,
            now=context.now,
            expires_at=grant.ends_at,
            allowed_addresses=[str(network) for network in grant.networks],
            created_by=acting.key.id,
        )
        record(session, context, "key.create", encode("key", key.id), after=key.powers)
    return key


async def change(context: Context, key_id: UUID, changes: Mapping[str, Any]) -> StoredKey:
    """Set some of label, expires_at and allowed_addresses; returns the key as it is then.

    `NotFound` for a key that is no longer live, `Forbidden` where the caller's key lacks a right of the key as it was
    or would be, `LastAdminKey` when the last key that can administrate would end sooner.
    """
    if "expires_at" in changes:
        _check_end(context, changes["expires_at"])
    async with context.database.system() as session:
        acting = await _lock(context, session)
        before = acting.live_key(key_id, context.now)
        after = before._replace(**changes)
        acting.check(before)
        acting.check(after)
        if before.id == acting.key.id and not address_allowed(context.address, _grant(after).networks):
            raise BadRequest("Field allowedAddresses must hold the address of this request")
        if not await accounts.keeps_admin(session, context.user_id, [key_id], after.expires_at, context.now):
            raise LastAdminKey
        await store.update(session, context.user_id, after)
        old, new = _changed(before, after)
        record(session, context, "key.update", encode("key", key_id), before=old, after=new)
    await context.services.principals.wait_ttl()
    return after


async def rotate(context: Context, key_id: UUID, grace_seconds: int) -> tuple[str, int | None]:
    """A new secret for a key, and until when the old one works too (epoch ms); without `grace_seconds` it ends at once.

    `NotFound` for a key that is no longer live; `Forbidden` for one that may do more than the caller's.
    """
    secret = new_key()
    async with context.database.system() as session:
        acting = await _lock(context, session)
        key = acting.live_key(key_id, context.now)
        acting.check(key)
        until = earliest(context.now + grace_seconds * 1000, key.expires_at) if grace_seconds else None
        await store.replace_secret(session, context.user_id, key_id, hash_key(secret), until)
        record(session, context, "key.rotate", encode("key", key_id), after={"previousUntil": until} if until else None)
    await context.services.principals.wait_ttl()
    return secret, until


async def revoke(context: Context, key_id: UUID, *, with_descendants: bool) -> list[UUID]:
    """Revoke a key and, if asked, its descendants; returns the keys that were revoked now.

    Again is fine. All or none: `Forbidden` when one of them may do more than the caller's, `LastAdminKey` when no
    live key could administrate afterwards.
    """
    async with context.database.system() as session:
        acting = await _lock(context, session)
        ending = acting.branch(key_id) if with_descendants else [acting.owned_key(key_id)]
        for key in ending:
            acting.check_revocation(key, ending[0])
        ended = [key.id for key in ending if key.active]
        if ended and not await accounts.keeps_admin(session, context.user_id, ended, context.now, context.now):
            raise LastAdminKey
        await store.deactivate(session, context.user_id, ended)
        for each in ended:
            record(session, context, "key.revoke", encode("key", each))
    await context.services.principals.wait_ttl()
    return ended


async def make_room(session: SystemSession, context: Context) -> None:
    """Forget the oldest ended keys of the caller, so that one can be added; `KeyLimitReached` when those left are needed."""
    await _make_room(session, context, await store.lock_keys(session, context.user_id))


async def _make_room(session: SystemSession, context: Context, keys: Collection[StoredKey]) -> None:
    excess = len(keys) + 1 - MAX_KEYS
    if excess <= 0:
        return
    ended = [key.id for key in keys if not _is_live(key, context.now)]
    forgotten = forgettable(ended, {key.id: key.created_by for key in keys})[:excess]
    if len(forgotten) < excess:
        raise KeyLimitReached
    await store.forget(session, context.user_id, forgotten)


def _is_live(key: StoredKey, now: int) -> bool:
    return key.active and (key.expires_at is None or key.expires_at > now)


async def find_live(session: SystemSession, user_id: UUID, key_id: UUID | None, now: int) -> StoredKey | None:
    """One key of a user, if it works; it cannot be revoked until the transaction ends."""
    return await store.find_live(session, user_id, key_id, now)


def latest_end(context: Context) -> int | None:
    """The latest expiry of a key created now, by the settings (epoch ms); None without a limit."""
    days = context.services.settings.keys_max_lifetime_days
    return context.now + days * DAY_MS if days else None


@dataclass(frozen=True, slots=True)
class _Acting:
    """The acting key with what it grants, among all keys of its user."""

    key: StoredKey
    grant: Grant
    keys: Mapping[UUID, StoredKey]

    def owned_key(self, key_id: UUID) -> StoredKey:
        """A key of the user, live or not."""
        key = self.keys.get(key_id)
        if key is None:
            raise NotFound
        return key

    def live_key(self, key_id: UUID, now: int) -> StoredKey:
        """A key of the user that works."""
        key = self.owned_key(key_id)
        if not _is_live(key, now):
            raise NotFound
        return key

    def branch(self, key_id: UUID) -> list[StoredKey]:
        """A key of the user and its descendants."""
        first = self.owned_key(key_id)
        makers = {key.id: key.created_by for key in self.keys.values()}
        return [first, *(self.keys[each] for each in descendants(key_id, makers))]

    def check(self, key: StoredKey) -> None:
        """`Forbidden` unless the acting key may change and rotate this one."""
        if not (self._manages(key) and self._own_grant(key).covers(_grant(key))):
            raise Forbidden

    def check_revocation(self, key: StoredKey, root: StoredKey) -> None:
        """`Forbidden` unless the acting key may revoke this one, which descends from `root`."""
        if not (self._manages(root) and self._own_grant(key).outranks(_grant(key))):
            raise Forbidden

    def _manages(self, key: StoredKey) -> bool:
        """With the scope `write`, itself and the keys that it created; with `keys`, all keys of its user."""
        return KeyScope.KEYS in self.grant.scopes or self.key.id in {key.id, key.created_by}

    def _own_grant(self, key: StoredKey) -> Grant:
        """The grant of the acting key; its own scopes are never beyond it, one without effect included."""
        return replace(self.grant, scopes=_grant(key).scopes) if key.id == self.key.id else self.grant


async def _lock(context: Context, session: SystemSession) -> _Acting:
    """Lock the user's keys; raises `Unauthorized` if the acting key has ended since authentication.

    `Forbidden` for a service key that acts for an end user.
    """
    principal = context.principal
    if principal.account is not None:
        raise Forbidden  # an end user has no keys
    keys = {key.id: key for key in await store.lock_keys(session, context.user_id)}
    key = keys.get(principal.key_id) if principal.key_id else None
    if key is None or not key.active:
        raise Unauthorized
    stored = _grant(key)
    scopes = frozenset(scope for scope in stored.scopes if principal.may(scope))
    return _Acting(key, replace(stored, scopes=scopes, ends_at=earliest(stored.ends_at, principal.ends_at)), keys)


def _grant(key: StoredKey) -> Grant:
    return Grant(frozenset(map(KeyScope, key.scopes)), key.expires_at, networks_of(key.allowed_addresses))


def _requested_grant(requested: RequestedKey, own: Grant, latest: int | None) -> Grant:
    scopes = own.scopes.intersection(DEFAULT_SCOPES) if requested.scopes is None else frozenset(requested.scopes)
    ends_at = earliest(own.ends_at, latest) if requested.expires_at is None else requested.expires_at
    addresses = requested.allowed_addresses
    return Grant(scopes, ends_at, own.networks if addresses is None else networks_of(addresses))


def _act_as_without_admin(requested: Grant, own: Grant) -> bool:
    return KeyScope.ACT_AS in requested.scopes and KeyScope.ADMIN not in own.scopes


def _check_end(context: Context, expires_at: int | None) -> None:
    """Refuse an expiry in the past, or later than the settings allow; None means no expiry."""
    if expires_at is not None and expires_at <= context.now:
        raise BadRequest("Field expiresAt must be in the future")
    latest = latest_end(context)
    if latest is not None and (expires_at is None or expires_at > latest):
        days = context.services.settings.keys_max_lifetime_days
        raise BadRequest(f"Field expiresAt must be at most {days} days ahead")


def _changed(before: StoredKey, after: StoredKey) -> tuple[dict[str, Any], dict[str, Any]]:
    """The fields of a change in the audit log: ends and addresses; a label is personal, so only that it changed."""
    names = {"expires_at": "expiresAt", "allowed_addresses": "allowedAddresses"}
    old, new = before._asdict(), after._asdict()
    fields = [name for name in names if old[name] != new[name]]
    relabelled = {"label": "changed"} if before.label != after.label else {}
    return {names[name]: old[name] for name in fields}, {names[name]: new[name] for name in fields} | relabelled
