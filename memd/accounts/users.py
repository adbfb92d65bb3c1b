"""The administration of users (contract 9.4): accounts and rights, never stored contents."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from memd.accounts import store
from memd.accounts.keys.service import DEFAULT_SCOPES, latest_end
from memd.accounts.new_keys import NewKey, add_key
from memd.accounts.store import CountedUser
from memd.audit.recording import record
from memd.context import Context
from memd.domain.accounts.key_rules import earliest
from memd.domain.ids import encode, new_id
from memd.domain.types import KeyScope, Policy, Tier
from memd.errors import LastAdminKey, NotFound

FIRST_KEY = "first"
_AUDITED = ("tier", "policy", "admin", "active")
"""The fields of a user in the audit log; a name is personal, so only that it changed."""


async def list_users(context: Context, after: tuple[int, UUID] | None, limit: int) -> list[CountedUser]:
    """Up to `limit` + 1 users in creation order, with the number of their active memories."""
    async with context.database.system() as session:
        if after is None:
            record(session, context, "user.list")
        return await store.user_page(session, after, limit + 1)


async def create(
    context: Context, *, name: str, tier: Tier, policy: Policy | None, admin: bool
) -> tuple[CountedUser, NewKey]:
    """A new user with a first key: read and write, and admin for an administrator.

    The key ends no later than the caller's own and works from the same networks only, so that it cannot be used to get around the
    limits of a key by making a user.
    """
    from memd.accounts import tables

    user = tables.AppUser(
        user_id=new_id(), name=name, tier=tier, policy=policy, admin=admin, active=True, created_at=context.now
    )
    scopes = (*DEFAULT_SCOPES, KeyScope.ADMIN) if admin else DEFAULT_SCOPES
    async with context.database.system() as session:
        await store.insert_user(session, user)
        ends_at = earliest(context.principal.ends_at, latest_end(context))
        key = await add_key(
            session,
            user.user_id,
            label=FIRST_KEY,
            scopes=scopes,
            now=context.now,
            expires_at=ends_at,
            allowed_addresses=[str(network) for network in context.principal.networks],
        )
        owner = encode("usr", user.user_id)
        record(session, context, "user.create", owner, after={field: getattr(user, field) for field in _AUDITED})
        record(session, context, "key.create", encode("key", key.id), after=key.powers | {"userId": owner})
    return CountedUser(**user.model_dump(), memory_count=0), key


async def change(context: Context, user_id: UUID, changes: Mapping[str, Any]) -> CountedUser:
    """Set some of name, tier, policy, admin and active; the user as it is then.

    `NotFound` for an unknown user, `LastAdminKey` when no administrator would be left.
    """
    async with context.database.system() as session:
        may_lose_power = changes.get("admin") is False or changes.get("active") is False
        # Locks the administrators, so it comes before the lock of one user: two requests would deadlock otherwise.
        remains = not may_lose_power or await store.keeps_admin(session, user_id, None, context.now, context.now)
        user = await store.lock_user(session, user_id)
        if user is None:
            raise NotFound
        changed = user._replace(**changes)
        loses_power = user.admin and user.active and not (changed.admin and changed.active)
        if loses_power and not remains:
            raise LastAdminKey
        await store.update_user(session, changed)
        before, after = _changed(user, changed)
        record(session, context, "user.update", encode("usr", user_id), before=before, after=after)
    await context.services.principals.wait_ttl()
    return changed


def _changed(before: CountedUser, after: CountedUser) -> tuple[dict[str, Any], dict[str, Any]]:
    """The audited fields that differ, with their old and their new values."""
    old, new = before._asdict(), after._asdict()
    fields = [field for field in _AUDITED if old[field] != new[field]]
    renamed = {"name": "changed"} if before.name != after.name else {}
    return {field: old[field] for field in fields}, {field: new[field] for field in fields} | renamed
