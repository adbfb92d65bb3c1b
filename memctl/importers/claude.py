"""Claude's data export: conversations.json, projects.json and memories.json, distinguished by their fields.

The text of every message and what Claude read from its attachments are kept; thinking, tool calls and their results are
left out. A project becomes a knowledge base of its documents, its instructions and what Claude remembers become
memories.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from memctl.importers.exports import documents, epoch_ms, other_files
from memctl.importers.markup import markdown_parts
from memctl.importers.pieces import pieces_of
from memctl.importers.programs import Program, entries_of
from memctl.importers.records import Base, Chunk, LeftOut, Record, checked, memory, message, turns
from memctl.importers.sections import Document, nest
from memctl.json_values import fields, items
from memctl.wire.enums import Category, Store
from memctl.wire.knowledge_bases import CreateKnowledgeBaseRequest

CHANNEL = "claude"
FILES = ("conversations.json", "projects.json", "memories.json")
CHUNK_CHARACTERS = 1200
_ROLES = {"human": "user", "assistant": "assistant"}
_BOLD_LINE = re.compile(r"^\*\*(.+?)\*\*:?[ \t]*$", re.MULTILINE)
"""The headings of what Claude remembers."""


def read_claude(path: Path, channel: str) -> Iterator[Record]:
    """The records of an export, in order; files that are not read are named."""
    for name, document in documents(path, FILES):
        for number, entry in enumerate(entries_of(Program.CLAUDE, document, name, path), 1):
            origin = f"{name}: {entry.get('name') or f'entry {number}'}"
            if "conversations_memory" in entry or "project_memories" in entry:
                yield from _remembered(entry, channel, origin)
            elif "docs" in entry or "prompt_template" in entry:
                yield from _project(entry, channel, origin)
            else:
                yield from _conversation(entry, channel, origin)
    yield from (LeftOut(f"file {name}") for name in other_files(path, FILES))


def _conversation(conversation: dict[str, Any], channel: str, origin: str) -> Iterator[Record]:
    messages: list[tuple[str, dict[str, Any]]] = []
    moment = epoch_ms(conversation.get("created_at"))
    for each in items(conversation.get("chat_messages")):
        node = fields(each)
        yield from _left_out(node)
        text = _text(node)
        if not text:
            yield LeftOut(f"{node.get('sender')} message without text")
            continue
        moment = epoch_ms(node.get("created_at")) or moment
        details = {"conversation": conversation.get("name"), "attachments": _attachments(node)}
        messages.append(
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
    for turn in turns(messages):
        yield message(turn, origin)


def _text(node: dict[str, Any]) -> str:
    """The text blocks and the texts of attachments; exports before blocks came have the text alone."""
    blocks = [fields(block) for block in items(node.get("content"))]
    texts = [block.get("text") for block in blocks if block.get("type") == "text"]
    found = "\n\n".join(text for text in texts if isinstance(text, str) and text.strip())
    plain = node.get("text")
    body = found or (plain if isinstance(plain, str) and not blocks and plain.strip() else "")
    return "\n\n".join(part for part in (body, *_attached_texts(node)) if part)


def _attached_texts(node: dict[str, Any]) -> Iterator[str]:
    for each in items(node.get("attachments")):
        attachment = fields(each)
        text = attachment.get("extracted_content")
        if isinstance(text, str) and text.strip():
            yield f"[attachment {attachment.get('file_name') or 'without a name'}]\n{text.strip()}"


def _left_out(node: dict[str, Any]) -> Iterator[LeftOut]:
    """The blocks that are not text, and files of which the export holds only the name."""
    kinds = (fields(block).get("type") for block in items(node.get("content")))
    yield from (LeftOut(f"{kind} block") for kind in kinds if kind != "text")
    yield from (LeftOut("file without its contents (name kept)") for _ in items(node.get("files")))


def _attachments(node: dict[str, Any]) -> list[str]:
    attached = [fields(each).get("file_name") for name in ("attachments", "files") for each in items(node.get(name))]
    return [name for name in attached if isinstance(name, str) and name]


def _project(project: dict[str, Any], channel: str, origin: str) -> Iterator[Record]:
    """A knowledge base with a project's documents, and a memory with its instructions."""
    name = str(project.get("name") or "Claude project")
    docs = [fields(each) for each in items(project.get("docs"))]
    filled = [doc for doc in docs if _not_blank(doc.get("content"))]
    yield from (LeftOut("project document without text") for _ in range(len(docs) - len(filled)))
    if filled:
        yield from _knowledge_base(project, name, filled, origin)
    instructions = _not_blank(project.get("prompt_template"))
    if instructions:
        rule = {"category": Category.RULE, "createdAt": epoch_ms(project.get("created_at"))}
        yield _memory(f"Instructions of the project {name}", instructions, channel, origin, rule)
    elif not filled:
        yield LeftOut("project without documents and instructions")


def _knowledge_base(
    project: dict[str, Any], name: str, docs: Sequence[dict[str, Any]], origin: str
) -> Iterator[Record]:
    """The knowledge base of a project, or its refusal, and the chunks of its documents."""
    described = {"name": name[:200], "description": project.get("description") or None}
    base = checked(CreateKnowledgeBaseRequest, described, origin)
    reference = str(project.get("uuid") or name)
    yield Base(base, reference) if isinstance(base, CreateKnowledgeBaseRequest) else base
    for doc in docs:
        title = str(doc.get("filename") or "document")
        document = Document("markdown", nest(markdown_parts(_not_blank(doc["content"]))))
        yield from (Chunk(piece, reference) for piece in pieces_of(title, document, CHUNK_CHARACTERS, 0))


def _not_blank(value: Any) -> str:
    """A text unchanged; blank text, and anything else, as an empty one."""
    return value if isinstance(value, str) and value.strip() else ""


def _remembered(entry: dict[str, Any], channel: str, origin: str) -> Iterator[Record]:
    """The memories of Claude about all conversations and about each project, one for each heading."""
    texts = [entry.get("conversations_memory"), *fields(entry.get("project_memories")).values()]
    for text in texts:
        if not isinstance(text, str) or not text.strip():
            continue
        before, *rest = _BOLD_LINE.split(text)
        for title, body in (("", before), *zip(rest[::2], rest[1::2], strict=True)):
            if body.strip():
                yield _memory(title.strip(), body, channel, origin, {"category": Category.FACT})


def _memory(title: str, content: str, channel: str, origin: str, other: dict[str, Any]) -> Record:
    return memory(
        {"title": title[:500], "content": content.strip(), "channel": channel, "store": Store.SEMANTIC, **other}, origin
    )
