"""Transcripts that agents keep of their sessions: what was said by the user and answered by the agent, and nothing else.

Claude Code, Codex, Cursor and Copilot append JSON lines; Gemini CLI writes one JSON document or JSON lines. Tool calls, their
results, thoughts, subagents and what hooks added are left out.
"""

import json
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, Final, cast

from memctl.hooks.events import Message, words_of_user
from memctl.wire.limits import MESSAGE_CONTENT_MAX, SNAPSHOT_MESSAGES_MAX

READ_BYTES: Final = 16 * 1024 * 1024
"""Of a longer transcript its end is read."""
SENT_BYTES: Final = 9_000_000
"""The maximum size of the newest messages as JSON, in bytes: below memd's limit of a body."""
_ROLES: Final = {"user": "user", "human": "user", "assistant": "assistant", "gemini": "assistant", "model": "assistant"}
_CODEX: Final = {"UserMessage": "user", "AgentMessage": "assistant"}
_CODEX_BEFORE_ITEMS: Final = {"user_message": "user", "agent_message": "assistant"}
_COPILOT: Final = {"user.message": "user", "assistant.message": "assistant"}
_NOT_SAID: Final = ("isSidechain", "isMeta", "isCompactSummary", "isApiErrorMessage")
_NOT_TYPED: Final = ("<command-name>", "<command-message>", "<local-command-", "[Request interrupted by user")
"""How Claude Code begins what it writes in the user's name."""
_NO_JSON: Final = (ValueError, RecursionError)
"""The errors of a text that is no JSON, or is nested too deeply to be read."""

Record = Mapping[str, Any]


def read_transcript(path: Path, size: int | None) -> list[Message]:
    """The messages, oldest first; of JSON lines, those in the first `size` bytes. OSError, also unless it is a file."""
    found = path.stat()
    if not stat.S_ISREG(found.st_mode):
        raise OSError(f"{path} is not a file")
    with path.open("rb") as file:
        end = found.st_size if size is None else min(size, found.st_size)
        file.seek(max(0, end - READ_BYTES))
        content = file.read(min(end, READ_BYTES))
        if content.startswith(b"{\n") and found.st_size <= READ_BYTES:
            file.seek(0)
            content = file.read()
    return newest(messages_in(records(content)))


def messages_in(found: Iterable[Record]) -> Iterator[Message]:
    """What was said in the records of a transcript, oldest first."""
    messages = (message for record in found if (message := _message(record)) is not None)
    return _without_repeats(messages)


def newest(messages: Iterable[Message]) -> list[Message]:
    """As many of the newest as a snapshot takes."""
    kept: list[Message] = []
    room = SENT_BYTES
    for message in reversed([*messages][-SNAPSHOT_MESSAGES_MAX:]):
        room -= len(json.dumps(message.as_body(), ensure_ascii=False).encode("utf-8", "replace"))
        if room < 0:
            break
        kept.append(message)
    return kept[::-1]


def records(content: bytes) -> Iterator[Record]:
    """The objects in a transcript."""
    text = content.decode("utf-8", "replace")
    with suppress(*_NO_JSON):
        whole: Any = json.loads(text)
        document: Record = cast("Record", whole) if isinstance(whole, dict) else {}
        inside = document.get("messages")
        yield from _objects([document, *(cast("list[Any]", inside) if isinstance(inside, list) else [])])
        return
    for line in text.split("\n"):
        with suppress(*_NO_JSON):
            yield from _objects([json.loads(line)])


def _objects(values: Iterable[Any]) -> Iterator[Record]:
    return (cast("Record", value) for value in values if isinstance(value, dict))


def _message(record: Record) -> Message | None:
    """The message in a record of a transcript, if any."""
    if any(record.get(mark) for mark in _NOT_SAID):
        return None
    payload, data = record.get("payload"), record.get("data")
    if isinstance(data, dict):
        role, content = _copilot(record, cast("Record", data))
    elif isinstance(payload, dict):
        role, content = _codex(record, cast("Record", payload))
    else:
        inner = record.get("message")
        message = cast("Record", inner) if isinstance(inner, dict) else record
        role = _ROLES.get(str(message.get("role") or record.get("role") or record.get("type")), "")
        content = message.get("content")
    text = words_of_user(_text(content)).strip()[:MESSAGE_CONTENT_MAX]
    if not role or not text or (role == "user" and text.startswith(_NOT_TYPED)):
        return None
    return Message(role, text, _time(record.get("timestamp")))


def _codex(record: Record, payload: Record) -> tuple[str, Any]:
    if record.get("type") != "event_msg":
        return "", None
    item = payload.get("item")
    if payload.get("type") == "item_completed" and isinstance(item, dict):
        fields = cast("Record", item)
        return _CODEX.get(str(fields.get("type")), ""), fields.get("content")
    return _CODEX_BEFORE_ITEMS.get(str(payload.get("type")), ""), payload.get("message")


def _copilot(record: Record, data: Record) -> tuple[str, Any]:
    """Nothing of subagents, nor of what skills say in the user's name."""
    is_of_others = record.get("agentId") or data.get("parentToolCallId") or data.get("source") not in (None, "user")
    return "" if is_of_others else _COPILOT.get(str(record.get("type")), ""), data.get("content")


def _text(content: Any) -> str:
    """The text of a content, which is a string or a list of blocks."""
    if isinstance(content, str):
        return content
    blocks = cast("list[Any]", content) if isinstance(content, list) else []
    texts = (block.get("text") for block in _objects(blocks))
    return "\n\n".join(text for text in texts if isinstance(text, str) and text.strip())


def _time(value: Any) -> int | None:
    """Epoch ms of an ISO time."""
    if not isinstance(value, str):
        return None
    try:
        return int(datetime.fromisoformat(value).timestamp() * 1000)
    except (ValueError, OverflowError):
        return None


def _without_repeats(messages: Iterable[Message]) -> Iterator[Message]:
    """The messages without those that a transcript holds twice in a row in two forms."""
    last: tuple[str, str] | None = None
    for message in messages:
        if (message.role, message.content) != last:
            last = (message.role, message.content)
            yield message
