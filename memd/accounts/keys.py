"""A user's keys: list, create, rotate, revoke (contract 9.2); a secret is told once and kept nowhere."""

from collections.abc import Iterable
from uuid import UUID

from memd.accounts import store
from memd.accounts.new_keys import NewKey, add_key, hash_key, new_key
from memd.audit.acts import record
from memd.context import Context
from memd.db.session import Row, SystemSession
from memd.domain.ids import encode
from memd.domain.types import KeyScope
from memd.errors import BadRequest, Forbidden, LastAdminKey, NotFound

DEFAULT_SCOPES = (KeyScope.READ, KeyScope.WRITE)


async def list_keys(context: Context) -> list[Row]:
    """The caller's keys, oldest first, without secrets."""
    async with context.database.read(context.user_id) as session:
        return await store.keys(session)


async def create(
    context: Context, label: str | None, scopes: Iterable[KeyScope] | None, expires_at: int | None
) -> NewKey:
    """A new key of the caller; `Forbidden` for a scope that the caller's own key lacks.

    Without `scopes` it gets read and write, as far as the caller's key has them.
    """
    own = {scope for scope in KeyScope if context.principal.may(scope)}
    wanted = own.intersection(DEFAULT_SCOPES) if scopes is None else set(scopes)
    if not wanted <= own:
        raise Forbidden
    if not wanted:
        raise BadRequest("Missing required field: scopes")
    if expires_at is not None and expires_at <= context.now:
        raise BadRequest("Field expiresAt must lie in the future")
    async with context.database.system() as session:
        key = await add_key(
            session, context.user_id, label=label, scopes=wanted, now=context.now, expires_at=expires_at
        )
        record(session, context, "key.create", encode("key", key.id), after=key.powers)
    return key


async def rotate(context: Context, key_id: UUID) -> str:
    """A new secret for a key; the old one is dead at once.

    `NotFound` for a key that is no longer live; `Forbidden` for one that may do more than the caller's.
    """
    secret = new_key()
    async with context.database.system() as session:
        key = await _live_key(context, session, key_id)
        if not all(scope in context.principal.scopes for scope in map(KeyScope, key["scopes"])):
            raise Forbidden
        await store.replace_hash(session, context.user_id, key_id, hash_key(secret))
        record(session, context, "key.rotate", encode("key", key_id))
    await context.services.callers.wait_out()
    return secret


async def revoke(context: Context, key_id: UUID) -> None:
    """End a key; again is fine. `LastAdminKey` when nobody could administrate any more."""
    async with context.database.system() as session:
        key = await store.lock_key(session, context.user_id, key_id)
        if key is None:
            raise NotFound
        if key["active"]:
            await _end(context, session, key_id)
    await context.services.callers.wait_out()


async def _end(context: Context, session: SystemSession, key_id: UUID) -> None:
    if context.principal.admin and not await store.other_admin_key(session, context.user_id, key_id, context.now):
        raise LastAdminKey
    await store.deactivate_key(session, context.user_id, key_id)
    record(session, context, "key.revoke", encode("key", key_id))


async def _live_key(context: Context, session: SystemSession, key_id: UUID) -> Row:
    key = await store.lock_key(session, context.user_id, key_id)
    if key is None or not key["active"] or (key["expires_at"] is not None and key["expires_at"] <= context.now):
        raise NotFound
    return key
