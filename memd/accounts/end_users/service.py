"""The use cases of end users: acting for one, listing them (contract 17.1)."""

from dataclasses import replace
from uuid import UUID

from memctl.wire.external_ids import MalformedExternalIdError, external_id
from memd.access.authentication.principal import Account, Principal
from memd.accounts.end_users import store
from memd.accounts.end_users.store import EndUser, ListedEndUser
from memd.audit.recording import record
from memd.context import Context, Services
from memd.db.session import SystemSession
from memd.domain.accounts.audit_chain import AuditEntry
from memd.domain.accounts.credits import allowance_for, effective_policy
from memd.domain.ids import encode, new_id
from memd.domain.types import KeyScope, Policy, Tier
from memd.errors import BadRequest, Forbidden, NotFound, Unauthorized

SCOPES = frozenset({KeyScope.READ, KeyScope.WRITE})
"""The scopes of a service key that also hold when it acts for an end user: none that manages keys or users."""


async def acting_for(services: Services, caller: Principal, name: str) -> Principal:
    """The principal of the caller's end user of this name, which is made at its first use.

    `caller` has a key with the scope `act_as`. `Forbidden` when the end user is inactive.
    """
    if caller.key_id is None:
        raise Forbidden
    now, cache_key = services.clock(), (caller.key_id, name)
    known = services.principals.get(cache_key, now)
    account = Account(caller.user_id, caller.policy, caller.allowance)
    if known is not None:
        return replace(known, account=account)  # what was cached of the account may be older than `caller`
    since = services.principals.moment()
    found = await store.find(services.database, caller.user_id, caller.key_id, name)
    if found is None:
        await _create(services, caller, name)
        found = await store.find(services.database, caller.user_id, caller.key_id, name)
    if found is None:
        raise Unauthorized  # the key or the account has ended since
    if not found.active:
        raise Forbidden
    principal = _principal_of(services, caller, found, account, name)
    services.principals.put(cache_key, principal, since, caller.ends_at)
    return principal


async def _create(services: Services, caller: Principal, name: str) -> None:
    """Make the end user, unless another request does at this moment.

    It costs the account one credit, so that the credits also bound the number of users.
    """
    await services.rate_limiter.debit(caller, 1)
    now, user_id = services.clock(), new_id()
    async with services.database.system() as session:
        if await store.create(session, caller.user_id, user_id, name, now):
            target = encode("usr", user_id)
            session.audit(AuditEntry(now, "user.create", user_id=caller.user_id, key_id=caller.key_id, target=target))


def _principal_of(services: Services, caller: Principal, user: EndUser, account: Account, name: str) -> Principal:
    tier = Tier(user.tier)
    policy = effective_policy(tier, Policy(user.policy) if user.policy else None)
    return replace(
        caller,
        user_id=user.user_id,
        scopes=caller.scopes & SCOPES,
        tier=tier,
        policy=policy,
        admin=False,
        allowance=allowance_for(policy, unmetered_message_ttl_days=services.settings.message_ttl_days),
        account=account,
        external_id=name,
        has_end_users=False,
    )


def check_name(text: str, field: str) -> str:
    """The trimmed name of an end user; raises `BadRequest`, which names the field, for an invalid name."""
    try:
        return external_id(text)
    except MalformedExternalIdError as error:
        raise BadRequest(f"{field} {error}") from None


async def list_page(context: Context, after: str, limit: int) -> list[ListedEndUser]:
    """Up to `limit` + 1 end users of the caller after a name, in the order of their names."""
    _permit(context.principal, KeyScope.READ)
    async with context.database.system() as session:
        if not after:
            record(session, context, "end_user.list")
        return await store.page(session, context.user_id, after, limit + 1)


async def lock(session: SystemSession, context: Context, name: str) -> UUID:
    """The id of an end user of the caller, who is going to remove it; `NotFound` when there is none of this name."""
    _permit(context.principal, KeyScope.WRITE)
    user_id = await store.lock(session, context.user_id, name)
    if user_id is None:
        raise NotFound
    return user_id


async def lock_some(session: SystemSession, account_id: UUID, limit: int) -> list[UUID]:
    """The ids of some end users of an account that is being removed."""
    return await store.lock_some(session, account_id, limit)


def _permit(principal: Principal, scope: KeyScope) -> None:
    """An administrator's key needs no other scope; a service key has to read to list, and to write to erase."""
    if not principal.may(KeyScope.ADMIN) and not principal.may(scope):
        raise Forbidden
