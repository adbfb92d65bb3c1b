"""Context: the relevant memories, chunks and messages for a query, packed into a token budget (contract 17.3)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from memctl.wire.enums import RecallSection
from memctl.wire.moments import moment_fields
from memctl.wire.prompt_context import ContextRequest, ContextSection, TokenCounter
from memctl.wire.recall import RecallRequest
from memd.cancellation import both
from memd.context import Context
from memd.domain.dates.calendar_day import iso_day
from memd.domain.dates.zone import TimeZone
from memd.domain.ids import encode
from memd.domain.messages.bare_acknowledgements import is_bare_acknowledgement
from memd.domain.messages.repeated import memory_words, says_more
from memd.domain.prompts.context_packing import ContextRow, CountTokens, Group, PackedContext, pack
from memd.domain.prompts.recall_text import begins_with_title, recall_text
from memd.domain.prompts.session_text import excerpt
from memd.domain.ranking.contested import without_overtaken
from memd.domain.ranking.evidence import WEAK_BELOW
from memd.domain.ranking.rank_score import RankedRow
from memd.domain.text.token_estimate import estimate_tokens
from memd.embed.providers.provider import EmbeddingUnavailableError
from memd.embed.providers.token_counter import wordpiece_counter
from memd.embed.service import Degraded
from memd.errors import BadRequest
from memd.memories.profile.service import profiles_in
from memd.messages.search import Hit
from memd.off_loop import in_thread
from memd.prompt_context.facts import fact_rows
from memd.recall.recalled import Recalled
from memd.recall.service import recall_up_to

FULL_CHARACTERS: Final = 1_000
COMPACT_CHARACTERS: Final = 400
_READ_FOR_COMPACT: Final = 4_000
"""Characters of a message that its compact form is made of."""
MIN_ROWS: Final = 12
MAX_ROWS: Final = 100
TOKENS_PER_ROW: Final = 25
"""Approximate tokens of the shortest lines: the number of rows is at most the budget divided by this."""

RELEVANT_SHARE: Final = 0.55
"""Messages below that share of the best score are weak: a quarter of the forty best, without any evidence (LoCoMo)."""
CONTRADICTED: Final = " (a newer memory says otherwise)"
"""After the older memory of an open conflict."""
MIN_WEAK_SCORE: Final = 0.2
"""Messages that are weak by themselves need that score, which comes from what was said around them; none of the evidence
of LoCoMo is lost. Without it, a query that hardly fits anything gets all of a short session."""


@dataclass(frozen=True, slots=True)
class BuiltContext:
    """The packed text, and why the search was by words alone, if it was."""

    packed: PackedContext
    degraded: Degraded | None


async def build_context(context: Context, request: ContextRequest) -> BuiltContext:
    """The context of a request; `KnowledgeBaseNotFound` for a named one that is not there.

    Named knowledge bases narrow only the knowledge section, so they need a separate recall.
    """
    count = _counter(context, request.counter)
    max_rows = min(MAX_ROWS, max(MIN_ROWS, request.token_budget // TOKENS_PER_ROW))
    facts, (recalled, chunks) = await both(_facts(context, request), _recall(context, request, max_rows))

    def packing() -> PackedContext:
        return pack([facts, *_rankings(request, recalled, chunks)], request.token_budget, count)

    packed = await in_thread(packing)
    return BuiltContext(packed, recalled.found.embedded.degraded)


async def _recall(context: Context, request: ContextRequest, max_rows: int) -> tuple[Recalled, Recalled]:
    """The general recall, and the one that the chunks are taken from."""
    general = _recall_request(request)
    if not request.knowledge_base_ids or ContextSection.KNOWLEDGE not in request.sections:
        recalled = await recall_up_to(context, general, max_rows)
        return recalled, recalled
    only_chunks = {"knowledge_base_ids": request.knowledge_base_ids, "sections": [RecallSection.KNOWLEDGE]}
    named = general.model_copy(update=only_chunks)
    others = [section for section in general.sections if section is not RecallSection.KNOWLEDGE]
    if not others:
        recalled = await recall_up_to(context, named, max_rows)
        return recalled, recalled
    general = general.model_copy(update={"sections": others})
    return await both(recall_up_to(context, general, max_rows), recall_up_to(context, named, max_rows))


async def _facts(context: Context, request: ContextRequest) -> list[ContextRow]:
    """The profiles of the subjects of the query as of now; none when the request names another time."""
    if ContextSection.PROFILE not in request.sections or any(moment_fields(request).values()):
        return []
    scope = context.scopes(request.channel, request.agent_id, all_channels=request.all_channels).memory
    profiles = await profiles_in(context, scope, request.query)
    return fact_rows(profiles, request.query, context.services.settings.text_search_config, context.zone)


def _recall_request(request: ContextRequest) -> RecallRequest:
    return RecallRequest(
        query=request.query,
        channel=request.channel,
        agent_id=request.agent_id,
        project_id=request.project_id,
        all_channels=request.all_channels,
        min_evidence=WEAK_BELOW,
        include_graph_context=False,
        sections=[section for section in RecallSection if section in request.sections],
        **moment_fields(request),
    )


def _counter(context: Context, counter: TokenCounter) -> CountTokens:
    if counter is TokenCounter.ESTIMATE:
        return estimate_tokens
    try:
        return wordpiece_counter(context.services.settings.data_dir)
    except EmbeddingUnavailableError as error:
        raise BadRequest(f"counter wordpiece is not available: {error}") from None


def _rankings(request: ContextRequest, recalled: Recalled, chunks: Recalled) -> Iterator[Sequence[ContextRow]]:
    """One ranking for memories and chunks of a recall, one for messages; only of the wanted sections."""
    sections = request.sections
    kept = [
        row
        for row in recalled.rows
        if _is_in_sections(row, sections) and (chunks is recalled or not row.candidate.is_chunk)
    ]
    yield [_row(recalled, row) for row in _with_newer(recalled, kept)]
    if chunks is not recalled:
        yield [_row(chunks, row) for row in chunks.rows]
    if recalled.found.messages is not None and ContextSection.MESSAGES in sections:
        hits = _relevant(_elsewhere(recalled.found.messages.hits, request.except_session_key))
        yield [_message_row(hit, recalled.plan.zone) for hit in _not_repeated(hits, kept)]


def _not_repeated(hits: Sequence[Hit], rows: Sequence[RankedRow]) -> list[Hit]:
    """The messages that say more than each of the memories among the rows."""
    stored = [row.candidate.stored for row in rows if not row.candidate.is_chunk]
    memories = [memory_words(f"{one.title} {one.content}", one.created_at) for one in stored]
    return [hit for hit in hits if says_more(hit.row.content, hit.row.timestamp, memories)]


def _with_newer(recalled: Recalled, rows: Sequence[RankedRow]) -> list[RankedRow]:
    """The rows, with the newer memory of an open conflict inserted before the older one if it was found at all."""
    newer = {one.old_id: one.new_id for one in without_overtaken(recalled.found.memories.conflicts)}
    placed = {row.candidate.id for row in rows}
    missing = {row.candidate.id: row for row in recalled.candidates if row.candidate.id not in placed} if newer else {}
    result: list[RankedRow] = []
    for row in rows:
        if row.candidate.id in newer and (other := missing.pop(newer[row.candidate.id], None)):
            result.append(other)
        result.append(row)
    return result


def _is_in_sections(row: RankedRow, sections: Sequence[ContextSection]) -> bool:
    return (ContextSection.KNOWLEDGE if row.candidate.is_chunk else ContextSection.MEMORIES) in sections


def _row(recalled: Recalled, row: RankedRow) -> ContextRow:
    """The line of a memory or chunk: its day, title unless the content begins with it, text, id, and what contradicts it."""
    candidate = row.candidate
    contradicted = any(one.old_id == candidate.id for one in recalled.found.memories.conflicts)
    stored = candidate.stored
    bases = {base.id: base.row.name for base in recalled.found.chunks.searched}
    heading = "Memories:"
    if candidate.knowledge_base_id is not None:
        heading = f"Knowledge base {excerpt(bases[candidate.knowledge_base_id])}:"
    mark = CONTRADICTED if contradicted else ""
    start, end = f"- {iso_day(recalled.plan.zone.local(stored.created_at))} ", f"{mark} [{encode('mem', candidate.id)}]"
    title = "" if begins_with_title(stored.content, stored.title) else f"{' '.join(stored.title.split())}: "
    full, compact = (
        f"{start}{title}{excerpt(text, maximum)}{end}"
        for text, maximum in (
            (stored.content, FULL_CHARACTERS),
            (stored.recall_text or recall_text(stored.content), COMPACT_CHARACTERS),
        )
    )
    return ContextRow(
        candidate.id,
        Group.KNOWLEDGE if candidate.is_chunk else Group.MEMORIES,
        heading,
        full,
        compact,
        row.relevance,
        row.signals.evidence_score,
        stored.created_at,
    )


def _elsewhere(hits: Sequence[Hit], session_key: str | None) -> Sequence[Hit]:
    """The messages of all sessions but one."""
    return hits if session_key is None else [hit for hit in hits if hit.row.session_key != session_key]


def _relevant(hits: Sequence[Hit]) -> list[Hit]:
    """The messages worth a line: those near the best one, if any message has to do with the query at all.

    What is only adjacent to others, or acknowledges another one, has its score from there and says nothing.
    """
    if all(hit.weak for hit in hits):
        return []
    minimum = RELEVANT_SHARE * hits[0].score
    near = [hit for hit in hits if hit.score >= (max(minimum, MIN_WEAK_SCORE) if hit.weak else minimum)]
    return [hit for hit in near if not (hit.adjacent or is_bare_acknowledgement(hit.row.content))]


def _message_row(hit: Hit, zone: TimeZone) -> ContextRow:
    """The line of a message: its day, speaker, text and id."""
    message = hit.row
    speaker = excerpt(message.speaker or message.role)
    start, end = f"- {iso_day(zone.local(message.timestamp))} {speaker}: ", f" [{encode('msg', message.id)}]"
    return ContextRow(
        message.id,
        Group.MESSAGES,
        "Messages:",
        f"{start}{excerpt(message.content, FULL_CHARACTERS)}{end}",
        f"{start}{excerpt(recall_text(message.content[:_READ_FOR_COMPACT]), COMPACT_CHARACTERS)}{end}",
        hit.score,
        hit.fit,
        message.timestamp,
    )
