"""The records that the importers of other systems yield: requests to memd, each with the place it came from."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, TypeVar

from pydantic import ValidationError

from memctl.findings import first_finding
from memctl.importers.pieces import Piece, Refusal
from memctl.importers.sendable import REASON, is_sendable
from memctl.wire.base import RequestModel
from memctl.wire.instants import exact, looks_like_seconds
from memctl.wire.knowledge_bases import CreateKnowledgeBaseRequest
from memctl.wire.memories import CaptureRequest
from memctl.wire.messages import LogRequest

TITLE_LENGTH = 500
DERIVED_TITLE_LENGTH = 100
TIMES: Final = ("createdAt", "lastAccessedAt", "timestamp")
"""The fields of memories and messages that are stored times."""
Model = TypeVar("Model", bound=RequestModel)


@dataclass(frozen=True, slots=True)
class Message:
    """A message to log.

    `copy` is for one that memd exported without a place in a session, by which the log endpoint would know it again: its
    number, from 1, among the messages that say the same at the same instant. It is 0 for any other message.
    """

    request: LogRequest
    origin: str
    copy: int = 0

    @property
    def said(self) -> int:
        """A hash that messages share that say the same at the same instant."""
        return hash((self.request.timestamp, self.request.role, self.request.channel, self.request.content))


@dataclass(frozen=True, slots=True)
class Exported:
    """The id of a memory or knowledge base in an export, and when it was last changed (epoch ms, if the export says so)."""

    id: str
    changed_at: int | None


@dataclass(frozen=True, slots=True)
class Memory:
    """A memory to capture; `exported` is that of an export of memd."""

    request: CaptureRequest
    origin: str
    exported: Exported | None = None


@dataclass(frozen=True, slots=True)
class Kept:
    """A memory or chunk of an export that memd has in a newer version, `memory_id`, which stays; the reason says since when."""

    origin: str
    title: str
    memory_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Replaced:
    """A memory or chunk that replaced the one of memd with the same key."""

    origin: str
    title: str


@dataclass(frozen=True, slots=True)
class Base:
    """A knowledge base that the file describes; `reference` is its id there, `exported` that of an export of memd."""

    request: CreateKnowledgeBaseRequest
    reference: str
    exported: Exported | None = None


@dataclass(frozen=True, slots=True)
class Chunk:
    """A chunk for the knowledge base that the file calls `reference`."""

    piece: Piece
    reference: str


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Something that is not a memory, such as a tool call, and what it is."""

    what: str


Record: TypeAlias = Message | Memory | Base | Chunk | LeftOut | Refusal


def checked(model: type[Model], fields: Mapping[str, Any], origin: str) -> Model | Refusal:
    """A request from wire names, or the refusal that names what is wrong with it; absent fields are None."""
    try:
        request = model.from_body({name: value for name, value in fields.items() if value is not None})
        sendable = is_sendable(request.model_dump())
    except ValidationError as error:
        return Refusal(origin, first_finding(error))
    except RecursionError:
        return Refusal(origin, "nested too deeply")
    return request if sendable else Refusal(origin, REASON)


def message(fields: Mapping[str, Any], origin: str) -> Message | Refusal:
    """A message from wire names."""
    request = checked(LogRequest, _exactly(fields), origin)
    return request if isinstance(request, Refusal) else Message(request, origin)


def memory(fields: Mapping[str, Any], origin: str, exported: Exported | None = None) -> Memory | Refusal:
    """A memory from wire names; a missing title is the beginning of the content."""
    content = fields.get("content")
    if content is None or (isinstance(content, str) and not content.strip()):
        return Refusal(origin, "Missing required field: content")
    if not fields.get("title") and isinstance(content, str):
        fields = {**fields, "title": title_of(content)}
    request = checked(CaptureRequest, _exactly(fields), origin)
    return request if isinstance(request, Refusal) else Memory(request, origin, exported)


def _exactly(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields with their times, which are milliseconds, in the form that names them without doubt."""
    times = {name: exact(fields[name]) for name in TIMES if looks_like_seconds(fields.get(name))}
    return {**fields, **times}


def title_of(content: str) -> str:
    """The first line that says something, cut at a word."""
    line = next((line for line in content.splitlines() if line.strip()), "")
    flat = " ".join(line.strip().lstrip("#").split())
    if len(flat) <= DERIVED_TITLE_LENGTH:
        return flat
    cut = flat[: DERIVED_TITLE_LENGTH - 1]
    return f"{cut.rsplit(' ', 1)[0] if ' ' in cut else cut}…"


def turns(messages: Iterable[tuple[str, dict[str, Any]]]) -> list[dict[str, Any]]:
    """Messages, each (id, fields), with turnId and turnMessageIndex: a turn begins where the user speaks.

    With session and place in the turn a message is known to memd at any age, so that a second import stores nothing.
    """
    placed: list[dict[str, Any]] = []
    turn, index = "", 0
    for message_id, fields in messages:
        if not turn or fields["role"] == "user":
            turn, index = message_id, 0
        placed.append({**fields, "turnId": turn, "turnMessageIndex": index})
        index += 1
    return placed
