"""No client can keep memd waiting, or make it buffer, without end: a real process and raw sockets."""

import socket
import struct
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.support.daemon import Daemon, fast_daemon
from tests.support.raw import body_of, connect, head, read_all, status_of, wait_for_hang_up

PLACES = 40
MEGABYTE = 1_000_000
TIMEOUTS = {f"MEMD_HTTP_{name}_TIMEOUT_S": "1" for name in ("HEADER", "BODY", "WRITE")}


@pytest.fixture(scope="module")
def impatient(enterable_folder: Path, started_once: Path) -> Iterator[Daemon]:
    """A memd that waits a second for clients and has few slots."""
    with fast_daemon(enterable_folder / "impatient", started_once) as served:
        served.environment |= {**TIMEOUTS, "MEMD_LIMITS_MAX_IN_FLIGHT": str(PLACES)}
        served.arguments = ("--workers-off",)
        yield served.start()


@pytest.mark.parametrize("endless", ["X-Long: ", "", "GET /"], ids=["value", "name", "path"])
def test_a_header_without_end_is_refused_and_not_kept(impatient: Daemon, endless: str) -> None:
    before = impatient.memory_bytes()
    with connect(impatient.url) as raw:
        raw.sendall(b"" if "GET" in endless else b"GET /healthz HTTP/1.1\r\n")
        raw.sendall(endless.encode())
        try:
            for _ in range(200):
                raw.sendall(b"a" * MEGABYTE)
        except ConnectionError:
            pass
        reply = read_all(raw)
    assert status_of(reply) in (431, None)
    assert impatient.memory_bytes() - before < 100 * MEGABYTE


def test_a_header_over_the_limit_is_refused_with_the_headers_of_every_reply(impatient: Daemon) -> None:
    with connect(impatient.url) as raw:
        raw.sendall(b"GET /healthz HTTP/1.1\r\nX-Long: " + b"a" * 65_536)
        reply = read_all(raw)
    assert status_of(reply) == 431
    assert body_of(reply) == {"error": "Request header fields too large", "details": "The limit is 65536 bytes"}
    assert all(name in reply for name in (b"x-request-id: req_", b"x-ratelimit-limit: 100", b"cache-control: no-store"))


def test_a_header_just_below_the_limit_is_served(impatient: Daemon) -> None:
    long = "a" * (65_000)
    assert httpx.get(f"{impatient.url}/healthz", headers={"X-Long": long}).status_code == 200


def test_trailers_without_end_are_not_kept(impatient: Daemon) -> None:
    before = impatient.memory_bytes()
    with connect(impatient.url) as raw:
        raw.sendall(head("POST", "/api/mcp/recall", impatient.key, Transfer_Encoding="chunked") + b"1\r\n{\r\n0\r\nX: ")
        try:
            for _ in range(200):
                raw.sendall(b"a" * MEGABYTE)
        except ConnectionError:
            pass
        assert status_of(read_all(raw)) in (431, None)
    assert impatient.memory_bytes() - before < 100 * MEGABYTE


@pytest.mark.parametrize("chunk", [b"zz\r\n{}\r\n", b"-1\r\n{}\r\n", b"2\r\n{}xx0\r\n\r\n", b"f" * 20 + b"\r\n{}"])
def test_a_body_that_is_not_chunked_as_it_says_is_refused_and_nothing_is_written(
    impatient: Daemon, chunk: bytes
) -> None:
    written = b'{"title": "T", "content": "Half a request"}'
    with connect(impatient.url) as raw:
        sent = head("POST", "/api/mcp/capture", impatient.key, Transfer_Encoding="chunked")
        raw.sendall(sent + b"%x\r\n%b\r\n" % (len(written), written) + chunk)
        reply = read_all(raw)
    assert (status_of(reply), body_of(reply)["error"]) == (400, "Bad request")
    found = httpx.get(f"{impatient.url}/api/memories", headers={"Authorization": f"Bearer {impatient.key}"}).json()
    assert found["memories"] == []


