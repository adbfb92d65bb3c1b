"""Sends what waits in a queue to memd, each entry exactly once.

Turns carry an id that memd stores once. For snapshots and checkpoints, which have none, memd is asked whether it has them
when an earlier attempt got no answer.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, cast
from urllib.parse import urlencode

from memctl.hooks.events import Message
from memctl.hooks.exchange import Answer, UnreachableError, send
from memctl.hooks.queue import Entry, Queue
from memctl.hooks.transcripts import newest, read_transcript
from memctl.settings import Connection

TURN, SNAPSHOT, CHECKPOINT = "turn", "snapshot", "checkpoint"
TIMEOUT_S: Final = 20.0
_PATHS: Final = {TURN: "/api/mcp/turn", SNAPSHOT: "/api/mcp/snapshot", CHECKPOINT: "/api/mcp/checkpoint"}
_LATER: Final = {401, 404, 405, 408, 425, 429}
"""Refusals that may end without the entry being at fault: the key, another server on the address, the load."""
_STORAGE: Final = "Storage limit reached"

Report = Callable[[str, str], None]
"""Takes the kind of an entry and what happened to it."""


def deliver(queue: Queue, target: Connection, report: Report) -> None:
    """Send everything that waits, oldest first, until memd does not answer; one process at a time."""
    while queue.files():
        with queue.locked() as alone:
            if not alone or not _deliver_all(queue, target, report):
                return


def _deliver_all(queue: Queue, target: Connection, report: Report) -> bool:
    """Whether memd answered to the last."""
    for entry in queue.entries():
        kind = str(entry.content.get("kind"))
        try:
            answer = _deliver(entry, target)
        except UnreachableError as error:
            report(kind, f"error {error}")
            return False
        if answer is not None and _is_for_later(answer):
            report(kind, f"error {answer.error}")
            return False
        queue.remove(entry)
        if answer is not None and answer.status >= 400:
            report(kind, f"error refused: {answer.error}")
        else:
            report(kind, "ok")
    return True


def _is_for_later(answer: Answer) -> bool:
    storage = answer.document.get("error") == _STORAGE
    is_memd = answer.status >= 400 or answer.document.get("ok") is True
    return not is_memd or answer.status >= 500 or answer.status in _LATER or (answer.status == 403 and not storage)


def _deliver(entry: Entry, target: Connection) -> Answer | None:
    """The answer of memd; None when there is nothing to send, or memd has it already."""
    kind, body = entry.content.get("kind"), entry.content.get("body")
    if kind not in _PATHS or not isinstance(body, dict):
        return None
    fields = cast("dict[str, Any]", body)
    if kind != TURN:
        messages = _messages(entry.content)
        if not messages or (entry.was_sent and _is_stored(kind, fields, target)):
            return None
        fields = {**fields, **_of_messages(kind, messages)}
        Queue.mark_sent(entry)
    return send(target, _PATHS[kind], fields, TIMEOUT_S)


def _messages(content: Mapping[str, Any]) -> list[Message]:
    """The messages of the session: those in the entry, else those of the transcript; none when it is gone."""
    if inside := cast("list[list[Any]]", content.get("messages")):
        return newest(Message(*fields) for fields in inside)
    if not content.get("transcript"):
        return []
    try:
        return read_transcript(Path(str(content["transcript"])), content.get("size"))
    except OSError:
        return []


def _of_messages(kind: str, messages: list[Message]) -> dict[str, Any]:
    if kind == SNAPSHOT:
        return {"messages": [message.as_body() for message in messages]}
    count = len(messages)
    return {"description": f"{count} {'message' if count == 1 else 'messages'} in the session"}


def _is_stored(kind: str, body: Mapping[str, Any], target: Connection) -> bool:
    """Whether memd has the snapshot or checkpoint that an earlier attempt sent."""
    if kind == CHECKPOINT:
        answer = send(target, _PATHS[kind], {"mode": "list", "limit": 100}, TIMEOUT_S)
        return _has(answer, "checkpoints", body, "label", "sessionKey")
    window = urlencode({"sessionKey": body["sessionKey"], "channel": body["channel"], "limit": 100})
    return _has(send(target, f"/api/snapshots?{window}", None, TIMEOUT_S), "snapshots", body, "reason")


def _has(answer: Answer, rows: str, body: Mapping[str, Any], *names: str) -> bool:
    found = answer.document.get(rows)
    listed = cast("list[dict[str, Any]]", found) if isinstance(found, list) else []
    return any(all(row.get(name) == body[name] for name in names) for row in listed)
