"""The plan of a recall and the context of its search (contract 6.2, 7.0, 10, 11.3).

The plan is derived from the request; the search context is read in one round trip while the query is being embedded.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, Self
from uuid import UUID

from memctl.wire.enums import RecallSection
from memctl.wire.recall import RecallRequest
from memd.access.request.values import known_window, requested_moment, requested_where, requested_window
from memd.context import Context
from memd.db.engine import GENERIC_PLAN
from memd.db.sql.channels import MAX_CHANNELS, listed
from memd.db.sql.languages import known_languages
from memd.db.sql.term import QueryReading, read
from memd.db.typed_rows import ComposedRow, Query
from memd.domain.dates.time_window import Window
from memd.domain.dates.zone import TimeZone
from memd.domain.ids import decode
from memd.domain.periods.validity import Moment
from memd.domain.questions.due import AskedDue, asked_due
from memd.domain.questions.facts import asked_fact
from memd.domain.questions.past import AskedPast, asked_past
from memd.domain.questions.time_only import AskedTime, asked_time
from memd.domain.ranking.rank_score import RankQuery
from memd.domain.search.metadata_filter import Namespace
from memd.domain.search.projects import project_id
from memd.domain.search.recall_modes import NO_FILTER, RowFilter, row_filter
from memd.domain.search.source_roles import RecallIntent, classify_intent
from memd.domain.search.terms import MAX_TOGETHER, NO_TERMS, choose_terms, needs_shares
from memd.domain.search.text_match import QueryTerms, query_terms
from memd.domain.visibility.scoping import MemoryScope, VisibleScopes
from memd.embed.reading import unrelated_cosine
from memd.embed.vector_index import is_indexed
from memd.knowledge_bases.search import service as chunk_search
from memd.knowledge_bases.search.service import SearchedBase
from memd.messages.search import MessageContext
from memd.recall import moment_store, store
from memd.recall.lane_store import MemorySearch
from memd.recall.moment_store import PRESENT, RowCounts

MESSAGE_MATCHES: Final = 10
ENOUGH_HITS: Final = 500
"""Rows that the text lane may be expected to rank; it passes on a tenth of them at most."""


@dataclass(frozen=True, slots=True)
class RecallPlan:
    """The request with its defaults filled in; `named` are the knowledge bases that it names, and then only those.

    `sections` are the parts of the answer. `limit` is the maximum number of memories and chunks of the answer,
    `message_limit` that of messages; `keep_copies` keeps memories with equal contents. `question` is set where the query
    names nothing to look for: it asks what is due, or what was stored in a past time.
    """

    request: RecallRequest
    text: str
    terms: QueryTerms
    intent: RecallIntent
    limit: int
    message_limit: int
    scopes: VisibleScopes
    wanted: RowFilter
    window: Window
    moment: Moment
    zone: TimeZone
    named: tuple[UUID, ...]
    sections: frozenset[RecallSection]
    question: AskedDue | AskedTime | None
    keep_copies: bool = False

    @property
    def collapse(self) -> bool:
        """Whether near duplicates are collapsed."""
        return self.request.collapse_near_duplicates

    @property
    def asked_past(self) -> AskedPast | None:
        """The past month or year that the query names; None where the request names a time, or includes what has ended.

        None also for a question that is answered by what was stored in that month or year.
        """
        if self.moment.is_historical or isinstance(self.question, AskedTime):
            return None
        return asked_past(self.text, self.zone.local(self.moment.valid_at))

    @property
    def is_timeless(self) -> bool:
        """Whether the query names no past month or year, and does not ask what is due or was stored then."""
        return self.question is None and self.asked_past is None

    @property
    def message_scopes(self) -> VisibleScopes:
        """The scopes of the message lane."""
        return replace(self.scopes, messages=self.scopes.message_lane)

    def rank_query(self, now: int) -> RankQuery:
        """The request's side of a score at `now` (epoch ms)."""
        q = self.scopes.request.q
        then = now if self.moment.known_at is None else min(now, self.moment.known_at)
        return RankQuery(then, channel=q, peer_capable=self.scopes.rules.is_peer_capable(q))

    def filters_applied(self) -> list[str]:
        """The fields of the request that narrow the answer, by their wire names."""
        request = self.request
        applied = {
            "channel": self.scopes.request.q,
            "agentId": self.scopes.request.agent,
            "knowledgeBaseIds": self.named,
            "stores": self.wanted.stores,
            "categories": self.wanted.categories,
            "tags": self.wanted.tags,
            "namespace": self.wanted.namespace,
            "where": self.wanted.where,
            "projectId": self.wanted.project_id,
            "sessionKey": self.scopes.messages.session_key,
            "timeWindow": not self.window.is_open,
            "validAt": self.moment.is_historical,
            "mode": request.mode,
            "sections": len(self.sections) < len(RecallSection),
        }
        return [name for name, value in applied.items() if value]


