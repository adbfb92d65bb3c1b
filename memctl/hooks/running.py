"""`memctl hooks run`: handles one event of an agent within a deadline and never fails in a way that the agent notices.

A child process does the work, and the process that the agent waits for passes its result on or gives up at the deadline:
what blocks, such as a name server or a disk, blocks only the child, which continues and delivers what is pending.
"""

import json
import os
import select
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple, NoReturn, cast

from memctl.hooks.events import Event, MalformedEventError, Payload, read_payload
from memctl.hooks.invocation import Invocation, MalformedInvocationError, read_invocation
from memctl.hooks.queue import Queue
from memctl.hooks.state import State, default_state, environment, note, queue_of
from memctl.settings import ConfigError, Connection, local_key_path, resolve

DEADLINE_S: Final = 0.5
"""How long an agent waits at most, unless MEMCTL_HOOKS_TIMEOUT_MS says otherwise."""
_OWN_FIELD: Final = {"cursor": "additional_context", "copilot": "additionalContext"}
"""Where an agent reads the text of a hook, if not in the field of Claude Code that the others have taken over."""
CHILD_S: Final = 120
"""When the system ends a child that is still busy."""


class Result(NamedTuple):
    """The line of the log about an event, and the text for the model."""

    outcome: str
    text: str = ""


class Surroundings(NamedTuple):
    """Where a hook finds its files and memd; `variables` are those of the process and the installation.

    `deadline` is when the process that the agent waits for gives up, on the clock of `time.monotonic`.
    """

    state: State
    queue: Queue
    target: Connection
    variables: Mapping[str, str]
    deadline: float


def main(arguments: Sequence[str]) -> NoReturn:  # pyrefly: ignore[bad-return] - it ends in `finally`
    """Handle an event and exit with 0 in any case."""
    try:
        invocation = read_invocation(arguments)
        run(invocation, State(invocation.state) if invocation.state else default_state())
    except MalformedInvocationError as error:
        note(default_state(), "-", "run", f"error {error}")
    except Exception as error:  # noqa: BLE001 - an agent must never see a hook fail
        with suppress(Exception):
            note(default_state(), "-", "run", f"error {type(error).__name__}")
    finally:
        with suppress(Exception):
            sys.stdout.flush()
        os._exit(0)  # the interpreter's own way out costs more than some hooks


def run(invocation: Invocation, state: State) -> None:
    """Handle the event on standard input within the deadline; what goes wrong becomes a line of the log."""
    begun = time.monotonic()
    deadline = begun + _deadline_s()
    reader, writer = os.pipe()
    if os.fork() == 0:
        os.close(reader)
        _work(invocation, state, writer, deadline)
    os.close(writer)
    result = _received(reader, deadline)
    if result is None:
        result = Result("error gave up")
    elif result.text:
        sys.stdout.write(result.text)
        sys.stdout.flush()
    took = f"after {(time.monotonic() - begun) * 1000:.0f} ms"
    note(state, invocation.client, invocation.event, f"{result.outcome} {took}")


def _received(reader: int, deadline: float) -> Result | None:
    """The result of the child; None when it does not come in time."""
    content = b""
    while select.select([reader], [], [], max(0.0, deadline - time.monotonic()))[0]:
        if not (part := os.read(reader, 1 << 16)):
            return Result(*cast("list[str]", json.loads(content))) if content else Result("error the child ended")
        content += part
    return None


def _work(invocation: Invocation, state: State, writer: int, deadline: float) -> NoReturn:  # pyrefly: ignore[bad-return]
    """The child: handle the event, hand over the result, and deliver what waits."""
    try:
        signal.alarm(CHILD_S)
        document = sys.stdin.read()
        _leave_agent()
        variables = _variables(invocation, state)
        target = resolve(invocation.options, variables)
        queue = Queue(queue_of(state, target, variables))
        around = Surroundings(state, queue, target, variables, deadline)
        _hand_over(_result(invocation, document, around), writer, invocation, state)
        deliver_queue(invocation.client, state, queue, target)
    except Exception as error:  # noqa: BLE001 - an agent must never see a hook fail
        _hand_over(Result(f"error {_explained(error)}"), writer, invocation, state)
    finally:
        os._exit(0)


def _leave_agent() -> None:
    """Continue in a new session, detached from the streams of the agent."""
    os.setsid()
    null = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(null, stream)


