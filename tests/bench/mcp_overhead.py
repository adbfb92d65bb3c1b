"""How much longer a recall takes over MCP than over HTTP: the same question, asked in turns, at one running memd."""

import statistics
import sys
import time
from collections.abc import Callable
from typing import Any, Final

import httpx

from tests.bench.serving import serving

ROUNDS: Final = 300
WARM_UP: Final = 50
MEMORIES: Final = 200
QUESTION: Final = "which service keeps invoices of the northern region?"
MODERN: Final = "2026-07-28"
_ERAS: Final = {"handshake": "2025-11-25", "modern": MODERN}


def measure(http: httpx.Client, rounds: int = ROUNDS) -> dict[str, float]:
    """The median milliseconds of a recall over HTTP, and of the same recall over MCP in each era."""
    ways = {"http": over_http(http), **{era: over_mcp(http, version) for era, version in _ERAS.items()}}
    times: dict[str, list[float]] = {name: [] for name in ways}
    for number in range(WARM_UP + rounds):
        for name, ask in ways.items():
            began = time.perf_counter()
            ask()
            if number >= WARM_UP:
                times[name].append((time.perf_counter() - began) * 1000)
    return {name: statistics.median(values) for name, values in times.items()}


def over_http(http: httpx.Client) -> Callable[[], None]:
    """Asks the endpoint."""

    def ask() -> None:
        reply = http.post("/api/mcp/recall", json={"query": QUESTION})
        reply.raise_for_status()
        assert reply.json()["memories"]

    return ask


def over_mcp(http: httpx.Client, version: str) -> Callable[[], None]:
    """Asks the tool in the manner of a protocol version."""
    params: dict[str, Any] = {"name": "recall", "arguments": {"query": QUESTION}}
    headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": version}
    if version == MODERN:
        prefix = "io.modelcontextprotocol/"
        params["_meta"] = {f"{prefix}protocolVersion": version, f"{prefix}clientCapabilities": {}}
        headers |= {"Mcp-Method": "tools/call", "Mcp-Name": "recall"}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}

    def ask() -> None:
        reply = http.post("/mcp", json=message, headers=headers)
        reply.raise_for_status()
        assert reply.json()["result"]["structuredContent"]["memories"]

    return ask


def fill(http: httpx.Client) -> None:
    """Memories to choose from."""
    for number in range(MEMORIES):
        memory = {
            "title": f"Service {number}",
            "content": f"Service {number} keeps invoices of region {number % 7} and is owned by team {number % 11}.",
            "store": "semantic",
            "category": "fact",
        }
        http.post("/api/mcp/capture", json=memory).raise_for_status()


def run() -> dict[str, float]:
    """The medians on a memd of its own."""
    with serving("wordllama") as daemon, daemon.http() as http:
        fill(http)
        return measure(http)


def main() -> None:
    """Measure and print."""
    medians = run()
    for name, value in medians.items():
        sys.stdout.write(f"{name:10} p50 {value:6.2f} ms  {value - medians['http']:+.2f} ms\n")


if __name__ == "__main__":
    main()