@dataclass(frozen=True, slots=True)
class SearchContext:
    """The query's words; the caller's knowledge bases (the named ones, if any); the memories.

    Of the memories: their number, whether their vectors are indexed, how many rows a past moment has, whether a graph was
    made of any, whether any contradict each other, the visible ones, and whether those are all.
    """

    query: QueryReading
    bases: Sequence[SearchedBase]
    memories: int
    indexed: bool
    counts: RowCounts
    has_graph: bool
    has_conflicts: bool
    scope: MemoryScope
    sees_all: bool
    messages: MessageContext


@dataclass(frozen=True, slots=True)
class _Prefetched(ComposedRow):
    """A row of `store.prefetch`; only the first has the three lists, and `base` is None where there is none."""

    memories: int
    messages: int
    has_graph: bool
    has_conflicts: bool
    indexed: bool
    channels: list[str]
    message_channels: list[str]
    languages: list[str]
    base: SearchedBase | None

    _fields: ClassVar[tuple[str, ...]] = (
        *("memories", "messages", "has_graph", "has_conflicts", "indexed"),
        *("channels", "message_channels", "languages", "place"),
        *SearchedBase._fields,
    )

    @classmethod
    def _make(cls, iterable: Iterable[Any], /) -> Self:
        memories, messages, has_graph, has_conflicts, indexed, channels, message_channels, languages, _, *base = (
            iterable
        )
        stored = None if base[0] is None else SearchedBase._make(base)
        return cls(memories, messages, has_graph, has_conflicts, indexed, channels, message_channels, languages, stored)


def make_plan(context: Context, request: RecallRequest, max_rows: int | None = None) -> RecallPlan:
    """The plan of a request; `BadRequest` for a time window that cannot be read.

    `max_rows` replaces the limits of the request for callers that take more rows than an answer on the wire holds.
    """
    text = request.query
    moment = requested_moment(request, context.now)
    window = requested_window(request)
    limit = max_rows or request.limit or context.services.settings.recall_default_limit
    sections = frozenset(request.sections or RecallSection)
    return RecallPlan(
        request=request,
        text=text,
        terms=query_terms(text),
        intent=classify_intent(text),
        limit=limit,
        message_limit=limit if max_rows and RecallSection.MESSAGES in sections else min(limit, MESSAGE_MATCHES),
        scopes=context.scopes(
            request.channel,
            request.agent_id,
            peer_scope=request.peer_scope,
            session_key=_session(request),
            all_channels=request.all_channels,
        ),
        wanted=_wanted(request),
        window=known_window(window, moment),
        moment=moment,
        zone=context.zone,
        named=tuple(decode("kb", base_id) for base_id in request.named_knowledge_bases()),
        sections=sections,
        question=_question(context, text, window, moment),
    )


