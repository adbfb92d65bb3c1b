"""The tools for messages, the briefing and checkpoints (contract 14)."""

from typing import Final

from memd.mcp.arguments import ALL_MOMENTS, WHERE, WINDOW, WINDOW_ALIASES
from memd.mcp.content import messages
from memd.mcp.declaration import Argument, Declaration

_SESSION: Final = {"sessionKey": Argument("Only this session.")}

SEARCH_MESSAGES: Final = Declaration(
    name="search_messages",
    title="Search messages",
    endpoint="POST /api/mcp/search-messages",
    hints="RI",
    description=(
        "Find what was said in earlier conversations, by meaning and keywords: exact words, numbers, who said what when. "
        "For what was learned from it use recall."
    ),
    arguments={
        "query": Argument("What was said, in plain words."),
        "limit": Argument("Per page, up to 100."),
        "offset": Argument("nextOffset of the page before."),
        **_SESSION,
        **WINDOW,
        **WHERE,
    },
    unlisted=(*WINDOW_ALIASES, *ALL_MOMENTS),
    required=("query",),
    content=messages.found,
)
RECENT_MESSAGES: Final = Declaration(
    name="recent_messages",
    title="Last messages",
    endpoint="POST /api/mcp/recent-messages",
    hints="RI",
    description=(
        "Read the last messages of a channel, a session or a span of time, without searching. Use it to pick up a "
        "conversation where it ended."
    ),
    arguments={
        "limit": Argument("Up to 100.", {"default": 10}),
        "order": Argument("chronological: oldest first."),
        **_SESSION,
        **WINDOW,
        **WHERE,
    },
    unlisted=WINDOW_ALIASES,
    preset={"limit": 10},
    content=messages.recent,
)
WAKE: Final = Declaration(
    name="wake",
    title="Briefing for a new session",
    endpoint="POST /api/mcp/wake",
    hints="R",
    description=(
        "Get a briefing when a session begins: what happened last, open goals, recent decisions, rules, recent talk. Call "
        "it once, before anything else."
    ),
    arguments={**WHERE, "sessionKey": Argument("Talk of this session only; omit when new.")},
    preset={"budget": messages.BRIEFING_TOKENS},
    content=messages.awake,
)
CHECKPOINT: Final = Declaration(
    name="checkpoint",
    title="Make or list checkpoints",
    endpoint="POST /api/mcp/checkpoint",
    description=(
        "Save the state of work under a label with copies of the memories that matter, or list earlier ones to resume. "
        "Use it before a pause, a hand-over or a risky change."
    ),
    arguments={
        "mode": Argument("create (default) or list.", {"enum": ["create", "list"]}),
        "label": Argument("Name; required to create."),
        "description": Argument("State of the work and next steps."),
        "memoryIds": Argument("Memories to copy; default: the 12 last used."),
        "tags": Argument("Labels."),
        "sessionKey": Argument("Its session."),
        "semanticSummary": Argument("Summary in your words."),
        "limit": Argument("Most rows to list."),
        "channel": WHERE["channel"],
    },
    content=messages.checkpointed,
)
LOG_TURN: Final = Declaration(
    name="log_turn",
    title="Store a turn of the conversation",
    endpoint="POST /api/mcp/turn",
    hints="I",
    description=(
        "Store what the user said and what you answered as searchable messages; memories are extracted from them. Only "
        "when your host does not log conversations. The same turnId again changes nothing."
    ),
    arguments={
        "sessionKey": Argument("The session."),
        "channel": Argument("The channel."),
        "turnId": Argument("Unique id of your choice."),
        "assistantMessage": Argument("What you answered."),
        "userMessage": Argument("What the user said."),
        "agentId": WHERE["agentId"],
        "metadata": Argument("Your own data.", {"anyOf": None, "type": "object"}),
    },
    required=("sessionKey", "channel", "turnId", "assistantMessage"),
    content=messages.turned,
)
