"""Profiles over HTTP (contract 17.5)."""

from memctl.wire.profile import ProfileReply, ProfileRequest
from memd.access.endpoint import Call, Room
from memd.domain.types import KeyScope
from memd.memories.profile import service
from memd.memories.profile.rows import profile_row

room = Room("memories")


@room.endpoint("GET", "/api/profile", credits=1, scope=KeyScope.READ, body=ProfileRequest, reply=ProfileReply)
async def profile(call: Call[ProfileRequest]) -> ProfileReply:
    """The current facts about a person or thing, each with the memories that state it."""
    found = await service.profile(call.context, call.body)
    return ProfileReply(profiles=[profile_row(one, call.context.now) for one in found])
