"""A remote embedder that may be silent when memd starts and at any time after: its model's number, its circuit breaker."""

import asyncio
from typing import TYPE_CHECKING

from memd.embed import models
from memd.embed.models import CurrentModel, ModelChangedError
from memd.embed.providers.circuit_breaker import CircuitBreaker
from memd.embed.providers.provider import Embedder
from memd.settings import Settings

if TYPE_CHECKING:
    from memd.embed.providers.remote import RemoteEmbedder


def claim_model(conninfo: str, embedder: Embedder) -> int:
    """The number of the embedder's model; 0 while model, settings and stored vectors do not show its dimension.

    Raises ModelChangedError.
    """
    if embedder.dimensions == 0:
        _remote(embedder).dimensions = models.stored_dimensions(conninfo, embedder.name)
    return models.claim(conninfo, embedder.name, embedder.dimensions) if embedder.dimensions else 0


def circuit_breaker(
    settings: Settings, conninfo: str, embedder: Embedder, model: CurrentModel
) -> CircuitBreaker | None:
    """A breaker for a remote embedder, open if it has not answered yet; None for a local one. Needs the event loop.

    The probe sets the number of the model when its dimension was not known before.
    """
    if not embedder.remote:
        return None
    remote = _remote(embedder)

    async def probe() -> None:
        measured = await asyncio.to_thread(remote.measure, settings.embed_query_timeout_s)
        try:
            number = await asyncio.to_thread(models.claim, conninfo, remote.name, measured)
        except ModelChangedError as error:
            model.problem = str(error)
            raise
        remote.dimensions = measured
        model.set(number)

    breaker = CircuitBreaker(probe)
    if not remote.answered:
        breaker.open()
    return breaker


def _remote(embedder: Embedder) -> "RemoteEmbedder":
    from memd.embed.providers.remote import RemoteEmbedder  # loads httpx, which a local embedder does without

    if not isinstance(embedder, RemoteEmbedder):
        raise TypeError(f"{type(embedder).__name__} is not remote")
    return embedder
