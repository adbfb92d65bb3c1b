"""Refusals in the audit log: rejected keys, missing rights, texts blocked by the content policy.

Nothing happens on a refusal, so no transaction waits for its entry: refusals are gathered for a moment, equal ones are
counted, and each process writes a bounded number of entries a second. A flood of them costs the chain a few entries.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from memd.access.background_tasks import BackgroundTasks
from memd.audit import store
from memd.db.session import Database
from memd.domain.accounts.audit_chain import AuditEntry, Outcome
from memd.domain.ids import encode

MAX_ENTRIES: Final = 50
"""Different refusals that one batch names; the rest are counted in one entry."""

KEY_REFUSED: Final = "key.refused"
ACCESS_REFUSED: Final = "access.refused"
SIGN_IN: Final = "sign_in"
POLICY_BLOCK: Final = "policy.block"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refused request and its caller; equal refusals are one entry with a count. `key_hash` finds the key, and is not kept."""

    action: str
    address: str | None = None
    user_id: UUID | None = None
    key_id: UUID | None = None
    key_hash: str | None = None
    target: str | None = None
    reason: str | None = None


class Refusals:
    """Collects refusals and writes them in batches; belongs to the event loop that created it; `note` is thread-safe."""

    def __init__(self, background_tasks: BackgroundTasks, database: Database, clock: Callable[[], int]) -> None:
        self._background_tasks = background_tasks
        self._database = database
        self._clock = clock
        self._loop = asyncio.get_running_loop()

    def note(self, refusal: Refusal) -> None:
        """Schedule the refusal to be written."""
        self._loop.call_soon_threadsafe(self._background_tasks.gather, "audit.refusals", None, refusal, self._write)

    async def _write(self, refusals: list[Refusal]) -> None:
        counted = Counter(refusals).most_common()
        omitted = sum(count for _, count in counted[MAX_ENTRIES:])
        now = self._clock()
        async with self._database.system() as session:
            hashes = {refusal.key_hash for refusal, _ in counted[:MAX_ENTRIES] if refusal.key_hash}
            keys = await store.keys_by_hash(session, sorted(hashes)) if hashes else {}
            for refusal, count in counted[:MAX_ENTRIES]:
                session.audit(_entry(refusal, count, keys.get(refusal.key_hash or ""), now))
            if omitted:
                session.audit(AuditEntry(now, "refusals.more", outcome=Outcome.REFUSED, after={"count": omitted}))


def _entry(refusal: Refusal, count: int, key: store.KnownKey | None, now: int) -> AuditEntry:
    """The entry of equal refusals; a key that is known, but no longer live, is named as its target."""
    after = {"count": count} | ({"reason": refusal.reason} if refusal.reason else {})
    return AuditEntry(
        at=now,
        action=refusal.action,
        user_id=refusal.user_id,
        key_id=refusal.key_id,
        address=refusal.address,
        target=encode("key", key.id) if key else refusal.target,
        outcome=Outcome.REFUSED,
        after=after,
    )
