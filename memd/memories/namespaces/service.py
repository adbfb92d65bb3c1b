"""Listing and searching the memories of a namespace (contract 17.2); neither counts as an access."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import partial
from typing import Final
from uuid import UUID

from memctl.wire.enums import RecallSection
from memctl.wire.keyed_memories import MemorySearchRequest
from memctl.wire.recall import RecallRequest
from memd.access.request.values import requested_moment, requested_where
from memd.context import Context
from memd.domain.periods.validity import Moment
from memd.domain.search.metadata_filter import Namespace
from memd.errors import BadRequest
from memd.memories.history.withheld import withheld_at
from memd.memories.namespaces import store
from memd.memories.namespaces.store import NamespaceRow, Position
from memd.rankings import service as rankings
from memd.rankings.paging import page_of
from memd.rankings.service import Ranked, Ranking
from memd.recall.service import recall_up_to

MOST_RANKED: Final = 1_000
"""Rows of a search with a query; the texts of all that are ranked are held at once."""
AHEAD: Final = 4
"""A page after the first ranks this many times the rows that it needs, for the pages behind it."""


@dataclass(frozen=True, slots=True)
class Match:
    """A memory of the answer; its relevance (0 to 1), and whether it is weak, if there was a query."""

    row: NamespaceRow
    relevance: float | None = None
    weak: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """The memories of one page, and whether there is another; `moment` is the time that was asked about.

    `last` is the position of the last one, if there is another page of a list.
    """

    matches: list[Match]
    has_more: bool
    moment: Moment
    last: Position | None = None


async def search(context: Context, request: MemorySearchRequest, after: Position | None) -> Page:
    """The memories of a namespace that pass the filter: most relevant first, or last changed first without a query.

    A list begins `after` a position, if one is given; `BadRequest` for a query with one.
    """
    if request.query is None:
        return await _listed(context, request, request.offset if after is None else after)
    if after is not None:
        raise BadRequest("Field cursor must be absent in a search with a query")
    return await _ranked(context, request, request.query)


async def _listed(context: Context, request: MemorySearchRequest, start: int | Position) -> Page:
    scope = context.scopes(request.channel, request.agent_id).memory
    where, namespace = requested_where(request.where), Namespace(request.namespace)
    moment = requested_moment(request, context.now)
    async with context.database.read(context.user_id) as session:
        rows = await store.page(session, scope, namespace, where, moment, limit=request.limit + 1, start=start)
    page, has_more = rows[: request.limit], len(rows) > request.limit
    hidden = await withheld_at(context, [row.id for row in page], moment.known_at)
    last = (page[-1].updated_at, page[-1].id) if has_more else None
    return Page([Match(row) for row in page if row.id not in hidden], has_more, moment, last)


async def _ranked(context: Context, request: MemorySearchRequest, query: str) -> Page:
    """As recall ranks the memories of the namespace, equal ones included; all pages share one order."""
    key = rankings.key_of("memories", request.model_dump_json(exclude={"limit", "offset"}))
    page = await page_of(context, key, request.offset, request.limit, partial(_rank, context, request, query))
    scope = context.scopes(request.channel, request.agent_id).memory
    moment = requested_moment(request, context.now)
    async with context.database.read(context.user_id) as session:
        found = {row.id: row for row in await store.rows(session, scope, [row.id for row in page.rows], moment)}
    matches = [Match(found[row.id], row.score, row.weak) for row in page.rows if row.id in found]
    return Page(matches, page.size > request.offset + request.limit, moment)


async def _rank(
    context: Context, request: MemorySearchRequest, query: str, count: int, known: Collection[UUID]
) -> Ranking:
    """The best `count` rows beside those that are known, `MOST_RANKED` with them. Later pages rank ahead."""
    asked = len(known) + count
    asked = min(MOST_RANKED, asked * AHEAD if known else asked)
    recalled = await recall_up_to(context, _recall_request(context, request, query), asked, keep_copies=True)
    rows = [Ranked(row.candidate.id, row.relevance, row.weak) for row in recalled.rows]
    exhausted = len(rows) < asked or asked == MOST_RANKED
    return Ranking([row for row in rows if row.id not in known], exhausted)


def _recall_request(context: Context, request: MemorySearchRequest, query: str) -> RecallRequest:
    """A request that names no time gets active memories whenever they are true."""
    moment = requested_moment(request, context.now)
    return RecallRequest(
        query=query,
        namespace=request.namespace,
        where=request.where,
        channel=request.channel,
        agent_id=request.agent_id,
        sections=[RecallSection.MEMORIES],
        collapse_near_duplicates=False,
        valid_at=request.valid_at,
        known_at=request.known_at,
        as_of=request.as_of,
        include_ended=request.include_ended or not moment.is_historical,
    )
