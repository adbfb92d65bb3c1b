"""Junk over HTTP (contract 17.9)."""

from memctl.wire.junk import JunkMemory, JunkReply, JunkRequest
from memd.access.endpoint import Call, Room
from memd.access.request.list_cursors import id_cursor, id_position
from memd.domain.ids import encode
from memd.domain.types import KeyScope
from memd.lifecycle import junk

room = Room("memories")


@room.endpoint("GET", "/api/junk", credits=10, scope=KeyScope.READ, body=JunkRequest, reply=JunkReply)
async def find(call: Call[JunkRequest]) -> JunkReply:
    """Memories that extraction derived from conversations and would no longer create, with the reason, oldest first."""
    listing = f"junk of {call.context.user_id}"
    page = await junk.find(call.context, id_position(listing, call.body.cursor), call.body.limit)
    return JunkReply(
        junk=[JunkMemory(id=encode("mem", one.id), reason=one.reason) for one in page.found],
        is_done=page.last is None,
        continue_cursor=id_cursor(listing, page.last) if page.last else "",
    )
