"""Wire types of the end users of an application (contract 17.1)."""

from typing import Annotated

from memctl.wire.base import RequestModel, WireModel, absent
from memctl.wire.enums import Policy, Tier
from memctl.wire.fields import Cursor, Limit


class ListEndUsersRequest(RequestModel):
    """GET /api/account/users."""

    limit: Annotated[int, Limit(1, 200)] = 50
    cursor: Cursor | None = None


class EndUserRow(WireModel):
    """An end user as its application sees it."""

    id: str
    external_id: str
    tier: Tier
    policy: Policy | None = absent()
    active: bool
    created_at: int
    memory_count: int = 0
    message_count: int = 0


class EndUserList(WireModel):
    """One page of end users in the order of their external ids; the cursor is blank when `is_done` is true."""

    users: list[EndUserRow] = []
    is_done: bool
    continue_cursor: str = ""
