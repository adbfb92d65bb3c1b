"""Wire types of memories that extraction would no longer create (contract 17.9)."""

from typing import Annotated

from memctl.wire.base import RequestModel, WireModel
from memctl.wire.fields import Cursor, Limit


class JunkRequest(RequestModel):
    """GET /api/junk; `limit` counts the memories that are judged, of which a page has those that are junk."""

    limit: Annotated[int, Limit(1, 50)] = 25
    cursor: Cursor | None = None


class JunkMemory(WireModel):
    """A memory that is junk, and why."""

    id: str
    reason: str


class JunkReply(WireModel):
    """The junk among a page of memories; a page may have none and not be the last."""

    junk: list[JunkMemory]
    is_done: bool
    continue_cursor: str
