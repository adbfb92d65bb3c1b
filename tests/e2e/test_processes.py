"""`memd serve --processes N`: limits, quotas, revoked keys and equal captures hold over all processes (contract 1.3, 1.4, 2.2, 9.3).

The suite runs it with 2 processes, `make processes` with 4. Every test sends its requests over connections of which each
process has accepted at least one.
"""

import itertools
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from uuid import UUID

import httpx
import psutil
import psycopg
import pytest

from memd.db.embedded.server import running_conninfo
from memd.domain.ids import decode
from tests.e2e.kept_connection import PATIENCE_S, Connection, Reply
from tests.e2e.test_worker_process import workers
from tests.support.daemon import Daemon, fast_daemon
from tests.support.waiting import wait_until

pytestmark = pytest.mark.e2e
ADDRESS_CREDITS = 100


def request_processes(daemon: Daemon) -> list[psutil.Process]:
    """The processes that answer requests; the first is the supervising one."""
    assert daemon.process is not None
    supervisor = psutil.Process(daemon.process.pid)
    children = [one for one in supervisor.children() if one.name() == "memd request"]
    return [supervisor, *children]


def acceptor(daemon: Daemon, connection: Connection) -> int | None:
    """The process that has accepted a connection; None while none has."""
    for process in request_processes(daemon):
        for known in process.net_connections("tcp"):
            if known.raddr and known.raddr == connection.end_point and known.status == psutil.CONN_ESTABLISHED:
                return process.pid
    return None


@pytest.fixture(scope="module")
def daemon(enterable_folder: Path, started_once: Path, request: pytest.FixtureRequest) -> Iterator[Daemon]:
    """A memd of several processes, all of which answer."""
    count = int(request.config.getoption("--processes"))
    with fast_daemon(enterable_folder / "processes", started_once) as served:
        served.environment |= {"MEMD_LIMITS_QUEUE_WAIT_S": "30"}
        served.arguments = ("--processes", str(count), "--workers-off")
        served.start()
        wait_until(lambda: len(request_processes(served)) == count)
        yield served


@contextmanager
def connected(daemon: Daemon, wanted: Sequence[int], source: str = "127.0.0.1") -> Generator[list[Connection]]:
    """Connections that these processes have accepted, one for each process id."""
    by_process: dict[int, list[Connection]] = defaultdict(list)
    with ExitStack() as stack:

        def complete() -> bool:
            connection = Connection(daemon.url, source)
            stack.callback(connection.close)
            connection.send("GET", "/healthz", None)
            if (pid := acceptor(daemon, connection)) is not None:
                by_process[pid].append(connection)
            return all(len(by_process[pid]) >= number for pid, number in Counter(wanted).items())

        wait_until(complete)
        yield [by_process[pid].pop() for pid in wanted]


@pytest.fixture
def connections(daemon: Daemon) -> Iterator[dict[int, Connection]]:
    """A connection to each process, by process id."""
    pids = [process.pid for process in request_processes(daemon)]
    with connected(daemon, pids) as found:
        yield dict(zip(pids, found, strict=True))


@pytest.fixture
def key(daemon: Daemon) -> str:
    """The key of a new user with 100 credits a minute and two requests at once."""
    with daemon.http() as http:
        reply = http.post("/api/admin/users", json={"name": f"user {time.monotonic_ns()}", "tier": "free"})
        assert reply.status_code == 201, reply.text
        return reply.json()["apiKey"]


def together(connections: dict[int, Connection], times: int, send: Callable[[Connection], Reply]) -> Sequence[Reply]:
    """Send `times` requests over each connection, all connections at once."""
    with ThreadPoolExecutor(len(connections)) as pool:
        tasks = [pool.submit(lambda one=one: [send(one) for _ in range(times)]) for one in connections.values()]
        return [reply for task in tasks for reply in task.result()]


def test_credits_are_taken_from_one_pool(connections: dict[int, Connection], key: str) -> None:
    times = 120 // len(connections)
    replies = together(connections, times, lambda one: one.send("GET", "/api/keys", key))
    assert Counter(reply.status for reply in replies) == {200: 100, 429: times * len(connections) - 100}


