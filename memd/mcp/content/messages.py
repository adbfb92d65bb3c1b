"""The answers of the tools for messages, the briefing and checkpoints."""

from collections.abc import Sequence
from typing import Final

from memctl.wire.enums import Tier
from memctl.wire.messages import MessageRow, RecentMessagesReply, SearchMessagesReply, TurnReply
from memctl.wire.sessions import (
    CheckpointCreated,
    CheckpointDeleted,
    CheckpointList,
    CheckpointReply,
    CheckpointRow,
    WakeCheckpoint,
    WakeReply,
)
from memd.domain.prompts.briefing import PREAMBLE_TOKENS, without_preamble
from memd.domain.text.token_estimate import fit_lines, truncate_to_tokens
from memd.mcp.content.base import Arguments, Lean, StoredContent, ToolContent, minute, one_line
from memd.mcp.content.recalls import CLOSEST, FoundMessage, degradation, found_messages

SEARCH_TOKENS: Final = 320
RECENT_TOKENS: Final = 300
BRIEFING_TOKENS: Final = 560 + PREAMBLE_TOKENS
"""The budget that the endpoint is asked for; the answer leaves the preamble out, which it has in other words already."""
WAKE_IDS: Final = 3
"""Of each kind."""
LABEL_TOKENS: Final = 10
STATE_TOKENS: Final = 80
"""Of the description of the last checkpoint in a briefing."""
CHECKPOINTS_TOKENS: Final = 300
"""Of what the listed checkpoints say about the state of the work."""
TEXT_FLOOR: Final = 20
"""Tokens that each message keeps, however many are asked for."""


class SearchContent(StoredContent):
    """Messages, best first; `next_offset` continues the search while a page has relevant messages."""

    messages: list[FoundMessage]
    nothing_relevant: bool | None = None
    next_offset: int | None = None
    degraded: str | None = None


class SaidLine(Lean):
    """A message in the order of time."""

    role: str
    text: str
    date: str
    channel: str | None = None


class RecentContent(StoredContent):
    """The last messages, in the order asked for; `channel` when all are of one."""

    channel: str | None = None
    messages: list[SaidLine]


class WakeContent(StoredContent):
    """The briefing of a new session, the state of work at the last checkpoint, and the ids of its first goals and decisions."""

    briefing: str
    checkpoint: str | None = None
    ids: list[str]


class CheckpointLine(Lean):
    """A checkpoint of the list; `text` is its description, or else its summary."""

    id: str
    label: str
    text: str | None = None
    date: str
    memories: int


class CheckpointContent(StoredContent):
    """The new checkpoint, or the list of them; how many are kept, and may be where there is a limit."""

    id: str | None = None
    memories: int | None = None
    checkpoints: list[CheckpointLine] | None = None
    kept: int | None = None
    allowance: int | None = None


class TurnContent(ToolContent):
    """The stored messages of a turn."""

    stored: list[str] | None = None
    deduped: bool | None = None
    extraction_scheduled: bool | None = None


def found(reply: SearchMessagesReply, _sent: Arguments) -> SearchContent:
    """The relevant messages of a page, and how to go on; on a first page without any, the closest two.

    A later page without relevant messages is the end of the search, not a sign that nothing is relevant.
    """
    page = reply.pagination
    relevant = [hit for hit in reply.messages if not hit.mark]
    is_first = page.offset == 0
    hits = relevant or (reply.messages[:CLOSEST] if is_first else [])
    budget = max(SEARCH_TOKENS, TEXT_FLOOR * len(hits))
    return SearchContent(
        messages=found_messages(hits, budget),
        nothing_relevant=True if is_first and not relevant else None,
        next_offset=page.next_offset if page.has_more and relevant else None,
        degraded=degradation(reply.degradation),
    )


def recent(reply: RecentMessagesReply, _sent: Arguments) -> RecentContent:
    """The last messages."""
    rows = reply.messages
    channels = {row.channel for row in rows}
    shared = next(iter(channels)) if len(channels) == 1 else None
    texts = fit_lines([row.content for row in rows], max(RECENT_TOKENS, TEXT_FLOOR * len(rows)))
    return RecentContent(
        channel=shared,
        messages=[
            _message_line(row, text, with_channel=len(channels) > 1) for row, text in zip(rows, texts, strict=True)
        ],
    )


def awake(reply: WakeReply, _sent: Arguments) -> WakeContent:
    """The briefing without blank lines and without its notice and hint on tools, which answer and tool list give already."""
    pointers = [*reply.open_goals[:WAKE_IDS], *reply.recent_decisions[:WAKE_IDS]]
    lines = without_preamble(reply.briefing).splitlines()
    return WakeContent(
        briefing="\n".join(line for line in lines if line),
        checkpoint=_state_of_work(reply.last_checkpoint) if reply.last_checkpoint else None,
        ids=[pointer.memory_id for pointer in pointers],
    )


def checkpointed(
    reply: CheckpointReply | CheckpointCreated | CheckpointList | CheckpointDeleted, _sent: Arguments
) -> CheckpointContent:
    """The new checkpoint, or those that there are."""
    match reply.root if isinstance(reply, CheckpointReply) else reply:
        case CheckpointCreated() as made:
            return CheckpointContent(
                id=made.id,
                memories=made.memory_count,
                kept=made.retained_count,
                allowance=_allowance(made.tier, made.allowance),
            )
        case CheckpointList() as listed:
            return CheckpointContent(
                checkpoints=_listed(listed.checkpoints),
                kept=listed.retained_count,
                allowance=_allowance(listed.tier, listed.allowance),
            )
        case CheckpointDeleted() as gone:
            return CheckpointContent(id=gone.checkpoint_id)


def _allowance(tier: Tier, allowance: int) -> int | None:
    """How many checkpoints may be kept; None without a limit."""
    return None if tier is Tier.UNLIMITED else allowance


def _state_of_work(last: WakeCheckpoint) -> str:
    """`2026-11-18 before coupons: The coupon field is done.`: the day, the label and the description of a checkpoint."""
    label = truncate_to_tokens(one_line(last.label), LABEL_TOKENS)
    text = truncate_to_tokens(one_line(last.description or ""), STATE_TOKENS)
    return f"{minute(last.created_at)[:10]} {label}" + (f": {text}" if text else "")


def _listed(rows: Sequence[CheckpointRow]) -> list[CheckpointLine]:
    texts = fit_lines([row.description or row.semantic_summary or "" for row in rows], CHECKPOINTS_TOKENS)
    return [
        CheckpointLine(
            id=row.id,
            label=truncate_to_tokens(one_line(row.label), LABEL_TOKENS),
            text=text or None,
            date=minute(row.created_at)[:10],
            memories=row.memory_count,
        )
        for row, text in zip(rows, texts, strict=True)
    ]


def turned(reply: TurnReply, _sent: Arguments) -> TurnContent:
    """The stored messages of a turn."""
    if reply.deduped:
        return TurnContent(deduped=True)
    stored = [message.role.value for message in reply.messages if message.inserted]
    return TurnContent(stored=stored, extraction_scheduled=reply.extraction.scheduled)


def _message_line(row: MessageRow, text: str, *, with_channel: bool) -> SaidLine:
    channel = row.channel if with_channel else None
    return SaidLine(role=row.speaker or row.role, text=text, date=minute(row.timestamp), channel=channel)