def _variables(invocation: Invocation, state: State) -> dict[str, str]:
    """The variables of the process and the installation, and the data directory that the command names."""
    named = {"MEMD_DATA_DIR": invocation.options.data_dir} if invocation.options.data_dir else {}
    return {**environment(state), **named}


def _result(invocation: Invocation, document: str, around: Surroundings) -> Result:
    """Handle the event."""
    try:
        payload = _with_answer(invocation, read_payload(document))
        text = _handle(invocation, payload, around)
    except Exception as error:  # noqa: BLE001 - what waits is delivered all the same
        return Result(f"error {_explained(error)}")
    is_unanswered = invocation.event is Event.TURN_END and not payload.answer.strip()
    outcome = "ok, nothing to store: the event has no answer" if is_unanswered else "ok"
    return Result(outcome, json.dumps(_output(invocation.client, payload.name, text)) if text else "")


def _with_answer(invocation: Invocation, payload: Payload) -> Payload:
    """The event with the answer from the transcript, where the agent does not name it at the end of a turn."""
    if invocation.client != "copilot" or invocation.event is not Event.TURN_END or not payload.transcript:
        return payload
    from memctl.hooks.copilot import last_answer

    return payload._replace(answer=last_answer(Path(payload.transcript), payload.moment))


def _hand_over(result: Result, writer: int, invocation: Invocation, state: State) -> None:
    """Send the result to the process that the agent waits for; into the log when that has given up."""
    try:
        os.write(writer, json.dumps(result).encode())
        os.close(writer)
    except OSError:
        note(state, invocation.client, invocation.event, f"{result.outcome} after the deadline")


def _explained(error: Exception) -> str:
    from memctl.hooks.exchange import UnreachableError
    from memctl.hooks.handling import HookFailure

    if isinstance(error, (UnreachableError, HookFailure, ConfigError, MalformedEventError)):
        return str(error)
    return f"{type(error).__name__}: {error.strerror}" if isinstance(error, OSError) else type(error).__name__


def _handle(invocation: Invocation, payload: Payload, around: Surroundings) -> str:
    """Store the content of the event, or fetch the text for the model."""
    _load_no_encryption(around.target)
    from memctl.hooks.handling import Run, recall, remember_prompt, store

    this = Run(invocation, payload, around.state, around.queue, around.variables)
    if invocation.event not in {Event.SESSION_START, Event.PROMPT}:
        around.queue.describe(_server_label(around))
        store(this)
        return ""
    if invocation.event is Event.PROMPT:
        remember_prompt(this)
    left = around.deadline - time.monotonic()
    return recall(this, around.target, left) if left > 0 else ""


def _server_label(around: Surroundings) -> str:
    """Where entries of the queue go, in words."""
    target, folder = around.target, local_key_path(around.variables).parent
    label = f"the memd of {folder}" if target.is_of_data_directory else target.url
    return f"{label} as {target.end_user}" if target.end_user else label


def _output(client: str, name: str, text: str) -> dict[str, Any]:
    """The text in the form that the agent reads."""
    if client in _OWN_FIELD:
        return {_OWN_FIELD[client]: text}
    return {"hookSpecificOutput": {"hookEventName": name, "additionalContext": text}}


def _load_no_encryption(target: Connection) -> None:
    """Keep the ssl module out of a process that will not need it: it is a tenth of the time of a hook."""
    if not target.url.startswith("https:"):
        sys.modules.setdefault("ssl", None)  # pyrefly: ignore[no-matching-overload] - None keeps a module out


def _deadline_s() -> float:
    text = os.environ.get("MEMCTL_HOOKS_TIMEOUT_MS", "")
    return int(text) / 1000 if text.isdecimal() and int(text) > 0 else DEADLINE_S


def deliver_queue(client: str, state: State, queue: Queue, target: Connection) -> None:
    """Deliver what waits for this connection; the log says what went wrong."""
    if not queue.files():
        return
    from memctl.hooks.delivery import deliver

    try:
        if dropped := queue.drop_oldest():
            note(state, client, "delivery", f"error the queue is full, dropped {dropped} of the oldest entries")
        deliver(queue, target, lambda kind, text: note(state, client, f"delivery of {kind}", text))
    except Exception as error:  # noqa: BLE001 - the log is the only place where an error may show
        note(state, client, "delivery", f"error {_explained(error)}")
