"""The checks before every write of a memory: content policy and quota (contract 1.3, steps 11 and 13)."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, NamedTuple, Self

from memctl.wire.invisible import without_invisible
from memd.context import Context
from memd.db.session import ReadSession
from memd.domain.policy.content_policy import details_text, evaluate
from memd.errors import ContentBlocked
from memd.memories.own_keys import OWN_KEY, detect_own_keys
from memd.off_loop import in_pieces, in_thread_if_long
from memd.stats import quotas
from memd.stats.quotas import Resource

_MODERATED_AT_ONCE = 8
_IN_DETAILS: Final = "The text is in tags, actionTriggers or metadata"


CHECKED_FIELDS: Final = ("title", "content", "tags", "action_triggers", "metadata")
"""The fields of a memory that the policy reads, as `Submitted.of` takes them."""


class Submitted(NamedTuple):
    """The texts of a memory that the policy reads; `details` has those of tags, triggers and metadata."""

    title: str
    content: str
    details: str

    @classmethod
    def of(
        cls,
        title: str,
        content: str,
        tags: Sequence[str] = (),
        action_triggers: Sequence[str] = (),
        metadata: Any = None,
    ) -> Self:
        """The texts of these fields."""
        return cls(title, content, details_text(tags, action_triggers, metadata))

    @property
    def characters(self) -> int:
        """Of all texts."""
        return sum(map(len, self))


@dataclass(frozen=True, slots=True)
class Cleared:
    """Text that the policy accepts, as it will be stored: without invisible characters; and its flags."""

    title: str
    content: str
    policy_version: str
    flags: list[str]

    @property
    def texts(self) -> dict[str, str]:
        """Title and content, to take the place of those that were sent."""
        return {"title": self.title, "content": self.content}


async def check_policy(context: Context, submitted: Submitted) -> Cleared:
    """`ContentBlocked` for text that a rule or the moderator blocks; long texts are read off the event loop."""
    cleared = await in_thread_if_long(partial(check_rules, context, submitted), submitted.characters)
    holding = await detect_own_keys(context, submitted)
    if any(holding):
        raise _own_key(holding)
    await check_moderator(context, cleared.title, cleared.content)
    return cleared


async def check_policies(context: Context, submitted: Sequence[Submitted]) -> list[Cleared | ContentBlocked]:
    """The verdict of `check_policy` on each of many texts; all are read off the event loop, eight moderated at once."""
    verdicts = await in_pieces(partial(_verdicts, context), submitted, lambda each: each.characters)
    holding = await detect_own_keys(context, [text for each in submitted for text in each])
    slots = asyncio.Semaphore(_MODERATED_AT_ONCE)

    async def judged(verdict: Cleared | ContentBlocked, held: Sequence[bool]) -> Cleared | ContentBlocked:
        if isinstance(verdict, ContentBlocked):
            return verdict
        if any(held):
            return _own_key(held)
        async with slots:
            try:
                await check_moderator(context, verdict.title, verdict.content)
            except ContentBlocked as blocked:
                return blocked
        return verdict

    return await asyncio.gather(
        *(judged(verdict, holding[3 * index : 3 * index + 3]) for index, verdict in enumerate(verdicts))
    )


def _own_key(held: Sequence[bool]) -> ContentBlocked:
    """The refusal of a live key of the caller; `held` says whether title, content and details hold one."""
    return ContentBlocked(OWN_KEY.reason, OWN_KEY.threat_id, None if any(held[:2]) else _IN_DETAILS)


def _verdicts(context: Context, submitted: Sequence[Submitted]) -> list[Cleared | ContentBlocked]:
    return [_verdict(context, each) for each in submitted]


def _verdict(context: Context, submitted: Submitted) -> Cleared | ContentBlocked:
    try:
        return check_rules(context, submitted)
    except ContentBlocked as blocked:
        return blocked


def check_rules(context: Context, submitted: Submitted) -> Cleared:
    """`ContentBlocked` for text that a rule blocks. It only computes, so a thread may do it."""
    rules = context.services.policy
    verdict = evaluate(rules, *submitted)
    if verdict.blocked is not None:
        is_named = not submitted.details or evaluate(rules, submitted.title, submitted.content).blocked is not None
        raise ContentBlocked(verdict.blocked.reason, verdict.blocked.threat_id, None if is_named else _IN_DETAILS)
    return Cleared(
        title=without_invisible(submitted.title),
        content=without_invisible(submitted.content),
        policy_version=rules.version,
        flags=list(verdict.flags),
    )


async def check_moderator(context: Context, title: str, content: str) -> None:
    """`ContentBlocked` for text that the moderator blocks, where one is set; it may take seconds."""
    moderator = context.services.moderator
    blocked = await moderator.moderate(title, content) if moderator is not None else None
    if blocked is not None:
        raise ContentBlocked(blocked.reason, blocked.threat_id)


async def check_quota(session: ReadSession, context: Context, *, lock: bool = False) -> None:
    """`StorageLimitReached` when one more active memory would be over the tier's number.

    With `lock` (in a write) the other writers of this user wait, so that two of them cannot both take the last free
    place.
    """
    if await quotas.free_memories(session, context.principal, lock=lock) == 0:
        raise quotas.refusal(context.principal, Resource.MEMORIES)
