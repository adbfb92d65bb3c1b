"""Rows that match a query but were hidden or filtered, with the reason; for the debug output of recall (contract 6.2)."""

from collections.abc import Mapping
from uuid import UUID

from memctl.wire.enums import RecallSection
from memd.db.session import OwnerSession
from memd.domain.ranking.selection import Dropped
from memd.domain.search.drop_reason import DropReason
from memd.domain.types import Category, Store
from memd.knowledge_bases.search.service import DecidedBase
from memd.recall import store
from memd.recall.plan import RecallPlan
from memd.recall.recalled import Recalled
from memd.recall.store import NearRow


async def excluded_rows(session: OwnerSession, recalled: Recalled, model: int) -> list[Dropped]:
    """Rows of the user that match the query and were no candidates, because they are not visible or fail a filter."""
    plan, found = recalled.plan, recalled.found
    known = [row.candidate.id for row in recalled.candidates]
    terms, vector = found.prefetched.query.terms, found.embedded.vector
    rows = await store.nearest_of_all(session, terms, vector, model, known, plan.wanted)
    visible = {base.id: base for base in found.chunks.bases if base.decision.visible}
    asked = [row for row in rows if _is_asked(row, plan, visible)]
    reasons = [(row.id, _reason(row, plan, visible)) for row in asked]
    return [Dropped(row_id, reason) for row_id, reason in reasons if reason is not None]


def _is_asked(row: NearRow, plan: RecallPlan, visible: Mapping[UUID, DecidedBase]) -> bool:
    """Whether the request asks for such rows: chunks of a visible knowledge base; memories unless it names bases."""
    base = row.knowledge_base_id
    return RecallSection.MEMORIES in plan.sections and not plan.named if base is None else base in visible


def _reason(row: NearRow, plan: RecallPlan, visible: Mapping[UUID, DecidedBase]) -> DropReason | None:
    """The first test that a row fails; None for a row that simply was not near enough."""
    base = None if row.knowledge_base_id is None else visible.get(row.knowledge_base_id)
    seen = plan.scopes.memory.admits(row.channel) if base is None else base.scope.admits(row.channel)
    tests = (
        (row.archived, DropReason.ARCHIVED),
        (row.blocked, DropReason.BLOCKED),
        (row.config, DropReason.CONFIG_CHUNK),
        (not seen, DropReason.CHANNEL if base is None else DropReason.PEER_CHUNK),
        (not row.in_namespace, DropReason.NAMESPACE),
        (not row.passes_where, DropReason.METADATA),
    )
    failed = next((reason for fails, reason in tests if fails), None)
    return failed or plan.wanted.mismatch(Store(row.store), Category(row.category), row.tags, row.project_id)