def test_concurrent_requests_are_counted_over_all_processes(
    daemon: Daemon, connections: dict[int, Connection], key: str
) -> None:
    first, second, *_ = connections.values()
    for holder in (first, second):
        holder.begin("/api/mcp/recall", key)
    third = Connection(daemon.url)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(third.send, "GET", "/api/keys", key)
        with pytest.raises(TimeoutError):
            waiting.result(0.5)
        assert first.end() == 400
        assert waiting.result(PATIENCE_S).status == 200
    assert second.end() == 400
    third.close()


def test_a_revoked_key_is_refused_by_all_processes(
    daemon: Daemon, connections: dict[int, Connection], key: str
) -> None:
    made = next(iter(connections.values())).send("POST", "/api/keys", key, {"label": "second"}).body
    assert {one.send("GET", "/api/keys", made["apiKey"]).status for one in connections.values()} == {200}
    with daemon.http() as http:
        http.headers["Authorization"] = f"Bearer {key}"
        assert http.delete(f"/api/keys/{made['id']}").status_code == 200
    assert {one.send("GET", "/api/keys", made["apiKey"]).status for one in connections.values()} == {401}


def test_equal_captures_are_stored_once(daemon: Daemon, connections: dict[int, Connection]) -> None:
    memory = {"title": "Deploys", "content": "Deploys happen on Tuesdays."}
    replies = together(connections, 3, lambda one: one.send("POST", "/api/mcp/capture", daemon.key, memory))
    assert Counter(reply.status for reply in replies) == {200: 1, 409: 3 * len(connections) - 1}


def test_the_quota_of_memories_holds_over_all_processes(
    daemon: Daemon, connections: dict[int, Connection], key: str
) -> None:
    with user_of_one_capture(daemon, connections, key) as (postgres, user_id):
        postgres.execute("UPDATE totals SET active_memories = 490 WHERE user_id = %s", [user_id])
    replies = distinct_captures(connections, key)
    assert Counter(reply.status for reply in replies) == {200: 10, 403: len(replies) - 10}
    assert {reply.body["error"] for reply in replies if reply.status == 403} == {"Storage limit reached"}


def test_the_embedding_calls_of_a_day_are_counted_over_all_processes(
    daemon: Daemon, connections: dict[int, Connection], key: str
) -> None:
    with user_of_one_capture(daemon, connections, key) as (postgres, user_id):
        postgres.execute(
            "INSERT INTO embedding_use (user_id, day, calls) SELECT user_id, day + 1, 0 FROM embedding_use "
            "WHERE user_id = %s",  # midnight may come in between
            [user_id],
        )
        postgres.execute("UPDATE embedding_use SET calls = 42 WHERE user_id = %s", [user_id])
    replies = distinct_captures(connections, key)
    assert Counter(reply.status for reply in replies) == {200: 8, 429: len(replies) - 8}
    assert {reply.body["error"] for reply in replies if reply.status == 429} == {"Embedding daily cap exceeded"}


@contextmanager
def user_of_one_capture(
    daemon: Daemon, connections: dict[int, Connection], key: str
) -> Generator[tuple[psycopg.Connection, UUID]]:
    """The database, and the id of the user with this key, who has captured one memory."""
    one = next(iter(connections.values()))
    captured = one.send("POST", "/api/mcp/capture", key, {"title": "First", "content": "The first of all."})
    with psycopg.connect(running_conninfo(daemon.data_dir), autocommit=True) as postgres:
        found = postgres.execute("SELECT user_id FROM memory WHERE id = %s", [decode("mem", captured.body["id"])])
        row = found.fetchone()
        assert row is not None
        yield postgres, row[0]


