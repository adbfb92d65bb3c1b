"""Wire types of erasures (contract 17.6)."""

from enum import StrEnum
from typing import Annotated

from memctl.wire.base import RequestModel, WireModel
from memctl.wire.fields import Flag, RequiredText, ScopeText


class ErasureState(StrEnum):
    """How far an erasure is; `done` means that nothing is left in any table and nothing can be added."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"


class ErasureKind(StrEnum):
    """The kind of data that is erased."""

    MESSAGE = "message"
    SESSION = "session"
    USER = "user"


class EraseMessagesRequest(RequestModel):
    """The query part of DELETE /api/messages/:id and /api/sessions/:sessionKey: from where the messages must be visible."""

    channel: ScopeText = None
    agent_id: ScopeText = None
    all_channels: Flag = False


class EraseSessionRequest(EraseMessagesRequest):
    """The parts of a session to erase; the key comes from the path."""

    session_key: Annotated[str, RequiredText(500)]


class ErasureStarted(WireModel):
    """An erasure was accepted; GET /api/erasures/:id shows how far it is."""

    erasure_id: str


class ErasureReply(WireModel):
    """GET /api/erasures/:id: the receipt. `counts` are removed or changed rows by table."""

    id: str
    kind: ErasureKind
    state: ErasureState
    counts: dict[str, int] = {}
    created_at: int
    finished_at: int | None = None
