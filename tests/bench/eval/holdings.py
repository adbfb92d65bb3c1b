"""The data of the measurements: each text set is stored once, through the API, by a user of its own."""

import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Any

import httpx

from tests.bench.eval.data import Text, Turn
from tests.support.daemon import Daemon

AT_ONCE = 4
BATCH = 500
POLL_S = 0.5
EMBEDDING = ("embed", "message_embedder")
"""The background jobs that embed what waits."""


Fields = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Holding:
    """A user's rows: ids of the set by ids of the service; `same` maps a text to the equal one that is stored for it."""

    user: str
    key: str
    names: Mapping[str, str]
    same: Mapping[str, str] = field(default_factory=dict[str, str])
    base: str = ""


class Holdings:
    """The holdings of a memd by name; with `ledger` they outlast the process, as its data directory does."""

    def __init__(self, daemon: Daemon, ledger: Path | None = None) -> None:
        self._daemon = daemon
        self._ledger = ledger
        self._held: dict[str, Holding] = {}
        if ledger is not None and ledger.is_file():
            self._held = {name: Holding(**held) for name, held in json.loads(ledger.read_text()).items()}

    def memories(self, name: str, texts: Sequence[Text], fields: Mapping[str, Fields] | None = None) -> Holding:
        """The texts captured one after the other, in their order; `fields` are further ones of the capture, by text."""
        return self._once(f"{name} memories", lambda http: _capture(http, texts, fields or {}))

    def chunks(self, name: str, chunks: Sequence[Mapping[str, Any]]) -> Holding:
        """The chunks imported into a knowledge base."""
        return self._once(f"{name} chunks", lambda http: import_chunks(http, chunks))

    def messages(self, name: str, turns: Sequence[Turn]) -> Holding:
        """The turns logged as messages, with all vectors."""
        return self._once(f"{name} messages", lambda http: self._log(http, turns))

    def extracted(self, name: str, turns: Sequence[Turn], settle: Callable[[], None]) -> Holding:
        """The turns logged as messages, and the memories that extraction makes of them.

        `settle` makes the messages old enough to be read, and waits until extraction has read them all.
        """

        def put(http: httpx.Client) -> dict[str, Any]:
            logged = self._log(http, turns)
            settle()
            self._settle()
            return logged

        return self._once(f"{name} extracted", put)

    def run_job(self, name: str) -> None:
        """Start a scheduled job, unless it runs already."""
        with self._daemon.http() as http:
            http.post(f"/api/jobs/{name}/run")

    def client(self, holding: Holding) -> httpx.Client:
        """A client of the holding's user."""
        return _client(self._daemon.url, holding.key)

    def _once(self, name: str, put: Callable[[httpx.Client], dict[str, Any]]) -> Holding:
        if name not in self._held:
            begin = time.monotonic()
            with self._daemon.http() as admin:
                user = _sent(admin, "/api/admin/users", {"name": name, "tier": "unlimited"})
            with _client(self._daemon.url, user["apiKey"]) as http:
                self._held[name] = Holding(user["id"], user["apiKey"], **put(http))
            sys.stderr.write(f"  {name}: stored in {time.monotonic() - begin:.0f} s\n")
            if self._ledger is not None:
                self._ledger.write_text(json.dumps({name: asdict(held) for name, held in self._held.items()}))
        return self._held[name]

    def _log(self, http: httpx.Client, turns: Sequence[Turn]) -> dict[str, Any]:
        def log(turn: Turn) -> tuple[str, str]:
            body = {
                "role": turn.role,
                "content": turn.content,
                "channel": "eval",
                "sessionKey": turn.session,
                "timestamp": turn.timestamp,
                "speaker": turn.speaker,
            }
            return _sent(http, "/api/mcp/log", body)["id"], turn.id

        with ThreadPoolExecutor(AT_ONCE) as pool:
            names = dict(pool.map(log, turns))
        self._settle()
        return {"names": names}

    def _settle(self) -> None:
        """Wait until no embedding is queued."""
        with self._daemon.http() as http:
            while True:
                kinds = http.get("/api/jobs").json()["queue"]["byKind"]
                if not sum(kinds[kind]["queued"] + kinds[kind]["running"] for kind in EMBEDDING if kind in kinds):
                    return
                time.sleep(POLL_S)


def _client(url: str, key: str) -> httpx.Client:
    return httpx.Client(base_url=url, headers={"Authorization": f"Bearer {key}"}, timeout=600)


def _sent(http: httpx.Client, path: str, body: Mapping[str, Any]) -> Any:
    reply = http.post(path, json=body)
    if reply.is_error:
        raise RuntimeError(f"POST {path}: {reply.status_code} {reply.text[:300]}")
    return reply.json()


def _capture(http: httpx.Client, texts: Sequence[Text], fields: Mapping[str, Fields]) -> dict[str, Any]:
    names: dict[str, str] = {}
    same: dict[str, str] = {}
    for text in texts:
        body = {"title": text.title, "content": text.content, **fields.get(text.id, {})}
        reply = http.post("/api/mcp/capture", json=body)
        if reply.is_success:
            names[reply.json()["id"]] = text.id
        elif reply.status_code == HTTPStatus.CONFLICT:
            same[text.id] = names[reply.json()["existingMemoryId"]]
        else:
            sys.stderr.write(f"  {text.id} is not stored: {reply.text[:200]}\n")
    return {"names": names, "same": same}


def import_chunks(http: httpx.Client, chunks: Sequence[Mapping[str, Any]], name: str = "Evaluation") -> dict[str, Any]:
    """Import the chunks into a new knowledge base of this name; the fields of its holding."""
    base = _sent(http, "/api/knowledge-bases", {"name": name})["id"]
    for start in range(0, len(chunks), BATCH):
        reply = _sent(http, f"/api/knowledge-bases/{base}/import", {"chunks": chunks[start : start + BATCH]})
        for rejected in reply["rejected"]:
            sys.stderr.write(f"  chunk {start + rejected['index']} is not stored: {rejected['reason']}\n")
    return {"names": {}, "base": base}
