"""The tools that write, change and show single memories (contract 14)."""

from typing import Final

from memd.mcp.arguments import DETAILS, MEMORY_ID, PERIOD, WHERE
from memd.mcp.content import memories, recalls
from memd.mcp.declaration import Argument, Declaration
from memd.mcp.forgotten import of_any_id

_CHANNEL: Final = {"channel": WHERE["channel"]}
_STRENGTH: Final = {"strength": Argument("0 to 1.")}

CAPTURE: Final = Declaration(
    name="capture",
    title="Store a memory",
    endpoint="POST /api/mcp/capture",
    description=(
        "Store something worth keeping beyond this conversation: a decision with its reason, a lesson, a preference, a "
        "fact, a rule (also an allergy: preflight finds rules). One idea per memory, self-contained, with names and dates instead of 'he' and "
        "'yesterday'. No secrets. Equal content returns duplicateOf."
    ),
    arguments={
        "title": Argument("One line, up to 500 characters."),
        "content": Argument("In full sentences, up to 50,000 characters."),
        **DETAILS,
        **PERIOD,
        "projectId": Argument("Its project."),
        **WHERE,
    },
    required=("title", "content"),
    content=memories.captured,
    accept=memories.duplicate,
)
TRACE: Final = Declaration(
    name="trace",
    title="Where a memory comes from",
    endpoint="POST /api/mcp/trace",
    hints="RI",
    description=(
        "Show the conversation that a memory was made from, with messages before and after. Use it when you doubt a "
        "memory or need its context."
    ),
    arguments={"memoryId": MEMORY_ID, **_CHANNEL},
    required=("memoryId",),
    content=memories.traced,
)
FORGET: Final = Declaration(
    name="forget",
    title="Forget a memory",
    endpoint="POST /api/mcp/forget",
    hints="DI",
    description=(
        "Archive a memory, chunk or knowledge base so that it is not recalled again, or delete a memory, chunk or message "
        "permanently. Use it when the user asks to forget something, when a goal is done, or when a memory is wrong and has no replacement (else "
        "supersede)."
    ),
    arguments={
        "memoryId": Argument("mem_…, kb_…, or msg_… to delete."),
        "permanent": Argument("true: delete; cannot be undone.", {"type": "boolean"}),
        "reason": Argument("Why."),
        **_CHANNEL,
    },
    required=("memoryId",),
    bind=of_any_id,
    content=memories.forgotten,
)
UPDATE: Final = Declaration(
    name="update",
    title="Edit a memory",
    endpoint="POST /api/mcp/update",
    hints="DI",
    description=(
        "Edit a memory or chunk in place: fix a mistake, complete it, change its category. Send only what changes; lists "
        "replace. To keep what was true before, use supersede."
    ),
    arguments={
        "memoryId": MEMORY_ID,
        "title": Argument("New title."),
        "content": Argument("New text."),
        **DETAILS,
        **_STRENGTH,
        "channel": Argument("Channel to move it to."),
        "agentId": WHERE["agentId"],
        "requestChannel": Argument("Your channel; refused if it is hidden there."),
    },
    unlisted=tuple(PERIOD),
    cleared_by_null=tuple(PERIOD),
    required=("memoryId",),
    content=memories.updated,
)
SUPERSEDE: Final = Declaration(
    name="supersede",
    title="Replace a memory by a newer one",
    endpoint="POST /api/mcp/supersede",
    hints="D",
    description=(
        "Store a new memory that replaces an old one, which is archived and linked to it. Use it when a decision was "
        "revised or a fact is no longer true. Fields that you leave out are inherited."
    ),
    arguments={
        "oldMemoryId": Argument("The memory that no longer holds."),
        "title": Argument("New title."),
        "content": Argument("What holds from now on."),
        **DETAILS,
        **_STRENGTH,
        "channel": Argument("Channel of the new memory."),
        "reason": Argument("Why it changed."),
    },
    unlisted=tuple(PERIOD),
    required=("oldMemoryId", "title", "content"),
    content=memories.superseded,
)
GET_MEMORY: Final = Declaration(
    name="get_memory",
    title="Read one memory",
    endpoint="POST /api/mcp/memory",
    hints="R",
    description=("Read one memory or chunk by id, archived ones too. Use it when recall showed only a part of a text."),
    arguments={
        "memoryId": MEMORY_ID,
        "full": Argument("true: the whole content and metadata, however long.", {"type": "boolean"}),
        **WHERE,
    },
    required=("memoryId",),
    content=memories.read,
)
TRIGGERS: Final = Declaration(
    name="triggers",
    title="Memories tied to tools",
    endpoint="POST /api/mcp/triggers",
    hints="RI",
    description=(
        "List the memories tied to tools by actionTriggers. Use it before you call one of these tools. Names must match "
        "exactly."
    ),
    arguments={
        "tools": Argument("Names of tools.", {"anyOf": None, "type": "array", "items": {"type": "string"}}),
        **WHERE,
    },
    required=("tools",),
    content=recalls.triggered,
)
STATS: Final = Declaration(
    name="stats",
    title="Size of the memory",
    endpoint="GET /api/mcp/stats",
    hints="RI",
    description=(
        "Count memories, messages and knowledge bases, and show how much of the account's limits is used. Not for "
        "finding content."
    ),
    arguments={},
    content=memories.counted,
)
REFLECT: Final = Declaration(
    name="reflect",
    title="Reflect on the last hours",
    endpoint="POST /api/mcp/reflect",
    hints="I",
    description=(
        "Read what was stored lately and store its decisions, lessons, a summary and open ends as memories. Use it after a "
        "longer piece of work. Running it twice writes nothing twice."
    ),
    arguments={
        "windowHours": Argument("0.5 to 72."),
        "sessionId": Argument("Only this session."),
    },
    content=memories.reflected,
)
