"""The events that agents send to a hook: one shape for the JSON documents of all of them."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, Final, NamedTuple, cast

from memctl.wire.limits import MESSAGE_CONTENT_MAX

SCOPE_MAX: Final = 500
"""Characters of a channel and of a session key."""
FOLDER: Final = "{folder}"
"""In a configured channel, the folder of the project."""
_ADDED, _END_OF_ADDED = "<hook_context>", "</hook_context>"
"""Gemini CLI puts what hooks add into the prompt itself, before or after the user's words."""


class Event(StrEnum):
    """The points in a session at which a hook runs."""

    SESSION_START = "session-start"
    PROMPT = "prompt"
    TURN_END = "turn-end"
    COMPACTION = "compaction"
    SESSION_END = "session-end"


class Message(NamedTuple):
    """A message of a session; `timestamp` is epoch ms, or None when the agent gives none."""

    role: str
    content: str
    timestamp: int | None = None

    def as_body(self) -> dict[str, Any]:
        """The message as memd takes it in a snapshot."""
        body: dict[str, Any] = {"role": self.role, "content": self.content}
        return body if self.timestamp is None else {**body, "timestamp": self.timestamp}


class Payload(NamedTuple):
    """An event as the agent describes it; `name` is the agent's own name of the event.

    `prompt_id` identifies the user's prompt within the session. `is_continuation`: the agent continues after a hook
    refused its first answer. `trigger` is the reason for a compaction, `source` the reason for the start of a session,
    and `moment` the ISO time of the event, if the agent sends them. `messages` is the content of the session, for agents
    that send it instead of the path of a transcript.
    """

    name: str
    session: str
    folder: str
    prompt: str = ""
    prompt_id: str = ""
    answer: str = ""
    transcript: str = ""
    is_continuation: bool = False
    trigger: str = ""
    source: str = ""
    moment: str = ""
    messages: tuple[Message, ...] = ()


class MalformedEventError(ValueError):
    """The document is not an event of an agent."""


def read_payload(text: str) -> Payload:
    """The event in a JSON document; `MalformedEventError` when it has no session."""
    try:
        read: Any = json.loads(text)
    except ValueError:
        raise MalformedEventError("the event is not JSON") from None
    if not isinstance(read, dict):
        raise MalformedEventError("the event is not a JSON object")
    fields = cast("dict[str, Any]", read)
    session = _text(fields, "session_id", "conversation_id")
    if not session:
        raise MalformedEventError("the event does not name a session")
    return Payload(
        name=_text(fields, "hook_event_name"),
        session=session,
        folder=_text(fields, "cwd") or next(iter(_texts(fields.get("workspace_roots"))), ""),
        prompt=words_of_user(_text(fields, "prompt")),
        prompt_id=_text(fields, "prompt_id", "turn_id", "generation_id"),
        answer=_text(fields, "last_assistant_message", "prompt_response", "text"),
        transcript=_text(fields, "transcript_path"),
        is_continuation=fields.get("stop_hook_active") is True,
        trigger=_text(fields, "trigger"),
        source=_text(fields, "source"),
        moment=_text(fields, "timestamp"),
        messages=tuple(_messages(fields.get("messages"))),
    )


def words_of_user(text: str) -> str:
    """A prompt without what hooks added to it, in linear time."""
    if _END_OF_ADDED not in text:
        return text
    start, end = len(text) - len(text.lstrip()), len(text.rstrip())
    while text.startswith(_ADDED, start, end) and (closing := text.find(_END_OF_ADDED, start, end)) >= 0:
        start = closing + len(_END_OF_ADDED)
        while start < end and text[start].isspace():
            start += 1
    while text.endswith(_END_OF_ADDED, start, end) and (opening := text.rfind(_ADDED, start, end)) >= 0:
        end = opening
        while start < end and text[end - 1].isspace():
            end -= 1
    return text[start:end]


def project_channel(folder: str, client: str, template: str | None = None) -> str:
    """The channel of a project: `template`, in which `{folder}` is the project's; `<client>:{folder}` if there is none."""
    channel = (template or f"{client}:{FOLDER}").replace(FOLDER, folder)
    return channel if len(channel) <= SCOPE_MAX else f"{channel[: SCOPE_MAX - 17]}:{digest(channel)}"


def session_key(session: str) -> str:
    """The session key for an agent's session id."""
    return session if len(session) <= SCOPE_MAX else digest(session)


def digest(*parts: str) -> str:
    """A short name for texts: 16 hexadecimal characters that depend on each of them."""
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _text(fields: Mapping[str, Any], *names: str) -> str:
    """The first of the fields that is text and not empty; lone surrogates are replaced, since no body can carry them."""
    found = (fields.get(name) for name in names)
    text = next((value for value in found if isinstance(value, str) and value), "")
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "")


def _texts(value: Any) -> Iterable[str]:
    items = cast("list[Any]", value) if isinstance(value, list) else []
    return (item for item in items if isinstance(item, str))


def _messages(value: Any) -> Iterable[Message]:
    for item in cast("list[Any]", value) if isinstance(value, list) else []:
        if isinstance(item, dict):
            fields = cast("dict[str, Any]", item)
            role, content = _text(fields, "role"), _text(fields, "content")
            if role in {"user", "assistant"} and content.strip():
                yield Message(role, content[:MESSAGE_CONTENT_MAX])
