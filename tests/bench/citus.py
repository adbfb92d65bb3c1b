"""memd on a Citus cluster with two workers compared with one plain Postgres of the same programs, on this machine.

`python -m tests.bench.citus [ROUNDS]`. Both serve at the same time and are asked in turns, so that what else the machine
does slows both alike. CPU is that of all Postgres processes of a side, for the same calls.
"""

import sys
import tempfile
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from tests.bench import captures, latency
from tests.bench.__main__ import table
from tests.bench.corpus import queries
from tests.bench.lean import Lean, percentile, seconds
from tests.bench.serving import serving
from tests.support.citus import SETTINGS, Cluster, Node, cluster
from tests.support.daemon import Daemon
from tests.support.loopback import free_port

USERS, MEMORIES = 8, 300
ROUNDS = 4
RECALLS, CAPTURES_S = 100, 6.0
"""Of a round."""


@dataclass(slots=True)
class Side:
    """A memd, its servers, and what was measured: milliseconds of recalls, captures, and seconds of CPU by kind."""

    daemon: Daemon
    nodes: Sequence[Node]
    keys: list[str] = field(default_factory=list[str])
    recalls: list[float] = field(default_factory=list[float])
    captured: int = 0
    cpu: dict[str, float] = field(default_factory=lambda: {"recall": 0.0, "capture": 0.0})

    def fill(self) -> None:
        """Users with some memories each."""
        for number in range(USERS):
            key = latency.new_tenant(self.daemon, f"user {number}").key
            self.keys.append(key)
            with Lean(self.daemon.url, key) as client:
                texts = captures.memories(MEMORIES)
                client.post("/api/mcp/capture-batch", {"memories": texts})

    def recall(self, questions: Sequence[str]) -> None:
        """Recalls of all users in turn, one after another."""
        before = self._cpu_s()
        clients = [Lean(self.daemon.url, key) for key in self.keys]
        for number, query in enumerate(questions):
            client = clients[number % len(clients)]
            body = {"query": query, "limit": 12}
            self.recalls.append(1000 * seconds(lambda client=client, body=body: client.post("/api/mcp/recall", body)))
        self.cpu["recall"] += self._cpu_s() - before

    def capture(self, number: int) -> None:
        """Captures of eight clients at once, of one user of this round."""
        key = latency.new_tenant(self.daemon, f"round {number}").key
        before = self._cpu_s()
        texts = captures.memories(captures.TEXTS)
        self.captured += len(captures.load(self.daemon, key, texts, time.monotonic() + CAPTURES_S))
        self.cpu["capture"] += self._cpu_s() - before

    def _cpu_s(self) -> float:
        """Seconds of CPU that the servers have used so far, ended sessions included."""
        total = 0.0
        for node in self.nodes:
            assert node.process is not None
            parent = psutil.Process(node.process.pid)
            for process in (parent, *parent.children()):
                with suppress(psutil.NoSuchProcess):
                    used = process.cpu_times()
                    total += (
                        used.user
                        + used.system
                        + (used.children_user + used.children_system if process == parent else 0.0)
                    )
        return total


@contextmanager
def plain(made: Cluster) -> Generator[Node]:
    """A server without Citus, of the same programs and with the same settings otherwise."""
    settings = {name: value for name, value in SETTINGS.items() if name != "shared_preload_libraries"}
    node = made.new_server("plain", free_port(), settings)
    try:
        yield node
    finally:
        node.stop()


def main() -> None:
    """The table of both sides."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    folder = Path(tempfile.mkdtemp(prefix="memd-bench-"))
    folder.chmod(0o711)
    with cluster(folder / "c") as made, plain(made) as server:
        server.prepare("plain", citus=False)
        one, many = server.conninfo("plain"), made.conninfo(made.new_memd())
        with (
            serving("wordllama", {"MEMD_DATABASE_URL": one}) as first,
            serving("wordllama", {"MEMD_DATABASE_URL": many}) as second,
        ):
            sides = {"plain": Side(first, [server]), "Citus": Side(second, made.nodes)}
            measure(list(sides.values()), rounds)
    folder.rmdir()
    rows = [
        (
            *(name, f"{percentile(side.recalls, 0.5):.1f}", f"{percentile(side.recalls, 0.95):.1f}"),
            f"{side.captured / (CAPTURES_S * rounds):.0f}",
            f"{1000 * side.cpu['recall'] / len(side.recalls):.1f}",
            f"{1000 * side.cpu['capture'] / side.captured:.1f}",
        )
        for name, side in sides.items()
    ]
    headings = ("server", "recall p50 ms", "p95 ms", "captures/s, eight clients", "CPU ms a recall", "CPU ms a capture")
    print(table(headings, rows))


def measure(sides: Sequence[Side], rounds: int) -> None:
    """Fill both, warm them, then ask in turns."""
    for side in sides:
        side.fill()
        side.recall(queries(RECALLS, seed=99))
        side.recalls.clear()
        side.cpu["recall"] = 0.0
    for number in range(rounds):
        for side in sides if number % 2 else reversed(sides):
            side.recall(queries(RECALLS, seed=number))
            side.capture(number)


if __name__ == "__main__":
    main()
