"""Places that are left in a storage quota: the user's own, and for applications the account's sum (contract 2.1, 17.1)."""

from enum import StrEnum
from operator import attrgetter

from memd.access.principal import Principal
from memd.db.session import ReadSession
from memd.errors import StorageLimitReached
from memd.stats import service, store


class Resource(StrEnum):
    """What is counted; the value names the limit and the resource of the refusal."""

    MEMORIES = "memories"
    MESSAGES = "messages"
    CHECKPOINTS = "checkpoints"


async def free_memories(session: ReadSession, principal: Principal, *, lock: bool = False) -> int | None:
    """How many more active memories may be stored, None for any number; with `lock` other writers wait for this one."""
    limit = principal.allowance.memories
    own = None if limit is None else limit - await service.active_memories(session, lock=lock)
    return fewest(own, await free_in_account(session, principal, Resource.MEMORIES, lock=lock))


async def free_messages(session: ReadSession, principal: Principal, *, lock: bool = False) -> int | None:
    """How many more messages may be stored, as `free_memories`; a snapshot takes the place of one."""
    limit = principal.allowance.messages
    own = None if limit is None else limit - await service.stored_messages(session, lock=lock)
    return fewest(own, await free_in_account(session, principal, Resource.MESSAGES, lock=lock))


async def free_in_account(
    session: ReadSession, principal: Principal, resource: Resource, *, lock: bool = False
) -> int | None:
    """How many more an account allows for itself and its end users together; None without a limit or end users."""
    shared = principal.shared_limits
    limit: int | None = None if shared is None else attrgetter(resource)(shared)
    return None if limit is None else max(0, limit - await store.account_use(session, resource, lock=lock))


def refusal(principal: Principal, resource: Resource, **more: object) -> StorageLimitReached:
    """The error of a full quota, with the limit of the caller's tier."""
    limit: int | None = attrgetter(resource)(principal.limits)
    return StorageLimitReached(limit or 0, resource, **more)


def fewest(*places: int | None) -> int | None:
    """The smallest number, at least 0; None means unlimited."""
    return min((max(0, each) for each in places if each is not None), default=None)
