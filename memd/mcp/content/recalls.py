"""The answers of recall and of the tools built on it: memories, chunks and messages within a token budget."""

from collections.abc import Sequence
from typing import Any, Final

from memctl.wire.errors import Degradation
from memctl.wire.messages import MessageHit
from memctl.wire.prompt_context import ContextReply
from memctl.wire.recall import AskedPast, Contested, HiddenKnowledgeBase, RecalledMemory, RecallReply
from memctl.wire.triggers import TriggersReply
from memd.domain.messages.bare_acknowledgements import is_bare_acknowledgement
from memd.domain.messages.repeated import memory_words, says_more
from memd.domain.prompts.recall_text import begins_with_title
from memd.domain.text.sentences import first_words
from memd.domain.text.token_estimate import estimate_tokens, fit_lines, truncate_to_tokens
from memd.mcp.content.base import (
    EXCERPT_CHARACTERS,
    Arguments,
    Lean,
    StoredContent,
    ToolContent,
    minute,
    one_line,
    period,
)

BUDGET: Final = 1_060
"""Tokens of a recall of up to 12 rows."""
ROWS_WITHIN_BUDGET: Final = 12
FULL_BUDGET: Final = 3_500
TRIGGERS_BUDGET: Final = 550
CLOSEST: Final = 2
"""Weak rows of an answer without relevant ones: a model can judge a paraphrase that shares no word with its query."""
MESSAGES_MAX: Final = 2
MESSAGE_TOKENS: Final = 30
TITLE_TOKENS: Final = 20
ROW_OVERHEAD: Final = 50
PERIOD_OVERHEAD: Final = 22
MESSAGE_OVERHEAD: Final = 30
"""Tokens of a row around its texts (id, date, names of fields), counted with the o200k vocabulary."""


class RecalledRow(Lean):
    """A memory or chunk. `text` is its compact form, `period` when it is true, unless simply since then; `source` names the knowledge base or channel.

    A `weak` row may have nothing to do with the query. A `contested` one is newer or older than a memory that contradicts it.
    """

    id: str
    title: str
    text: str
    date: str
    period: str | None = None
    store: str
    category: str
    relevance: float
    weak: bool | None = None
    contested: Contested | None = None
    source: str | None = None
    ranking_signals: dict[str, Any] | None = None


class FoundMessage(Lean):
    """A message. `date` is its UTC minute; a `weak` one may have nothing to do with the query."""

    id: str | None = None
    role: str
    speaker: str | None = None
    text: str
    date: str
    channel: str | None = None
    relevance: float | None = None
    weak: bool | None = None


class RecallContent(StoredContent):
    """Memories and chunks best first, and messages that match; `degraded` says why there may be more than these.

    `past` says how to ask for what was true in the past month or year that the query names.
    """

    memories: list[RecalledRow]
    messages: list[FoundMessage]
    nothing_relevant: bool | None = None
    past: str | None = None
    degraded: str | None = None
    hidden: list[str] | None = None


class PackedContent(ToolContent):
    """A text that begins with the notice, its tokens, and how many relevant rows did not fit."""

    context: str
    tokens: int
    left_out: int | None = None
    degraded: str | None = None


class TriggeredRow(Lean):
    """A memory that is tied to a tool."""

    id: str
    title: str | None = None
    text: str


class TriggersContent(StoredContent):
    """Memories tied to the named tools."""

    memories: list[TriggeredRow]


def recalled(reply: RecallReply, sent: Arguments) -> RecallContent:
    """The rows that are relevant, or else the closest two; `compact: false` gives their own words in a larger budget."""
    relevant = [row for row in reply.memories if not row.weak]
    rows = relevant or reply.memories[:CLOSEST]
    in_full = sent.get("compact") is False
    budget = FULL_BUDGET if in_full else BUDGET * max(1.0, len(rows) / ROWS_WITHIN_BUDGET)
    messages = found_messages(_telling(reply, relevant)[:MESSAGES_MAX], MESSAGE_TOKENS * MESSAGES_MAX, identified=False)
    fixed = sum(_overhead(row) for row in rows) + (MESSAGE_OVERHEAD + MESSAGE_TOKENS) * len(messages)
    texts = fit_lines([_body(row, in_full=in_full) for row in rows], int(budget) - fixed)
    memories = [_row(row, text, debug=sent.get("debug") is True) for row, text in zip(rows, texts, strict=True)]
    nothing = not relevant and not messages
    return RecallContent(
        memories=memories,
        messages=messages,
        nothing_relevant=nothing or None,
        past=_how_to_ask(reply.retrieval.asked_past),
        degraded=_why_incomplete(reply, sent.get("limit"), nothing=nothing),
        hidden=hidden([base for base in reply.retrieval.hidden if base.is_surprising()]),
    )


