"""Recording actions: in the transaction of the action, so that there is none without its entry, or before a read."""

from collections.abc import Mapping
from typing import Final

from memd.audit.refusals import POLICY_BLOCK
from memd.context import Context
from memd.db.session import SystemSession, WriteSession
from memd.domain.accounts.audit_chain import AuditEntry, Outcome, Values

END_USER_READ: Final = "end_user.read"
"""An administrator's key reads what belongs to an end user."""


def record(
    session: WriteSession | SystemSession,
    context: Context,
    action: str,
    target: str | None = None,
    *,
    before: Values | None = None,
    after: Values | None = None,
) -> None:
    """Append an action of the context's caller when the transaction commits; a job's entry has no key and no address."""
    session.audit(_entry(context, action, target, Outcome.OK, before, after))


def record_blocks(session: WriteSession, context: Context, target: str, blocked: Mapping[str, int]) -> None:
    """Append how many chunks of an import the content policy refused, by rule."""
    after = {"chunks": dict(blocked)}
    session.audit(_entry(context, POLICY_BLOCK, target, Outcome.REFUSED, after=after))


async def record_read(context: Context, action: str, target: str | None = None) -> None:
    """Append the entry of a read in a separate transaction, before anything is read."""
    async with context.database.write(context.user_id) as session:
        record(session, context, action, target)


def _entry(
    context: Context,
    action: str,
    target: str | None,
    outcome: Outcome,
    before: Values | None = None,
    after: Values | None = None,
) -> AuditEntry:
    return AuditEntry(
        at=context.now,
        action=action,
        user_id=context.user_id,
        key_id=context.principal.key_id,
        address=context.address,
        request_id=context.request_id,
        target=target,
        outcome=outcome,
        before=before,
        after=after,
    )
