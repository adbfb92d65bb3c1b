"""Wire types of profiles (contract 17.5)."""

from typing import Annotated, Final

from memctl.wire.base import RequestModel, WireModel, absent
from memctl.wire.fields import Limit, RequiredText, ScopeText

SUBJECT_MAX: Final = 500
PROFILES_MAX: Final = 100


class ProfileRequest(RequestModel):
    """GET /api/profile; without a subject, those seen last."""

    subject: Annotated[str, RequiredText(SUBJECT_MAX)] | None = None
    channel: ScopeText = None
    agent_id: ScopeText = None
    limit: Annotated[int, Limit(1, PROFILES_MAX)] = 20


class ProfileFact(WireModel):
    """A current value of an attribute; `evidence` are the memories that state it, the newest first.

    `contested` is true when memories give an attribute with one value another value too, unless both were kept, and when
    an open conflict names the value.
    """

    attribute: str
    value: str
    evidence: list[str]
    proofs: int
    first_seen: int
    last_seen: int
    stale_days: int
    contested: bool | None = absent()


class SubjectProfile(WireModel):
    """A person or thing, and what is known about it."""

    subject: str
    facts: list[ProfileFact]
    last_seen: int


class ProfileReply(WireModel):
    """Profiles, the subject seen last first."""

    profiles: list[SubjectProfile]
