"""Traces of a memd process as a collector gets them: requests, lanes, embedding, statements, jobs; no contents."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.daemon import Daemon, fast_daemon

pytest.importorskip("opentelemetry.sdk", reason="the extra otel is not installed; `make dev` installs it")

from tests.support.collector import Collector, Received, collecting

pytestmark = pytest.mark.e2e
TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
CLIENT_SPAN = "00f067aa0ba902b7"
SECRETS = ("Xanthippe", "quincunx", "zugzwang")
CAPTURED = {
    "title": f"Talk with {SECRETS[0]}",
    "content": f"{SECRETS[0]} decided to buy a {SECRETS[1]} for Ada Lovelace.",
}


def named(name: str, trace: str):
    return lambda span: span.name == name and span.trace == trace


def within(collector: Collector, inner: Received, outer: Received) -> bool:
    """Whether a span is below another one."""
    parents = {span.id: span.parent for span in collector.spans}
    place = inner.id
    while place and place != outer.id:
        place = parents.get(place, "")
    return place == outer.id


@pytest.fixture(scope="module")
def traced(enterable_folder: Path, started_once: Path) -> Iterator[tuple[Daemon, Collector]]:
    """A memd that exports its spans at once, and its collector; the last of these tests ends both."""
    with collecting() as collector, fast_daemon(enterable_folder / "d-traces", started_once) as served:
        served.environment |= {"MEMD_OTEL_ENDPOINT": collector.address, "OTEL_BSP_SCHEDULE_DELAY": "100"}
        yield served.start(), collector


def test_a_request_its_parts_and_its_job_are_one_trace_without_contents(traced: tuple[Daemon, Collector]) -> None:
    daemon, collector = traced
    assert daemon.process is not None
    with daemon.http() as http:
        captured = http.post("/api/mcp/capture", json=CAPTURED | {"store": "semantic", "category": "decision"})
        assert captured.status_code == 200
        shown = captured.json()["id"]
        headers = {"traceparent": f"00-{TRACE}-{CLIENT_SPAN}-01"}
        recalled = http.post("/api/mcp/recall", json={"query": f"What about {SECRETS[2]}?"}, headers=headers)
        assert recalled.status_code == 200
        missing = http.get("/no/such/path")
        assert missing.status_code == 404

    capture = collector.wait_for(lambda span: span.name == "POST /api/mcp/capture")
    job = collector.wait_for(named("job graph_enrich", capture.trace))
    assert job.kind == "CONSUMER"
    assert job.pid != capture.pid == daemon.process.pid
    statement = collector.wait_for(lambda span: span.kind == "CLIENT" and within(collector, span, job))
    assert statement.attributes["db.system.name"] == "postgresql"

    recall = collector.wait_for(named("POST /api/mcp/recall", TRACE))
    assert (recall.kind, recall.parent, recall.service, recall.failed) == ("SERVER", CLIENT_SPAN, "memd", False)
    assert recall.attributes["http.route"] == "/api/mcp/recall"
    assert recall.attributes["http.response.status_code"] == 200
    assert recall.attributes["memd.request_id"] == recalled.headers["X-Request-Id"]
    for part in ("recall.memories", "recall.knowledgeBases", "recall.messages", "recall.ranking", "embed.query"):
        assert within(collector, collector.wait_for(named(part, TRACE)), recall), part
    lane = collector.wait_for(named("recall.memories", TRACE))
    assert any(span.kind == "CLIENT" and within(collector, span, lane) for span in collector.spans)

    unrouted = collector.wait_for(lambda span: span.attributes.get("http.response.status_code") == 404)
    assert unrouted.name == "GET"
    everything = b"".join(collector.bodies)
    for text in (*SECRETS, *(text.lower() for text in SECRETS), shown, daemon.key, "SELECT"):
        assert text.encode() not in everything, text


def test_a_collector_that_has_gone_hurts_neither_requests_nor_the_end(traced: tuple[Daemon, Collector]) -> None:
    daemon, collector = traced
    collector.shutdown()
    collector.server_close()
    with daemon.http() as http:
        assert http.post("/api/mcp/recall", json={"query": "anything"}).status_code == 200
    assert daemon.stop() == 0
    assert not any("Traceback" in line for line in daemon.said)


def test_an_unusable_address_of_a_collector_is_refused_at_the_start(tmp_path: Path) -> None:
    daemon = Daemon(tmp_path / "data", {"MEMD_EMBED_MODEL": "wordllama"})
    daemon.environment["MEMD_OTEL_ENDPOINT"] = "127.0.0.1:4318"
    with pytest.raises(AssertionError, match="begins with http:// or https://"):
        daemon.start()
    assert daemon.process is not None
    assert daemon.process.wait() == 2
