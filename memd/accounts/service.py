"""Users and keys: who a key belongs to, the first user, and the audit trail."""

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

import structlog
from psycopg import Error

from memd.access.authentication.principal import Account, Principal
from memd.accounts import store
from memd.accounts.new_keys import add_key
from memd.accounts.store import AuditNote, LiveKey, User
from memd.context import Context, Services
from memd.db.session import Database, Session, Statement, SystemSession
from memd.domain.accounts.audit_chain import AuditEntry
from memd.domain.accounts.credits import allowance_for, effective_policy
from memd.domain.accounts.key_rules import address_allowed, networks_of
from memd.domain.ids import encode, new_id
from memd.domain.types import KeyScope, Policy, Tier
from memd.errors import LastAdminKey

log = structlog.get_logger()
LOCAL_USER = "local"
LOCAL_SCOPES = (KeyScope.READ, KeyScope.WRITE, KeyScope.ADMIN, KeyScope.KEYS)
TOUCH_EVERY_MS = 60_000


def principal_of(user: User | LiveKey, message_ttl_days: int, key: LiveKey | None = None) -> Principal:
    """The caller behind a user row, with the key's scopes; without a key (a job) with all of them."""
    tier = Tier(user.tier)
    policy = effective_policy(tier, Policy(user.policy) if user.policy else None)
    return Principal(
        user_id=user.user_id,
        key_id=key.id if key else None,
        key_label=key.label if key else None,
        scopes=frozenset(KeyScope(scope) for scope in key.scopes) if key else frozenset(KeyScope),
        ends_at=key.expires_at if key else None,
        networks=networks_of(key.allowed_addresses) if key else (),
        tier=tier,
        policy=policy,
        admin=user.admin,
        allowance=allowance_for(policy, unmetered_message_ttl_days=message_ttl_days),
        account=_account_of(user) if isinstance(user, User) else None,
        external_id=user.external_id if isinstance(user, User) else None,
        has_end_users=user.has_end_users,
    )


def _account_of(user: User) -> Account | None:
    """The account of an end user; None for everyone else, and for an end user whose account is being erased."""
    if user.account_id is None or user.account_tier is None:
        return None
    policy = effective_policy(Tier(user.account_tier), Policy(user.account_policy) if user.account_policy else None)
    return Account(user.account_id, policy, allowance_for(policy))


async def find_caller(services: Services, key_hash: str, address: str | None) -> Principal | None:
    """The principal of a live key by its hash; None too when the key may not be used from the client's address."""
    principal = await _live_caller(services, key_hash)
    return principal if principal is not None and address_allowed(address, principal.networks) else None


async def _live_caller(services: Services, key_hash: str) -> Principal | None:
    """The principal of a live key; its last use is noted at most once a minute, after the reply."""
    now, principals = services.clock(), services.principals
    known = principals.get(key_hash, now)
    if known is not None:
        return known
    since = principals.moment()
    row = await store.find_caller(services.database, key_hash)
    if row is None or (row.expires_at is not None and row.expires_at <= now):
        return None
    if abs(now - (row.last_used_at or 0)) >= TOUCH_EVERY_MS:
        services.background_tasks.run(_touch(services.database, row.user_id, row.id, now), "touch_key")
    principal = principal_of(row, services.settings.message_ttl_days, row)
    principals.put(key_hash, principal, since, row.expires_at)
    return principal


async def find_subject(services: Services, user_id: UUID) -> Principal | None:
    """The principal of a token's user, who may read; None when the user is unknown or inactive."""
    async with services.database.system() as session:
        user = await store.find_user(session, user_id)
    if user is None or not user.active:
        return None
    return replace(principal_of(user, services.settings.message_ttl_days), scopes=frozenset({KeyScope.READ}))


async def live_key_hashes(context: Context, hashes: Collection[str]) -> set[str]:
    """Those of these hashes that belong to live keys of the caller."""
    async with context.database.system() as session:
        return await store.live_key_hashes(session, context.user_id, sorted(hashes), context.now)


async def _touch(database: Database, user_id: UUID, key_id: UUID, now: int) -> None:
    async with database.write(user_id) as session:
        await store.touch_key(session, key_id, now)


