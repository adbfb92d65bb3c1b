"""Withholds the texts of earlier versions that the content policy now blocks (contract 17.5)."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from memd.context import Context
from memd.db.engine import GENERIC_PLAN
from memd.domain.policy.content_policy import PolicyRules, details_text, evaluate
from memd.memories.history import store
from memd.off_loop import in_thread


def is_withheld(rules: PolicyRules, fields: dict[str, Any]) -> bool:
    """Whether the current rules block the columns of a version that other rules have checked."""
    if fields["policy_version"] == rules.version:
        return False
    details = details_text(fields["tags"], fields["action_triggers"], fields["metadata"])
    return evaluate(rules, fields["title"], fields["content"], details).blocked is not None


async def withheld_at(context: Context, memory_ids: Sequence[UUID], known_at: int | None) -> frozenset[UUID]:
    """The memories whose version as of `known_at` (epoch ms; None for now) is withheld."""
    if known_at is None or not memory_ids:
        return frozenset()
    rules = context.services.policy
    async with context.database.owner(context.user_id, GENERIC_PLAN) as session:
        versions = await store.checked_by_other_rules(session, memory_ids, known_at, rules.version)
    if not versions:
        return frozenset()

    def withheld() -> frozenset[UUID]:
        return frozenset(version.memory_id for version in versions if is_withheld(rules, version.fields))

    return await in_thread(withheld)
