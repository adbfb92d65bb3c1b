"""End users over HTTP (contract 17.1)."""

from memctl.wire.end_users import EndUserList, EndUserRow, ListEndUsersRequest
from memctl.wire.external_ids import external_id
from memd.access.endpoint import Call, Room
from memd.access.request.list_cursors import Values, read_position
from memd.accounts.end_users import service
from memd.accounts.end_users.service import ListedEndUser
from memd.domain.cursors import encode_cursor
from memd.domain.ids import encode
from memd.domain.types import KeyScope, Policy, Tier

room = Room("accounts")


@room.endpoint(
    "GET",
    "/api/account/users",
    credits=1,
    scope=KeyScope.ACT_AS,
    alternative_scope=KeyScope.ADMIN,
    body=ListEndUsersRequest,
    reply=EndUserList,
)
async def list_end_users(call: Call[ListEndUsersRequest]) -> EndUserList:
    """The end users of the caller's application, in the order of their external ids."""
    listing = f"end users of {call.context.user_id}"
    after = read_position(listing, call.body.cursor, _name) or ""
    rows = await service.list_page(call.context, after, call.body.limit)
    page, more = rows[: call.body.limit], len(rows) > call.body.limit
    return EndUserList(
        users=[_shown(row) for row in page],
        is_done=not more,
        continue_cursor=encode_cursor(listing, [page[-1].external_id]) if more else "",
    )


def _name(values: Values) -> str:
    (name,) = values
    return external_id(str(name))


def _shown(row: ListedEndUser) -> EndUserRow:
    return EndUserRow(
        id=encode("usr", row.user_id),
        external_id=row.external_id,
        tier=Tier(row.tier),
        policy=Policy(row.policy) if row.policy else None,
        active=row.active,
        created_at=row.created_at,
        memory_count=row.memory_count or 0,
        message_count=row.message_count or 0,
    )
