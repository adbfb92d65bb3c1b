"""The use-case of profiles: what is known about a subject, or about those seen last (contract 17.5)."""

from typing import Final

from memctl.wire.profile import ProfileRequest
from memd.context import Context
from memd.domain.entities import slug
from memd.domain.facts import without_determiner
from memd.domain.profiles import Profile, profiles
from memd.memories.profile import store

MOST_FACTS: Final = 5_000


async def profile(context: Context, request: ProfileRequest) -> list[Profile]:
    """The profiles of the subject named, or of the subjects seen last; from facts that are true now."""
    scope = context.scopes(request.channel, request.agent_id).memory
    key = slug(without_determiner(request.subject)) if request.subject else None
    async with context.database.read(context.user_id) as session:
        stated = await store.facts(session, scope, key, context.now, MOST_FACTS)
    return profiles(stated)[: request.limit]
