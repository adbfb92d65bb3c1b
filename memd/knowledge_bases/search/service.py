"""The search inside knowledge bases, for recall and for the query of one (contract 8.8, 10.2).

Which knowledge bases and which of their chunks a request sees is decided here and written to the operator's log.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

import structlog

from memd.context import Context
from memd.db.document_frequencies import WordShares
from memd.db.session import ReadSession
from memd.db.sql.term import QueryReading
from memd.domain.ids import encode
from memd.domain.periods.validity import Moment
from memd.domain.ranking.chunks import RankedChunk, in_order, rank_chunks
from memd.domain.search.recall_modes import NO_FILTER, RowFilter
from memd.domain.search.terms import NO_TERMS, choose_terms, needs_shares
from memd.domain.visibility.kb_scoping import HiddenReason
from memd.domain.visibility.scoping import ChunkScope, KbDecision, KnowledgeBaseView, SelectedBy, VisibleScopes
from memd.embed.service import Vector
from memd.errors import KnowledgeBaseNotFound
from memd.knowledge_bases.search import store
from memd.knowledge_bases.search.chunk_scores import chunk_hits
from memd.knowledge_bases.search.past_chunk_store import Forgotten, forgotten_since
from memd.knowledge_bases.search.store import ScopedBase, ScopedSearch, StoredChunk, Withheld
from memd.knowledge_bases.store import SearchedBase, searched_bases

__all__ = ["SearchedBase", "StoredChunk", "searched_bases"]  # of the stores, for the searches of other rooms

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class DecidedBase:
    """A knowledge base of the caller, whether the request may see it, and which of its chunks."""

    row: SearchedBase
    decision: KbDecision
    scope: ChunkScope

    @property
    def id(self) -> UUID:
        """The knowledge base."""
        return self.row.id


@dataclass(frozen=True, slots=True)
class ChunksFound:
    """The chunks of each knowledge base, best first, and how many each lane found."""

    by_base: dict[UUID, list[RankedChunk]] = field(default_factory=dict[UUID, list[RankedChunk]])
    by_vector: int = 0
    by_text: int = 0

    def best(self, maximum: int) -> list[RankedChunk]:
        """The best chunks of all knowledge bases together."""
        return in_order(chunk for ranked in self.by_base.values() for chunk in ranked)[:maximum]


def select_bases(rows: Iterable[SearchedBase], named: Sequence[UUID] = ()) -> list[SearchedBase]:
    """The named ones of the caller's knowledge bases, or all; `KnowledgeBaseNotFound` for an unknown one."""
    known = {row.id: row for row in rows}
    if not all(base_id in known for base_id in named):
        raise KnowledgeBaseNotFound
    return [known[base_id] for base_id in named] if named else list(known.values())


def decide_visibility(
    context: Context, rows: Iterable[SearchedBase], scopes: VisibleScopes, selected_by: SelectedBy
) -> list[DecidedBase]:
    """Decide for each knowledge base whether the request may see it; one that a peer rule hides is logged."""
    decided: list[DecidedBase] = []
    known: dict[KnowledgeBaseView, tuple[KbDecision, ChunkScope]] = {}  # most have the same agents, scope and policy
    for row in rows:
        view = row.view
        if view not in known:
            decision = scopes.kb(view, selected_by)
            known[view] = decision, scopes.chunks(view, decision)
        decision, chunks = known[view]
        decided.append(DecidedBase(row, decision, chunks))
        if decision.block_metric_reason is not None:
            log.info(
                "mc.metric.kb-peer-block",
                requestId=encode("req", context.request_id),
                kbId=encode("kb", row.id),
                reason=decision.block_metric_reason.value,
            )
    return decided


async def as_known(context: Context, bases: Sequence[DecidedBase], known_at: int) -> list[DecidedBase]:
    """The knowledge bases, counting also the chunks that have been archived since `known_at` (epoch ms)."""
    visible = [base.id for base in bases if base.decision.visible]
    async with context.database.owner(context.user_id) as session:
        gone = {row.base_id: row for row in await forgotten_since(session, visible, known_at)}
    return [_with(base, gone[base.id]) if base.id in gone else base for base in bases]


def _with(base: DecidedBase, gone: Forgotten) -> DecidedBase:
    counts = {"memory_count": base.row.memory_count + gone.chunks, "total_chars": base.row.total_chars + gone.chars}
    return replace(base, row=base.row._replace(**counts))


