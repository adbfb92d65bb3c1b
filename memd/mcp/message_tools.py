"""The tools for messages, the briefing and checkpoints (contract 14)."""

from typing import Final

from memd.mcp import message_texts as texts
from memd.mcp.arguments import WHERE, WINDOW
from memd.mcp.declaration import Argument, Declaration

_SESSION: Final = {"sessionKey": Argument("Only messages of this session.")}

SEARCH_MESSAGES: Final = Declaration(
    name="search_messages",
    title="Search messages",
    endpoint="POST /api/mcp/search-messages",
    hints="RI",
    description=(
        "Find what was really said in earlier conversations, by meaning and keywords. Use it for exact words, numbers "
        "and who said what when; for what was learned from it use recall. Phrases such as 'yesterday' or 'last March' "
        "in the query bound the time when no window is given. Returns messages, best first, 10 unless limit says "
        "otherwise; go on with offset while pagination.hasMore is true."
    ),
    arguments={
        "query": Argument("What was said, in plain words."),
        "limit": Argument("Messages per page."),
        "offset": Argument("Messages to skip: pagination.nextOffset of the page before."),
        **_SESSION,
        **WINDOW,
        **WHERE,
    },
    required=("query",),
    text=texts.found,
)
RECENT_MESSAGES: Final = Declaration(
    name="recent_messages",
    title="Last messages",
    endpoint="POST /api/mcp/recent-messages",
    hints="RI",
    description=(
        "Read the last messages of a channel or session, or those of a span of time, without searching. Use it to pick "
        "up a conversation where it ended. Returns up to limit messages, and the same grouped into turns."
    ),
    arguments={
        "limit": Argument("How many messages."),
        "order": Argument("chronological: oldest first; newest: newest first. The newest are taken in both cases."),
        **_SESSION,
        **WINDOW,
        **WHERE,
    },
    text=texts.recent,
)
WAKE: Final = Declaration(
    name="wake",
    title="Briefing for a new session",
    endpoint="POST /api/mcp/wake",
    hints="R",
    description=(
        "Get a briefing when a session begins: what happened last, open goals, recent decisions, rules to keep, recent "
        "talk. Call it once, first, before anything else. Returns the briefing as text and its parts as lists."
    ),
    arguments={**WHERE, "sessionKey": Argument("The session that begins.")},
    text=texts.awake,
)
CHECKPOINT: Final = Declaration(
    name="checkpoint",
    title="Make or list checkpoints",
    endpoint="POST /api/mcp/checkpoint",
    description=(
        "Keep the state of work under a label, with a copy of the memories that matter, or list earlier checkpoints. "
        "Use it before a pause, a hand-over or a risky change. How many are kept depends on the account."
    ),
    arguments={
        "mode": Argument("create, or list to see those that there are.", {"enum": ["create", "list"]}),
        "label": Argument("A name for the moment; needed to create one."),
        "description": Argument("Where the work stands and what comes next."),
        "memoryIds": Argument("The memories to keep with it; the 12 last used when left out."),
        "tags": Argument("Words to sort checkpoints by."),
        "sessionKey": Argument("The session that it belongs to."),
        "semanticSummary": Argument("A summary of the work in your words."),
        "limit": Argument("How many to list."),
        "channel": WHERE["channel"],
    },
    text=texts.checkpointed,
)
LOG_TURN: Final = Declaration(
    name="log_turn",
    title="Store a turn of the conversation",
    endpoint="POST /api/mcp/turn",
    hints="I",
    description=(
        "Store what the user said and what you answered as messages that can be searched later; memories are made of "
        "them by themselves. Use it only when your host does not log conversations. The same turnId again changes "
        "nothing."
    ),
    arguments={
        "sessionKey": Argument("The session, the same for all its turns."),
        "channel": Argument("Where the conversation takes place."),
        "turnId": Argument("An id of your choice that no other turn has."),
        "assistantMessage": Argument("What you answered."),
        "userMessage": Argument("What the user said."),
        "agentId": WHERE["agentId"],
        "metadata": Argument("Your own data about the turn, an object or a string."),
    },
    required=("sessionKey", "channel", "turnId", "assistantMessage"),
    text=texts.turned,
)
