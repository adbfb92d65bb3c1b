"""The services of a process: settings, database, embedder, limits and models, wired together here and nowhere else.

Request processes and workers both run them; neither HTTP nor the job queue is part of them.
"""

import time
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, nullcontext
from typing import TYPE_CHECKING

from memd.access.background_tasks import BackgroundTasks
from memd.access.rate_limits.limits import Limits, local_limits
from memd.access.rate_limits.rate_limiter import RateLimiter
from memd.accounts.principal_cache import PrincipalCache
from memd.audit.refusals import Refusals
from memd.context import Services
from memd.db.document_frequencies import DocumentFrequencies
from memd.db.engine import Timeouts, open_pools
from memd.db.session import Database
from memd.devices.attempts import Attempts
from memd.embed.batcher import Batcher
from memd.embed.models import CurrentModel
from memd.embed.providers.provider import Embedder
from memd.embed.providers.remote_watch import circuit_breaker
from memd.jobs import store as queue
from memd.jobs.lag.shared import SharedLag
from memd.memories.group_commit import GroupCommit
from memd.policy.rules import load_rules
from memd.processes.counts import caller_connections, embed_threads
from memd.resources import logins_of, make_cross_encoder
from memd.settings import Settings
from memd.uptime import read_uptime

if TYPE_CHECKING:
    import httpx

    from memd.access.authentication.jwt import JwtVerifier
    from memd.embed.reranker import Reranker
    from memd.llm.chat_model import ChatModel
    from memd.policy.moderation import Moderator


def now_ms() -> int:
    """The clock of the process, epoch milliseconds."""
    return time.time_ns() // 1_000_000


@asynccontextmanager
async def running(
    settings: Settings,
    conninfo: str,
    embedder: Embedder,
    model: int,
    *,
    connections: int | None = None,
    threads: int | None = None,
    limits: Limits | None = None,
) -> AsyncGenerator[Services]:
    """The services of a process, from the open pools until background tasks are drained.

    `connections` for users and `threads` per lane of the embedder replace the settings, `limits` those counted here.
    """
    logins = logins_of(settings, conninfo)
    async with (
        _tracing(settings),
        open_pools(
            logins,
            max_size=settings.database_pool_size if connections is None else connections,
            caller_max=caller_connections(settings),
            timeouts=_timeouts(settings),
        ) as pools,
    ):
        outside = _outside(settings)
        current_model = CurrentModel(model)
        batcher = Batcher(
            embedder,
            threads=embed_threads(settings) if threads is None else threads,
            timeout_s=settings.embed_timeout_s,
            query_timeout_s=settings.embed_query_timeout_s if embedder.remote else None,
            breaker=circuit_breaker(settings, conninfo, embedder, current_model),
        )
        services = _wire(settings, Database(pools, queue.add_jobs), batcher, current_model, outside, limits)
        try:
            yield services
        finally:
            await _close(services)
            if outside is not None:
                await outside.aclose()


def _wire(
    settings: Settings,
    database: Database,
    batcher: Batcher,
    current_model: CurrentModel,
    outside: "httpx.AsyncClient | None",
    limits: Limits | None,
) -> Services:
    rate_limiter = RateLimiter(local_limits(settings, now_ms) if limits is None else limits, now_ms)
    background_tasks = BackgroundTasks()
    return Services(
        settings=settings,
        database=database,
        batcher=batcher,
        reranker=_reranker(settings),
        current_model=current_model,
        policy=load_rules(settings.policy_dir),
        moderator=_moderator(settings, outside),
        llm=_llm(settings, outside, rate_limiter),
        rate_limiter=rate_limiter,
        principals=PrincipalCache(),
        jwt=_jwt(settings),
        attempts=Attempts(rate_limiter.ledgers),
        background_tasks=background_tasks,
        captures=GroupCommit(),
        refusals=Refusals(background_tasks, database, now_ms),
        document_frequencies=DocumentFrequencies(now_ms),
        lag=SharedLag(),
        clock=now_ms,
        uptime=read_uptime,
        lifetime=AsyncExitStack(),
    )


def _tracing(settings: Settings) -> AbstractAsyncContextManager[None]:
    """Traces of this process, where the settings name a collector; the SDK is imported for that alone."""
    if settings.otel_endpoint is None:
        return nullcontext()
    from memd.tracing.otel import exporting

    return exporting(settings.otel_endpoint)


def _timeouts(settings: Settings) -> Timeouts:
    return Timeouts(settings.database_statement_timeout_s, settings.database_job_timeout_s)


async def _close(services: Services) -> None:
    """Finish pending work, then close what holds threads and connections."""
    await services.lifetime.aclose()
    await services.captures.drain()
    await services.background_tasks.drain()
    await services.batcher.close()
    if services.reranker is not None:
        await services.reranker.close()
    await services.rate_limiter.close()


def _reranker(settings: Settings) -> "Reranker | None":
    encoder = make_cross_encoder(settings)
    if encoder is None:
        return None
    from memd.embed.reranker import Reranker

    return Reranker(encoder, timeout_s=settings.embed_timeout_s)


def _jwt(settings: Settings) -> "JwtVerifier | None":
    if settings.jwt_secret is None and settings.jwt_jwks is None:
        return None
    from memd.access.authentication.jwt import JwtVerifier, check_settings

    check_settings(settings)
    return JwtVerifier(settings, now_ms)


def _outside(settings: Settings) -> "httpx.AsyncClient | None":
    """The clients of external services that the settings name; loading httpx takes 0.2 s, so only for them."""
    if settings.moderation_url is None and settings.llm_url is None:
        return None
    import httpx

    return httpx.AsyncClient()


def _moderator(settings: Settings, client: "httpx.AsyncClient | None") -> "Moderator | None":
    if client is None or settings.moderation_url is None:
        return None
    from memd.policy.moderation import Moderator

    return Moderator(client, settings.moderation_url, api_key=settings.moderation_key)


def _llm(settings: Settings, client: "httpx.AsyncClient | None", rate_limiter: RateLimiter) -> "ChatModel | None":
    if client is None or settings.llm_url is None:
        return None
    from memd.llm.chat import Chat
    from memd.llm.chat_model import ChatModel

    chat = Chat(client, settings.llm_url, model=settings.llm_model, key=settings.llm_key)
    return ChatModel(chat, rate_limiter.ledgers)
