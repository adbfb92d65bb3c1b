"""The decision on a memory: the local rules, then the external moderation when one is configured and nothing blocked."""

from dataclasses import dataclass

from memd.domain.content_policy import PolicyRules, Verdict, evaluate
from memd.policy.moderation import Moderator


@dataclass(frozen=True, slots=True)
class ContentPolicy:
    """What decides: the rules in force and, optionally, an external opinion."""

    rules: PolicyRules
    moderator: Moderator | None = None


async def review(policy: ContentPolicy, title: str, content: str) -> Verdict:
    """The verdict on a memory; the external opinion can only add a block, its failure changes nothing (contract 12)."""
    verdict = evaluate(policy.rules, title, content)
    if verdict.blocked is not None or policy.moderator is None:
        return verdict
    return Verdict(await policy.moderator.moderate(title, content), verdict.flags)