async def bootstrap(database: Database, now: int, keep: Callable[[str], Awaitable[None]]) -> bool:
    """Create the local user and its key when there is no user at all; returns whether it did.

    `keep` is given the key, shown only once, before the transaction commits.
    """
    async with database.system() as session:
        if await store.has_users(session):
            return False
        from memd.accounts.tables import AppUser

        user_id = new_id()
        await store.insert_user(
            session,
            AppUser(
                user_id=user_id,
                name=LOCAL_USER,
                tier=Tier.UNLIMITED,
                policy=Policy.SELF_HOSTED_UNMETERED,
                admin=True,
                active=True,
                created_at=now,
            ),
        )
        key = await add_key(session, user_id, label="local", scopes=LOCAL_SCOPES, now=now)
        session.audit(AuditEntry(now, "user.create", target=encode("usr", user_id), after={"admin": True}))
        session.audit(AuditEntry(now, "key.create", target=encode("key", key.id), after=key.powers))
        await keep(key.secret)
    return True


async def make_local_key(database: Database, now: int, keep: Callable[[str], Awaitable[None]]) -> str | None:
    """Create a key with the rights of the first one for an administrator, the local user if it is one.

    `keep` is given the key before the transaction commits. Returns the user's name, or its id when it has none; None
    without an active administrator.
    """
    async with database.system() as session:
        user = await store.first_administrator(session, LOCAL_USER)
        if user is None:
            return None
        key = await add_key(session, user.user_id, label="local", scopes=LOCAL_SCOPES, now=now)
        session.audit(AuditEntry(now, "key.create", target=encode("key", key.id), after=key.powers))
        await keep(key.secret)
    return user.name or encode("usr", user.user_id)


async def may_remove(session: SystemSession, user_id: UUID, now: int) -> bool:
    """Whether the user exists; its row stays locked until the transaction ends.

    `LastAdminKey` when no administrator would be left.
    """
    remains = await store.keeps_admin(session, user_id, None, now, now)
    user = await store.lock_user(session, user_id)
    if user is not None and user.admin and user.active and not remains:
        raise LastAdminKey
    return user is not None


async def audit(
    session: Session,
    context: Context,
    action: str,
    target_type: str | None = None,
    target_id: str | None = None,
    meta: dict[str, Any] | None = None,
) -> None:
    """Record an ordinary write after it, under its actor; a row that cannot be written fails nothing (contract 1.3).

    Administrative actions go to the audit chain instead (`memd.audit.recording`).
    """
    await try_audit(session, [audit_note(context, action, target_type, target_id, meta)])


def audit_note(
    context: Context,
    action: str,
    target_type: str | None = None,
    target_id: str | None = None,
    meta: dict[str, Any] | None = None,
) -> AuditNote:
    """The audit note for a write by this caller."""
    return AuditNote(
        user_id=context.user_id,
        id=new_id(),
        key_id=context.principal.key_id,
        action=action,
        ts=context.now,
        target_type=target_type,
        target_id=target_id,
        request_id=encode("req", context.request_id),
        meta=meta,
    )


def auditing(notes: Sequence[AuditNote]) -> Statement:
    """The statement that inserts the notes; if it fails, so does the transaction."""
    return store.auditing(notes)


async def try_audit(session: Session, notes: Sequence[AuditNote]) -> None:
    """Insert the notes; if that fails, the transaction continues without them."""
    try:
        await store.insert_audit(session, notes)
    except Error:
        log.warning("audit.failed", action=notes[0].action, requestId=notes[0].request_id)


async def job_context(services: Services, user_id: UUID) -> Context | None:
    """The context in which a job works for a user; None when the user is gone or inactive."""
    async with services.database.system() as session:
        return await context_of(services, session, user_id)


async def context_of(services: Services, session: SystemSession, user_id: UUID) -> Context | None:
    """As `job_context`, inside a transaction."""
    user = await store.find_user(session, user_id)
    if user is None or not user.active:
        return None
    principal = principal_of(user, services.settings.message_ttl_days)
    return Context(services=services, principal=principal, request_id=new_id(), now=services.clock())
