"""Profiles over HTTP (contract 17.5)."""

from memctl.wire.profile import ProfileFact, ProfileReply, ProfileRequest, SubjectProfile
from memd.access.endpoint import Call, Room
from memd.domain.ids import encode
from memd.domain.profiles import Profile
from memd.domain.time_window import DAY_MS
from memd.domain.types import KeyScope
from memd.memories.profile import service

room = Room("memories")


@room.endpoint("GET", "/api/profile", credits=1, scope=KeyScope.READ, body=ProfileRequest, reply=ProfileReply)
async def profile(call: Call[ProfileRequest]) -> ProfileReply:
    """The current facts about a person or thing, each with the memories that state it."""
    found = await service.profile(call.context, call.body)
    return ProfileReply(profiles=[_shown(one, call.context.now) for one in found])


def _shown(one: Profile, now: int) -> SubjectProfile:
    facts = [
        ProfileFact(
            attribute=fact.attribute,
            value=fact.value,
            evidence=[encode("mem", memory_id) for memory_id in fact.evidence],
            proofs=len(fact.evidence),
            first_seen=fact.first_seen,
            last_seen=fact.last_seen,
            stale_days=max(0, now - fact.last_seen) // DAY_MS,
            contested=True if fact.contested else None,
        )
        for fact in one.facts
    ]
    return SubjectProfile(subject=one.subject, facts=facts, last_seen=one.last_seen)
