"""The circuit breaker of a remote embedder: three timeouts open it, a probe in the background closes it."""

import pytest

from memd.embed.batcher import Batcher
from memd.embed.providers.circuit_breaker import FAILURES, CircuitBreaker
from memd.embed.providers.provider import EmbeddingOutageError, EmbeddingTimeoutError
from tests.support.held_embedder import HeldEmbedder
from tests.support.waiting import PATIENCE_S, until


class Service:
    """The service that a probe asks: it fails until it is told to answer."""

    def __init__(self) -> None:
        self.answers = False
        self.asked = 0

    async def probe(self) -> None:
        self.asked += 1
        if not self.answers:
            raise EmbeddingTimeoutError


async def test_only_failures_in_a_row_open_it() -> None:
    breaker = CircuitBreaker(Service().probe)
    for _ in range(FAILURES):
        breaker.record_failure()
        assert not breaker.is_open
        breaker.record_success()
    for number in range(1, FAILURES + 1):
        breaker.record_failure()
        assert breaker.is_open == (number == FAILURES)
    await breaker.close()


async def test_probes_go_on_until_one_is_answered() -> None:
    service = Service()
    breaker = CircuitBreaker(service.probe, interval_s=0.001)
    breaker.open()
    await until(lambda: service.asked > 2)
    assert breaker.is_open
    service.answers = True
    await until(lambda: not breaker.is_open)
    breaker.record_failure()
    assert not breaker.is_open


async def test_queries_are_refused_while_it_is_open_and_texts_are_not() -> None:
    service, embedder = Service(), HeldEmbedder()
    batcher = Batcher(
        embedder, query_timeout_s=0.1, breaker=CircuitBreaker(service.probe, interval_s=0.001), timeout_s=PATIENCE_S
    )
    known = await batcher.embed_query("known")
    for number in range(FAILURES):
        with pytest.raises(EmbeddingTimeoutError):
            await batcher.embed_query(f"held {number}")
    assert batcher.is_open
    calls = len(embedder.calls)
    with pytest.raises(EmbeddingOutageError):
        await batcher.embed_query("another")
    assert (await batcher.embed_query("known")).tolist() == known.tolist()
    assert len(embedder.calls) == calls
    assert (await batcher.embed_text("written")).tolist() == [7, 1]
    embedder.let_go(1000)
    service.answers = True
    await until(lambda: not batcher.is_open)
    assert (await batcher.embed_query("another")).tolist() == [7, 1]
    await batcher.close()
