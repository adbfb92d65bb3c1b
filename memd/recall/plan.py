"""What a recall asks for, worked out once from the request (contract 6.2, 7.0, 10, 11.3)."""

from dataclasses import dataclass, replace
from typing import Final
from uuid import UUID

from memctl.wire.recall import RecallRequest
from memd.context import Context
from memd.domain.ids import decode
from memd.domain.projects import project_id
from memd.domain.ranking import RankQuery
from memd.domain.recall_modes import RowFilter, row_filter
from memd.domain.scoping import VisibleScopes
from memd.domain.source_roles import RecallIntent, classify_intent
from memd.domain.text_match import QueryTerms, query_terms
from memd.domain.time_window import Window
from memd.domain.validity import Moment
from memd.memories.filters import requested_namespace, requested_where
from memd.memories.validity import requested_moment
from memd.messages.windows import is_open, requested_window

MESSAGE_MATCHES: Final = 10


@dataclass(frozen=True, slots=True)
class RecallPlan:
    """The request with its defaults filled in; `named` are the knowledge bases that it names, and then only those.

    `limit` is the most memories and chunks of the answer, `message_limit` the most messages.
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
    named: tuple[UUID, ...]

    @property
    def collapse(self) -> bool:
        """Whether near duplicates are collapsed."""
        return self.request.collapse_near_duplicates

    @property
    def message_scopes(self) -> VisibleScopes:
        """What the message lane may see."""
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
            "timeWindow": not is_open(self.window),
            "validAt": self.moment.travels,
            "mode": request.mode,
        }
        return [name for name, value in applied.items() if value]


def make_plan(context: Context, request: RecallRequest, most_rows: int | None = None) -> RecallPlan:
    """The plan of a request; `BadRequest` for a time window that cannot be read.

    `most_rows` replaces the limits of the request for callers that take more rows than an answer on the wire holds.
    """
    text = request.query
    moment = requested_moment(request, context.now)
    limit = most_rows or request.limit or context.services.settings.recall_default_limit
    return RecallPlan(
        request=request,
        text=text,
        terms=query_terms(text),
        intent=classify_intent(text),
        limit=limit,
        message_limit=most_rows or min(limit, MESSAGE_MATCHES),
        scopes=context.scopes(
            request.channel,
            request.agent_id,
            peer_scope=request.peer_scope,
            session_key=_session(request),
            all_channels=request.all_channels,
        ),
        wanted=row_filter(
            request.mode,
            stores=request.wanted_stores(),
            categories=request.wanted_categories(),
            tags=request.tags,
            project_id=project_id(request.project_id, request.repo_slug),
            namespace=requested_namespace(request.namespace),
            where=requested_where(request.where),
        ),
        window=_known_window(requested_window(request), moment),
        moment=moment,
        named=tuple(decode("kb", base_id) for base_id in request.named_knowledge_bases()),
    )


def _known_window(window: Window, moment: Moment) -> Window:
    """The window of the message lane: nothing that was said after the time of knowing."""
    if moment.known_at is None:
        return window
    return Window(window.from_ms, moment.known_at if window.to_ms is None else min(window.to_ms, moment.known_at))


def _session(request: RecallRequest) -> str | None:
    """The session that bounds the message lane: the one given, unless the request says that it does not."""
    unbound = "scope_to_session" in request.model_fields_set and not request.scope_to_session
    return None if unbound else request.session_key
