"""One client compared with sixteen, each on its own connection, asking for some seconds."""

import threading
import time
from dataclasses import dataclass

from tests.bench.corpus import queries
from tests.bench.lean import Lean, percentile, seconds
from tests.support.daemon import Daemon

SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Load:
    """Requests in a second, milliseconds at two places of their order, and how many failed."""

    clients: int
    throughput: float
    p50: float
    p99: float
    errors: int


def measure(daemon: Daemon, key: str, clients: int, span: float = SECONDS) -> Load:
    """This many clients ask for `span` seconds, each its own questions."""
    questions = queries(900)
    times: list[float] = []
    errors: list[Exception] = []
    end = time.monotonic() + span

    def work(first: int) -> None:
        client, place = Lean(daemon.url, key), first
        while time.monotonic() < end:
            query = questions[place % len(questions)]
            try:
                times.append(1000 * seconds(lambda query=query: client.post("/api/mcp/recall", {"query": query})))
            except (OSError, RuntimeError) as error:
                errors.append(error)
            place += clients

    threads = [threading.Thread(target=work, args=(first,)) for first in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return Load(clients, len(times) / span, percentile(times, 0.5), percentile(times, 0.99), len(errors))
