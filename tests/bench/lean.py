"""A client that costs next to nothing, so that what is measured is the server; and percentiles of what it measured."""

import http.client
import json
import time
from collections.abc import Callable, Sequence
from typing import Any, Self
from urllib.parse import urlsplit


class Lean:
    """JSON over one kept connection, which `close` or the end of its block closes."""

    def __init__(self, url: str, key: str) -> None:
        self._connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=600)
        self._headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def call(self, method: str, path: str, body: object = None) -> Any:
        """The reply of a request that has to succeed."""
        raw = None if body is None else json.dumps(body).encode()
        self._connection.request(method, path, raw, self._headers)
        reply = self._connection.getresponse()
        text = reply.read()
        if reply.status >= 300:
            raise RuntimeError(f"{method} {path}: {reply.status} {text[:300]!r}")
        return json.loads(text)

    def post(self, path: str, body: object) -> Any:
        """The reply to a POST."""
        return self.call("POST", path, body)


def seconds(work: Callable[[], object]) -> float:
    """How long the work takes."""
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which `share` (0..1) of the values lie."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
