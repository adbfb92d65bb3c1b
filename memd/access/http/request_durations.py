"""How long requests take, by method, route and status: the histogram that `/metrics` shows (contract 9.5)."""

import time
from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass, field
from http import HTTPMethod
from typing import Final, NamedTuple, Protocol, TypeAlias

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from memd.access.http.route_template import route_template

BOUNDS_S: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper bounds of the buckets, in seconds; slower requests go into one more bucket."""
OTHER: Final = "other"
"""The label of unknown methods and routes, so that clients cannot add series."""
_METHODS: Final = frozenset(HTTPMethod)


class RequestKind(NamedTuple):
    """The labels under which requests are counted; `route` is the template of a path."""

    method: str
    route: str
    status: int


@dataclass(slots=True)
class Durations:
    """The number of requests in each bucket, and their total duration in seconds."""

    buckets: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS_S) + 1))
    seconds: float = 0.0


DurationsByKind: TypeAlias = dict[RequestKind, Durations]


class RequestDurations(Protocol):
    """The requests that this memd has answered since its start, in all of its processes."""

    def add(self, kind: RequestKind, seconds: float) -> None:
        """Count a request."""
        ...

    async def read(self) -> DurationsByKind:
        """The counts now."""
        ...


class MemoryDurations:
    """Counts in this process."""

    def __init__(self) -> None:
        self._found: DurationsByKind = defaultdict(Durations)

    def add(self, kind: RequestKind, seconds: float) -> None:
        """Count a request."""
        durations = self._found[kind]
        durations.buckets[bisect_left(BOUNDS_S, seconds)] += 1
        durations.seconds += seconds

    async def read(self) -> DurationsByKind:
        """The counts now."""
        return dict(self._found)


class DurationMiddleware:
    """Counts the requests that were answered: pure ASGI around the whole app."""

    def __init__(self, app: ASGIApp, durations: RequestDurations) -> None:
        self._app = app
        self._durations = durations

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one ASGI event stream."""
        began, status = time.perf_counter(), None

        async def send_noting_status(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, send_noting_status)
        finally:
            if status is not None:
                self._durations.add(_kind(scope, status), time.perf_counter() - began)


def _kind(scope: Scope, status: int) -> RequestKind:
    method, route = scope["method"], route_template(scope)
    return RequestKind(method if method in _METHODS else OTHER, route or OTHER, status)
