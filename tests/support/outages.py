"""Support for tests of outages: plain requests to a real memd, and waiting for it to recover."""

import httpx

from tests.support.waiting import wait_until

"""A generous end for what takes a moment."""


def capture(http: httpx.Client, number: int) -> httpx.Response:
    """Store a memory of its own."""
    body = {"title": f"Mill {number}", "content": f"Mill {number} grinds {number * 7919} sacks of flour in a year"}
    return http.post("/api/mcp/capture", json=body)


def recall(http: httpx.Client, query: str) -> httpx.Response:
    """Recall by a query."""
    return http.post("/api/mcp/recall", json={"query": query})


def titles(http: httpx.Client) -> set[str]:
    """The titles of all memories."""
    return {memory["title"] for memory in http.get("/api/memories?limit=200").json()["memories"]}


def failing_checks(http: httpx.Client) -> dict[str, str]:
    """The failing checks of /readyz; empty when memd is ready."""
    reply = http.get("/readyz")
    assert reply.status_code == (200 if reply.json()["ok"] else 503)
    return reply.json().get("checks", {})


def wait_ready(http: httpx.Client) -> float:
    """Wait until /readyz answers 200; the seconds that it took."""
    return wait_until(lambda: not failing_checks(http))