def _telling(reply: RecallReply, memories: Sequence[RecalledMemory]) -> list[MessageHit]:
    """The relevant messages that say more than each of the memories, and more than that another message was read."""
    own = [memory for memory in memories if memory.knowledge_base_id is None]
    known = [memory_words(f"{memory.title} {memory.content}", memory.created_at) for memory in own]
    hits = [hit for hit in reply.message_matches if not (hit.mark or is_bare_acknowledgement(hit.content))]
    return [hit for hit in hits if says_more(hit.content, hit.timestamp, known)]


def _how_to_ask(past: AskedPast | None) -> str | None:
    """How to ask about the past month or year that a query names."""
    if past is None:
        return None
    return f"Answered as of now. For {past.name}, call again with validAt {minute(past.valid_at)[:10]}."


def _why_incomplete(reply: RecallReply, asked: object, *, nothing: bool) -> str | None:
    """The reasons why the answer is incomplete.

    A degradation, fewer rows than were asked for; where `nothing` is relevant, knowledge bases that were not searched, and
    a language that the model does not relate to others.
    """
    used, skipped = reply.retrieval.requested_limit, reply.retrieval.knowledge_bases_skipped
    lowered = f"limit {asked} is more than the maximum: {used}" if isinstance(asked, int) and asked > used else None
    narrowed = f"not searched: {skipped} knowledge bases; recall searches those that knowledgeBaseIds names"
    language = reply.diagnostics.embedding_note if nothing else None
    reasons = (degradation(reply.degradation), lowered, narrowed if nothing and skipped else None, language)
    return "; ".join(reason for reason in reasons if reason) or None


def packed(reply: ContextReply, _sent: Arguments) -> PackedContent:
    """The text and what it costs."""
    return PackedContent(
        context=reply.text,
        tokens=reply.tokens,
        left_out=len(reply.left_out) or None,
        degraded=degradation(reply.degradation),
    )


def triggered(reply: TriggersReply, _sent: Arguments) -> TriggersContent:
    """The memories to read before the named tools are used."""
    rows = reply.memories
    titles = [truncate_to_tokens(one_line(row.title), TITLE_TOKENS) for row in rows]
    fixed = sum(estimate_tokens(row.id + title) + 12 for row, title in zip(rows, titles, strict=True))
    texts = fit_lines([row.recall_text for row in rows], max(TRIGGERS_BUDGET - fixed, 12 * len(rows)))
    return TriggersContent(
        memories=[
            TriggeredRow(id=row.id, title=None if begins_with_title(text, title) else title, text=text)
            for row, title, text in zip(rows, titles, texts, strict=True)
        ]
    )


def found_messages(hits: Sequence[MessageHit], budget: int, *, identified: bool = True) -> list[FoundMessage]:
    """Messages whose texts together cost at most `budget` tokens; without ids and scores unless they are `identified`."""
    texts = fit_lines([hit.content for hit in hits], budget)
    return [
        FoundMessage(
            id=hit.id if identified else None,
            role=hit.role,
            speaker=hit.speaker,
            text=text,
            date=minute(hit.timestamp),
            channel=hit.channel,
            relevance=round(hit.score, 2) if identified else None,
            weak=hit.weak or None,
        )
        for hit, text in zip(hits, texts, strict=True)
    ]


def degradation(degraded: Degradation | None) -> str | None:
    """Why an answer is incomplete; None when it is not."""
    return None if degraded is None else degraded.message


def hidden(bases: Sequence[HiddenKnowledgeBase]) -> list[str] | None:
    """The knowledge bases that gave nothing, each with the reason."""
    return [f"{base.knowledge_base_id} ({base.reason})" for base in bases] or None


def excerpt(content: str, characters: int = EXCERPT_CHARACTERS) -> str:
    """The beginning of a content, up to a sentence end within this number of characters."""
    flat = first_words(content, characters + 1)
    return (
        flat
        if len(flat) <= characters
        else truncate_to_tokens(flat[:characters], estimate_tokens(flat[:characters]) - 1)
    )


def _body(row: RecalledMemory, *, in_full: bool) -> str:
    return row.content if in_full else row.recall_text or excerpt(row.content)


def _overhead(row: RecalledMemory) -> int:
    period_tokens = 0 if row.valid_from is None and row.valid_until is None else PERIOD_OVERHEAD
    return ROW_OVERHEAD + period_tokens + min(TITLE_TOKENS, estimate_tokens(row.title))


def _row(row: RecalledMemory, text: str, *, debug: bool) -> RecalledRow:
    bounds = (None if row.valid_from == row.created_at else row.valid_from, row.valid_until)
    return RecalledRow(
        id=row.id,
        title=truncate_to_tokens(one_line(row.title), TITLE_TOKENS),
        text=text,
        date=minute(row.created_at)[:10],
        period=None if bounds == (None, None) else period(*bounds),
        store=row.store,
        category=row.category,
        relevance=round(row.relevance, 2),
        weak=row.weak or None,
        contested=row.contested(),
        source=row.knowledge_base_name or row.channel,
        ranking_signals=row.ranking_signals.to_wire() if debug else None,
    )
