"""Reads of a request on the channel `desk`, which says whether they got a row of the guarded channel."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from uuid import UUID

from memd.context import Context
from memd.db.sql.term import read
from memd.domain.dates.time_window import Window
from memd.domain.periods.validity import Moment
from memd.domain.search.metadata_filter import Namespace
from memd.domain.search.terms import NO_TERMS
from memd.domain.text_analysis.language import Language
from memd.domain.visibility.scoping import VisibleScopes
from memd.embed.service import Vector, embed_query
from memd.erasure.messages import store as erasure
from memd.graph import store as graph
from memd.graph.store import EvidenceScope
from memd.knowledge_bases.search import store as chunk_store
from memd.knowledge_bases.search.store import ScopedBase, ScopedSearch
from memd.memories.namespaces import store as namespaces
from memd.memories.origin import store as origin_store
from memd.memories.profile import store as profile
from memd.messages import search_store
from memd.messages import store as messages
from memd.messages.search_store import MessageSearch
from memd.services import now_ms
from memd.sessions import checkpoint_store, wake_store
from memd.sessions import store as sessions
from memd.sessions.snapshots import store as snapshots
from tests.support.service import TestUser
from tests.support.wire import post

NOW = Moment(now_ms())
SEEN, HIDDEN = "desk", "peer-anna:1"
WORD = "heliotrope"
SESSION = "s"


@dataclass(frozen=True, slots=True)
class World:
    """A user with a row of each kind on the guarded channel; what a request on `desk` may see."""

    user: TestUser
    context: Context
    scopes: VisibleScopes
    in_session: VisibleScopes
    memories: list[UUID]
    base: ScopedBase
    chunks: list[UUID]

    @property
    def id(self) -> UUID:
        """The user."""
        return self.context.user_id

    def search(self) -> ScopedSearch:
        """A search for the hidden chunk."""
        terms = read(WORD, Language("english"), [Language("english")]).terms
        return ScopedSearch([self.base], terms, None, self.context.services.model, 10)


Probe = Callable[[World], Awaitable[bool]]
PROBES: list[Probe] = []


def probe(function: Probe) -> Probe:
    PROBES.append(function)
    return function


@probe
async def recalled(world: World) -> bool:
    reply = await post(world.user, "recall", {"query": WORD, "channel": SEEN})
    return any(WORD in row["content"] for row in reply["memories"])


@probe
async def recalled_without_words(world: World) -> bool:
    reply = await post(world.user, "recall", {"query": "purple flower", "channel": SEEN, "limit": 50})
    return any(WORD in row["content"] for row in reply["memories"])


@probe
async def chunks_found(world: World) -> bool:
    async with world.context.database.read(world.id) as session:
        return bool((await chunk_store.find(session, world.search())).rows)


@probe
async def chunks_by_vector(world: World) -> bool:
    vector = (await embed_query(world.context, WORD)).vector
    search = replace(world.search(), terms=NO_TERMS, vector=vector)
    async with world.context.database.read(world.id) as session:
        return bool((await chunk_store.find(session, search)).rows)


@probe
async def first_chunks(world: World) -> bool:
    async with world.context.database.read(world.id) as session:
        return bool(await chunk_store.first_chunks(session, world.search(), 5))


@probe
async def sampled_chunks(world: World) -> bool:
    rows, params = chunk_store.sample(world.id, [world.base])
    async with world.context.database.read(world.id) as session:
        return bool(await session.values(f"SELECT i.memory_id FROM {rows}", params))


@probe
async def chunk_rows(world: World) -> bool:
    lists = [(world.base.id, world.base.scope)]
    ids = [*world.chunks, *world.memories]
    async with world.context.database.read(world.id) as session:
        query = chunk_store.rows(world.id, world.scopes, lists, ids)
        return bool(await session.values(query.sql, query.params))


@probe
async def chunks_not_reported_as_hidden(world: World) -> bool:
    async with world.context.database.read(world.id) as session:
        (row,) = await session.rows(chunk_store.hidden_chunks(world.id, [world.base]))
    return row.dropped == 0


@probe
async def messages_by_vector(world: World) -> bool:
    vector = (await embed_query(world.context, WORD)).vector
    assert vector is not None
    return await _pool(world, WORD, vector)


@probe
async def messages_by_phrase(world: World) -> bool:
    return await _pool(world, f'"{WORD} valve"', None)


async def _pool(world: World, text: str, vector: Vector | None) -> bool:
    query = read(text, Language("english"), [Language("english")])
    search = MessageSearch(world.scopes.messages, Window(), query, vector, world.context.services.model, 10)
    async with world.context.database.read(world.id) as session:
        return bool(await session.rows(search_store.pool(world.id, search)))


@probe
async def message_rows(world: World) -> bool:
    async with world.context.database.read(world.id) as session:
        ids: list[UUID] = await session.values("SELECT id FROM message WHERE user_id = %(user)s", {"user": world.id})
        return bool(await search_store.message_rows(session, world.scopes, ids))


@probe
async def recent_messages(world: World) -> bool:
    async with world.context.database.read(world.id) as session:
        return bool(await messages.newest(session, world.scopes, Window(), 5))


@probe
async def figures_of_a_session(world: World) -> bool:
    async with world.context.database.read(world.id) as session:
        return (await sessions.figures(session, world.in_session, None, None)).message_count > 0


@probe
async def snapshots_listed(world: World) -> bool:
    async with world.context.database.read(world.id) as session:
        listed = await sessions.page(session, world.scopes, None, 5)
        return bool(listed or await snapshots.page(session, world.scopes, None, None, 5))


@probe
async def checkpoints_listed(world: World) -> bool:
    async with world.context.database.read(world.id) as session:
        return bool(await checkpoint_store.newest(session, world.scopes, 5))


@probe
async def briefing(world: World) -> bool:
    async with world.context.database.read(world.id) as session:
        counted = await wake_store.count_visible(session, world.scopes)
        used = await wake_store.last_used(session, world.scopes, 5)
        pointers = await wake_store.pointers(session, world.scopes, [], "guardrails", 5, world.context.now)
    return bool(counted or used or pointers)


@probe
async def briefing_checkpoint(world: World) -> bool:
    anywhere = world.context.scopes(None, None)
    async with world.context.database.read(world.id) as session:
        return await wake_store.last_checkpoint(session, anywhere) is not None


@probe
async def namespace_page(world: World) -> bool:
    async with world.context.database.read(world.id) as session:
        return bool(await namespaces.page(session, world.scopes.memory, Namespace("n"), (), NOW, limit=5, start=0))


@probe
async def namespace_rows(world: World) -> bool:
    async with world.context.database.read(world.id) as session:
        return bool(await namespaces.rows(session, world.scopes.memory, world.memories, NOW))


@probe
async def facts(world: World) -> bool:
    async with world.context.database.read(world.id) as session:
        return bool(await profile.facts(session, world.scopes.memory, None, world.context.services.clock(), 5))


@probe
async def triggers(world: World) -> bool:
    async with world.context.database.read(world.id) as session:
        return bool(await origin_store.triggered(session, world.scopes, ["deploy"], [], 5))


@probe
async def proofs(world: World) -> bool:
    scope = EvidenceScope(world.scopes, NOW, [(world.base.id, world.base.scope)])
    async with world.context.database.read(world.id) as session:
        return bool(await graph.memories(session, scope, [*world.memories, *world.chunks]))


@probe
async def proof_titles(world: World) -> bool:
    async with world.context.database.read(world.id) as session:
        return bool(await graph.titles(session, EvidenceScope(world.scopes, NOW), world.memories))


@probe
async def edges(world: World) -> bool:
    every = "SELECT id FROM graph_node WHERE user_id = %(user)s"
    async with world.context.database.read(world.id) as session:
        nodes: list[UUID] = await session.values(every, {"user": world.id})
        return bool(await graph.edges(session, EvidenceScope(world.scopes, NOW), nodes, limit=5))


@probe
async def surroundings(world: World) -> bool:
    scope = EvidenceScope(world.scopes, NOW)
    async with world.context.database.read(world.id) as session:
        _, found = await session.rows_of(*graph.surroundings(world.id, scope, world.memories, nodes=9, edges=9))
    return bool(found)


@probe
async def erasable_message(world: World) -> bool:
    async with world.context.database.read(world.id) as session:
        ids: list[UUID] = await session.values("SELECT id FROM message WHERE user_id = %(user)s", {"user": world.id})
        return any([await erasure.is_visible(session, world.in_session, message_id) for message_id in ids])
