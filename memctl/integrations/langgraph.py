"""A LangGraph `BaseStore` on keyed memories.

An item is a memory: its value is the metadata, its text the content, so that items are found by meaning and by `recall`
too. A namespace `("users", "ann")` is memd's `langgraph/users/ann/`.
"""

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import Any, Final
from urllib.parse import quote, unquote

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
)

from memctl.client.errors import NotFound, row_error
from memctl.client.models import CaptureBatchRequest, CaptureRequest, FoundMemory, MemorySearchRequest
from memctl.client.sync import SyncMemdClient
from memctl.integrations.values import text_of_value
from memctl.json_values import fields
from memctl.wire.enums import Store
from memctl.wire.limits import CAPTURE_BATCH_MAX, CONTENT_MAX, KEYED_SEARCH_MAX

ROOT: Final = "langgraph"
_SAFE: Final = "@:+ ,=-_."


class MemdStore(BaseStore):
    """Items of one user of memd; asynchronous calls run in a thread.

    A value has at most 16,000 bytes of JSON and a namespace 200 characters. `index` names the fields that are searched
    by meaning; with False only the key is. TTLs are not supported.
    """

    def __init__(self, client: SyncMemdClient | None = None, *, root: str = ROOT) -> None:
        self._client = client or SyncMemdClient.from_environment()
        self._root = root

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Run operations: reads see the state before the batch, and the last write of a key wins."""
        results: list[Result] = []
        writes: dict[tuple[tuple[str, ...], str], PutOp] = {}
        for op in ops:
            if isinstance(op, PutOp):
                writes[op.namespace, op.key] = op
                results.append(None)
            else:
                results.append(self._read(op))
        self._write(list(writes.values()))
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """As `batch`."""
        return await asyncio.to_thread(self.batch, list(ops))

    def _read(self, op: GetOp | SearchOp | ListNamespacesOp) -> Result:
        if isinstance(op, GetOp):
            return self._get(op)
        return self._search(op) if isinstance(op, SearchOp) else self._list_namespaces(op)

    def _get(self, op: GetOp) -> Item | None:
        try:
            row = self._client.memories.by_key(op.key, self._path(op.namespace))
        except NotFound:
            return None
        return Item(
            value=fields(row.metadata),
            key=op.key,
            namespace=op.namespace,
            created_at=_moment(row.created_at),
            updated_at=_moment(row.updated_at),
        )

    def _search(self, op: SearchOp) -> list[SearchItem]:
        request = MemorySearchRequest(
            namespace=self._path(op.namespace_prefix), query=op.query, where=_where(op.filter), offset=op.offset
        )
        if op.limit <= KEYED_SEARCH_MAX:
            rows = self._client.memories.search(request.model_copy(update={"limit": max(1, op.limit)})).memories
        else:
            rows = self._client.memories.search_all(request)
        return [self._found(row) for row in islice(rows, op.limit)]

    def _found(self, row: FoundMemory) -> SearchItem:
        return SearchItem(
            namespace=self._namespace(row.namespace or ""),
            key=row.key or "",
            value=fields(row.metadata),
            created_at=_moment(row.created_at),
            updated_at=_moment(row.updated_at),
            score=row.relevance,
        )

    def _list_namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        """The namespaces that match; reads every item."""
        every = self._client.memories.search_all(MemorySearchRequest(namespace=f"{self._root}/"))
        found = {self._namespace(row.namespace or "") for row in every}
        conditions = op.match_conditions or ()
        matching = {name for name in found if all(_matches(condition, name) for condition in conditions)}
        cut = sorted({name[: op.max_depth] for name in matching})
        return cut[op.offset : op.offset + op.limit]

    def _write(self, ops: Sequence[PutOp]) -> None:
        for op in ops:
            if op.value is None:
                self._delete(op)
        rows = [self._row(op, op.value) for op in ops if op.value is not None]
        for start in range(0, len(rows), CAPTURE_BATCH_MAX):
            page = CaptureBatchRequest(memories=rows[start : start + CAPTURE_BATCH_MAX])
            errors = map(row_error, self._client.memories.capture_batch(page).results)
            for error in filter(None, errors):
                raise error

    def _delete(self, op: PutOp) -> None:
        try:
            self._client.memories.delete_by_key(op.key, self._path(op.namespace), permanent=True)
        except NotFound:
            return

    def _row(self, op: PutOp, value: Mapping[str, Any]) -> CaptureRequest:
        text = "" if op.index is False else text_of_value(value, op.index)
        return CaptureRequest(
            title=f"{' / '.join(op.namespace)}: {op.key}"[:500],
            content=(text.strip() or op.key)[:CONTENT_MAX],
            metadata=dict(value),
            namespace=self._path(op.namespace),
            key=op.key,
            store=Store.SEMANTIC,
        )

    def _path(self, namespace: tuple[str, ...]) -> str:
        """Memd's namespace of these labels, which is also the prefix of those below it."""
        return "".join(f"{quote(label, safe=_SAFE)}/" for label in (self._root, *namespace))

    def _namespace(self, path: str) -> tuple[str, ...]:
        return tuple(unquote(label) for label in path.split("/")[1:-1])


def _where(filters: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Memd's metadata filter for LangGraph's, whose operators begin with a dollar sign."""
    return {name: dict(_operators(expected)) for name, expected in filters.items()} if filters else None


def _operators(expected: Any) -> Iterator[tuple[str, Any]]:
    tests = fields(expected)
    if tests and all(name.startswith("$") for name in tests):
        yield from ((name[1:], value) for name, value in tests.items())
    else:
        yield "eq", expected


def _matches(condition: MatchCondition, namespace: tuple[str, ...]) -> bool:
    """Whether a namespace begins or ends with a path, in which `*` matches any label."""
    path = tuple(condition.path)
    if len(path) > len(namespace):
        return False
    part = namespace[: len(path)] if condition.match_type == "prefix" else namespace[len(namespace) - len(path) :]
    return all(expected in {"*", label} for expected, label in zip(path, part, strict=True))


def _moment(epoch_ms: int) -> datetime:
    try:
        return datetime.fromtimestamp(epoch_ms / 1000, UTC)
    except (ValueError, OverflowError, OSError):  # stored by an earlier release
        return datetime.max.replace(tzinfo=UTC) if epoch_ms > 0 else datetime.min.replace(tzinfo=UTC)
