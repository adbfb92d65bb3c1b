"""The arguments of every use case: the services of the process and the data of one request."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol
from uuid import UUID

from memd.access.authentication.principal import Principal
from memd.access.background_tasks import BackgroundTasks
from memd.access.rate_limits.rate_limiter import RateLimiter
from memd.accounts.principal_cache import PrincipalCache
from memd.audit.refusals import Refusals
from memd.db.document_frequencies import DocumentFrequencies
from memd.db.session import Database
from memd.devices.attempts import Attempts
from memd.domain.dates.zone import TimeZone
from memd.domain.policy.content_policy import PolicyRules
from memd.domain.schedule.clock_jump import Uptime
from memd.domain.visibility.scoping import ScopeRequest, VisibleScopes, visible_scopes
from memd.embed.batcher import Batcher
from memd.embed.models import CurrentModel
from memd.jobs.lag.shared import SharedLag
from memd.settings import Settings

if TYPE_CHECKING:
    from memd.access.authentication.jwt import JwtVerifier
    from memd.embed.reranker import Reranker
    from memd.llm.chat_model import ChatModel
    from memd.memories.new import NewMemory, Outcome
    from memd.policy.moderation import Moderator


class CaptureQueue(Protocol):
    """Stores captured memories; those of a user that arrive together share a transaction (`memd/memories/group_commit.py`)."""

    def announce(self, user_id: UUID) -> AbstractContextManager[None]:
        """While a memory of the user is being embedded: transactions that are about to start may wait for it."""
        ...

    async def store(self, context: "Context", rows: "Sequence[NewMemory]") -> "list[Outcome]":
        """Store rows; one outcome each, in order."""
        ...

    async def drain(self) -> None:
        """Wait until all pending writes are stored."""
        ...


@dataclass(frozen=True, slots=True)
class Services:
    """Objects with the lifetime of the process; wired in `app.py` and nowhere else.

    `lifetime` holds resources that were opened later; it is closed before the rest.
    """

    settings: Settings
    database: Database
    batcher: Batcher
    reranker: "Reranker | None"
    current_model: CurrentModel
    policy: PolicyRules
    moderator: "Moderator | None"
    llm: "ChatModel | None"
    rate_limiter: RateLimiter
    principals: PrincipalCache
    jwt: "JwtVerifier | None"
    attempts: Attempts
    background_tasks: BackgroundTasks
    captures: CaptureQueue
    refusals: Refusals
    document_frequencies: DocumentFrequencies
    lag: SharedLag
    clock: Callable[[], int]
    uptime: Callable[[], Uptime]
    lifetime: AsyncExitStack

    @property
    def model(self) -> int:
        """The number of the model under which vectors are stored."""
        return self.current_model.number


@dataclass(frozen=True, slots=True)
class Context:
    """One request, tool call or job run: its caller, id and moment (epoch ms, read once).

    `address` is the client's; a job has none. `operation_id` is the first request of the operation that this one is
    part of, if it named one.
    """

    services: Services
    principal: Principal
    request_id: UUID
    now: int
    address: str | None = None
    operation_id: UUID | None = None

    @property
    def write_id(self) -> UUID:
        """The id by which undo finds the writes of this request: of the operation, or of the request itself."""
        return self.operation_id or self.request_id

    @property
    def user_id(self) -> UUID:
        """The owner of everything this context may touch."""
        return self.principal.user_id

    @property
    def database(self) -> Database:
        """Shorthand for the sessions of this process."""
        return self.services.database

    @property
    def zone(self) -> TimeZone:
        """The zone whose days the user's texts and questions name."""
        return self.services.settings.time_zone

    def scopes(
        self,
        channel: str | None,
        agent_id: str | None,
        *,
        peer_scope: str | None = None,
        session_key: str | None = None,
        all_channels: bool = False,
    ) -> VisibleScopes:
        """The visible scopes of a request from this channel and agent (contract 10)."""
        request = ScopeRequest(channel=channel, agent_id=agent_id, peer_scope=peer_scope, all_channels=all_channels)
        return visible_scopes(request, self.services.settings.visibility, session_key=session_key)
