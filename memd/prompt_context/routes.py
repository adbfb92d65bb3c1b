"""Context over HTTP (contract 17.3)."""

from typing import Final

from memctl.wire.prompt_context import ContextKind, ContextReply, ContextRequest, IncludedLine, LeftOutLine
from memd.access.endpoint import Call, Room
from memd.domain.ids import encode
from memd.domain.prompts.context_packing import ContextRow, Group
from memd.domain.types import KeyScope
from memd.embed.degradation import degradation_of
from memd.prompt_context import service

room = Room("prompt_context")
_KINDS: Final = {
    Group.PROFILE: (ContextKind.FACT, "mem"),
    Group.MEMORIES: (ContextKind.MEMORY, "mem"),
    Group.KNOWLEDGE: (ContextKind.CHUNK, "mem"),
    Group.MESSAGES: (ContextKind.MESSAGE, "msg"),
}


@room.endpoint(
    "POST",
    "/api/mcp/context",
    credits=10,
    scope=KeyScope.READ,
    body=ContextRequest,
    reply=ContextReply,
    errors=(404,),
)
async def context(call: Call[ContextRequest]) -> ContextReply:
    """Stored rows that are relevant to a query as text for a prompt, within the token budget."""
    built = await service.build_context(call.context, call.body)
    packed = built.packed
    return ContextReply(
        text=packed.text,
        tokens=packed.tokens,
        counter=call.body.counter,
        included=[
            IncludedLine(id=_id(entry.row), kind=_KINDS[entry.row.group][0], tokens=entry.tokens)
            for entry in packed.included
        ],
        left_out=[
            LeftOutLine(id=_id(row), kind=_KINDS[row.group][0], relevance=row.relevance) for row in packed.left_out
        ],
        nothing_relevant=not packed.included and not packed.left_out,
        degradation=degradation_of(built.degraded) if built.degraded else None,
    )


def _id(row: ContextRow) -> str:
    return encode(_KINDS[row.group][1], row.id)
