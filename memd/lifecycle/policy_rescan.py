"""The scheduled job `policy_rescan`: rows that other rules have judged are judged again (contract 12, 13)."""

from typing import Final
from uuid import UUID

from memd.accounts.every_user import JobResult, for_found_users
from memd.context import Context, Services
from memd.domain.policy.content_policy import INVISIBLE, PolicyRules, Verdict, details_text, evaluate
from memd.lifecycle import upkeep_store as store
from memd.lifecycle.upkeep_store import CheckedRow
from memd.memories import visibility
from memd.off_loop import in_thread

PAGE: Final = 200


async def rescan_all(services: Services) -> JobResult:
    """Judge every row that other rules have judged by the present ones; rows = marks set or cleared."""
    version = services.policy.version
    return await for_found_users(services, lambda session: store.users_checked_by_other_rules(session, version), rescan)


async def rescan(context: Context) -> int:
    """Judge the rows of one user that other rules have judged, page by page; returns how many marks were set or cleared."""
    rules = context.services.policy
    changed, after = 0, UUID(int=0)
    while True:
        async with context.database.owner(context.user_id) as session:
            rows = await store.checked_by_other_rules(session, rules.version, after, PAGE)
        verdicts = await in_thread(_judge, rules, rows)
        async with context.database.write(context.user_id) as session:
            moved = [
                row.id
                for row, verdict in zip(rows, verdicts, strict=True)
                if await store.judge(
                    session, row, rules.version, _flags(row, verdict), blocked=verdict.blocked is not None
                )
            ]
            await visibility.sync(session, moved)
        changed += len(moved)
        if len(rows) < PAGE:
            return changed
        after = rows[-1].id


def _judge(rules: PolicyRules, rows: list[CheckedRow]) -> list[Verdict]:
    return [
        evaluate(rules, row.title, row.content, details_text(row.tags, row.action_triggers, row.metadata))
        for row in rows
    ]


def _flags(row: CheckedRow, verdict: Verdict) -> list[str]:
    """The flags of the verdict; that invisible characters were taken out before storing cannot be seen again."""
    kept = [INVISIBLE] if INVISIBLE in row.policy_flags and INVISIBLE not in verdict.flags else []
    return [*kept, *verdict.flags]