def _wanted(request: RecallRequest) -> RowFilter:
    """The filters of a request on rows."""
    return row_filter(
        request.mode,
        stores=request.wanted_stores(),
        categories=request.wanted_categories(),
        tags=request.tags,
        project_id=project_id(request.project_id, request.repo_slug),
        namespace=None if request.namespace is None else Namespace(request.namespace),
        where=requested_where(request.where),
    )


def _question(context: Context, text: str, window: Window, moment: Moment) -> AskedDue | AskedTime | None:
    """What a query that names nothing to look for asks for; a stored time only where the request names none."""
    due = asked_due(text, context.zone.local(moment.valid_at))
    if due is not None or not window.is_open or moment.is_historical:
        return due
    return asked_time(text, context.now, context.zone)


def _session(request: RecallRequest) -> str | None:
    """The session that bounds the message lane: the one given, unless the request says that it does not."""
    unbound = "scope_to_session" in request.model_fields_set and not request.scope_to_session
    return None if unbound else request.session_key


async def prefetch(context: Context, plan: RecallPlan) -> SearchContext:
    """Read the search context of a request; `KnowledgeBaseNotFound` for a named one that the caller does not have."""
    rows, counts = await _fetch(context, plan.moment)
    first = rows[0]
    query = read(plan.text, context.services.settings.text_search_config, known_languages(first.languages))
    message_query = query
    if plan.question and not plan.named:
        query = replace(query, terms=NO_TERMS, phrase=None)
    scope = plan.scopes.memory
    return SearchContext(
        query=query,
        bases=chunk_search.select_bases((row.base for row in rows if row.base is not None), plan.named),
        memories=first.memories,
        indexed=first.indexed,
        counts=counts if first.indexed else PRESENT,
        has_graph=first.has_graph,
        has_conflicts=first.has_conflicts,
        scope=scope if plan.moment.is_historical else listed(scope, first.channels),
        sees_all=len(first.channels) <= MAX_CHANNELS and all(map(scope.admits, [None, *first.channels])),
        messages=MessageContext(
            message_query if isinstance(plan.question, AskedTime) else query, first.messages, first.message_channels
        ),
    )


async def _fetch(context: Context, moment: Moment) -> tuple[list[_Prefetched], RowCounts]:
    """The rows of `store.prefetch`, and how many rows a past state of knowledge has; in one round trip."""
    user = context.user_id
    query = Query(_Prefetched, *store.prefetch(user, is_indexed(context), chunk_search.searched_bases(user)))
    async with context.database.read(user, GENERIC_PLAN) as session:
        if moment.known_at is None:
            return await session.rows(query), PRESENT
        past = Query(RowCounts, *moment_store.row_counts(user, context.services.model, moment.known_at))
        rows, (counts,) = await session.rows_of(query, past)
        return rows, counts


async def memory_search(context: Context, plan: RecallPlan, prefetched: SearchContext) -> MemorySearch:
    """The search among the memories: for all words of the query, or for the rarest where there are many rows."""
    terms, rows = prefetched.query.terms, prefetched.memories
    if needs_shares(terms, rows, many_rows=4 * ENOUGH_HITS):
        sample = store.sample(context.user_id)
        async with context.database.read(context.user_id, GENERIC_PLAN) as session:
            shares = await context.services.document_frequencies.of(session, "memories", rows, *sample)
        terms = choose_terms(terms, shares, rows, max_rows=ENOUGH_HITS, max_together=MAX_TOGETHER)
    return MemorySearch(
        scope=prefetched.scope,
        wanted=plan.wanted,
        terms=terms,
        memories=prefetched.memories,
        whole=prefetched.sees_all and plan.wanted == NO_FILTER and not plan.moment.is_historical,
        model=context.services.model,
        indexed=prefetched.indexed,
        has_graph=prefetched.has_graph,
        moment=plan.moment,
        counts=prefetched.counts,
        question=plan.question or (asked_fact(plan.text) if prefetched.has_graph else None),
        unrelated=unrelated_cosine(context.services.batcher.embedder, prefetched.query.language),
        language=prefetched.query.language,
    )
