"""Sends what waits in a queue to memd, each entry exactly once.

Turns carry an id that memd stores once. For snapshots and checkpoints, which have none, memd is asked whether it has them
when an earlier attempt got no answer. What memd refuses permanently is set aside, so that it does not block what comes after.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, cast
from urllib.parse import urlencode

from memctl.hooks.events import Message
from memctl.hooks.exchange import Answer, UnreachableError, send
from memctl.hooks.queue import Entry, Queue
from memctl.hooks.transcripts import read_transcript
from memctl.settings import Connection

TURN, SNAPSHOT, CHECKPOINT = "turn", "snapshot", "checkpoint"
TIMEOUT_S: Final = 20.0
_PATHS: Final = {TURN: "/api/mcp/turn", SNAPSHOT: "/api/mcp/snapshot", CHECKPOINT: "/api/mcp/checkpoint"}
_LISTS: Final = {SNAPSHOT: "snapshots", CHECKPOINT: "checkpoints"}
_NAMES: Final = ("sessionKey", "reason", "label")
"""The fields that identify a snapshot or checkpoint of a hook: they name the time to the second."""
_LATER: Final = {401, 404, 405, 408, 425, 429}
"""Refusals that may end without a change to the entry: the key, another server on the address, the load."""
Report = Callable[[str, str], None]
"""Takes the kind of an entry and what happened to it."""


class LostError(Exception):
    """The entry can never be sent; the text says why."""


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
        except LostError as error:
            queue.remove(entry)
            report(kind, f"error lost: {error}")
            continue
        except UnreachableError as error:
            report(kind, f"error {error}")
            return False
        if answer is not None and _is_for_later(answer):
            report(kind, f"error {answer.error}")
            return False
        _settle(queue, entry, answer, report)
    return True


def _settle(queue: Queue, entry: Entry, answer: Answer | None, report: Report) -> None:
    """Remove an entry that memd has; keep one that it has refused apart."""
    kind = str(entry.content.get("kind"))
    if answer is None or answer.status < 400:
        queue.remove(entry)
        report(kind, "ok")
    else:
        queue.refuse(entry, answer.error)
        report(kind, f"error refused: {answer.error}")


def _is_for_later(answer: Answer) -> bool:
    is_memd = answer.status >= 400 or answer.document.get("ok") is True
    return not is_memd or answer.status >= 500 or answer.status in _LATER


def _deliver(entry: Entry, target: Connection) -> Answer | None:
    """The answer of memd; None when there is nothing to send, or memd has it already."""
    kind, body = entry.content.get("kind"), entry.content.get("body")
    if kind not in _PATHS or not isinstance(body, dict):
        raise LostError("the entry cannot be read")
    fields = cast("dict[str, Any]", body)
    if kind == TURN:
        return send(target, _PATHS[kind], fields, TIMEOUT_S)
    if entry.was_sent:
        listed = _listed(kind, fields, target)
        rows = listed.document.get(_LISTS[kind])
        if listed.status != 200 or not isinstance(rows, list):
            return listed
        if _is_among(cast("list[dict[str, Any]]", rows), fields):
            return None
    messages = _messages(entry.content)
    if not messages:
        return None
    Queue.mark_sent(entry)
    return send(target, _PATHS[kind], {**fields, **_of_messages(kind, messages)}, TIMEOUT_S)


def _messages(content: Mapping[str, Any]) -> list[Message]:
    """The messages of the session: those in the entry, else those of the transcript; `LostError` when it is gone."""
    if inside := cast("list[list[Any]]", content.get("messages")):
        return [Message(*fields) for fields in inside]
    try:
        return read_transcript(Path(str(content.get("transcript", ""))), content.get("size"))
    except OSError as error:
        raise LostError(f"the transcript is gone ({error.strerror or error})") from error


def _of_messages(kind: str, messages: list[Message]) -> dict[str, Any]:
    if kind == SNAPSHOT:
        return {"messages": [message.as_body() for message in messages]}
    count = len(messages)
    return {"description": f"{count} {'message' if count == 1 else 'messages'} in the session"}


def _listed(kind: str, body: Mapping[str, Any], target: Connection) -> Answer:
    """The newest snapshots of the session, or the newest checkpoints."""
    if kind == CHECKPOINT:
        return send(target, _PATHS[kind], {"mode": "list", "limit": 100}, TIMEOUT_S)
    window = urlencode({"sessionKey": body["sessionKey"], "channel": body["channel"], "limit": 100})
    return send(target, f"/api/snapshots?{window}", None, TIMEOUT_S)


def _is_among(rows: list[dict[str, Any]], body: Mapping[str, Any]) -> bool:
    """Whether the snapshot or checkpoint that an earlier attempt sent is among those that memd has."""
    names = [name for name in _NAMES if name in body]
    return any(all(row.get(name) == body[name] for name in names) for row in rows)
