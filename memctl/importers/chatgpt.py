"""ChatGPT's data export: conversations.json, a list of conversations, each a tree of messages.

The branch that the person last saw is taken: from `current_node` up to the root. Text that was said is kept; tool
calls, their results, hidden system messages and reasoning are left out.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from memctl.importers.exports import documents, epoch_ms, other_files
from memctl.importers.programs import Program, entries_of
from memctl.importers.records import LeftOut, Record, message, turns
from memctl.json_values import fields, items

CHANNEL = "chatgpt"
FILES = ("conversations.json", "conversations-*.json")
_SPOKEN = ("text", "multimodal_text")
_MARK = re.compile("[ \t]?\ue200([^\ue200\ue201]*)\ue201|[ \t]?【[^【】†]*†[^【】]*】|[\ue200-\ue206]")
"""A mark of the web page: `\ue200cite\ue202turn0search1\ue201`, a source in lenticular brackets, or what is left of one."""
_WHOLE_MARK = re.compile("\ue200[^\ue200\ue201]*\ue201")


def read_chatgpt(path: Path, channel: str) -> Iterator[Record]:
    """The messages of every conversation of an export, in order."""
    for name, document in documents(path, FILES):
        for number, conversation in enumerate(entries_of(Program.CHATGPT, document, name, path), 1):
            origin = f"{name}: {conversation.get('title') or f'conversation {number}'}"
            yield from _conversation(conversation, channel, origin)
    yield from (LeftOut(f"file {name}") for name in other_files(path, FILES))


def _conversation(conversation: dict[str, Any], channel: str, origin: str) -> Iterator[Record]:
    session = conversation.get("conversation_id") or conversation.get("id")
    left_out: Counter[str] = Counter()
    messages: list[tuple[str, dict[str, Any]]] = []
    moment = epoch_ms(conversation.get("create_time"))
    for node in _branch(conversation):
        text = _text(node)
        role = fields(node.get("author")).get("role")
        if not text or _is_hidden(node) or role == "tool":
            left_out[_kind(node)] += 1
            continue
        files = _files(node)
        left_out["file without its contents (name kept)"] += len(files)
        left_out["image without a name"] += max(0, _images(node) - len(files))
        moment = epoch_ms(node.get("create_time")) or moment
        details = {"conversation": conversation.get("title"), "model": fields(node.get("metadata")).get("model_slug")}
        details["attachments"] = files
        messages.append(
            (
                str(node.get("id")),
                {
                    "role": role,
                    "content": text,
                    "channel": channel,
                    "sessionKey": session,
                    "timestamp": moment,
                    "metadata": {name: value for name, value in details.items() if value},
                },
            )
        )
    for turn in turns(messages):
        yield message(turn, origin)
    for what, number in left_out.items():
        yield from [LeftOut(what)] * number


def _kind(node: dict[str, Any]) -> str:
    """What a message that is left out is: a note of ChatGPT's own memory, or who wrote it and its type."""
    if node.get("recipient") == "bio":
        return "note of ChatGPT's own memory"
    return f"{fields(node.get('author')).get('role')} {fields(node.get('content')).get('content_type')}"


def _files(node: dict[str, Any]) -> list[str]:
    """The names of the files that came with a message."""
    attached = (fields(each).get("name") for each in items(fields(node.get("metadata")).get("attachments")))
    return [name for name in attached if isinstance(name, str) and name]


def _images(node: dict[str, Any]) -> int:
    parts = items(fields(node.get("content")).get("parts"))
    return sum(fields(part).get("content_type") == "image_asset_pointer" for part in parts)


def _branch(conversation: dict[str, Any]) -> list[dict[str, Any]]:
    """The messages from the root to the current node; without one, to the newest leaf."""
    mapping = fields(conversation.get("mapping"))
    node_id = conversation.get("current_node")
    if not isinstance(node_id, str) or node_id not in mapping:
        leaves = [name for name, node in mapping.items() if not fields(node).get("children")]
        node_id = leaves[-1] if leaves else None
    found: list[dict[str, Any]] = []
    seen: set[Any] = set()
    while isinstance(node_id, str) and node_id in mapping and node_id not in seen:
        seen.add(node_id)
        node = fields(mapping[node_id])
        if node.get("message"):
            found.append(fields(node["message"]))
        node_id = node.get("parent")
    return found[::-1]


def _text(node: dict[str, Any]) -> str:
    """The text of a message or, in a voice chat, its transcript."""
    content = fields(node.get("content"))
    if content.get("content_type") not in _SPOKEN:
        return ""
    parts = (part if isinstance(part, str) else fields(part).get("text") for part in items(content.get("parts")))
    text = "\n".join(part for part in parts if isinstance(part, str) and part.strip())
    return _MARK.sub(_shown, _with_references(text, node)).strip()


def _with_references(text: str, node: dict[str, Any]) -> str:
    """The text with marks replaced by what ChatGPT shows in their place, where the export holds it.

    In one pass: a replacement that holds a mark is not replaced again, or a few lines could make a text of gigabytes.
    """
    shown_for: dict[str, str] = {}
    for each in items(fields(node.get("metadata")).get("content_references")):
        reference = fields(each)
        mark, shown = reference.get("matched_text"), reference.get("alt")
        if isinstance(mark, str) and isinstance(shown, str):
            shown_for.setdefault(mark, shown)
    return _WHOLE_MARK.sub(lambda found: shown_for.get(found[0], found[0]), text)


def _shown(mark: re.Match[str]) -> str:
    """The replacement of a mark without a reference: the name of an entity, the title of a link, nothing else."""
    kind, *rest = (mark[1] or "").split("\ue202")
    if kind == "url" and rest:
        return f" {rest[0]}"
    if kind == "entity" and rest:
        try:
            named = items(json.loads(rest[0]))
        except (ValueError, RecursionError):
            return ""
        return f" {named[1]}" if len(named) > 1 else ""
    return ""


def _is_hidden(node: dict[str, Any]) -> bool:
    hidden = fields(node.get("metadata")).get("is_visually_hidden_from_conversation")
    return bool(hidden) or node.get("recipient", "all") not in ("all", None)
