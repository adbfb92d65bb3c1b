"""Profiles as the wire shows them (contract 17.5)."""

from memctl.wire.profile import ProfileFact, SubjectProfile
from memd.domain.dates.time_window import DAY_MS
from memd.domain.facts.profiles import Profile
from memd.domain.ids import encode


def profile_row(one: Profile, now: int) -> SubjectProfile:
    """A profile as the wire shows it; `now` is epoch ms."""
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
