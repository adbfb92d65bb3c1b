"""The tests that stand before every write of a memory: policy, duplicates, quota (contract 1.3, steps 11–13)."""

import asyncio
from dataclasses import dataclass

from memd.context import Context
from memd.db.session import ReadSession
from memd.domain.content_policy import evaluate
from memd.errors import ContentBlocked, StorageLimitReached
from memd.stats import service as stats

_INLINE_CHARACTERS = 4_000


@dataclass(frozen=True, slots=True)
class Cleared:
    """Text that the policy lets pass, with what it noted."""

    policy_version: str
    flags: list[str]


async def check_policy(context: Context, title: str, content: str) -> Cleared:
    """`ContentBlocked` for text that a rule or the moderator blocks; long texts are read off the event loop."""
    if len(content) > _INLINE_CHARACTERS:
        cleared = await asyncio.to_thread(check_rules, context, title, content)
    else:
        cleared = check_rules(context, title, content)
    await check_moderator(context, title, content)
    return cleared


def check_rules(context: Context, title: str, content: str) -> Cleared:
    """`ContentBlocked` for text that a rule blocks. It only computes, so a thread may do it."""
    rules = context.services.policy
    verdict = evaluate(rules, title, content)
    if verdict.blocked is not None:
        raise ContentBlocked(verdict.blocked.reason, verdict.blocked.threat_id)
    return Cleared(policy_version=rules.version, flags=list(verdict.flags))


async def check_moderator(context: Context, title: str, content: str) -> None:
    """`ContentBlocked` for text that the moderator blocks, where one is set; it may take seconds."""
    moderator = context.services.moderator
    blocked = await moderator.moderate(title, content) if moderator is not None else None
    if blocked is not None:
        raise ContentBlocked(blocked.reason, blocked.threat_id)


async def check_quota(session: ReadSession, context: Context, *, lock: bool = False) -> None:
    """`StorageLimitReached` when one more active memory would be over the tier's number.

    With `lock` (in a write) the other writers of this user wait, so that none of them passes on the same free place.
    """
    limit = context.principal.allowance.memories
    if limit is not None and await stats.active_memories(session, lock=lock) >= limit:
        raise StorageLimitReached(limit, "memories")
