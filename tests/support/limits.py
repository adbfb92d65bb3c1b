"""Support for tests of limits: the service with other limits, clients of it, and spending credits."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import httpx
from starlette.types import ASGIApp

from memd.access.authentication.principal import Principal
from memd.access.rate_limits.limits import local_limits
from memd.access.rate_limits.rate_limiter import RateLimiter
from memd.app import build
from memd.context import Services
from memd.embed import service as embedding
from memd.settings import Settings
from tests.support.jobs import context_of
from tests.support.service import BASE, TestUser


def numbers(reply: httpx.Response) -> tuple[int, int]:
    return int(reply.headers["X-RateLimit-Limit"]), int(reply.headers["X-RateLimit-Remaining"])


@asynccontextmanager
async def another(services: Services, **settings: Any) -> AsyncGenerator[tuple[ASGIApp, Services]]:
    """The same service with other limits, counting for itself."""
    changed = Settings(**(services.settings.model_dump() | settings))
    rate_limiter = RateLimiter(local_limits(changed, services.clock), services.clock)
    other = replace(services, settings=changed, rate_limiter=rate_limiter)
    yield build(other), other
    await rate_limiter.close()


def client(app: ASGIApp, key: str | None, address: str = "192.0.2.1") -> httpx.AsyncClient:
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    transport = httpx.ASGITransport(app, client=(address, 1))
    return httpx.AsyncClient(transport=transport, base_url=BASE, headers=headers, timeout=60)


async def spend(services: Services, user: TestUser, cost: int) -> None:
    """Take credits as one expensive request would."""
    await services.rate_limiter.debit(await principal_of(services, user), cost)


async def principal_of(services: Services, user: TestUser) -> Principal:
    return (await context_of(services, user)).principal


async def spend_embeddings(services: Services, user: TestUser) -> None:
    """Use up the embedding calls of the day: nothing new has a vector, only words find."""
    context = await context_of(services, user)
    await embedding.take_allowance(context, context.principal.allowance.embeddings_per_day or 0)
