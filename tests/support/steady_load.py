"""Users who capture and recall without pause while something happens to the servers; what was answered, and what is lost."""

import threading
from collections import Counter, defaultdict
from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

import httpx

from memd.domain.ids import decode
from tests.support.daemon import Daemon
from tests.support.waiting import wait_until

PAUSE_S: Final = 0.1
WAIT_S: Final = 120.0
DOES_NOT_ANSWER: Final = 0
"""Counted as a status when a request has no reply."""


@dataclass(slots=True)
class Client:
    """One user under load: the statuses by phase, and the memories that memd acknowledged."""

    name: str
    id: Any
    http: httpx.Client
    statuses: defaultdict[str, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    acknowledged: list[str] = field(default_factory=list[str])

    def call(self, number: int) -> list[int]:
        """One capture and one recall; their statuses."""
        text = f"Valve {number} of {self.name} is painted blue."
        captured, reply = self._post("capture", {"title": f"Valve {number}", "content": text})
        if httpx.codes.is_success(captured):
            self.acknowledged.append(reply["id"])
        recalled, _ = self._post("recall", {"query": f"valve {number}", "limit": 5})
        return [captured, recalled]

    def _post(self, path: str, body: dict[str, object]) -> tuple[int, dict[str, Any]]:
        try:
            reply = self.http.post(f"/api/mcp/{path}", json=body)
        except httpx.TransportError:
            return DOES_NOT_ANSWER, {}
        return reply.status_code, reply.json()

    def lost(self) -> list[str]:
        """The acknowledged memories that memd no longer has."""
        found = (self.http.get(f"/api/memories/{memory}/history") for memory in self.acknowledged)
        return [str(reply.url) for reply in found if httpx.codes.is_error(reply.status_code)]


class Load:
    """The clients at work; `phase` names what happens now."""

    def __init__(self, clients: Sequence[Client]) -> None:
        self.clients = clients
        self.phase = "before"
        self._ended = threading.Event()
        self._threads = [threading.Thread(target=self._work, args=(client,)) for client in clients]

    def start(self) -> None:
        """Let every client begin."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Wait until every client has made its last call."""
        self._ended.set()
        for thread in self._threads:
            thread.join()

    def _work(self, client: Client) -> None:
        """The life of one client's thread."""
        number = 0
        while not self._ended.wait(PAUSE_S):
            number += 1
            phase = self.phase
            client.statuses[phase].update(client.call(number))

    def enter(self, phase: str, calls: int = 6) -> None:
        """Name a new phase, and wait until every client has made some calls in it."""
        self.phase = phase
        wait_until(lambda: all(client.statuses[phase].total() >= calls for client in self.clients), WAIT_S)

    def errors(self, clients: Sequence[Client]) -> dict[str, list[int]]:
        """The statuses above 299 of these clients, by phase."""
        found: dict[str, list[int]] = {}
        for client in clients:
            for phase, statuses in client.statuses.items():
                bad = [status for status in statuses if not httpx.codes.is_success(status)]
                if bad:
                    found.setdefault(phase, []).extend(bad)
        return found


@contextmanager
def steady_load(daemon: Daemon, users: int) -> Generator[Load]:
    """This many separate users at work for the block."""
    with daemon.http() as admin:
        made = [
            admin.post("/api/admin/users", json={"name": f"steady {number}", "tier": "unlimited"}).json()
            for number in range(users)
        ]
    with ExitStack() as opened:
        clients: list[Client] = []
        for one in made:
            headers = {"Authorization": f"Bearer {one['apiKey']}"}
            http = opened.enter_context(httpx.Client(base_url=daemon.url, headers=headers, timeout=60))
            clients.append(Client(one["name"], decode("usr", one["id"]), http))
        load = Load(clients)
        load.start()
        try:
            yield load
        finally:
            load.stop()
