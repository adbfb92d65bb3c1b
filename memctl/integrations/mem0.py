"""`mem0.Memory` on memd: the same methods and answers, without a vector database and without calls to a model.

A `user_id` is an end user of the application (contract 17.1), so the key needs the scope `act_as`. `agent_id` and `run_id`
are metadata. Memories are in the namespace `mem0`.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, Self
from urllib.parse import quote, unquote

from memctl.client.errors import ClientError, Forbidden, NotFound, row_error
from memctl.client.models import (
    CaptureBatchRequest,
    CaptureRequest,
    ForgetRequest,
    HistoryRequest,
    MemoryDetail,
    MemorySearchRequest,
    UpdateRequest,
)
from memctl.client.sync import SyncMemdClient
from memctl.integrations.mem0_filters import Owner, owner_and_where
from memctl.json_values import fields
from memctl.wire.enums import Store
from memctl.wire.keyed_memories import FoundMemory

NAMESPACE: Final = "mem0"
_TITLE: Final = 80
_PROMOTED: Final = ("agent_id", "run_id", "actor_id", "role")
_ROWS: Final = 500
_NEEDS_SERVICE_KEY: Final = (
    "user_id needs a service key: memctl keys create --label mem0 --scope read --scope write --scope act_as"
)


class Memory:
    """The methods of `mem0.Memory`; `client` is that of `MemdClient.from_environment` unless given.

    The first argument, mem0's configuration of models and vector stores, is accepted and not used.
    """

    def __init__(self, config: object = None, *, client: SyncMemdClient | None = None) -> None:
        del config
        self._client = client or SyncMemdClient.from_environment()
        self._may_act = False

    @classmethod
    def from_config(cls, config_dict: Mapping[str, Any]) -> Self:
        """As `Memory(config_dict)`."""
        return cls(config_dict)

    def add(
        self,
        messages: str | Mapping[str, Any] | Sequence[Mapping[str, Any]],
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        infer: bool = True,
    ) -> dict[str, Any]:
        """Store what the user said as memories (with `infer=False`, every message); the event of each.

        No model is called: a message becomes a memory as it is. The same text again is one memory.
        """
        owner = Owner.named(user_id, agent_id, run_id)
        stored_messages = [message for message in _messages(messages) if _is_stored(message, infer=infer)]
        rows = [_row(message, owner, metadata or {}) for message in stored_messages]
        rows = list({row.key: row for row in rows}.values())
        results: list[dict[str, Any]] = []
        for start in range(0, len(rows), _ROWS):
            results += self._store(owner, rows[start : start + _ROWS])
        return {"results": results}

    def _store(self, owner: Owner, rows: Sequence[CaptureRequest]) -> Iterator[dict[str, Any]]:
        reply = self._of(owner.user_id).memories.capture_batch(CaptureBatchRequest(memories=list(rows)))
        for row, result in zip(rows, reply.results, strict=True):
            error = row_error(result)
            if error is not None:
                raise error
            event = "UPDATE" if result.replaced else "ADD"
            yield {"id": _wide_id(result.id or "", owner.user_id), "memory": row.content, "event": event}

    def search(
        self,
        query: str,
        *,
        top_k: int = 20,
        limit: int | None = None,
        filters: Mapping[str, Any] | None = None,
        threshold: float = 0.1,
        **ids: str | None,
    ) -> dict[str, Any]:
        """The memories that suit a query, best first; `filters` or keywords name user_id, agent_id or run_id."""
        owner, where = owner_and_where(filters, ids)
        request = MemorySearchRequest(namespace=NAMESPACE, query=query, where=where, limit=limit or top_k)
        found = self._of(owner.user_id).memories.search(request).memories
        shown = [_shown(row, owner.user_id) for row in found if (row.relevance or 0) >= threshold]
        return {"results": shown}

    def get_all(
        self,
        *,
        filters: Mapping[str, Any] | None = None,
        top_k: int = 20,
        limit: int | None = None,
        **ids: str | None,
    ) -> dict[str, Any]:
        """The memories of a user, agent or run, the last changed first."""
        owner, where = owner_and_where(filters, ids)
        rows = self._all(owner, where)
        shown = [_shown(row, owner.user_id) for row, _ in zip(rows, range(limit or top_k), strict=False)]
        return {"results": shown}

    def _all(self, owner: Owner, where: Mapping[str, Any]) -> Iterator[FoundMemory]:
        request = MemorySearchRequest(namespace=NAMESPACE, where=dict(where))
        return self._of(owner.user_id).memories.search_all(request)

    def get(self, memory_id: str) -> dict[str, Any] | None:
        """A memory, or None."""
        narrow, user_id = _narrow_id(memory_id)
        try:
            row = self._of(user_id).memories.show(narrow)
        except NotFound:
            return None
        return None if row.archived else _shown(row, user_id)

    def update(
        self,
        memory_id: str,
        text: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        *,
        data: str | None = None,
    ) -> dict[str, str]:
        """Change the text of a memory, or its metadata; ValueError when there is no such memory."""
        narrow, user_id = _narrow_id(memory_id)
        stored = self.get(memory_id)
        if stored is None:
            raise ValueError(f"Memory with id {memory_id} not found")
        content, changes = text or data, dict[str, Any]()
        if content is not None:
            changes |= {"content": content, "title": _title(content)}
        if metadata is not None:
            kept = {name: stored[name] for name in _PROMOTED if name in stored}
            changes["metadata"] = {**metadata, **kept}
        self._of(user_id).memories.update(UpdateRequest(memory_id=narrow, **changes))
        return {"message": "Memory updated successfully!"}

    def delete(self, memory_id: str) -> dict[str, str]:
        """Archive a memory; its history stays. ValueError when there is no such memory."""
        narrow, user_id = _narrow_id(memory_id)
        if self.get(memory_id) is None:
            raise ValueError(f"Memory with id {memory_id} not found")
        self._of(user_id).memories.forget(ForgetRequest(memory_id=narrow))
        return {"message": "Memory deleted successfully!"}

    def delete_all(
        self, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> dict[str, str]:
        """Archive the memories of a user, agent or run."""
        owner = Owner.named(user_id, agent_id, run_id)
        for row in list(self._all(owner, owner.where)):
            self._of(owner.user_id).memories.forget(ForgetRequest(memory_id=row.id))
        return {"message": "Memories deleted successfully!"}

    def history(self, memory_id: str) -> list[dict[str, Any]]:
        """The changes of a memory, oldest first."""
        narrow, user_id = _narrow_id(memory_id)
        changes: list[dict[str, Any]] = []
        before: str | None = None
        for version in self._of(user_id).history.versions(narrow, HistoryRequest()).versions:
            archived = version.fields.archived
            after = None if archived else version.fields.content
            changes.append(
                {
                    "id": f"{memory_id}:{version.version}",
                    "memory_id": memory_id,
                    "old_memory": before,
                    "new_memory": after,
                    "event": "DELETE" if archived else "UPDATE" if changes else "ADD",
                    "created_at": _iso(version.changed_at),
                    "updated_at": _iso(version.changed_at),
                    "is_deleted": archived,
                }
            )
            before = version.fields.content
        return changes

    def _of(self, user_id: str | None) -> SyncMemdClient:
        """The client for a user; ClientError for a key that may not act for end users."""
        if user_id is None:
            return self._client
        client = self._client.acting_for(user_id)
        if not self._may_act:
            try:
                client.accounts.whoami()
            except Forbidden as error:
                raise ClientError(_NEEDS_SERVICE_KEY) from error
            self._may_act = True
        return client


def _messages(messages: str | Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    if isinstance(messages, str):
        return [{"role": "user", "content": messages}]
    return [messages] if isinstance(messages, Mapping) else list(messages)


def _is_stored(message: Mapping[str, Any], *, infer: bool) -> bool:
    role, content = message.get("role", "user"), message.get("content")
    return isinstance(content, str) and bool(content.strip()) and (role == "user" if infer else role != "system")


def _row(message: Mapping[str, Any], owner: Owner, metadata: Mapping[str, Any]) -> CaptureRequest:
    content: str = message["content"]
    about = {"role": message.get("role", "user")} | ({"actor_id": message["name"]} if message.get("name") else {})
    identity = json.dumps([owner.agent_id, owner.run_id, content])
    return CaptureRequest(
        title=_title(content),
        content=content,
        store=Store.SEMANTIC,
        namespace=NAMESPACE,
        key=hashlib.sha256(identity.encode()).hexdigest(),
        metadata={**metadata, **about, **owner.where},
        session_key=owner.run_id,
    )


def _title(content: str) -> str:
    line = content.strip().splitlines()[0]
    return line if len(line) <= _TITLE else f"{line[: _TITLE - 1]}…"


def _shown(row: FoundMemory | MemoryDetail, user_id: str | None) -> dict[str, Any]:
    """A memory in the form of mem0."""
    stored = fields(row.metadata)
    shown: dict[str, Any] = {
        "id": _wide_id(row.id, user_id),
        "memory": row.content,
        "hash": hashlib.md5(row.content.encode(), usedforsecurity=False).hexdigest(),
        "metadata": {name: value for name, value in stored.items() if name not in _PROMOTED} or None,
        "created_at": _iso(row.created_at),
        "updated_at": _iso(row.updated_at),
    }
    if isinstance(row, FoundMemory) and row.relevance is not None:
        shown["score"] = row.relevance
    if user_id is not None:
        shown["user_id"] = user_id
    return shown | {name: stored[name] for name in _PROMOTED if name in stored}


def _wide_id(memory_id: str, user_id: str | None) -> str:
    """An id that also says whose memory it is, since mem0 asks for memories by their id alone."""
    return memory_id if user_id is None else f"{memory_id}.{quote(user_id, safe='')}"


def _narrow_id(memory_id: str) -> tuple[str, str | None]:
    narrow, dot, user_id = memory_id.partition(".")
    return narrow, unquote(user_id) if dot else None


def _iso(moment_ms: int) -> str:
    try:
        return datetime.fromtimestamp(moment_ms / 1000, UTC).isoformat()
    except (ValueError, OverflowError, OSError):  # stored by an earlier release
        return str(moment_ms)
