"""The use case of profiles: what is known about a subject, or about those seen last (contract 17.5)."""

from collections.abc import Iterator, Sequence
from typing import Final

from memctl.wire.profile import ProfileRequest
from memd.context import Context
from memd.db.session import ReadSession
from memd.domain.facts.facts import without_determiner
from memd.domain.facts.full_names import about, first_name
from memd.domain.facts.profiles import Profile, StatedFact, profiles
from memd.domain.graph.entities import slug
from memd.domain.visibility.scoping import MemoryScope
from memd.memories.profile import store

MAX_FACTS: Final = 5_000
LATEST_FACTS: Final = 100
MAX_NAME_WORDS: Final = 4
"""Words of a subject that is looked for in a query."""
WORDS_READ: Final = 60


async def profile(context: Context, request: ProfileRequest) -> list[Profile]:
    """The profiles of the subject named, or of the subjects seen last; from facts that are true now."""
    scope = context.scopes(request.channel, request.agent_id).memory
    if request.subject is None:
        async with context.database.read(context.user_id) as session:
            stated = await store.facts(session, scope, None, context.now, MAX_FACTS)
    else:
        keys = [slug(without_determiner(request.subject))]
        stated = await _about(context, scope, keys, everybody=True)
    return profiles(stated)[: request.limit]


async def _about(context: Context, scope: MemoryScope, keys: Sequence[str], *, everybody: bool) -> list[StatedFact]:
    """The facts about these subjects; a first name is whom it names in full, and with `everybody` any of several."""
    read = sorted({*keys, *map(first_name, keys)})
    async with context.database.read(context.user_id) as session:
        stated = await store.facts(session, scope, read, context.now, MAX_FACTS)
    return about(stated, keys, everybody=everybody)


async def latest(session: ReadSession, context: Context, scope: MemoryScope, limit: int) -> list[Profile]:
    """The profiles of the subjects seen last, out of the newest facts that are true now."""
    return profiles(await store.facts(session, scope, None, context.now, LATEST_FACTS))[:limit]


async def profiles_in(context: Context, scope: MemoryScope, query: str) -> list[Profile]:
    """The profiles of the subjects that a query names, the one seen last first; from facts that are true now."""
    keys = sorted({*_names(query)})
    if not keys:
        return []
    return profiles(await _about(context, scope, keys, everybody=False))


def _names(query: str) -> Iterator[str]:
    """The keys of all runs of words that may be a subject."""
    words = [word.removesuffix("'s").removesuffix("\u2019s") for word in query.split()[:WORDS_READ]]
    for start in range(len(words)):
        for end in range(start + 1, min(start + MAX_NAME_WORDS, len(words)) + 1):
            if key := slug(" ".join(words[start:end])):
                yield key
