"""Profiles: the current facts about a person or thing."""

from memctl.client.transport import Transport
from memctl.wire.profile import ProfileReply, ProfileRequest


class Profile:
    """The profiles of contract 17.5."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def __call__(self, request: ProfileRequest) -> ProfileReply:
        """The profile of a subject, or of the subjects seen last."""
        return await self._transport.get("/api/profile", ProfileReply, request)