@pytest.mark.parametrize("upgrade", ["h2c", "websocket", "TLS/1.3"])
@pytest.mark.parametrize("framing", ["Content-Length", "Transfer-Encoding"])
def test_an_upgrade_is_ignored_and_the_body_stays_the_requests_own(
    impatient: Daemon, upgrade: str, framing: str
) -> None:
    body = head("GET", "/api/version", impatient.key)  # would be a request of its own
    length = {"Content_Length": str(len(body))}
    how = length if framing == "Content-Length" else {"Transfer_Encoding": "chunked"}
    coded = body if framing == "Content-Length" else b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
    with connect(impatient.url) as raw:
        request = {"Upgrade": upgrade, "Connection": "Upgrade, HTTP2-Settings", **how}
        raw.sendall(head("POST", "/api/mcp/recall", impatient.key, **request))
        raw.sendall(coded + head("GET", "/healthz", impatient.key, Connection="close"))
        reply = read_all(raw)
    assert [each[:3] for each in reply.split(b"HTTP/1.1 ")[1:]] == [b"400", b"200"]
    assert b"Invalid JSON" in reply
    assert reply.endswith(b'{"ok":true}')


@pytest.mark.parametrize("trailer", ["X-Memd-User: ana", "X-Operation-Id: none", "Host: evil.example"])
def test_a_trailer_is_no_header(impatient: Daemon, trailer: str) -> None:
    with connect(impatient.url) as raw:
        sent = head("POST", "/api/mcp/stats", impatient.key, Transfer_Encoding="chunked", Connection="close")
        raw.sendall(sent + b"2\r\n{}\r\n0\r\n" + trailer.encode() + b"\r\n\r\n")
        assert status_of(read_all(raw)) == 200


def test_what_is_not_http_is_refused_in_the_form_of_the_contract(impatient: Daemon) -> None:
    with connect(impatient.url) as raw:
        raw.sendall(b"HELO there\r\n\r\n")
        reply = read_all(raw)
    assert status_of(reply) == 400
    assert body_of(reply)["error"] == "Bad request"


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"", None),
        (b"GET /healthz HTTP/1.1\r\nHost: local", 408),
        (head("GET", "/healthz")[:-2] + b"X: y\r\n", 408),
    ],
    ids=["nothing", "half a header", "no last line"],
)
def test_a_header_that_does_not_arrive_in_time_ends_the_connection(
    impatient: Daemon, sent: bytes, status: int | None
) -> None:
    with connect(impatient.url) as raw:
        raw.sendall(sent)
        assert status_of(read_all(raw)) == status


def test_a_second_request_on_a_connection_has_the_same_deadline(impatient: Daemon) -> None:
    with connect(impatient.url) as raw:
        raw.sendall(head("GET", "/healthz"))
        assert status_of(raw.recv(1 << 16)) == 200
        raw.sendall(b"GET /hea")
        assert status_of(read_all(raw)) == 408


def test_a_thousand_half_open_connections_are_closed_and_delay_no_one(impatient: Daemon) -> None:
    half_open = [connect(impatient.url) for _ in range(1000)]
    for raw in half_open:
        raw.sendall(b"POST /api/mcp/recall HTTP/1.1\r\nX-Half")
    with impatient.http() as http:
        assert http.post("/api/mcp/recall", json={"query": "mill"}).status_code == 200
    assert {status_of(read_all(raw)) for raw in half_open} == {408}
    for raw in half_open:
        raw.close()


@pytest.mark.parametrize("path", ["/api/mcp/capture", "/mcp", "/api/device/start", "/device"])
def test_a_body_that_does_not_arrive_in_time_is_refused(impatient: Daemon, path: str) -> None:
    with connect(impatient.url) as raw:
        raw.sendall(head("POST", path, impatient.key, Content_Length="1000") + b"{")
        assert status_of(read_all(raw)) == 408


