"""Memories of mem0: what `get_all()` returns, and the JSON of its exports.

A file that holds the memories of several mem0 users keeps them apart: each gets the channel `mem0:<user>`.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from memctl.importers.exports import documents, epoch_ms, listed
from memctl.importers.records import LeftOut, Record, memory
from memctl.json_values import fields, items
from memctl.wire.enums import Category, Store

FILES = ("*.json",)
_TEXT = ("memory", "content", "text", "data")
_LISTS = ("results", "memories", "data")
_ORIGIN = ("id", "hash", "user_id", "app_id", "run_id", "actor_id", "role", "updated_at")
_GONE = {"deleted", "archived"}


def read_mem0(path: Path, channel: str | None) -> Iterator[Record]:
    """The memories of a file; `channel` is for all of them."""
    for name, rows in _files(path):
        users = {row.get("user_id") for row in rows} - {None, ""}
        for number, row in enumerate(rows, 1):
            if str(row.get("state", "active")) in _GONE:
                yield LeftOut(f"{row['state']} memory")
                continue
            own = f"mem0:{row.get('user_id')}" if len(users) > 1 and row.get("user_id") else None
            yield memory(_capture(row, channel or own), f"{name}: {row.get('id') or f'memory {number}'}")
    yield from _relations(path)


def _relations(path: Path) -> Iterator[LeftOut]:
    """The relations of mem0's graph, which memd reads from the memories itself."""
    for _, document in documents(path, FILES):
        yield from (LeftOut("relation") for _ in items(fields(document).get("relations")))


def _files(path: Path) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    for name, document in documents(path, FILES):
        inner = next((fields(document)[key] for key in _LISTS if key in fields(document)), document)
        yield name, listed(inner, name, "a mem0 export: a list of memories, or an object with `results` or `memories`")


def _capture(row: dict[str, Any], channel: str | None) -> dict[str, Any]:
    labels = [str(label) for label in items(row.get("categories"))]
    known = next((label for label in labels if label in set(Category)), None)
    kept = {name: row[name] for name in _ORIGIN if row.get(name) is not None}
    return {
        "content": next((row[name] for name in _TEXT if isinstance(row.get(name), str)), None),
        "store": Store.SEMANTIC,
        "category": known or Category.FACT,
        "tags": [label[:64] for label in labels],
        "channel": channel,
        "agentId": row.get("agent_id"),
        "sessionKey": row.get("run_id"),
        "createdAt": epoch_ms(row.get("created_at")),
        "validUntil": row.get("expiration_date"),
        "metadata": {**fields(row.get("metadata")), "mem0": kept},
    }
