"""Message search page by page (contract 7.2): the pages of one search are slices of one kept ranking."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from memctl.wire.messages import SearchMessagesRequest
from memd.access.request.values import known_window, requested_moment, requested_window
from memd.cancellation import both
from memd.context import Context
from memd.domain.dates.time_window import Window
from memd.domain.periods.temporal_phrases import TemporalPhrase
from memd.domain.ranking.messages import next_offset
from memd.domain.visibility.scoping import VisibleScopes
from memd.embed import service as embedding
from memd.embed.service import Degraded, degraded_by
from memd.messages import search_store as store
from memd.messages.search import AskedMessages, prefetch, rank, temporal_phrase
from memd.messages.store import StoredMessage
from memd.rankings import service as rankings
from memd.rankings.paging import page_of
from memd.rankings.service import Ranked, Ranking


@dataclass(frozen=True, slots=True)
class MessagePage:
    """One page of messages with their places in the ranking, best first; `next_offset` is None at the end."""

    hits: list[tuple[StoredMessage, Ranked]]
    next_offset: int | None
    window: Window
    temporal: TemporalPhrase | None
    degraded: Degraded | None


@dataclass(frozen=True, slots=True)
class _Search:
    """A request with what follows from it; `key` is that of its ranking."""

    request: SearchMessagesRequest
    scopes: VisibleScopes
    window: Window
    key: UUID


async def search_messages(context: Context, request: SearchMessagesRequest) -> MessagePage:
    """The page [offset, offset + limit) of the messages for a query; the first page fixes the order of all."""
    search = _search(context, request)
    page = await page_of(context, search.key, request.offset, request.limit, partial(_rank, context, search))
    async with context.database.read(context.user_id) as session:
        rows = await store.message_rows(session, search.scopes, [row.id for row in page.rows])
    return MessagePage(
        hits=[(rows[row.id], row) for row in page.rows if row.id in rows],
        next_offset=next_offset(request.offset + request.limit, page.size),
        window=search.window,
        temporal=temporal_phrase(context, request.query, search.window),
        degraded=degraded_by(context, page.degradation) if page.degradation else None,
    )


def _search(context: Context, request: SearchMessagesRequest) -> _Search:
    window = known_window(requested_window(request), requested_moment(request, context.now))
    where = (request.channel, request.agent_id, request.session_key, request.all_channels)
    key = rankings.key_of("messages", request.query, *where, window.from_ms, window.to_ms)
    scopes = context.scopes(
        request.channel, request.agent_id, session_key=request.session_key, all_channels=request.all_channels
    )
    return _Search(request, scopes, window, key)


async def _rank(context: Context, search: _Search, count: int, known: Collection[UUID]) -> Ranking:
    prefetched, embedded = await both(
        prefetch(context, search.request.query), embedding.embed_query(context, search.request.query)
    )
    async with context.database.read(context.user_id) as session:
        asked = AskedMessages(search.scopes, prefetched, embedded, search.window)
        found = await rank(context, session, asked, count=count, known=known)
    rows: Sequence[Ranked] = [Ranked(row.id, row.score, row.weak, row.adjacent) for row in found.rows]
    return Ranking(rows, found.exhausted, embedded.degraded.code if embedded.degraded else None)