def test_a_large_body_that_stops_arriving_is_refused_soon(impatient: Daemon) -> None:
    """Two megabytes allow for two minutes at the slowest rate, twice as long as a test waits."""
    with connect(impatient.url) as raw:
        path = "/api/knowledge-bases/kb_01arz3ndektsv4rrffq69g5fav/import"
        raw.sendall(head("POST", path, impatient.key, Content_Length="3000000") + b"{" + b" " * 2_000_000)
        assert status_of(read_all(raw)) == 408


def test_a_body_that_nobody_reads_has_a_deadline_too(impatient: Daemon) -> None:
    with connect(impatient.url) as raw:
        raw.sendall(head("POST", "/api/mcp/capture", Content_Length="1000") + b"{")
        assert status_of(read_all(raw)) == 401


def test_pipelined_requests_are_bounded(impatient: Daemon) -> None:
    with connect(impatient.url) as raw:
        raw.sendall(head("GET", "/healthz") * 500)
        assert 1 <= read_all(raw).count(b"HTTP/1.1 200") < 50


def test_who_leaves_while_pipelined_requests_wait_is_no_failure_of_the_service(impatient: Daemon) -> None:
    question = b'{"query": "mill"}'
    request = head("POST", "/api/mcp/recall", impatient.key, Content_Length=str(len(question))) + question
    for _ in range(20):
        with connect(impatient.url) as raw:
            raw.sendall(request * 8)
            assert status_of(raw.recv(1 << 16)) == 200
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    with impatient.http() as http:
        assert http.post("/api/mcp/recall", json={"query": "mill"}).status_code == 200
    assert not [line for line in impatient.said if "Traceback" in line]


def test_dripping_bodies_of_one_user_leave_room_for_another(impatient: Daemon) -> None:
    """All are counted as requests at once of one unmetered user, who may have half of the free slots."""
    with impatient.http() as admin:
        other = admin.post("/api/admin/users", json={"name": "neighbour", "tier": "unlimited"}).json()["apiKey"]
        base = admin.post("/api/knowledge-bases", json={"name": "dripped"}).json()["id"]
    path = f"/api/knowledge-bases/{base}/import"
    dripping = [connect(impatient.url) for _ in range(2 * PLACES)]
    for raw in dripping:
        raw.sendall(head("POST", path, impatient.key, Content_Length="100000") + b"{")
    statuses: list[int] = []
    with httpx.Client(base_url=impatient.url, headers={"Authorization": f"Bearer {other}"}, timeout=60) as http:
        for _ in range(20):
            for raw in dripping:
                try:
                    raw.send(b" ")
                except OSError:
                    continue
            statuses.append(http.post("/api/mcp/recall", json={"query": "mill"}).status_code)
    assert statuses == [200] * 20
    ends = [status_of(read_all(raw)) for raw in dripping]
    assert ends.count(503) >= PLACES
    assert set(ends) <= {408, 503, None}
    for raw in dripping:
        raw.close()
    with impatient.http() as http:
        assert http.post("/api/mcp/recall", json={"query": "mill"}).status_code == 200


def test_a_client_that_does_not_read_its_reply_is_disconnected(impatient: Daemon) -> None:
    """A page ends at 4 MB, so that more chunks than these make no longer reply."""
    chunks = [{"content": f"{number}" + " ." * 49_990, "metadata": {"title": "Mill"}} for number in range(50)]
    with impatient.http() as http:
        base = http.post("/api/knowledge-bases", json={"name": "large"}).json()["id"]
        assert http.post(f"/api/knowledge-bases/{base}/import", json={"chunks": chunks}).status_code == 201
    with connect(impatient.url, receive_buffer=4096) as raw:
        raw.sendall(head("GET", f"/api/knowledge-bases/{base}/memories?limit=200", impatient.key))
        wait_for_hang_up(raw)
