"""Files in the shapes of other systems' exports, made up and always the same for the same arguments."""

import itertools
import random
from typing import Any
from uuid import UUID

WORDS = [
    "deploy",
    "runbook",
    "server",
    "friday",
    "invoice",
    "customer",
    "meeting",
    "rollback",
    "index",
    "cache",
    "token",
    "budget",
    "owl",
    "garden",
]
START = 1_700_000_000
DAY = 86_400


def _sentence(dice: random.Random) -> str:
    return f"{' '.join(dice.choices(WORDS, k=12)).capitalize()} {dice.randrange(10**9)}."


def _uuid(dice: random.Random) -> str:
    return str(UUID(int=dice.getrandbits(128), version=4))


def chatgpt_node(node_id: str, role: str, text: str, at: float, **other: Any) -> dict[str, Any]:
    """One node of a conversation's tree."""
    message = {
        "id": node_id,
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": at,
        "update_time": None,
        "content": {"content_type": "text", "parts": [text]},
        "status": "finished_successfully",
        "end_turn": True if role == "assistant" else None,
        "weight": 1.0,
        "metadata": {"model_slug": "gpt-4o"} if role == "assistant" else {"serialization_metadata": {}},
        "recipient": "all",
        "channel": None,
    }
    return {"id": node_id, "message": message | other, "parent": None, "children": []}


def chatgpt_tree(title: str, nodes: list[dict[str, Any]], conversation_id: str, at: float) -> dict[str, Any]:
    """A conversation whose nodes follow each other below an empty root."""
    root: dict[str, Any] = {"id": "client-created-root", "message": None, "parent": None, "children": []}
    chain = [root, *nodes]
    for above, below in itertools.pairwise(chain):
        below["parent"] = above["id"]
        above["children"].append(below["id"])
    return {
        "title": title,
        "create_time": at,
        "update_time": at + 60,
        "mapping": {node["id"]: node for node in chain},
        "moderation_results": [],
        "current_node": chain[-1]["id"],
        "plugin_ids": None,
        "conversation_id": conversation_id,
        "conversation_template_id": None,
        "is_archived": False,
        "id": conversation_id,
    }


def chatgpt_export(conversations: int, messages: int) -> list[dict[str, Any]]:
    """Conversations of alternating user and assistant messages, with hidden nodes and tool calls between them."""
    dice = random.Random(1)
    export: list[dict[str, Any]] = []
    for number in range(conversations):
        at = START + number * DAY
        hidden = {"metadata": {"is_visually_hidden_from_conversation": True}}
        nodes = [chatgpt_node(_uuid(dice), "system", "", at, **hidden)]
        for index in range(messages):
            role = "assistant" if index % 2 else "user"
            nodes.append(chatgpt_node(_uuid(dice), role, _sentence(dice), at + index * 30.25))
        call = {"recipient": "python", "content": {"content_type": "code", "language": "python", "text": "1+1"}}
        nodes.insert(-1, chatgpt_node(_uuid(dice), "assistant", "", at + 10, **call))
        nodes.insert(-1, chatgpt_node(_uuid(dice), "tool", "2", at + 11))
        export.append(chatgpt_tree(f"Conversation {number}", nodes, _uuid(dice), at))
    return export


def claude_export(conversations: int, messages: int) -> list[dict[str, Any]]:
    """Conversations with text blocks, thinking, tool use and attachments."""
    dice = random.Random(2)
    return [
        {
            "uuid": _uuid(dice),
            "name": f"Conversation {number}",
            "summary": "",
            "created_at": "2025-03-01T10:00:00.000000Z",
            "updated_at": "2025-03-01T11:00:00.000000Z",
            "account": {"uuid": _uuid(dice)},
            "chat_messages": [_claude_message(dice, index) for index in range(messages)],
        }
        for number in range(conversations)
    ]


def _claude_message(dice: random.Random, index: int) -> dict[str, Any]:
    text, human = _sentence(dice), index % 2 == 0
    at = f"2025-03-01T10:{index // 60:02}:{index % 60:02}.250000Z"
    thinking = {"type": "thinking", "thinking": "Hm.", "summaries": [], "start_timestamp": at, "stop_timestamp": at}
    block = {"type": "text", "text": text, "citations": [], "start_timestamp": at, "stop_timestamp": at}
    attached = [{"file_name": "notes.txt", "file_size": 5, "file_type": "txt", "extracted_content": "notes"}]
    return {
        "uuid": _uuid(dice),
        "text": text,
        "content": [block] if human else [thinking, block],
        "sender": "human" if human else "assistant",
        "created_at": at,
        "updated_at": at,
        "attachments": attached if index == 0 else [],
        "files": [],
    }


def mem0_export(memories: int, users: tuple[str, ...] = ("alice",)) -> dict[str, Any]:
    """The reply of get_all()."""
    dice = random.Random(3)
    return {
        "results": [
            {
                "id": _uuid(dice),
                "memory": _sentence(dice),
                "hash": f"{dice.getrandbits(128):032x}",
                "metadata": {"source": "chat"} if number % 2 else None,
                "score": None,
                "created_at": f"2025-03-01T10:{number // 60 % 60:02}:{number % 60:02}.123456-07:00",
                "updated_at": None,
                "user_id": users[number % len(users)],
                "agent_id": "helper" if number % 3 else None,
                "run_id": f"run-{number % 5}",
                "categories": ["travel", "goal"] if number % 4 == 0 else None,
            }
            for number in range(memories)
        ]
    }
