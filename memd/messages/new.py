"""A message that is about to be stored."""

from dataclasses import dataclass, field
from typing import Any
from uuid import UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMessage:
    """The row to insert; its embedding follows by a job."""

    id: UUID
    role: str
    content: str
    truncated: bool
    timestamp: int
    client_timestamp: bool
    created_at: int
    expires_at: int
    content_hash: str
    speaker: str | None = None
    channel: str | None = None
    session_key: str | None = None
    turn_id: str | None = None
    turn_message_index: int | None = None
    metadata: Any = None
    agent_id: str | None = None
    project_id: str | None = None
    policy_flags: list[str] = field(default_factory=list[str])
