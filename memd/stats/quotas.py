"""Places that are left in a storage quota: the user's own, and for applications the account's sum (contract 2.1, 17.1)."""

from enum import StrEnum
from operator import attrgetter

from memd.access.authentication.principal import Principal
from memd.db.session import ReadSession
from memd.db.typed_rows import Query, R
from memd.errors import StorageLimitReached
from memd.stats import service, store


class Resource(StrEnum):
    """A resource with a quota; the value names the limit and the resource of the refusal."""

    MEMORIES = "memories"
    MESSAGES = "messages"
    CHECKPOINTS = "checkpoints"


async def free_memories(session: ReadSession, principal: Principal, *, lock: bool = False) -> int | None:
    """How many more active memories may be stored, None for any number; with `lock` other writers wait for this one."""
    stored = await service.active_memories(session, lock=lock) if principal.allowance.memories is not None else 0
    return await _free(session, principal, Resource.MEMORIES, stored, lock=lock)


async def free_memories_and_rows(
    session: ReadSession, principal: Principal, query: Query[R]
) -> tuple[int | None, list[R]]:
    """`free_memories` with the lock, and the rows of a query that takes part in its round trip."""
    if principal.allowance.memories is None:
        stored, rows = 0, await session.rows(query)
    else:
        rows, (totals,) = await session.rows_of(query, service.totals(session.user_id, lock=True))
        stored = totals.active_memories
    return await _free(session, principal, Resource.MEMORIES, stored, lock=True), rows


async def free_messages(session: ReadSession, principal: Principal) -> int | None:
    """How many more messages may be stored, as `free_memories` with the lock; a snapshot takes the place of one."""
    stored = await service.stored_messages(session, lock=True) if principal.allowance.messages is not None else 0
    return await _free(session, principal, Resource.MESSAGES, stored, lock=True)


async def free_checkpoints(session: ReadSession, principal: Principal, stored: int) -> int | None:
    """How many more checkpoints may be stored, None for any number; the user has `stored` of them, and holds their lock."""
    return await _free(session, principal, Resource.CHECKPOINTS, stored, lock=True)


async def _free(
    session: ReadSession, principal: Principal, resource: Resource, stored: int, *, lock: bool
) -> int | None:
    """How many more the user may store, given `stored` of its own and the total of the account; None without a limit."""
    own: int | None = attrgetter(resource)(principal.allowance)
    limits = principal.shared_limits
    shared: int | None = attrgetter(resource)(limits) if limits else None
    remaining = [] if own is None else [own - stored]
    if shared is not None:
        remaining.append(shared - await store.account_use(session, resource, lock=lock))
    return max(0, min(remaining)) if remaining else None


def refusal(principal: Principal, resource: Resource, **more: object) -> StorageLimitReached:
    """The error of a full quota, with the limit of the caller's tier."""
    limit: int | None = attrgetter(resource)(principal.limits)
    return StorageLimitReached(limit or 0, resource, **more)
