"""The search over messages: by meaning and by words, with the messages around each hit as context (contract 11.4)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final
from uuid import UUID

from memctl.wire.limits import MESSAGE_OFFSET_MAX, MESSAGE_SEARCH_MAX
from memd.context import Context
from memd.db.session import ReadSession
from memd.db.sql.channels import channels_of, listed
from memd.db.sql.languages import known_languages, languages_of
from memd.db.sql.term import QueryReading, read
from memd.domain.dates.time_window import Window
from memd.domain.periods.temporal_phrases import TemporalPhrase, phrase_in_zone
from memd.domain.ranking.messages import (
    MessageQuery,
    MessageWeights,
    PooledMessage,
    RankedMessage,
    rank_messages,
)
from memd.domain.search.terms import choose_terms, needs_shares
from memd.domain.visibility.scoping import VisibleScopes
from memd.embed.reading import unrelated_cosine
from memd.embed.service import QueryEmbedding
from memd.messages import search_store as store
from memd.messages.search_store import FoundMessage, MessageSearch
from memd.messages.store import StoredMessage
from memd.stats import service as stats

DEPTHS: Final = (40, 400, MESSAGE_OFFSET_MAX + MESSAGE_SEARCH_MAX + 1)
"""Hits of each lane. A deeper pool is searched when the pages have used up the one before, and is ranked behind it, so
that every page comes from one order."""
SCORED: Final = 10
"""Messages whose scores lift the memories that were made from them."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A message that was found, with its score 0..1 and its fit (see `RankedMessage`)."""

    row: StoredMessage
    score: float
    fit: float
    weak: bool = False
    adjacent: bool = False


@dataclass(frozen=True, slots=True)
class MessagesFound:
    """The best messages for a query, and the temporal phrase that lifted some of them.

    `scores` are those of the ten best that are not weak, whatever the number of hits.
    """

    hits: list[Hit]
    temporal: TemporalPhrase | None = None
    scores: Mapping[UUID, float] = field(default_factory=dict[UUID, float])


@dataclass(frozen=True, slots=True)
class MessageContext:
    """The context of a search: the query's words, the number of the user's messages, and their channels."""

    query: QueryReading
    total: int
    channels: Sequence[str]


@dataclass(frozen=True, slots=True)
class AskedMessages:
    """A search: which messages may be found, its context, the embedded query, and the window of the request."""

    scopes: VisibleScopes
    prefetched: MessageContext
    embedded: QueryEmbedding
    window: Window

    @property
    def finds_nothing(self) -> bool:
        """Whether there is no message that may be found."""
        return self.scopes.messages.nothing or self.prefetched.total == 0

    def phrase(self, context: Context) -> TemporalPhrase | None:
        """The temporal phrase of the query."""
        return temporal_phrase(context, self.prefetched.query.text, self.window)


@dataclass(frozen=True, slots=True)
class RankedMessages:
    """Messages in order; `exhausted` when the search would find no others."""

    rows: list[RankedMessage]
    exhausted: bool


async def prefetch(context: Context, text: str) -> MessageContext:
    """Read the context of a search of messages alone."""
    default = context.services.settings.text_search_config
    async with context.database.read(context.user_id) as session:
        languages, channels, (totals,) = await session.rows_of(
            languages_of(context.user_id), channels_of(context.user_id, "message_index"), stats.totals(context.user_id)
        )
    query = read(text, default, known_languages(row.language for row in languages))
    return MessageContext(query, totals.total_messages, [row.channel for row in channels])


async def find_messages(context: Context, asked: AskedMessages, limit: int) -> MessagesFound:
    """The best messages in scope, with their rows."""
    phrase = asked.phrase(context)
    if asked.finds_nothing:
        return MessagesFound([], phrase)
    async with context.database.read(context.user_id) as session:
        ranked = await rank(context, session, asked, count=max(limit, SCORED))
        shown = ranked.rows[:limit]
        rows = await store.message_rows(session, asked.scopes, [row.id for row in shown])
    hits = [Hit(rows[row.id], row.score, row.fit, row.weak, row.adjacent) for row in shown if row.id in rows]
    return MessagesFound(hits, phrase, {row.id: row.score for row in ranked.rows[:SCORED] if not row.weak})


