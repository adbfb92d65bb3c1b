"""Claude's data export: conversations.json, a list of conversations with their messages in order.

The text of every message is kept; thinking, tool calls and their results are left out, attachments are named in the
metadata.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from memctl.importers.exports import documents, epoch_ms, fields, items, listed
from memctl.importers.records import LeftOut, Record, message, turns

CHANNEL = "claude"
FILES = ("conversations.json",)
_ROLES = {"human": "user", "assistant": "assistant"}


def read_claude(path: Path, channel: str) -> Iterator[Record]:
    """The messages of every conversation of an export, in order."""
    for name, document in documents(path, FILES):
        for number, conversation in enumerate(listed(document, name, "a Claude export: a list of conversations"), 1):
            origin = f"{name}: {conversation.get('name') or f'conversation {number}'}"
            yield from _conversation(conversation, channel, origin)


def _conversation(conversation: dict[str, Any], channel: str, origin: str) -> Iterator[Record]:
    said: list[tuple[str, dict[str, Any]]] = []
    moment = epoch_ms(conversation.get("created_at"))
    for each in items(conversation.get("chat_messages")):
        node = fields(each)
        text = _text(node)
        if not text:
            yield LeftOut(f"{node.get('sender')} message without text")
            continue
        moment = epoch_ms(node.get("created_at")) or moment
        details = {"conversation": conversation.get("name"), "attachments": _attachments(node)}
        said.append(
            (
                str(node.get("uuid")),
                {
                    "role": _ROLES.get(str(node.get("sender")), node.get("sender")),
                    "content": text,
                    "channel": channel,
                    "sessionKey": conversation.get("uuid"),
                    "timestamp": moment,
                    "metadata": {name: value for name, value in details.items() if value},
                },
            )
        )
    for place in turns(said, lambda each: each["role"] == "user"):
        yield message(place, origin)


def _text(node: dict[str, Any]) -> str:
    """The text blocks; exports before blocks came have the text alone."""
    blocks = [fields(block) for block in items(node.get("content"))]
    texts = [block.get("text") for block in blocks if block.get("type") == "text"]
    found = "\n\n".join(text for text in texts if isinstance(text, str) and text.strip())
    plain = node.get("text")
    return found or (plain if isinstance(plain, str) and not blocks and plain.strip() else "")


def _attachments(node: dict[str, Any]) -> list[str]:
    attached = [fields(each).get("file_name") for name in ("attachments", "files") for each in items(node.get(name))]
    return [name for name in attached if isinstance(name, str) and name]
