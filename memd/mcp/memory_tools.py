"""The tools that write, change and show single memories (contract 14)."""

from typing import Final

from memd.mcp import memory_texts as texts
from memd.mcp.arguments import DETAILS, MEMORY_ID, WHERE
from memd.mcp.declaration import Argument, Declaration

_CHANNEL: Final = {"channel": WHERE["channel"]}
_STRENGTH: Final = {"strength": Argument("How well it should hold, 0 to 1.")}

CAPTURE: Final = Declaration(
    name="capture",
    title="Store a memory",
    endpoint="POST /api/mcp/capture",
    description=(
        "Store something worth keeping beyond this conversation: a decision with its reason, a lesson, a preference, a "
        "rule, a fact about a person or project. One idea per memory, understandable on its own, with names and dates "
        "instead of 'he' and 'yesterday'. Not for secrets, nor for whole conversations (log_turn). Returns the id. The "
        "same content again is an error that names the memory which is there; title up to 500 characters, content up "
        "to 50,000."
    ),
    arguments={
        "title": Argument("A headline that says it in one line."),
        "content": Argument("What to remember, in full sentences."),
        **DETAILS,
        "projectId": Argument("The project it belongs to."),
        **WHERE,
    },
    required=("title", "content"),
    text=texts.captured,
)
TRACE: Final = Declaration(
    name="trace",
    title="Where a memory comes from",
    endpoint="POST /api/mcp/trace",
    hints="RI",
    description=(
        "Show the conversation that a memory was made from, with up to five messages before and after. Use it when you "
        "doubt a memory or need its context. Says so when no conversation stands behind it."
    ),
    arguments={"memoryId": MEMORY_ID, **_CHANNEL},
    required=("memoryId",),
    text=texts.traced,
)
FORGET: Final = Declaration(
    name="forget",
    title="Forget a memory",
    endpoint="POST /api/mcp/forget",
    hints="DI",
    description=(
        "Archive a memory or chunk, so that it is never recalled again, or delete it for good with permanent. Use it "
        "when the user asks to forget something or when a memory is wrong and nothing takes its place (else "
        "supersede). Returns what became of it."
    ),
    arguments={
        "memoryId": MEMORY_ID,
        "permanent": Argument(
            "true deletes for good, which cannot be undone; otherwise it is archived.", {"type": "boolean"}
        ),
        "reason": Argument("Why, for the record; up to 500 characters."),
        **_CHANNEL,
    },
    required=("memoryId",),
    text=texts.forgotten,
)
UPDATE: Final = Declaration(
    name="update",
    title="Edit a memory",
    endpoint="POST /api/mcp/update",
    hints="DI",
    description=(
        "Change a memory or chunk in place: fix a mistake, complete it, sort it anew. Send only what changes; lists "
        "replace the old ones. The old text is lost: to keep what was true before, use supersede. At least one field "
        "besides memoryId must be sent."
    ),
    arguments={
        "memoryId": MEMORY_ID,
        "title": Argument("The new headline."),
        "content": Argument("The new text; it is found by its new meaning at once."),
        **DETAILS,
        **_STRENGTH,
        "channel": Argument("The channel that the memory moves to."),
        "agentId": WHERE["agentId"],
        "requestChannel": Argument("Where you are working: the edit is refused when the memory is not seen there."),
    },
    required=("memoryId",),
    text=texts.updated,
)
SUPERSEDE: Final = Declaration(
    name="supersede",
    title="Replace a memory by a newer one",
    endpoint="POST /api/mcp/supersede",
    hints="D",
    description=(
        "Store a new memory that takes the place of an old one, which is archived and points to it. Use it when "
        "something changed: a decision was revised, a fact is no longer true. What is not sent is taken from the old "
        "memory. Returns both ids; a memory that was replaced already is an error that names its successor."
    ),
    arguments={
        "oldMemoryId": Argument("The id of the memory that no longer holds, mem_…."),
        "title": Argument("The headline of the new memory."),
        "content": Argument("What holds from now on, in full sentences."),
        **DETAILS,
        **_STRENGTH,
        "channel": Argument("The channel of the new memory; that of the old one when left out."),
        "reason": Argument("Why it changed, for the record; up to 500 characters."),
    },
    required=("oldMemoryId", "title", "content"),
    text=texts.superseded,
)
GET_MEMORY: Final = Declaration(
    name="get_memory",
    title="Read one memory",
    endpoint="POST /api/mcp/memory",
    hints="R",
    description=(
        "Read one memory or chunk in full by its id, archived ones too. Use it when recall showed only a part. Returns "
        "text, metadata, dates, and which memory replaced it."
    ),
    arguments={"memoryId": MEMORY_ID, **WHERE},
    required=("memoryId",),
    text=texts.read,
)
TRIGGERS: Final = Declaration(
    name="triggers",
    title="Memories tied to tools",
    endpoint="POST /api/mcp/triggers",
    hints="RI",
    description=(
        "List the memories that are tied to tools by their actionTriggers. Use it before you call one of these tools. "
        "Names are compared exactly; at most 25 names, 50 memories, the last used first."
    ),
    arguments={"tools": Argument("Names of the tools you are about to use."), **WHERE},
    required=("tools",),
    text=texts.triggered,
)
STATS: Final = Declaration(
    name="stats",
    title="Size of the memory",
    endpoint="GET /api/mcp/stats",
    hints="RI",
    description=(
        "Count memories by kind and category, messages, knowledge bases, and show what is left of the account's "
        "limits. Use it when the user asks how full the memory is, not to look for content."
    ),
    arguments={},
    text=texts.counted,
)
REFLECT: Final = Declaration(
    name="reflect",
    title="Reflect on the last hours",
    endpoint="POST /api/mcp/reflect",
    hints="I",
    description=(
        "Read what was stored lately and write down its decisions, lessons, a summary and open ends as memories. Use it "
        "at the end of a longer piece of work. The same window twice writes nothing twice; fewer than three memories "
        "are skipped. May take up to 20 seconds."
    ),
    arguments={
        "windowHours": Argument("How far to look back, in hours, 0.5 to 72."),
        "sessionId": Argument("Only what belongs to this session."),
    },
    text=texts.reflected,
)