def temporal_phrase(context: Context, text: str, window: Window) -> TemporalPhrase | None:
    """The phrase of the query that names a period; a window of the request takes its place (contract 11.7)."""
    return phrase_in_zone(text, context.now, context.zone) if window.is_open else None


async def rank(
    context: Context, session: ReadSession, asked: AskedMessages, *, count: int, known: Collection[UUID] = ()
) -> RankedMessages:
    """The best messages in order without the `known` ones, at least `count` where there are as many.

    A temporal phrase in the query lifts the messages of its period; it leaves none out (contract 11.7).
    """
    if asked.finds_nothing:
        return RankedMessages([], exhausted=True)
    search = await _prepare(context, session, asked)
    if phrase := asked.phrase(context):
        search = replace(search, period=phrase.window, asks_for_period=phrase.alone)
    return await _ranked(session, search, context.services.settings.weights_of_messages, count, known)


async def _prepare(context: Context, session: ReadSession, asked: AskedMessages) -> MessageSearch:
    """List the channels of the scope; choose among the query's words where there are many messages."""
    scope = listed(asked.scopes.messages, asked.prefetched.channels)
    query, rows = asked.prefetched.query, asked.prefetched.total
    if needs_shares(query.terms, rows):
        sample = store.sample(context.user_id)
        shares = await context.services.document_frequencies.of(session, "messages", rows, *sample)
        query = replace(query, terms=choose_terms(query.terms, shares, rows))
    unrelated = unrelated_cosine(context.services.batcher.embedder, query.language)
    vector, model = asked.embedded.vector, context.services.model
    return MessageSearch(scope, asked.window, query, vector, model, DEPTHS[0], unrelated=unrelated)


async def _ranked(
    session: ReadSession, search: MessageSearch, weights: MessageWeights, count: int, known: Collection[UUID]
) -> RankedMessages:
    """Deeper pools rank behind shallower ones; those that the `known` messages came from are skipped."""
    ranked: list[RankedMessage] = []
    seen = set(known)
    for depth in [depth for depth in DEPTHS if depth > len(known)] or DEPTHS[-1:]:
        rows = await session.rows(store.pool(session.user_id, replace(search, depth=depth)))
        hits = sum(row.around is not None for row in rows)
        found = [row for row in _judged(rows, search, weights) if row.id not in seen]
        ranked += found
        seen.update(row.id for row in found)
        if hits < depth or depth == DEPTHS[-1]:
            return RankedMessages(ranked, exhausted=True)
        if len(ranked) >= count:
            break
    return RankedMessages(ranked, exhausted=False)


def _judged(rows: Sequence[FoundMessage], search: MessageSearch, weights: MessageWeights) -> list[RankedMessage]:
    """The hits and both neighbours of each, ranked with the messages around them."""
    surroundings = Surroundings(rows)
    rarities = next((row.rarities for row in rows if row.rarities is not None), ())
    query = MessageQuery(search.query.text, rarities, search.period, search.asks_for_period, search.unrelated)
    return rank_messages([surroundings.pooled(row) for row in rows], query, weights)


class Surroundings:
    """Which messages are neighbours, and which are candidates: the hits and both neighbours of each."""

    def __init__(self, rows: Sequence[FoundMessage]) -> None:
        self._previous: dict[UUID, UUID] = {}
        self._next: dict[UUID, UUID] = {}
        self._session_words: dict[UUID, int] = {}
        self._candidates: set[UUID] = set()
        for hit in rows:
            chain = hit.around
            if chain is None:
                continue
            index = chain.index(hit.id)
            self._candidates.update(chain[max(0, index - 1) : index + 2])
            for message_id in chain:
                self._session_words[message_id] = hit.session_words or 0
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
            states_time=row.states_time,
            session_words=self._session_words[row.id],
            previous_id=self._previous.get(row.id),
            next_id=self._next.get(row.id),
            candidate=row.id in self._candidates,
        )
