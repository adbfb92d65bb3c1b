"""A remote embedder that falls silent: memd starts and answers by words, refuses writes clearly, and recovers."""

import logging
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from memd.embed.providers.circuit_breaker import FAILURES
from tests.support.daemon import Daemon, fast_daemon
from tests.support.embedding_provider import KEY, Provider, providing
from tests.support.outages import capture, failing_checks, recall, titles, wait_ready
from tests.support.waiting import PATIENCE_S, wait_until

pytestmark = pytest.mark.e2e
log = logging.getLogger(__name__)
SEARCHES = ("/api/mcp/recall", "/api/mcp/search-messages", "/api/mcp/context")
LATER = {"query": "flour in sacks"}
PAUSE_S = 0.2
WRITE_TIMEOUT_S = 8
"""Far above the second that a search may wait, so that a busy machine cannot be taken for a search that waits too long."""
BY_WORDS = {"code": "embedding_unavailable", "affectedStage": "embedding", "recoverable": True}


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    """One for all tests, as memd is."""
    with providing() as server:
        yield server


@pytest.fixture(scope="module")
def remote(enterable_folder: Path, migrated: Path, provider: Provider) -> Iterator[Daemon]:
    """A memd, not started yet, whose embedder is the provider."""
    with fast_daemon(enterable_folder / "remote", migrated) as daemon:
        daemon.arguments = ("--workers-off",)
        daemon.environment |= {
            "MEMD_EMBED_MODEL": "remote",
            "MEMD_EMBED_URL": provider.url,
            "MEMD_EMBED_NAME": "some-model",
            "MEMD_EMBED_KEY": KEY,
            "MEMD_EMBED_TIMEOUT_S": str(WRITE_TIMEOUT_S),
        }
        yield daemon
        provider.talking.set()


def degraded(http: httpx.Client) -> dict[str, str]:
    """The parts that do not work although memd is ready, according to /readyz."""
    return http.get("/readyz").json().get("degraded", {})


def assert_by_words(reply: httpx.Response) -> None:
    assert reply.status_code == 200, reply.text
    body = reply.json()
    assert body.get("degraded", True)  # `context` has `degradation` alone
    assert body["degradation"].items() >= BY_WORDS.items()


def assert_refused(reply: httpx.Response) -> None:
    assert (reply.status_code, reply.json()["error"]) == (503, "Embedding service timeout")
    assert int(reply.headers["Retry-After"]) >= 1


def test_memd_starts_while_the_embedder_is_silent(remote: Daemon, provider: Provider) -> None:
    provider.talking.clear()
    remote.environment["MEMD_EMBED_TIMEOUT_S"] = "2"
    remote.start()
    with remote.http(PATIENCE_S) as http:
        assert "MEMD_EMBED_DIMENSIONS" in failing_checks(http)["embedder"]
        assert_refused(capture(http, 1))
        message = {"role": "user", "content": "The mill grinds sacks of flour", "sessionKey": "s"}
        assert http.post("/api/mcp/log", json=message).status_code == 200
        for path in SEARCHES:
            assert_by_words(http.post(path, json=LATER))
        provider.talking.set()
        wait_ready(http)
        assert degraded(http) == {}
        assert capture(http, 1).status_code == 200
        assert recall(http, "flour").json()["degraded"] is False
    remote.stop()
    remote.environment["MEMD_EMBED_TIMEOUT_S"] = str(WRITE_TIMEOUT_S)
    provider.talking.clear()
    remote.start()  # the stored vectors show the dimension
    with remote.http(PATIENCE_S) as http:
        assert failing_checks(http) == {}
        assert degraded(http).keys() == {"embedder"}
        reply = recall(http, "sacks of flour")
        assert_by_words(reply)
        assert [memory["title"] for memory in reply.json()["memories"]] == ["Mill 1"]
        provider.talking.set()
        wait_until(lambda: not degraded(http))
        assert capture(http, 2).status_code == 200
        assert titles(http) == {"Mill 1", "Mill 2"}


def test_an_embedder_that_hangs_costs_a_second_a_few_times(
    remote: Daemon, provider: Provider, request: pytest.FixtureRequest
) -> None:
    seconds = float(request.config.getoption("--outage-seconds"))
    if not remote.runs:
        remote.start()
    with remote.http(PATIENCE_S) as http:
        assert {capture(http, n).status_code for n in range(10, 15)} == {200}
        kept = titles(http)
        assert kept >= {f"Mill {n}" for n in range(10, 15)}
        base = http.post("/api/knowledge-bases", json={"name": "Mills"}).json()["id"]
        provider.talking.clear()
        first = [recall(http, f"sacks of flour {n}") for n in range(FAILURES)]
        assert degraded(http).keys() == {"embedder"}
        begun, later = time.monotonic(), list[httpx.Response]()
        while time.monotonic() - begun < seconds:
            later += [http.post(path, json=LATER) for path in (*SEARCHES, f"/api/knowledge-bases/{base}/query")]
            time.sleep(PAUSE_S)
        assert [LATER["query"]] not in provider.texts()
        for reply in (*first, *later):
            assert_by_words(reply)
        assert {memory["title"] for memory in first[0].json()["memories"]} == kept
        assert_refused(capture(http, 15))
        chunks = {"chunks": [{"content": f"Sack {n}", "metadata": {"title": f"Sack {n}"}} for n in range(3)]}
        imported = http.post(f"/api/knowledge-bases/{base}/import", json=chunks)
        assert (imported.status_code, imported.json()["pendingEmbeddings"]) == (201, 3)
        provider.talking.set()
        recovered = wait_until(lambda: not degraded(http))
        assert recall(http, "a new question").json()["degraded"] is False
        assert capture(http, 15).status_code == 200
        assert titles(http) == kept | {"Mill 15"} | {f"Sack {n}" for n in range(3)}
        slow, fast = (max(reply.elapsed.total_seconds() for reply in replies) for replies in (first, later))
    assert slow < WRITE_TIMEOUT_S, "a search waited as long as a write may"
    log.info("first %d recalls up to %.2f s, %d later ones up to %.3f s", FAILURES, slow, len(later), fast)
    log.info("vectors again %.1f s after the embedder", recovered)
