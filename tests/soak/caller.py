"""One user of the soak: a seeded mix of reads and writes over HTTP and MCP that keeps its data at a steady size.

What a user stores beyond KEPT memories or KEPT_SESSIONS is erased again, so that memory may depend on time alone.
"""

import random
import time
from collections import Counter, deque
from collections.abc import Callable
from threading import Event
from typing import Any, Final

from tests.bench.corpus import sentences
from tests.bench.lean import Lean, seconds

KEPT: Final = 2_000
"""Memories, and chunks of a knowledge base, of which an import replaces some."""
KEPT_SESSIONS: Final = 3
SESSION_MESSAGES: Final = 60
CHUNKS_PER_IMPORT: Final = 20
BATCH: Final = 50
CHANNEL: Final = "slack"
MAX_IDLE_S: Final = 60.0
"""A connection that was idle for longer is replaced, as HTTP clients do: memd closes one after 75 s. The callers never
pause for that long, but a virtual machine may."""


class Caller:
    """Calls one operation after another at `rate` per second until told to stop.

    Counts its calls, and keeps errors and how many seconds each recall took.
    """

    def __init__(self, url: str, key: str, seed: int, rate: float, kept: int = KEPT) -> None:
        self.calls: Counter[str] = Counter()
        self.errors: list[str] = []
        self.recalls: list[float] = []
        self._url = url
        self._key = key
        self._client = Lean(url, key)
        self._chance = random.Random(seed)
        self._pause_s = 1 / rate
        self._kept = kept
        self._number = 0
        self._memories: deque[str] = deque()
        self._sessions: deque[str] = deque(["s0"])
        self._messages = 0
        self._base = ""

    def prepare(self) -> None:
        """Store as much as this user ever holds, so that the load runs on data of a steady size."""
        for first in range(0, self._kept, BATCH):
            batch = [self._memory() for _ in range(first, min(self._kept, first + BATCH))]
            reply = self._post("capture-batch", {"memories": batch})
            self._memories += [row["id"] for row in reply["results"]]
        self._base = self._client.post("/api/knowledge-bases", {"name": "Reference"})["id"]
        for first in range(0, self._kept, CHUNKS_PER_IMPORT):
            self._import(range(first, first + CHUNKS_PER_IMPORT))

    def run(self, stop: Event) -> None:
        """Call until `stop` is set; an error is kept, and the next call uses a new connection."""
        operations, weights = zip(*OPERATIONS.items(), strict=True)
        self._reconnect()  # the others were prepared meanwhile
        started = answered = time.monotonic()
        while not stop.is_set():
            begun = time.monotonic()
            if begun - answered > MAX_IDLE_S:
                self._reconnect()
            (operation,) = self._chance.choices(operations, weights)
            try:
                operation(self)
            except Exception as error:  # noqa: BLE001 - any failure of a call is a finding
                at = time.monotonic() - started
                self.errors.append(f"{operation.__name__} at {at:.0f} s: {type(error).__name__}: {error}")
                self._reconnect()
            answered = time.monotonic()
            self.calls[operation.__name__] += 1
            stop.wait(max(0.0, self._chance.uniform(0.5, 1.5) * self._pause_s - (time.monotonic() - begun)))

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    def _reconnect(self) -> None:
        self.close()
        self._client = Lean(self._url, self._key)

    def recall(self) -> None:
        """Recall of few and of many."""
        body = {"query": self._query(), "limit": self._chance.choice((5, 12, 20))}
        self.recalls.append(seconds(lambda: self._post("recall", body)))

    def recall_over_mcp(self) -> None:
        """The same as a tool."""
        self._tool("recall", query=self._query())

    def context(self) -> None:
        """A text for a prompt."""
        self._post("context", {"query": self._query(), "tokenBudget": self._chance.choice((200, 1_000, 4_000))})

    def context_over_mcp(self) -> None:
        """The same as a tool."""
        self._tool("context", query=self._query())

    def capture(self) -> None:
        """Store one memory, and erase the oldest one for it."""
        self._memories.append(self._post("capture", self._memory())["id"])
        self._trim()

    def capture_over_mcp(self) -> None:
        """Store one memory with the tool."""
        self._memories.append(self._tool("capture", **self._memory())["id"])
        self._trim()

    def capture_batch(self) -> None:
        """Store five memories in one call."""
        reply = self._post("capture-batch", {"memories": [self._memory() for _ in range(5)]})
        self._memories += [row["id"] for row in reply["results"]]
        self._trim()

    def update(self) -> None:
        """Change the text of a memory, so that it is embedded anew."""
        self._post("update", {"memoryId": self._chance.choice(self._memories), "content": self._text()})

    def supersede(self) -> None:
        """Replace a memory, and erase the old one."""
        old = self._chance.choice(self._memories)
        self._memories.remove(old)
        fields = {"oldMemoryId": old, **self._memory(), "reason": "newer"}
        self._memories.append(self._post("supersede", fields)["newMemoryId"])
        self._forget(old)

    def log(self) -> None:
        """One message; a full session is followed by another, and the oldest one is erased."""
        role = self._chance.choice(("user", "assistant"))
        self._post("log", self._in_session() | {"role": role, "content": self._text()})
        self._said(1)

    def turn(self) -> None:
        """A turn, from which memories are extracted."""
        self._number += 1
        text = f"We decided to give project {self._number} a budget of {self._number} thousand euros."
        turn = {"turnId": f"turn {self._number}", "userMessage": text, "assistantMessage": self._text()}
        self._post("turn", self._in_session() | turn)
        self._said(2)

    def search_messages(self) -> None:
        """Messages by meaning and words."""
        self._post("search-messages", {"query": self._query(), "channel": CHANNEL})

    def recent_messages(self) -> None:
        """The newest messages."""
        self._post("recent-messages", {"channel": CHANNEL, "limit": 50})

    def wake(self) -> None:
        """The first read of an agent."""
        self._client.call("GET", f"/api/mcp/wake?channel={CHANNEL}")

    def stats(self) -> None:
        """Counts."""
        self._client.call("GET", "/api/mcp/stats")

    def checkpoint(self) -> None:
        """Make a checkpoint and delete it."""
        made = self._post("checkpoint", {"label": "soak", "memoryIds": list(self._memories)[-10:]})
        self._post("checkpoint", {"mode": "delete", "checkpointId": made["id"]})

    def import_chunks(self) -> None:
        """Replace some chunks in place."""
        first = self._chance.randint(0, max(0, self._kept - CHUNKS_PER_IMPORT))
        self._import(range(first, first + CHUNKS_PER_IMPORT))

    def query_base(self) -> None:
        """Chunks of one knowledge base."""
        self._client.post(f"/api/knowledge-bases/{self._base}/query", {"query": self._query()})

    def export(self) -> None:
        """A page of the export."""
        self._client.call("GET", "/api/memories?pageSize=50")

    def _post(self, name: str, body: object) -> Any:
        return self._client.post(f"/api/mcp/{name}", body)

    def _tool(self, name: str, **arguments: Any) -> Any:
        """The structured content of a tool's answer."""
        params = {"name": name, "arguments": arguments}
        reply = self._client.post("/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
        if "result" not in reply or reply["result"].get("isError"):
            raise RuntimeError(f"tool {name}: {reply}")
        return reply["result"].get("structuredContent")

    def _import(self, places: range) -> None:
        chunks = [
            {"content": self._text(), "dedupeKey": f"page#{place}", "metadata": {"title": f"Page {place}"}}
            for place in places
        ]
        self._client.post(f"/api/knowledge-bases/{self._base}/import", {"chunks": chunks})

    def _trim(self) -> None:
        while len(self._memories) > self._kept:
            self._forget(self._memories.popleft())

    def _forget(self, memory_id: str) -> None:
        self._post("forget", {"memoryId": memory_id, "permanent": True})
        self.calls["forget"] += 1

    def _in_session(self) -> dict[str, str]:
        return {"sessionKey": self._sessions[-1], "channel": CHANNEL}

    def _said(self, messages: int) -> None:
        self._messages += messages
        if self._messages < SESSION_MESSAGES:
            return
        self._messages = 0
        self._number += 1
        self._sessions.append(f"s{self._number}")
        if len(self._sessions) > KEPT_SESSIONS:
            self._client.call("DELETE", f"/api/sessions/{self._sessions.popleft()}")
            self.calls["delete_session"] += 1

    def _memory(self) -> dict[str, Any]:
        return {"title": self._query(), "content": self._text(), "store": "semantic", "category": "fact"}

    def _text(self) -> str:
        self._number += 1
        return f"{self._number}: " + " ".join(self._chance.choices(sentences(), k=self._chance.randint(1, 4)))

    def _query(self) -> str:
        words = self._chance.choice(sentences()).split()
        start = self._chance.randrange(max(1, len(words) - 6))
        return " ".join(words[start : start + self._chance.randint(4, 8)])


OPERATIONS: Final[dict[Callable[[Caller], None], int]] = {
    Caller.recall: 22,
    Caller.recall_over_mcp: 8,
    Caller.context: 8,
    Caller.context_over_mcp: 4,
    Caller.capture: 12,
    Caller.capture_over_mcp: 4,
    Caller.capture_batch: 2,
    Caller.update: 4,
    Caller.supersede: 2,
    Caller.log: 10,
    Caller.turn: 3,
    Caller.search_messages: 8,
    Caller.recent_messages: 3,
    Caller.wake: 2,
    Caller.stats: 2,
    Caller.checkpoint: 1,
    Caller.import_chunks: 2,
    Caller.query_base: 4,
    Caller.export: 1,
}
"""The operations and how often each is called, in parts of a hundred."""