def distinct_captures(connections: dict[int, Connection], key: str) -> Sequence[Reply]:
    """As many captures of a minute as the user has credits for, after the first one, over all connections."""
    numbers = itertools.count()

    def send(one: Connection) -> Reply:
        memory = {"title": "Deploys", "content": f"Deploy {next(numbers)} was on a Tuesday."}
        return one.send("POST", "/api/mcp/capture", key, memory)

    return together(connections, 19 // len(connections), send)


def test_device_requests_of_an_address_are_counted_over_all_processes(connections: dict[int, Connection]) -> None:
    replies = together(connections, 8, lambda one: one.send("POST", "/api/device/start", None, {}))
    assert Counter(reply.status for reply in replies) == {200: 10, 429: 8 * len(connections) - 10}


def test_metrics_are_those_of_all_processes(daemon: Daemon, connections: dict[int, Connection]) -> None:
    count = len(connections)
    for _ in range(2 * count):
        with daemon.http() as http:
            text = http.get("/metrics").text
        assert f'memd_processes{{kind="request"}} {float(count)}' in text
        total = next(line for line in text.splitlines() if line.startswith("process_resident_memory_bytes "))
        assert float(total.split()[1]) > sum(each.memory_info().rss for each in request_processes(daemon)) / 2


def test_metrics_time_the_requests_of_all_processes(daemon: Daemon, connections: dict[int, Connection]) -> None:
    before = answered(daemon, "/healthz")
    together(connections, 15, lambda one: one.send("GET", "/healthz", None))
    expected = before + 15 * len(connections)
    end = time.monotonic() + PATIENCE_S
    while answered(daemon, "/healthz") < expected and time.monotonic() < end:
        time.sleep(0.05)  # a request is counted when its last byte has been sent
    assert {answered(daemon, "/healthz") for _ in range(4 * len(connections))} == {expected}


def answered(daemon: Daemon, route: str) -> float:
    """The requests with status 200 of a route, as the process says that accepts the connection."""
    with daemon.http() as http:
        text = http.get("/metrics").text
    series = f'memd_http_request_duration_seconds_count{{method="GET",route="{route}",status="200"}} '
    return next((float(line.removeprefix(series)) for line in text.splitlines() if line.startswith(series)), 0.0)


def test_without_workers_no_process_is_started(daemon: Daemon) -> None:
    with daemon.http() as http:
        ready = http.get("/readyz").json()
    assert (ready["ok"], "workers" in ready["details"]) == (True, False)
    assert workers(daemon) == []


def test_rejected_keys_of_an_address_are_counted_over_all_processes(daemon: Daemon) -> None:
    """From an address of its own, whose minute begins with this test."""
    pids = [process.pid for process in request_processes(daemon)]
    times = (ADDRESS_CREDITS + 20) // len(pids)
    numbers = itertools.count()  # threads may share it, a generator not
    with connected(daemon, pids, "127.0.0.9") as found:
        connections = dict(zip(pids, found, strict=True))
        replies = together(connections, times, lambda one: one.send("GET", "/api/keys", f"{next(numbers):064x}"))
    statuses = Counter(reply.status for reply in replies)
    assert statuses.keys() == {401, 429}
    assert ADDRESS_CREDITS - 20 <= statuses[401] <= ADDRESS_CREDITS


def test_the_places_of_a_killed_process_are_free_again(
    daemon: Daemon, connections: dict[int, Connection], key: str
) -> None:
    supervisor, child, *_ = request_processes(daemon)
    with connected(daemon, [child.pid, child.pid]) as holders, ThreadPoolExecutor(1) as pool:
        for holder in holders:
            holder.begin("/api/mcp/recall", key)
        waiting = pool.submit(connections[supervisor.pid].send, "GET", "/api/keys", key)
        with pytest.raises(TimeoutError):
            waiting.result(0.5)
        child.kill()
        assert waiting.result(PATIENCE_S).status == 200
    with daemon.http() as http:
        wait_until(lambda: restarts(http) >= 1)
    wait_until(lambda: len(request_processes(daemon)) == len(connections))


def restarts(http: httpx.Client) -> int:
    return http.get("/readyz").json()["details"]["requestProcesses"]["restarts"]
