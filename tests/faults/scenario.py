"""A scenario: its data, the write under test, and the effect of a second try."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from memd.context import Services
from memd.domain.types import KeyScope, Policy
from tests.faults.lives import Request
from tests.support.service import TestUser

Facts: TypeAlias = dict[str, Any]
Arrange: TypeAlias = Callable[[Services, TestUser], Awaitable[Facts | None]]
ADMINISTRATOR = {"policy": Policy.SELF_HOSTED_UNMETERED, "admin": True, "scopes": tuple(KeyScope)}


async def nothing(_services: Services, _user: TestUser) -> None:
    """No data but the user."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """One write.

    `arrange` runs with a worker, whose jobs all end; `cause` runs without one, and what it enqueues is the job of a job's
    scenario. `request` makes the call of an endpoint's scenario out of the facts that `arrange` returned. A call that is
    made `again` after it was lost leads to the same rows as one that was not lost; others, such as making a key, store
    something each time.
    """

    target: str
    arrange: Arrange = nothing
    request: Callable[[Facts], Request] | None = None
    cause: Arrange = nothing
    again: bool = True
    variant: str = ""
    ahead_s: float = 0
    in_steps: bool = False
    """Whether several transactions remove one thing: rules about rows that belong together hold again at the end."""
    user: dict[str, Any] = field(default_factory=lambda: dict(ADMINISTRATOR))

    @property
    def unstable(self) -> frozenset[str]:
        """Tables that differ between two runs up to the same point: which of several jobs a worker has taken."""
        return frozenset({"procrastinate_jobs"}) if self.request is None else frozenset()

    @property
    def name(self) -> str:
        """`POST /api/mcp/forget, permanent`."""
        return f"{self.target}, {self.variant}" if self.variant else self.target