def hidden_bases(bases: Iterable[DecidedBase], withheld: Mapping[UUID, int]) -> list[tuple[UUID, HiddenReason]]:
    """The knowledge bases that give nothing to the request, and why; `withheld` as from `fetch_chunks`."""
    reasons = ((base.id, _hidden_reason(base, withheld.get(base.id, 0))) for base in bases)
    return [(base_id, reason) for base_id, reason in reasons if reason is not None]


def _hidden_reason(base: DecidedBase, withheld: int) -> HiddenReason | None:
    if not base.decision.visible:
        return base.decision.hidden_reason
    chunks = base.row.memory_count
    if not chunks:
        return HiddenReason.EMPTY
    return HiddenReason.PEER_CHUNKS if withheld >= chunks else None


async def fetch_chunks(
    context: Context,
    session: ReadSession,
    scopes: VisibleScopes,
    bases: Sequence[DecidedBase],
    chunk_ids: Sequence[UUID],
    moment: Moment | None = None,
) -> tuple[dict[UUID, StoredChunk], Mapping[UUID, int]]:
    """The stored rows of chunks of visible knowledge bases by id, and how many chunks each chunk rule withholds.

    The rows are those known at the moment, if one is given. A chunk that was deleted in the meantime is left out. One
    round trip.
    """
    scoped = [_scoped(base) for base in bases]
    stored, withheld = await session.rows_of(
        store.rows(session.user_id, scopes, [(base.id, base.scope) for base in bases], chunk_ids, moment),
        store.hidden_chunks(session.user_id, scoped),
    )
    _log_withheld(context, bases, withheld)
    return {row.id: row for row in stored}, dict(withheld)


def _log_withheld(context: Context, bases: Sequence[DecidedBase], withheld: Sequence[Withheld]) -> None:
    names = {base.id: base for base in bases}
    for row in withheld:
        if row.dropped:
            log.info(
                "mc.metric.kb-chunk-drop",
                requestId=encode("req", context.request_id),
                kbId=encode("kb", row.base_id),
                scope=names[row.base_id].row.scope,
                dropped=row.dropped,
            )


async def search_chunks(
    context: Context,
    session: ReadSession,
    bases: Sequence[DecidedBase],
    query: QueryReading,
    vector: Vector | None,
    *,
    depth: int,
    wanted: RowFilter = NO_FILTER,
    config_chunks: bool = False,
    lifted: int = 0,
    known_at: int | None = None,
) -> ChunksFound:
    """The best chunks of visible knowledge bases by both lanes, `depth` of each lane and knowledge base.

    The neighbours of the first `lifted` chunks of each lane are candidates, too, and neighbours lift each other.
    With `known_at` (epoch ms) the chunks that were stored then, found by their present texts; some of them were archived
    then, or hidden from the request.
    """
    if not bases:
        return ChunksFound()
    scoped = [_scoped(base) for base in bases]
    terms = query.terms
    amount = sum(base.chunks for base in scoped)
    if needs_shares(terms, amount):
        terms = choose_terms(terms, await _shares(context, session, scoped, amount), amount)
    search = ScopedSearch(scoped, terms, vector, context.services.model, depth, wanted, config_chunks, lifted, known_at)
    found = await store.find(session, search)
    return ChunksFound(
        by_base={base.id: rank_chunks(chunk_hits(base, search, found)) for base in scoped},
        by_vector=sum(row.by_vector for row in found.rows),
        by_text=sum(row.by_text for row in found.rows),
    )


async def _shares(context: Context, session: ReadSession, bases: Sequence[ScopedBase], chunks: int) -> WordShares:
    kind, sample = ("chunks", *sorted(base.id for base in bases)), store.sample(session.user_id, bases)
    return await context.services.document_frequencies.of(session, kind, chunks, *sample)


async def first_chunks(session: ReadSession, context: Context, bases: Sequence[DecidedBase], limit: int) -> list[UUID]:
    """The first chunks by chunkIndex, for a query that found nothing."""
    scoped = [_scoped(base) for base in bases]
    return await store.first_chunks(
        session, ScopedSearch(scoped, NO_TERMS, None, context.services.model, limit, config_chunks=True), limit
    )


def _scoped(base: DecidedBase) -> ScopedBase:
    chunks = base.row.memory_count
    return ScopedBase(base.id, chunks, base.row.total_chars / max(1, chunks), base.scope)
