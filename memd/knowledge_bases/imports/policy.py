"""The content policy on a batch of chunks: blocked chunks are listed, the rest is stored (contract 8.4, rule 4)."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from memctl.wire.invisible import without_invisible
from memd.context import Context
from memd.domain.chunks.imports import ChunkInput
from memd.domain.policy.content_policy import Block, PolicyRules, details_text, evaluate
from memd.memories.own_keys import OWN_KEY, detect_own_keys
from memd.off_loop import in_pieces

if TYPE_CHECKING:
    from memd.policy.moderation import Moderator

ASKED_AT_ONCE = 8


@dataclass(frozen=True, slots=True)
class Rejected:
    """A chunk that was not stored; `index` counts from 0."""

    index: int
    reason: str
    threat_id: str | None = None


async def apply_policy(context: Context, chunks: Sequence[ChunkInput]) -> tuple[list[ChunkInput], list[Rejected]]:
    """The chunks that may be stored, with their policy flags, and the rejected ones with the reason."""
    read = await in_pieces(partial(_by_rules, context.services.policy), chunks, _characters)
    accepted = [each for each in read if isinstance(each, ChunkInput)]
    rejected = [each for each in read if isinstance(each, Rejected)]
    passed = list[ChunkInput]()
    for chunk, block in zip(accepted, await _blocks(context, accepted), strict=True):
        if block is None:
            passed.append(chunk)
        else:
            rejected.append(Rejected(chunk.index, block.reason, block.threat_id))
    return passed, rejected


def _characters(chunk: ChunkInput) -> int:
    """Of all texts that the rules read."""
    return len(chunk.title) + len(chunk.content) + sum(map(len, chunk.tags or ())) + len(chunk.source_url or "")


async def _blocks(context: Context, chunks: Sequence[ChunkInput]) -> list[Block | None]:
    """The block of each chunk beyond the rules: for a live key of the caller, else by the moderator; None if it passes."""
    leaking = await detect_own_keys(context, [f"{chunk.title} {chunk.content}" for chunk in chunks])
    moderator = context.services.moderator
    moderated = [None] * len(chunks) if moderator is None else await _moderated(moderator, chunks)
    return [OWN_KEY if leaks else block for leaks, block in zip(leaking, moderated, strict=True)]


def _by_rules(rules: PolicyRules, chunks: Sequence[ChunkInput]) -> list[ChunkInput | Rejected]:
    """Each chunk as it is to be stored, or its rejection."""
    read = list[ChunkInput | Rejected]()
    for chunk in chunks:
        details = details_text(chunk.tags or (), (), None)
        verdict = evaluate(rules, chunk.title, chunk.content, details, chunk.source_url or "")
        if verdict.blocked is not None:
            read.append(Rejected(chunk.index, verdict.blocked.reason, verdict.blocked.threat_id))
        else:
            read.append(_as_stored(chunk, verdict.flags))
    return read


def _as_stored(chunk: ChunkInput, flags: tuple[str, ...]) -> ChunkInput:
    """The chunk as it is to be stored: flagged, and without invisible characters, which are a flag themselves."""
    if not flags:
        return chunk
    title, content = without_invisible(chunk.title), without_invisible(chunk.content)
    return replace(chunk, title=title, content=content, policy_flags=flags)


async def _moderated(moderator: "Moderator", chunks: Sequence[ChunkInput]) -> list[Block | None]:
    """The endpoint's word on each chunk, some asked at once."""
    slots = asyncio.Semaphore(ASKED_AT_ONCE)

    async def ask(chunk: ChunkInput) -> Block | None:
        async with slots:
            return await moderator.moderate(chunk.title, chunk.content)

    return await asyncio.gather(*map(ask, chunks))
