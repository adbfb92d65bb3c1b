"""The search over messages: by meaning and by words, judged with what was said around each find (contract 11.4)."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final
from uuid import UUID

from memctl.wire.limits import MESSAGE_OFFSET_MAX, MESSAGE_SEARCH_MAX
from memctl.wire.messages import SearchMessagesRequest
from memd.context import Context
from memd.db.channels_sql import RowChannel, listed
from memd.db.languages_sql import known_languages, languages_of
from memd.db.session import ReadSession
from memd.db.term_sql import QueryReading, read
from memd.db.typed_rows import Query
from memd.domain.message_ranking import (
    MessagePage,
    MessageQuery,
    MessageWeights,
    PooledMessage,
    RankedMessage,
    page,
    rank_messages,
)
from memd.domain.scoping import MessageScope, VisibleScopes
from memd.domain.search_terms import choose_terms, needs_shares
from memd.domain.temporal import TemporalPhrase, find_phrase
from memd.domain.time_window import Window
from memd.embed import service as embedding
from memd.embed.service import Degraded, QueryEmbedding
from memd.messages import search_store as store
from memd.messages.search_store import FoundMessage, MessageSearch
from memd.messages.store import StoredMessage
from memd.messages.windows import is_open, requested_window
from memd.stats import service as stats

DEPTHS: Final = (40, 400, MESSAGE_OFFSET_MAX + MESSAGE_SEARCH_MAX + 1)
"""Finds of each arm. A deeper pool is searched when the pages have used up the one before, and is ranked behind it, so
that every page comes from one order."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A message that was found, with its score 0..1 and its own fit."""

    row: StoredMessage
    score: float
    fit: float


@dataclass(frozen=True, slots=True)
class MessagesFound:
    """One page of hits, best first, the bounds of the request, and the temporal phrase that lifted some of them."""

    hits: list[Hit]
    page: MessagePage
    window: Window
    temporal: TemporalPhrase | None = None
    degraded: Degraded | None = None


@dataclass(frozen=True, slots=True)
class MessageContext:
    """What is known before a search: the query's words, how many messages the user has, and on which channels."""

    query: QueryReading
    total: int
    channels: Sequence[str]


def channels(user_id: UUID) -> Query[RowChannel]:
    """The channels of the user's messages."""
    return store.channels(user_id)


async def search_messages(context: Context, request: SearchMessagesRequest) -> MessagesFound:
    """One page of the messages for a query (contract 7.2)."""
    window = requested_window(request)
    scopes = context.scopes(
        request.channel, request.agent_id, session_key=request.session_key, all_channels=request.all_channels
    )
    prefetched, embedded = await asyncio.gather(
        _prefetch(context, request.query), embedding.embed_query(context, request.query)
    )
    return await find_messages(
        context, scopes, prefetched, embedded, window, limit=request.limit, offset=request.offset
    )


async def _prefetch(context: Context, text: str) -> MessageContext:
    default = context.services.settings.text_search_config
    async with context.database.read(context.user_id) as session:
        languages, channels, (totals,) = await session.rows_of(
            languages_of(context.user_id), store.channels(context.user_id), stats.totals(context.user_id)
        )
    query = read(text, default, known_languages(row.language for row in languages))
    return MessageContext(query, totals.total_messages, [row.channel for row in channels])


async def find_messages(
    context: Context,
    scopes: VisibleScopes,
    prefetched: MessageContext,
    embedded: QueryEmbedding,
    window: Window,
    *,
    limit: int,
    offset: int = 0,
) -> MessagesFound:
    """The page [offset, offset + limit) of the messages in `scopes.messages`.

    Without a window, a temporal phrase in the query lifts the messages of its period; it leaves none out (11.7).
    """
    phrase = find_phrase(prefetched.query.text, context.now) if is_open(window) else None
    if scopes.messages.nothing or prefetched.total == 0:
        return MessagesFound([], page([], limit=limit, offset=offset), window, phrase, embedded.degraded)
    weights = context.services.settings.weights_of_messages
    async with context.database.read(context.user_id) as session:
        search = await _prepare(context, session, scopes.messages, prefetched, embedded, window)
        if phrase is not None:
            search = replace(search, period=phrase.window)
        ranked = await _ranked(session, search, weights, limit + offset + 1)
        shown = page(ranked, limit=limit, offset=offset)
        rows = await store.message_rows(session, scopes, [row.id for row in shown.rows]) if shown.rows else {}
    hits = [Hit(rows[row.id], row.score, row.fit) for row in shown.rows if row.id in rows]
    return MessagesFound(hits, shown, window, phrase, embedded.degraded)


async def _prepare(
    context: Context,
    session: ReadSession,
    scope: MessageScope,
    prefetched: MessageContext,
    embedded: QueryEmbedding,
    window: Window,
) -> MessageSearch:
    """List the channels of the scope; choose among the query's words where there are many messages."""
    scope = listed(scope, prefetched.channels)
    query = prefetched.query
    if needs_shares(query.terms, prefetched.total):
        shares = await context.services.document_frequencies.of(session, "messages", *store.sample(context.user_id))
        query = replace(query, terms=choose_terms(query.terms, shares, prefetched.total))
    return MessageSearch(scope, window, query, embedded.vector, context.services.model, DEPTHS[0])


async def _ranked(
    session: ReadSession, search: MessageSearch, weights: MessageWeights, wanted: int
) -> list[RankedMessage]:
    """The best messages in order, at least `wanted` where there are as many; deeper pools rank behind shallower ones."""
    ranked: list[RankedMessage] = []
    known: set[UUID] = set()
    for depth in DEPTHS:
        rows = await session.rows(store.pool(session.user_id, replace(search, depth=depth)))
        finds = sum(row.around is not None for row in rows)
        found = [row for row in _judged(rows, search, weights) if row.id not in known]
        ranked += found
        known.update(row.id for row in found)
        if len(ranked) >= wanted or finds < depth:
            break
    return ranked


def _judged(rows: Sequence[FoundMessage], search: MessageSearch, weights: MessageWeights) -> list[RankedMessage]:
    """The finds and both neighbours of each, ranked with what is around them."""
    surroundings = Surroundings(rows)
    rarities = next((row.rarities for row in rows if row.rarities is not None), ())
    query = MessageQuery(search.query.text, rarities, search.period)
    return rank_messages([surroundings.pooled(row) for row in rows], query, weights)


class Surroundings:
    """Which messages are neighbours, and which are candidates: the finds and both neighbours of each."""

    def __init__(self, rows: Sequence[FoundMessage]) -> None:
        self._previous: dict[UUID, UUID] = {}
        self._next: dict[UUID, UUID] = {}
        self._session_words: dict[UUID, int] = {}
        self._candidates: set[UUID] = set()
        for find in rows:
            chain = find.around
            if chain is None:
                continue
            place = chain.index(find.id)
            self._candidates.update(chain[max(0, place - 1) : place + 2])
            for message_id in chain:
                self._session_words[message_id] = find.session_words or 0
            for earlier, later in pairwise(chain):
                self._next[earlier], self._previous[later] = later, earlier

    def pooled(self, row: FoundMessage) -> PooledMessage:
        """A message with its exact values, in its place."""
        return PooledMessage(
            id=row.id,
            session_key=row.session_key,
            timestamp=row.timestamp,
            speaker=row.speaker,
            asks=row.asks,
            words=row.words,
            cosine=row.cosine,
            holds_phrase=row.holds_phrase,
            tells_time=row.tells_time,
            session_words=self._session_words[row.id],
            previous_id=self._previous.get(row.id),
            next_id=self._next.get(row.id),
            candidate=row.id in self._candidates,
        )
